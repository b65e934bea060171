"""A match ends once, however many want to end it at the same moment (B14)."""

import asyncio

from asgiref.sync import sync_to_async
from django.db.models import Count

from games.live.signals import match_over
from games.live.table import Table
from games.models import End, Event, Match, Rating, RatingChange
from games.ratings.recount import recount
from games.ratings.services import rate_pending
from games.rules.book import Decision
from games.rules.commands import Play
from games.rules.evolve import fold
from games.rules.registry import book_of
from games.rules.setup import Setup
from games.rules.state import Cause
from replays.models import Replay
from tests.factories import Played, make_user, play_match, store_match
from tests.live.support import Client, House, do, plays

TIMES = 100


class Decided:
    """A match of Speed that seat 0 wins with its next card."""

    def __init__(self) -> None:
        setup = Setup("speed")
        book = book_of(setup.game)
        whole = play_match(setup, seed=0, pace=(300, 1500))
        assert [event.kind.value for event in whole.events[-2:]] == ["played", "ended"]
        log = whole.events[:-2]
        state = fold(book.start(setup), log)
        self.played = Played(setup, log, state)

        def wins(play: Play) -> bool:
            decision = book.decide(state, play, at=state.at, seat=0, command_id="x")
            return isinstance(decision, Decision) and decision.state.is_over

        self.last = next(play for play in plays(state, 0) if wins(play))


def make_matches(decided: Decided) -> list[Match]:
    """So many of them, rated, of one player against somebody else each time: R3 lets all of them count."""
    ann = make_user("ann")
    return [store_match(decided.played, ann, make_user(), rated=True) for _ in range(TIMES)]


def finish(number: int, table: Table, decided: Decided) -> None:
    """Seat 0 plays its last card and leaves; seat 1 resigns; time is up; the site breaks it off. In any order."""
    one, two = Client(table, 0), Client(table, 1)

    def win() -> None:
        do(one, decided.last)
        table.leave(one)

    def fall_due() -> None:
        """Nobody has played for as long as a match waits (G8)."""
        table.clock.zero -= table.state.pace.inactive + table.state.pace.abandoned
        table._ring()

    ways = [win, lambda: two.say("resign"), fall_due, table.break_off, lambda: one.say("resign")]
    for turn in range(len(ways)):
        ways[(turn + number) % len(ways)]()
    # And all of them once more: a match that is over is over.
    table.break_off()
    two.say("resign")


async def test_b14_one_result_one_event_one_change_each(house: House) -> None:
    decided = Decided()
    over: list[str] = []
    loop, all_over = asyncio.get_running_loop(), asyncio.Event()

    def heard(slug: str, **_: object) -> None:
        """In a worker's thread, after the replay was built and the match rated."""
        over.append(slug)
        if len(over) >= TIMES:
            loop.call_soon_threadsafe(all_over.set)

    match_over.connect(heard)
    try:
        matches = await sync_to_async(make_matches)(decided)
        tables = [await house.supervisor.table(match.slug) for match in matches]
        for number, table in enumerate(tables):
            finish(number, table, decided)
        await house.supervisor.journal.flushed()
        await asyncio.wait_for(all_over.wait(), 300)
    finally:
        match_over.disconnect(heard)
    assert sorted(over) == sorted(match.slug for match in matches)
    for table in tables:
        assert await house.folded(table) == table.shown

    def check() -> None:
        assert End.objects.count() == TIMES
        # Each way to end it was the first one sometimes.
        causes = {Cause(cause) for cause in End.objects.values_list("cause", flat=True)}
        assert causes >= {Cause.OUT_OF_CARDS, Cause.RESIGNED, Cause.BROKEN_OFF}
        assert causes & {Cause.INACTIVE, Cause.ABANDONED}
        ended = Event.objects.filter(kind="ended").values("match").annotate(times=Count("pk"))
        assert [row["times"] for row in ended] == [1] * TIMES
        assert Match.objects.filter(state=Match.State.OVER).count() == TIMES
        rate_pending()
        counted = End.objects.filter(void=False).count()
        assert 0 < counted < TIMES
        assert RatingChange.objects.count() == 2 * counted
        assert Rating.objects.get(user__username="ann").matches == counted
        assert list(Rating.objects.exclude(user__username="ann").values_list("matches", flat=True)) == [1] * counted
        assert recount(repair=False).is_equal
        assert Replay.objects.filter(verdict=Replay.Verdict.SOUND).count() == TIMES

    await sync_to_async(check)()
