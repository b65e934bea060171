"""Slow readers, the end of a match, and what is left of it: nothing."""

import asyncio
import gc
import json
import weakref
from typing import Any

import pytest
from django.contrib.auth import get_user_model

from games.consumers import MatchConsumer
from games.live import supervisor as supervisor_module
from games.live.signals import match_over
from games.live.socket import QUEUE, Socket
from games.live.table import Table
from games.lobby import services
from games.rules.commands import Play
from games.rules.events import Event as RulesEvent
from games.rules.events import Kind
from games.rules.state import Phase
from tests.live.support import REMATCH, Client, House, begin, do, moves, play_on, screen


class Wire:
    """The server's side of a connection whose reader can be stopped."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.open = asyncio.Event()
        self.open.set()
        self.is_gone = False

    async def send(self, message: dict[str, Any]) -> None:
        await self.open.wait()
        if self.is_gone:
            raise OSError("gone")
        self.sent.append(message)

    @property
    def texts(self) -> list[str]:
        return [message["text"] for message in self.sent if message["type"] == "websocket.send"]


async def drained(socket: Socket) -> None:
    while socket._writer is not None:
        await asyncio.wait({socket._writer})


class TestSocket:
    async def test_frames_go_out_at_once_and_in_order(self) -> None:
        wire = Wire()
        socket = Socket(wire.send, lambda: None)
        for number in range(5):
            socket.send(str(number))
        assert wire.texts == list("01234")

    async def test_a_short_stop_delays_and_loses_nothing(self) -> None:
        wire = Wire()
        socket = Socket(wire.send, lambda: None)
        wire.open.clear()
        for number in range(QUEUE):
            socket.send(str(number))
        assert wire.texts == []
        wire.open.set()
        await drained(socket)
        socket.send("last")
        assert wire.texts == [*map(str, range(QUEUE)), "last"]

    async def test_who_falls_behind_is_sent_the_state_instead(self) -> None:
        """B24: bounded, and exact again."""
        wire = Wire()
        socket = Socket(wire.send, lambda: socket.send("state"))
        socket.send("first")
        wire.open.clear()
        for number in range(10 * QUEUE):
            socket.send(str(number))
        assert len(socket._queue) <= QUEUE
        assert socket.left_out == 10 * QUEUE - 1
        wire.open.set()
        await drained(socket)
        socket.send("next")
        assert wire.texts == ["first", "0", "state", "next"]

    async def test_closing_says_why(self) -> None:
        wire = Wire()
        socket = Socket(wire.send, lambda: None)
        socket.close("too_fast", "too many messages")
        socket.send("nothing more")
        socket.close("too_fast", "again")
        assert wire.texts == ['{"t":"closing","code":"too_fast","text":"too many messages"}']
        assert wire.sent[-1] == {"type": "websocket.close", "code": 4429, "reason": "too many messages"}

    async def test_who_takes_nothing_is_cut_off(self) -> None:
        async def connection() -> None:
            wire = Wire()
            wire.open.clear()
            socket = Socket(wire.send, lambda: None)
            socket.send("never read")
            asyncio.get_running_loop().call_soon(socket.close, "silent", "no answer")
            await asyncio.Event().wait()

        with pytest.raises(asyncio.CancelledError):
            await asyncio.create_task(connection())

    async def test_a_peer_that_is_gone_raises_nothing(self) -> None:
        wire = Wire()
        wire.is_gone = True
        socket = Socket(wire.send, lambda: None)
        socket.send("a")
        assert socket.is_closed
        wire = Wire()
        wire.open.clear()
        socket = Socket(wire.send, lambda: None)
        socket.send("b")
        wire.is_gone = True
        wire.open.set()
        await drained(socket)
        assert socket.is_closed


class Paused:
    """A tab whose script stands still, as in a debugger."""

    def __init__(self, table: Table, seat: int | None) -> None:
        self._wire = Wire()
        self._table = table
        self.fell_behind = 0
        self.socket = Socket(self._wire.send, self._behind)
        table.join(self.socket, seat)
        self._wire.open.clear()

    def _behind(self) -> None:
        self.fell_behind += 1
        self._table.resync(self.socket)

    async def resume(self) -> list[dict[str, Any]]:
        """Everything that it was sent, as it reads it now."""
        self._wire.open.set()
        await drained(self.socket)
        return [json.loads(text) for text in self._wire.texts]


async def test_b24_a_watcher_and_a_player_s_tab_stand_still_for_500_events(house: House) -> None:
    """Both are sent exactly the state then; nobody else notices; what the player did in it is not lost."""
    table = await house.table(options={"best_of": 999})
    players = await begin(table)
    watcher = Client(table)
    tabs = Paused(table, None), Paused(table, 0)
    await play_on(table, players, lambda state: state.status.phase is Phase.PLAYING and bool(moves(state, 0)))
    play = moves(table.state, 0)[0]
    command = {"t": "play" if isinstance(play, Play) else "move", "id": "meant", "round": table.state.status.round}
    table.receive(tabs[1].socket, json.dumps({**command, "card": play.card, "to": play.to}))
    last = table.shown.seq + 500
    await play_on(table, players, lambda state: state.seq > last)
    await house.supervisor.journal.flushed()
    for tab in tabs:
        assert len(tab.socket._queue) <= QUEUE
        messages = await tab.resume()
        assert tab.fell_behind == 1
        # What it had been sent before it stood still, the gap, and then the state, which closes it.
        state = next(message for message in reversed(messages) if message["t"] == "state")
        assert state["seq"] == table.shown.seq
        assert screen(messages[messages.index(state) :], table.match.setup).status == table.shown.status
    assert "meant" in {event.command for event in await house.log(table)}
    for client in (*players, watcher):
        await client.until(lambda client=client: client.state(table.match.setup).seq == table.shown.seq)
        assert len(client.of("state")) == 1, "they had every event, one by one"


async def test_b24_what_a_slow_reader_was_not_sent_is_logged(house: House, caplog: pytest.LogCaptureFixture) -> None:
    table = await house.table()
    wire = Wire()
    tab = MatchConsumer(wire.send, None)
    tab._sit(table)
    wire.open.clear()
    for number in range(QUEUE + 10):
        table.room.publish((str(number),) * 3)
    left_out = tab._socket.left_out
    assert left_out > QUEUE
    with caplog.at_level("INFO", logger="games.consumers"):
        wire.open.set()
        await drained(tab._socket)
    (record,) = [record for record in caplog.records if record.name == "games.consumers"]
    # One more may come between the look and the line.
    assert any(f"fell behind by {left_out + more} frames" in record.getMessage() for more in range(3))
    assert record.match == table.match.slug  # type: ignore[attr-defined]
    assert json.loads(wire.texts[-1])["t"] == "state"


class TestTheEnd:
    async def test_everything_is_open_and_the_signal_comes_once(self, house: House) -> None:
        heard: list[tuple[str, int]] = []

        def listener(slug: str, match_id: int, **_: Any) -> None:
            heard.append((slug, match_id))

        match_over.connect(listener)
        try:
            table = await house.table()
            players = await begin(table)
            watcher = Client(table)
            players[0].say("resign")
            await watcher.until(lambda: not watcher.of("state")[-1]["match"]["live"])
            view = watcher.of("state")[-1]["view"]
            assert not any("-" in cards for cards in view["places"].values())
            await watcher.until(lambda: heard)
            assert heard == [(table.match.slug, table.match.pk)]
        finally:
            match_over.disconnect(listener)

    async def test_a_receiver_that_fails_harms_nobody(self, house: House, caplog: pytest.LogCaptureFixture) -> None:
        def listener(**_: Any) -> None:
            raise ValueError("a fault of the receiver")

        match_over.connect(listener)
        try:
            table = await house.table()
            players = await begin(table)
            players[0].say("resign")
            await players[1].until(lambda: "a fault of the receiver" in caplog.text)
        finally:
            match_over.disconnect(listener)

    async def test_a_rematch_is_made_once_both_want_it(self, house: House) -> None:
        made = house.make_rematches()
        table = await house.table()
        one, two = await begin(table)
        early = one.say("rematch")
        assert (await one.message("refused", id=early))["code"] == "not_now"
        one.say("resign")
        await two.until(lambda: table.shown.is_over)
        for _ in range(3):
            one.say("rematch")
        await two.message("rematch", offered_by=0, url=None)
        assert made == []
        late = Client(table)
        await late.message("rematch", offered_by=0)
        two.say("rematch")
        two.say("rematch")
        for client in (one, two, late):
            await client.message("rematch", url=REMATCH)
        assert made == [table.match.slug]

    async def test_a_rematch_is_set_up_even_if_nobody_comes(
        self, house: House, caplog: pytest.LogCaptureFixture
    ) -> None:
        """Its clocks run: it does not stay live for ever. Asked for in a worker's thread, as pages do."""
        following: list[str] = []

        def rematch(slug: str, begin: bool) -> str | None:
            if not begin:
                return None
            match = house.make_match()
            following.append(match.slug)
            house.supervisor.call(house.supervisor.seated, match.slug)
            return match.get_absolute_url()

        house.supervisor.rematch_maker = rematch
        table = await house.table()
        one, two = await begin(table)
        one.say("resign")
        await two.until(lambda: table.shown.is_over)
        one.say("rematch")
        two.say("rematch")
        await two.until(lambda: following and following[0] in house.supervisor.tables)
        assert "failed" not in caplog.text

    async def test_a_live_match_without_a_table_is_found(self, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(supervisor_module, "SWEEP", 0.02)
        await house.restart()
        match = await house.match()
        watcher = Client()
        await watcher.until(lambda: match.slug in house.supervisor.tables)

    async def test_a_rematch_that_fails_can_be_wished_for_again(self, house: House) -> None:
        answers = iter([RuntimeError("no"), REMATCH])

        def rematch(slug: str, begin: bool) -> str | None:
            if not begin:
                return None
            answer = next(answers)
            if isinstance(answer, Exception):
                raise answer
            return answer

        house.supervisor.rematch_maker = rematch
        table = await house.table()
        one, two = await begin(table)
        one.say("resign")
        await two.until(lambda: table.shown.is_over)
        for _ in range(2):
            one.say("rematch")
            two.say("rematch")
            await one.until(lambda: not list(table._tasks))
        await one.message("rematch", url=REMATCH)

    @pytest.mark.parametrize("asks", ["offer", "answer"])
    async def test_no_rematch_with_somebody_who_is_gone(
        self, house: House, caplog: pytest.LogCaptureFixture, asks: str
    ) -> None:
        """Said to whoever asks, whether first or in answer to an offer that was made before."""
        house.supervisor.rematch_maker = services.rematch_url
        table = await house.table()
        one, two = await begin(table)
        one.say("resign")
        await two.until(lambda: table.shown.is_over)
        other = table.match.seats[0].user_id
        if asks == "answer":
            one.say("rematch")
            await two.message("rematch", offered_by=0)
        await get_user_model().objects.filter(pk=other).adelete()
        asked = two.say("rematch")
        assert (await two.message("refused", id=asked))["code"] == "gone"
        assert {"t": "rematch", "offered_by": None, "url": None} not in two.messages
        assert not [record for record in caplog.records if record.exc_info or record.levelname == "ERROR"]

    async def test_broken_off(self, house: House) -> None:
        table = await house.table()
        players = await begin(table)
        await play_on(table, players, lambda state: sum(state.played) > 0)
        house.supervisor.break_off(table.match.slug)
        ended = await players[0].event("ended")
        assert ended["status"]["result"] == {"winner": None, "cause": "broken_off"}
        (end,) = await house.ends(table)
        assert end.void

    async def test_nothing_is_left_of_it(self, house: House) -> None:
        """No growth with each match: table, log, sockets, timers are gone once the last socket is."""
        left: list[weakref.ref[Any]] = []
        for _ in range(3):
            table = await house.table()
            players = await begin(table)
            await play_on(table, players, lambda state: sum(state.played) > 3)
            left += [weakref.ref(table), *map(weakref.ref, players)]
            players[0].say("resign")
            await players[1].until(lambda table=table: table.shown.is_over)  # type: ignore[misc]
            for player in players:
                table.leave(player)
        del table, players, player
        assert house.supervisor.tables == {}
        supervisor = house.supervisor
        for task in supervisor._tasks:
            # These go on as long as the supervisor does.
            if not any(name in repr(task) for name in ("_beat", "_sweep", "watch")):
                await asyncio.wait_for(task, 60)
        for _ in range(3):
            await asyncio.sleep(0)
            gc.collect()
        assert [ref() for ref in left if ref() is not None] == []

    async def test_a_table_with_bots_only_lingers_and_goes(self, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(supervisor_module, "LINGER", 0.2)
        table = await house.table()
        bots = Client(table, 0, wire=False), Client(table, 1, wire=False)
        bots[0].say("resign")
        await bots[1].until(lambda: bots[1].closed)
        assert bots[1].closed == "over"
        assert house.supervisor.tables == {}

    async def test_a_log_that_cannot_be_read_ends_the_table_not_the_server(
        self, house: House, caplog: pytest.LogCaptureFixture
    ) -> None:
        table = await house.table()
        players = await begin(table)
        await play_on(table, players, lambda state: bool(moves(state, 0)))
        foreign = RulesEvent(Kind.CALLED, table.now(), seat=1)
        await house.insert_foreign_event(table, foreign, table.state.seq + 1, body="this is no event")
        do(players[0], moves(table.state, 0)[0])
        await players[0].until(lambda: players[0].closed)
        assert players[0].closed == "restart"
        assert table.match.slug not in house.supervisor.tables
        assert "the match cannot be read" in caplog.text
        # Other matches go on.
        await begin(await house.table())

    async def test_who_waits_for_a_match_that_is_withdrawn_is_sent_away(self, house: House) -> None:
        match = await house.match(state="open")
        visitor = Client()
        await house.supervisor.enter(match.slug, visitor, lambda table: None)
        await visitor.message("waiting")
        house.supervisor.withdrawn(match.slug)
        assert visitor.closed == "no_such_match"
        assert house.supervisor.waiting.rooms == {}

    async def test_an_over_match_can_be_visited(self, house: House) -> None:
        table = await house.table()
        players = await begin(table)
        await play_on(table, players, lambda state: bool(moves(state, 0)))
        players[0].say("resign")
        await players[1].until(lambda: table.shown.is_over)
        visitor = Client(await house.restarted(table))
        assert visitor.of("state")[0]["match"]["live"] is False
        assert visitor.of("presence") == []
