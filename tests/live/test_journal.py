"""The journal when something goes wrong: overtaken, locked out, slow. Nothing is lost in silence."""

import asyncio

import pytest
from asgiref.sync import sync_to_async

from games.live.journal import Entry, Fault, Stream
from games.live.match_info import Loaded
from games.models import End, Event, Match
from games.rules.events import Event as RulesEvent
from games.rules.events import Kind
from tests.live.support import Client, House, Program, begin, do, moves, play_on


async def test_whoever_is_overtaken_starts_anew(house: House) -> None:
    """A second owner has written: this one drops its state, everybody sees the truth, play goes on."""
    table, bystander = await house.table(), await house.table()
    players = await begin(table)
    others = await begin(bystander)
    await play_on(table, players, lambda state: bool(moves(state, 0)))
    await play_on(bystander, others, lambda state: bool(moves(state, 0)))

    seq = table.state.seq + 1
    await house.insert_foreign_event(table, RulesEvent(Kind.CALLED, table.now(), seat=1, command="foreign"), seq)
    shown = len(players[0].of("state"))
    mine = do(players[0], moves(table.state, 0)[0])
    # In the same batch, of another match.
    theirs = do(others[0], moves(bystander.state, 0)[0])

    assert await players[0].message("refused", id=mine) == {"t": "refused", "id": mine, "code": "trouble"}
    await players[0].until(lambda: len(players[0].of("state")) > shown)
    assert players[0].of("state")[-1]["seq"] == seq
    await others[0].until(lambda: others[0].answer(theirs))
    assert (others[0].answer(theirs) or {})["t"] == "events"

    assert [event.command for event in await house.log(table)][-1] == "foreign"
    again = do(players[0], moves(table.state, 0)[0])
    await players[0].until(lambda: players[0].answer(again))
    assert await house.folded(table) == table.shown
    # Asked again under the old id, the command is judged now: it was never done.
    players[0].say("play", mine, card="Xx", to="centre.0")
    await players[0].message("refused", id=mine, code="not_your_card")


class Mourner:
    """Owns a stream, and remembers what it is told."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def committed(self, entry: Entry) -> None:
        raise AssertionError("this cannot have been written")

    def broken(self, fault: Fault) -> None:
        self.faults.append(fault)


async def test_what_can_never_be_written_costs_only_its_own_match(house: House) -> None:
    table = await house.table()
    players = await begin(table)
    await play_on(table, players, lambda state: bool(moves(state, 0)))
    owner = Mourner()
    beyond_any_database = (1, 2**80, 0, "played", 1, 0, None, "{}")
    journal = house.supervisor.journal
    journal.append(Entry(Stream(1, owner), 2**80, (), [], [beyond_any_database], table.state))
    name = do(players[0], moves(table.state, 0)[0])
    await players[0].until(lambda: players[0].answer(name))
    await journal.flushed()
    assert owner.faults == [Fault.UNWRITABLE]
    assert (players[0].answer(name) or {})["t"] == "events"
    assert not journal.in_trouble
    assert await house.folded(table) == table.shown


async def test_what_got_there_after_all_is_acknowledged(house: House) -> None:
    """The commit's answer was lost, not the commit: trying again meets our own events."""
    table = await house.table()
    players = await begin(table)
    await play_on(table, players, lambda state: bool(moves(state, 0)))
    commit = house.supervisor.journal._commit
    lost = 0

    def commit_and_fail(batch: list) -> None:  # type: ignore[type-arg]
        nonlocal lost
        commit(batch)
        if lost == 0:
            lost += 1
            from django.db import OperationalError

            raise OperationalError("server closed the connection unexpectedly")

    house.supervisor.journal._commit = commit_and_fail  # type: ignore[method-assign,assignment]
    name = do(players[0], moves(table.state, 0)[0])
    ack = await players[0].message("ack", id=name)
    log = await house.log(table)
    assert log[ack["seq"] - 1].command == name
    assert [event.command for event in log].count(name) == 1


async def test_a_short_lock_delays_and_loses_nothing(house: House, program: Program) -> None:
    table = await house.table()
    players = await begin(table)
    await play_on(table, players, lambda state: bool(moves(state, 0)))
    program.lock()
    name = do(players[0], moves(table.state, 0)[0])
    await asyncio.sleep(0.3)
    assert players[0].answer(name) is None
    program.unlock()
    answer = await players[0].until(lambda: players[0].answer(name))
    assert answer["t"] == "events"
    assert await house.folded(table) == table.shown


async def test_a_long_lock_is_told_and_play_goes_on_after_it(house: House, program: Program) -> None:
    table = await house.table("normal")
    players = (Client(table, 0), Client(table, 1))
    program.lock()
    held = players[0].say("ready")
    assert (await players[0].message("refused", id=held))["code"] == "trouble"
    late = players[1].say("ready")
    assert (await players[1].message("refused", id=late))["code"] == "trouble"
    assert [event.kind.value for event in await house.log(table)] == ["shuffled", "dealt"]
    program.unlock()
    await players[0].until(lambda: not house.supervisor.journal.in_trouble)
    # The same intents, sent again.
    players[0].say("ready", held)
    players[1].say("ready", late)
    await players[1].event("readied", command=late)
    assert await house.folded(table) == table.shown


@pytest.fixture
def readable(house: House, monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """While it is not set no match can be read."""
    readable = asyncio.Event()
    readable.set()
    reload = house.supervisor.reload

    async def late(slug: str) -> Loaded:
        await readable.wait()
        return await reload(slug)

    monkeypatch.setattr(house.supervisor, "reload", late)
    return readable


async def test_what_is_not_written_is_not_acknowledged_when_it_comes_again(
    house: House, program: Program, readable: asyncio.Event
) -> None:
    """The same command on another connection, while only the database knows what became of the first."""
    table = await house.table("normal")
    player = Client(table, 0)
    readable.clear()
    program.lock()
    name = player.say("ready")
    await house.supervisor.journal.flushed()
    again = Client(table, 0)
    again.say("ready", name)
    again.say("ready", name)
    assert again.answer(name) is None
    program.unlock()
    readable.set()
    for client in (player, again):
        assert (await client.message("refused", id=name))["code"] == "trouble"
        assert len(client.of("refused")) == 1
        assert client.of("ack") == []
    await player.until(lambda: not house.supervisor.journal.in_trouble)
    again.say("ready", name)
    await player.event("readied", command=name)
    assert await house.folded(table) == table.shown


async def test_a_match_is_broken_off_once_it_can_be(house: House, program: Program, readable: asyncio.Event) -> None:
    """The order is not lost in a trouble, and what comes after it is told as ever."""
    table = await house.table("normal")
    player = Client(table, 0)
    readable.clear()
    program.lock()
    player.say("ready")
    await house.supervisor.journal.flushed()
    table.break_off()
    program.unlock()
    readable.set()
    assert (await player.event("ended"))["status"]["result"]["cause"] == "broken_off"
    assert [end.cause for end in await house.ends(table)] == ["broken_off"]
    assert await house.folded(table) == table.shown


async def test_the_end_is_written_with_the_event_that_makes_it(house: House) -> None:
    table = await house.table()
    players = await begin(table)
    await play_on(table, players, lambda state: sum(state.played) > 0)
    players[0].say("resign")
    await players[0].event("ended")

    def read() -> tuple[str, int, int]:
        match = Match.objects.get(pk=table.match.pk)
        return match.state, End.objects.get(match=match).events, Event.objects.filter(match=match).count()

    state, last, count = await sync_to_async(read)()
    assert (state, last) == (Match.State.OVER, count)
