"""Misplays: counted by the table for each seat, written with the end, and not at all where some may be missing."""

import math
from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import sync_to_async
from django.db import connection

from games.live import rows
from games.live.ownership import Shared
from games.live.rows import EndRow
from games.live.supervisor import Supervisor
from games.live.table import Table
from games.models import End, Match
from games.rules.book import CENTRES
from games.rules.commands import Play
from games.rules.events import Event as RulesEvent
from games.rules.events import Kind
from games.rules.misplays import RESENT
from games.shuffling import RandomDealer
from tests.live.support import Client, House, Program, begin, do
from tests.live.test_contests import contests


def misfit(table: Table, seat: int) -> Play:
    """A play with a card of that seat that does not fit where it goes, and never did."""
    state = table.state
    tops = [pile[-1] for name, pile in state.places.items() if name.startswith(f"{seat}.stockpile")]
    return next(
        Play(state.status.round, card, pile)
        for card in tops
        for pile in CENTRES
        if not table.book.fits(state, card, state.places[pile][-1])
    )


async def press_wrong(client: Client, times: int = 1) -> None:
    assert client.table is not None
    for _ in range(times):
        name = do(client, misfit(client.table, client.seat or 0))
        await client.message("refused", id=name, code="not_adjacent")


async def end_of(house: House, client: Client) -> End:
    """The match ends by that seat's resignation; its end as it was written."""
    assert client.table is not None
    client.say("resign")
    await client.event("ended")
    (end,) = await house.ends(client.table)
    return end


async def test_each_seat_has_its_own(house: House) -> None:
    table = await house.table()
    one, two = await begin(table)
    await press_wrong(one, 3)
    await press_wrong(two)
    assert (await end_of(house, one)).misplays == (3, 1)


async def test_none_is_known_to_be_none(house: House) -> None:
    table = await house.table()
    one, _ = await begin(table)
    assert (await end_of(house, one)).misplays == (0, 0)


async def test_a_press_counts_once_however_often_it_is_sent(house: House) -> None:
    """After a break the page sends again what was not answered, on another socket."""
    table = await house.table()
    one, two = await begin(table)
    press = misfit(table, 0)
    for client in (one, one, Client(table, 0)):
        do(client, press, "the-one")
        await client.message("refused", id="the-one", code="not_adjacent")
    # The other seat's press of the same name is another one.
    do(two, misfit(table, 1), "the-one")
    await two.message("refused", id="the-one", code="not_adjacent")
    assert (await end_of(house, one)).misplays == (1, 1)


async def test_what_comes_too_late_is_none(house: House) -> None:
    seed, mine, other = contests(False, 1)[0]
    house.supervisor.dealer = RandomDealer(seed)
    table = await house.table()
    one, two = await begin(table)
    do(one, mine)
    lost = do(two, other)
    await two.message("refused", id=lost, code="pile_changed")
    again = do(one, mine)
    await one.message("refused", id=again, code="not_your_card")
    old = two.say("play", card=other.card, to=other.to, round=0)
    await two.message("refused", id=old, code="old_round")
    watcher = Client(table)
    watcher.say("play", "w", card=other.card, to=other.to)
    await watcher.message("refused", id="w", code="not_seated")
    one.say("resign")
    after = two.say("slap", pile="centre.0")
    await two.message("refused", id=after, code="game_over")
    (end,) = await house.ends(table)
    assert end.misplays == (0, 0)


async def test_what_was_pressed_while_the_line_was_broken_is_none(house: House) -> None:
    """The page sends it again as soon as it is back."""
    seed, mine, other = contests(False, 1)[0]
    house.supervisor.dealer = RandomDealer(seed)
    table = await house.table()
    one, two = await begin(table)
    do(one, mine)
    await one.event("played")
    table.clock.zero -= 2 * table.state.pace.contest
    back = Client(table, 1)
    late = do(back, other)
    await back.message("refused", id=late, code="not_adjacent")
    table.clock.zero -= RESENT + 1
    again = do(two, other)
    await two.message("refused", id=again, code="not_adjacent")
    assert (await end_of(house, one)).misplays == (0, 1)


async def test_while_nothing_can_be_written_nothing_is_judged_and_afterwards_nobody_knows(
    house: House, program: Program
) -> None:
    """What was judged against events that never were was told nobody, and comes again."""
    table = await house.table()
    one, two = await begin(table)
    await press_wrong(one)
    program.lock()
    one.say("spit")
    do(two, misfit(table, 1), "again")
    await two.message("refused", id="again", code="trouble")
    program.unlock()
    await two.until(lambda: not house.supervisor.journal.in_trouble)
    do(two, misfit(table, 1), "again")
    await two.message("refused", id="again", code="not_adjacent")
    assert (await end_of(house, one)).misplays is None


async def test_unknown_after_a_restart(house: House) -> None:
    table = await house.table()
    one, _ = await begin(table)
    await press_wrong(one)
    again = Client(await house.restarted(table), 0)
    await press_wrong(again)
    assert (await end_of(house, again)).misplays is None


async def test_unknown_when_another_wrote(house: House) -> None:
    table = await house.table()
    one, two = await begin(table)
    await press_wrong(one)
    foreign = RulesEvent(Kind.CALLED, table.now(), seat=1, command="foreign")
    await house.insert_foreign_event(table, foreign, table.state.seq + 1)
    mine = one.say("spit")
    await one.message("refused", id=mine, code="trouble")
    await press_wrong(two)
    assert (await end_of(house, two)).misplays is None


async def sit_down(process: Supervisor, slug: str) -> Client:
    """Seat 1, with a socket in that process, wherever the match is played."""
    client = Client(seat=1)

    def sit(place: Any) -> None:
        client.table = place
        place.join(client, 1, goes_on=sit)

    await process.enter(slug, client, sit)
    await client.message("state")
    return client


async def test_unknown_when_another_process_takes_over(
    house: House, another: Callable[[], Awaitable[Supervisor]]
) -> None:
    first, second = await another(), await another()
    match = await house.match()
    table = await first.table(match.slug)
    one, _ = await begin(table)
    await press_wrong(one)
    far = await sit_down(second, match.slug)
    wrong = do(far, misfit(table, 1))
    await far.message("refused", id=wrong, code="not_adjacent")
    await first.stop()
    await far.until(lambda: far.table is second.tables.get(match.slug), "for the match to be taken over")
    assert (await end_of(house, far)).misplays is None


async def test_known_when_the_press_came_by_another_process(
    house: House, another: Callable[[], Awaitable[Supervisor]]
) -> None:
    first, second = await another(), await another()
    match = await house.match()
    table = await first.table(match.slug)
    one, _ = await begin(table)
    far = await sit_down(second, match.slug)
    wrong = do(far, misfit(table, 1))
    await far.message("refused", id=wrong, code="not_adjacent")
    assert (await end_of(house, one)).misplays == (0, 1)


async def test_unknown_when_another_may_have_had_the_match_for_a_while(
    house: House, another: Callable[[], Awaitable[Supervisor]]
) -> None:
    """Not heard of for too long, and nothing was written meanwhile: what another refused is in no log."""
    process = await another()
    match = await house.match()
    table = await process.table(match.slug)
    one, _ = await begin(table)
    await press_wrong(one)
    ownership = process._ownership
    assert isinstance(ownership, Shared)
    ownership._sure_until = -math.inf
    await one.until(lambda: process.is_sure and ownership._well_since > -math.inf, "for the next sign of life")
    assert (await end_of(house, one)).misplays is None


async def test_any_number_can_be_written(house: House) -> None:
    """A program may have sent thousands: its match ends all the same."""
    match = await house.match()

    def write() -> tuple[int, int] | None:
        end = EndRow(match.pk, 0, "resigned", False, 1, 1, misplays=(1_000_000, 0))
        rows.write(connection, [], [end])
        match.refresh_from_db()
        assert match.state == Match.State.OVER
        return match.end.misplays

    assert await sync_to_async(write)() == (1_000_000, 0)
