"""The stream between a table and a remote place, over a way that loses, and what each does about it.

The real way is Redis; here it is a few lines, because no Redis loses on demand.
"""

import asyncio
import random
from collections.abc import Callable
from typing import Any

import pytest

from games.live import announce
from games.live.protocol import Close
from games.live.relay import remote as remote_module
from games.live.relay.messages import Beat, Bundle, Down, Hello, NotHere, Up, pack, unpack
from games.live.relay.outpost import Outpost
from games.live.relay.remote import Remote
from games.live.table import Table
from games.rules.book import Decision
from games.rules.commands import Ready
from games.rules.state import Phase
from tests.live.support import Client, House, do, moves

OWNER, HERE = "owner", "here"


class Way:
    """The way between one remote place and the table; loses each message with some probability."""

    def __init__(self, house: House, table: Table, loss: float = 0.0, seed: int = 1, seen: int = 0) -> None:
        self.table = table
        self.loss = loss
        self.lost = 0
        self._chance = random.Random(seed)
        self._loop = asyncio.get_running_loop()
        self.outpost: Outpost | None = None
        self.left = False
        self.remote = Remote(table.match, house.supervisor.new_room(), self, seen)
        self.remote.attach(OWNER)

    def _carry(self, message: Up | Down, to: Callable[[Any], None]) -> None:
        if self._chance.random() < self.loss:
            self.lost += 1
            return
        # As it really travels.
        (copy,) = unpack(pack(Bundle(HERE, [message]))).messages
        self._loop.call_soon(to, copy)

    def send_up(self, owner: str, message: Up) -> None:
        self._carry(message, self._up)

    def _up(self, message: Up) -> None:
        if self.outpost is None or self.outpost.epoch != message.epoch:
            if not isinstance(message.item, Hello):
                self._down(HERE, Down(message.slug, message.epoch, 0, NotHere()))
                return
            older = self.outpost
            self.outpost = Outpost(self.table, HERE, message.slug, message.epoch, self._down)
            self.table.room.outposts.append(self.outpost)
            self.outpost.hear(message.n, message.item)
            if older is not None:
                self.table.part(older)
        else:
            self.outpost.hear(message.n, message.item)

    def _down(self, process: str, message: Down) -> None:
        self._carry(message, lambda copy: self.remote.hear(OWNER, copy))

    def look_again(self, remote: Remote, after: float = 0) -> None:
        self._loop.call_later(0.05, remote.attach, OWNER)

    def left_alone(self, remote: Remote) -> None:
        self.left = True


class Far(Client):
    """A client at a remote place. It never sends anything again."""

    def __init__(self, remote: Remote, seat: int | None, **options: Any) -> None:
        super().__init__(None, seat)
        self.remote = remote
        remote.join(self, seat, **options)

    def raw(self, text: str) -> None:
        self.remote.receive(self, text)


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_module, "RESEND", 0.1)
    monkeypatch.setattr("games.live.supervisor.BEAT", 0.1)


async def play_far(table: Table, near: Client, far: Far, goal: int) -> list[str]:
    """Both players do what they can when they have an answer to what they did last; what the far one sent."""
    last: dict[Client, str] = {}
    asked = []
    while table.shown.seq < goal and not table.shown.is_over:
        for player in (near, far):
            status, seat = table.state.status, player.seat or 0
            if player in last and player.answer(last[player]) is None:
                continue
            possible = moves(table.state, seat)
            if status.phase is Phase.PLAYING and possible:
                last[player] = do(player, possible[0])
            elif status.phase in (Phase.READY, Phase.STUCK) and not status.ready[seat]:
                last[player] = player.say("ready" if status.phase is Phase.READY else "spit", round=status.round)
            elif status.phase is Phase.SLAP:
                last[player] = player.say("slap", pile="centre.0", round=status.round)
            else:
                continue
            if player is far:
                asked += [last[player], far.say("rematch")]
        # Not for a message of this one alone: whoever has something to do goes on.
        await asyncio.sleep(0.01)
    return asked


async def looked_after(way: Way) -> None:
    """The beats of the remote place, which its process would call. (The table's come from the supervisor.)"""
    while True:
        await asyncio.sleep(0.1)
        way.remote.beat()


@pytest.mark.parametrize(("loss", "seed"), [(0.0, 1), (0.1, 2), (0.1, 3), (0.3, 4)])
async def test_everything_arrives_in_order_in_the_end(house: House, loss: float, seed: int) -> None:
    table = await house.table(pace="normal")
    way = Way(house, table, loss, seed)
    beats = asyncio.create_task(looked_after(way))
    near, far, watcher = Client(table, 0), Far(way.remote, 1), Far(way.remote, None, wire=False)
    for client in (far, watcher):
        await client.message("state")
    asked = await play_far(table, near, far, 50)
    # Every command was answered, and every screen is the table's, without a step back (`state` would raise).
    await far.until(lambda: all(far.answer(name) for name in asked), "for all answers")
    for client in (far, watcher):
        await client.until(lambda c=client: c.state(table.match.setup).seq == table.shown.seq, "to be up to date")  # type: ignore[misc]
        assert client.state(table.match.setup).status == table.shown.status
    assert len(await house.log(table)) == table.shown.seq
    assert (way.lost > 0) == (loss > 0)
    beats.cancel()


async def test_people_far_away_are_there(house: House) -> None:
    table = await house.table()
    way = Way(house, table)
    player = Far(way.remote, 1)
    for _ in range(2):
        # Two tabs of one session, here and there: one watcher.
        Far(way.remote, None, who=("session", "x"))
    Client(table, None, who=("session", "x"))
    await player.until(lambda: table.attendance.watchers == 1 and table.attendance.seats[1].away_since is None)
    way.remote.leave(player)
    await player.until(lambda: table.attendance.seats[1].away_since is not None)
    assert way.outpost is not None
    table.part(way.outpost)
    assert table.attendance.watchers == 1
    assert table.room.outposts == []


async def test_a_stream_that_the_owner_does_not_know_is_begun_anew(house: House) -> None:
    table = await house.table()
    way = Way(house, table)
    player = Far(way.remote, 1)
    await player.message("state")
    assert way.outpost is not None
    table.part(way.outpost)
    way.outpost = None
    player.say("ready")
    await player.until(lambda: table.state.status.ready[1], "for the command to arrive after all")
    assert table.attendance.seats[1].sockets == 1


async def test_trouble_is_told_and_passes(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_module, "TROUBLE", 0.2)
    table = await house.table(pace="normal")
    way = Way(house, table)
    player = Far(way.remote, 1)
    await player.message("state")
    beats = asyncio.create_task(looked_after(way))
    way.loss = 1.0
    await player.until(lambda: way.remote.in_trouble)
    refused = player.say("ready")
    assert (await player.message("refused", id=refused))["code"] == "trouble"
    way.loss = 0.0
    await player.until(lambda: not way.remote.in_trouble)
    player.say("ready")
    await player.until(lambda: table.state.status.ready[1])
    assert player.closed is None
    beats.cancel()


async def test_what_waits_is_bounded(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_module, "UNHEARD", 20)
    table = await house.table()
    way = Way(house, table, loss=1.0)
    player = Far(way.remote, 1)
    for _ in range(remote_module.UNANSWERED + 5):
        player.say("ready")
    assert len(player.of("refused")) == 5
    assert {message["code"] for message in player.of("refused")} == {"trouble"}
    way.loss = 0.0
    way.remote.attach(OWNER)
    await player.until(lambda: table.state.status.ready[1])


async def test_no_screen_steps_back_behind_what_another_owner_showed(house: House) -> None:
    """An owner that stood still wrote one more event when it woke, showed it, and only then found out."""
    table = await house.table(pace="normal")
    near = Client(table, 0)
    near.say("ready")
    await near.until(lambda: table.shown.status.ready[0])
    seq = table.shown.seq
    decision = table.book.decide(table.shown, Ready(1), at=table.now(), seat=1, command_id="elsewhere")
    assert isinstance(decision, Decision)
    await house.insert_foreign_event(table, decision.events[0], seq + 1)
    way = Way(house, table, seen=seq + 1)
    beats = asyncio.create_task(looked_after(way))
    far = Far(way.remote, 1)
    assert (await far.message("state"))["seq"] == seq + 1
    await near.until(lambda: near.state(table.match.setup).seq == seq + 1)
    beats.cancel()


async def test_what_was_spent_of_the_time_to_be_away_outlives_the_owner(house: House) -> None:
    table = await house.table("quick")
    way = Way(house, table)
    watcher = Far(way.remote, None)
    await watcher.message("state")
    table.attendance.seats[1].spent = 1_500
    assert way.outpost is not None
    way.outpost.beat()
    await watcher.until(lambda: way.remote.spent == [0, 1_500])
    after = Table(
        await house.supervisor.reload(table.match.slug),
        journal=house.supervisor.journal, room=house.supervisor.new_room(), dealer=house.supervisor.dealer,
        host=house.supervisor,
    )  # fmt: skip
    after.attendance.spend(way.remote.spent or [])
    due = after.attendance.away_due(1)
    # Of 2,000 milliseconds 500 are left.
    assert due is not None
    assert due - (after.attendance.seats[1].away_since or 0) == 500
    after.close(Close.RESTART, "")


async def test_the_remote_place_goes_when_nobody_is_there(house: House) -> None:
    table = await house.table()
    way = Way(house, table)
    watcher = Far(way.remote, None)
    await watcher.message("state")
    way.remote.leave(watcher)
    await watcher.until(lambda: table.attendance.watchers == 0)
    assert way.outpost is not None
    way.outpost.beat()
    beats = asyncio.create_task(looked_after(way))
    await watcher.until(lambda: way.left)
    beats.cancel()


def test_messages_are_read_as_they_were_written() -> None:
    bundle = Bundle("a", [Down("abcdefgh", 2**47, 3, Beat(4, 5, [6, 7]))])
    assert unpack(pack(bundle)) == bundle


def test_where_one_process_plays_all_nobody_else_is_told(settings: Any) -> None:
    settings.PLAY_IS_SHARED = False
    assert announce.break_off("nothing2") is False
