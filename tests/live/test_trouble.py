"""The database is down or slow: commands are held for a bounded time, then refused; everybody sees it; play goes on."""

import asyncio

import pytest

from games.rules import setup
from games.rules.setup import Pace
from games.rules.state import Phase
from tests.live.support import Client, House, Program, begin, do, moves, play_on

PATIENT = Pace("patient", countdown=20, stuck=60, still_stuck=40, warning=4_200, inactive=4_500, abandoned=4_500)
"""Whoever does nothing loses soon; whoever is away does not."""


@pytest.fixture(autouse=True)
def patient(quick: Pace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(setup.PACES, PATIENT.key, PATIENT)  # type: ignore[arg-type]


async def test_everybody_is_told_and_nobody_is_charged_for_it(house: House, program: Program) -> None:
    """The clock stands still: nobody loses because nothing could be played, not even where nothing was under way."""
    table, bystander = await house.table("patient"), await house.table("patient")
    players = await begin(table)
    others = await begin(bystander)
    for one, pair in ((table, players), (bystander, others)):
        await play_on(one, pair, lambda state: sum(state.played) > 0 and state.status.phase is Phase.PLAYING)
    await house.supervisor.journal.flushed()
    watchers = Client(table), Client(bystander)
    everybody = (*players, *others, *watchers)
    program.lock()
    players[0].say("spit")
    for client in everybody:
        assert (await client.message("trouble", on=True))["on"]
    late = Client(bystander)
    assert [message["t"] for message in late.messages[:2]] == ["state", "trouble"]
    stood = bystander.now()
    # Both matches would have been abandoned.
    await asyncio.sleep(1.2 * PATIENT.abandoned / 1000)
    assert bystander.now() == stood
    refused = do(others[0], moves(bystander.state, 0)[0]) if moves(bystander.state, 0) else others[0].say("spit")
    assert (await others[0].message("refused", id=refused))["code"] == "trouble"
    program.unlock()
    for client in (*everybody, late):
        await client.message("trouble", on=False)
        last = await client.until(lambda client=client: client.messages[-1]["t"] == "state" and client.messages[-1])
        assert last["now"] < stood + 2_000
    for one in (table, bystander):
        assert not one.shown.is_over
        assert await house.folded(one) == one.shown
    before = bystander.shown.seq
    await play_on(bystander, others, lambda state: state.seq > before)


async def test_nothing_piles_up_meanwhile(house: House, program: Program) -> None:
    """However much is sent: it is refused at once, and neither the journal nor the table keeps it."""
    table = await house.table("normal")
    client = Client(table, 0)
    program.lock()
    held = client.say("ready")
    await client.until(lambda: house.supervisor.journal.in_trouble)
    waiting = house.supervisor.journal.pending
    names = [client.say("spit") for _ in range(2_000)]
    assert {message["code"] for message in client.of("refused")} == {"trouble"}
    assert len(client.of("refused")) >= len(names)
    assert house.supervisor.journal.pending <= waiting
    assert len(table._pending) <= 1
    assert len(table._answers) + len(table._refused) <= 1
    program.unlock()
    await client.message("trouble", on=False)
    client.say("ready", held)
    await client.until(lambda: client.answer(held) and table.shown.status.ready[0])
    assert [event.command for event in await house.log(table)].count(held) == 1
