"""Processes that share their matches: who has which, when one of them was not heard of, stops, or cannot read a log."""

import asyncio
import math
from collections.abc import Awaitable, Callable

import pytest

from games.live import match_info
from games.live.match_info import Loaded
from games.live.ownership import Shared
from games.live.relay import cluster as cluster_module
from games.live.relay import messages
from games.live.relay import remote as remote_module
from games.live.supervisor import Stopping, Supervisor
from games.models import Match
from games.rules.log import BadLog
from games.rules.state import Phase
from tests.live.processes import LocalPost
from tests.live.support import Client, House, Program, begin, play_on, plays


def asked(slug: str) -> int:
    """How often a process was asked for the table of that match, as its owner."""
    return sum(
        1
        for _, message in LocalPost.sent
        if isinstance(message, messages.Up) and message.slug == slug and isinstance(message.item, messages.Hello)
    )


async def test_what_another_wrote_and_let_go_is_read(
    house: House, another: Callable[[], Awaitable[Supervisor]]
) -> None:
    """Not heard of for too long, a process finds its match without an owner: another had it meanwhile, and wrote."""
    process = await another()
    match = await house.match()
    table = await process.table(match.slug)
    players = await begin(table)
    await play_on(table, players, lambda state: state.status.phase is Phase.PLAYING and bool(state.played[0]))
    seat, play = next((seat, play) for seat in (0, 1) for play in plays(table.state, seat))
    decision = table.book.decide(table.state, play, at=table.now(), seat=seat)
    (event,) = decision.events  # type: ignore[union-attr]
    seq = table.shown.seq + 1
    await house.insert_foreign_event(table, event, seq)
    await Match.objects.filter(pk=match.pk).aupdate(owner=None)

    ownership = process._ownership
    assert isinstance(ownership, Shared)
    ownership._sure_until = -math.inf

    await players[1].until(lambda: table.shown.seq == seq, "for what the other one wrote")
    for player in players:
        assert player.state(table.match.setup).seq == seq
    await play_on(table, players, lambda state: state.seq > seq)
    assert await house.folded(table) == table.shown


async def test_nobody_waits_for_a_table_of_a_process_that_stops(house: House, program: Program) -> None:
    """The first deal of a match cannot be written, so its table is not there yet; then the process is told to stop."""
    process = house.supervisor
    match = await house.match()
    program.lock()
    try:
        entering = asyncio.create_task(process.enter(match.slug, Client(), lambda place: None))
        watcher = Client()
        await watcher.until(lambda: process.journal.pending, "for the deal")
        await process.stop()
        with pytest.raises(Stopping):
            await asyncio.wait_for(entering, 10)
    finally:
        program.unlock()


async def test_a_log_that_cannot_be_read_is_asked_for_seldom_and_told_of_once(
    house: House,
    another: Callable[[], Awaitable[Supervisor]],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    for module in (remote_module, cluster_module):
        monkeypatch.setattr(module, "UNREADABLE", 0.5)
    monkeypatch.setattr(remote_module, "RESEND", 0.05)
    monkeypatch.setattr("games.live.supervisor.BEAT", 0.1)
    one, two = await another(), await another()
    match = await house.match()
    assert await one._ownership.claim(match.slug) is None
    load, is_readable = match_info.load, False

    def read(slug: str) -> Loaded:
        if not is_readable:
            raise BadLog("event 7 is cut off")
        return load(slug)

    monkeypatch.setattr(match_info, "load", read)

    far = Client()
    await two.enter(match.slug, far, lambda place: place.join(far, None))
    await far.until(lambda: asked(match.slug) >= 4, "to be asked for again")
    began = asyncio.get_running_loop().time()
    number = asked(match.slug)
    await far.until(lambda: asked(match.slug) >= number + 2)
    assert asyncio.get_running_loop().time() - began > 0.5
    told = [record for record in caplog.records if record.exc_info and getattr(record, "match", "") == match.slug]
    assert len(told) == 1

    # It is mended, and whoever waited is shown the match.
    is_readable = True
    await far.message("state")


async def test_b29_who_is_deleted_has_left_the_match(
    house: House, another: Callable[[], Awaitable[Supervisor]]
) -> None:
    """Told in one process, of a match that another one has: it ends at once, by M2."""
    one, two = await another(), await another()
    match = await house.match()
    table = await one.table(match.slug)
    players = await begin(table)
    await play_on(table, players, lambda state: bool(sum(state.played)))
    user_id = table.match.seats[0].user_id
    assert user_id is not None
    two.person_deleted(user_id)
    ended = await players[1].event("ended")
    assert (ended["status"]["result"]["winner"], ended["status"]["result"]["cause"]) == (1, "left")
    (end,) = await house.ends(table)
    assert end.cause == "left"
