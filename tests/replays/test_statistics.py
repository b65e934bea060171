"""The statistics, on small positions made by hand and on whole matches."""

from itertools import pairwise

import pytest

from games.rules.commands import Play
from games.rules.events import CardMove, Event, Kind
from games.rules.evolve import evolve
from games.rules.log import states
from games.rules.registry import book_of
from games.rules.setup import Setup
from games.rules.state import SEATS, Phase, State, Status
from replays.statistics import BUCKET, Burst, Contest, Overlooked, Slap, Statistics, longest_burst, statistics
from tests.factories import play_match

SPIT = Setup("spit")


def table(**piles: str) -> State:
    """A table in play: ``a1="7h 8h"`` fills the first stockpile of seat 0, ``b2`` is of seat 1, ``c0`` a centre."""
    places: dict[str, tuple[str, ...]] = {place.name: () for place in book_of("spit").places(SPIT)}
    for name, cards in piles.items():
        kind, number = name[0], name[1:]
        place = f"centre.{number}" if kind == "c" else f"{'ab'.index(kind)}.stockpile.{number}"
        places[place] = tuple(cards.split())
    return State(SPIT, Status(Phase.PLAYING, starts=("centre.0", "centre.1")), places)


def took(start: State, *events: Event) -> Statistics:
    course = [start]
    for event in events:
        course.append(evolve(course[-1], event))
    return statistics(course, events)


def played(at: int, seat: int, card: str, source: str, target: str) -> Event:
    return Event(Kind.PLAYED, at, seat, (CardMove(card, source, target),))


def ended(at: int) -> Event:
    return Event(Kind.ENDED, at, status=Status(Phase.OVER))


class TestOverlooked:
    def test_a_play_that_stood_open_and_was_never_made(self) -> None:
        start = table(a1="7h", b1="3c", c0="8s", c1="Ts")
        found = took(start, Event(Kind.WARNED, 0, 0, status=start.status), ended(2500))
        assert found.overlooked == [Overlooked(0, "7h", "centre.0", 1, 0, 2500)]
        assert (found.seats[0].overlooked, found.seats[0].overlooked_ms) == (1, 2500)
        assert (found.seats[1].overlooked, found.seats[1].overlooked_ms) == (0, 0)

    def test_a_play_made_late_was_not_overlooked(self) -> None:
        start = table(a1="7h", b1="3c 3d", c0="8s", c1="Ts")
        found = took(
            start,
            Event(Kind.WARNED, 0, 0, status=start.status),
            played(4000, 0, "7h", "0.stockpile.1", "centre.0"),
            ended(4100),
        )
        assert found.overlooked == []

    def test_a_play_that_the_other_seat_took_away_in_time_was_not(self) -> None:
        start = table(a1="7h", b1="9c 9d", c0="8s", c1="Ts")
        found = took(
            start,
            Event(Kind.WARNED, 0, 0, status=start.status),
            played(999, 1, "9d", "1.stockpile.1", "centre.0"),
            ended(1500),
        )
        assert [play for play in found.overlooked if play.seat == 0] == []

    def test_the_other_pile_counts_by_itself(self) -> None:
        """Seven of hearts fits both eights; it is played on one, and the other stood open all the time."""
        start = table(a1="2c 7h", b1="3c", c0="8s", c1="8c")
        found = took(
            start,
            Event(Kind.WARNED, 0, 0, status=start.status),
            played(3000, 0, "7h", "0.stockpile.1", "centre.0"),
            ended(3100),
        )
        assert found.overlooked == [Overlooked(0, "7h", "centre.1", 1, 0, 3000)]


class TestReactions:
    def test_time_from_the_turn_to_the_first_play_made_or_missed(self) -> None:
        start = table(a1="7h", b1="7c 9c", c0="2s", c1="2c")
        turned = Event(Kind.TURNED, 1000, moves=(), status=start.status)
        found = took(
            start,
            turned,
            played(1300, 1, "9c", "1.stockpile.1", "centre.0"),
            Event(Kind.MISSED, 1350, 0, pile="centre.0", card="7h", by=1, late=50),
            played(1800, 1, "7c", "1.stockpile.1", "centre.0"),
        )
        assert found.turns[0].reactions == (350, 300)
        assert (found.seats[0].reaction, found.seats[1].reaction) == (350, 300)
        assert found.contests == [Contest(3, 1350, "centre.0", winner=1, loser=0, late=50)]
        assert (found.seats[1].contests_won, found.seats[0].contests_lost) == (1, 1)

    def test_nobody_reacted(self) -> None:
        start = table(a1="7h", b1="7c", c0="2s", c1="2c")
        found = took(start, Event(Kind.TURNED, 1000, status=start.status), ended(5000))
        assert found.turns[0].reactions == (None, None)
        assert found.seats[0].reaction is None


class TestBurst:
    def test_none_without_two_cards_in_a_row(self) -> None:
        assert longest_burst([]) is None
        assert longest_burst([(100, 1)]) is None
        assert longest_burst([(100, 1), (1101, 2)]) is None

    def test_a_gap_of_a_second_still_joins(self) -> None:
        assert longest_burst([(100, 1), (1100, 2)]) == Burst(2, 1000, 1)

    def test_more_cards_then_less_time_then_first(self) -> None:
        three_slow = [(0, 1), (900, 2), (1800, 3)]
        three_fast = [(5000, 4), (5100, 5), (5200, 6)]
        again_fast = [(9000, 7), (9100, 8), (9200, 9)]
        assert longest_burst(three_slow + three_fast + again_fast) == Burst(3, 200, 4)
        assert longest_burst([*three_slow, (2700, 4), *again_fast]) == Burst(4, 2700, 1)


class TestSlap:
    def test_sizes_time_and_who_got_what(self) -> None:
        start = table(a1="", b1="3c", c0="8s 9s Ts", c1="2c 3d")
        window = Status(Phase.SLAP, since=1000, due=6000, starts=("centre.0", "centre.1"))
        found = took(
            start,
            Event(Kind.CLEARED, 1000, 0, status=window),
            Event(Kind.SLAPPED, 1400, 1, pile="centre.1"),
            Event(
                Kind.TAKEN,
                1400,
                moves=(
                    *(CardMove(f"-{card}", "centre.0", "0.spit") for card in ("Ts", "9s", "8s")),
                    *(CardMove(f"-{card}", "centre.1", "1.spit") for card in ("3d", "2c")),
                    CardMove("-3c", "1.stockpile.1", "1.spit"),
                ),
                status=Status(Phase.DEALING, round=2),
            ),
        )
        assert found.slaps == [Slap(2, 1400, 1, "centre.1", 400, (3, 2), (3, 2))]
        assert [seat.slaps for seat in found.seats] == [0, 1]


class TestTime:
    def test_stuck_and_playing(self) -> None:
        start = table(a1="7h", b1="7c", c0="2s", c1="2c")
        stuck = Status(Phase.STUCK, since=600, due=2100)
        found = took(
            start,
            Event(Kind.STUCK, 600, status=stuck),
            Event(Kind.CALLED, 900, 0, status=stuck),
            Event(Kind.TURNED, 2100, status=start.status),
            Event(Kind.STUCK, 2400, status=stuck),
            ended(3000),
        )
        assert (found.stuck.times, found.stuck.ms) == (2, 2100)
        assert found.playing == 900
        assert found.duration == 3000

    def test_rate_counts_cards_by_ten_seconds(self) -> None:
        start = table(a1="7h 9d", b1="9h 9c", c0="8s", c1="8c")
        found = took(
            start,
            played(0, 0, "9d", "0.stockpile.1", "centre.0"),
            played(BUCKET - 1, 1, "9c", "1.stockpile.1", "centre.1"),
            played(BUCKET, 1, "9h", "1.stockpile.1", "centre.1"),
            ended(2 * BUCKET),
        )
        assert found.rate == ([1, 0, 0], [1, 1, 0])
        assert [seat.played for seat in found.seats] == [1, 2]
        assert found.seats[1].per_minute == 6.0


@pytest.mark.parametrize("seed", range(5))
def test_a_whole_match_adds_up(seed: int) -> None:
    match = play_match(seed=seed, pace=(450, 500))
    course = list(states(match.setup, match.events))
    found = statistics(course, match.events)
    assert [seat.played for seat in found.seats] == list(match.state.played)
    assert [sum(rate) for rate in found.rate] == list(match.state.played)
    assert found.duration == match.state.at >= found.playing + found.stuck.ms
    assert len(found.rounds) == match.state.status.round
    assert [one.round for one in found.rounds] == list(range(1, len(found.rounds) + 1))
    for one, two in pairwise(found.rounds):
        assert one.turned is not None
        assert one.at < one.turned < one.ended <= two.at  # type: ignore[operator]
    for slap in found.slaps:
        assert sorted(slap.took) == sorted(slap.sizes)
    assert sum(seat.contests_won for seat in found.seats) == len(found.contests)
    assert len(found.contests) == sum(event.kind is Kind.MISSED for event in match.events)


def test_every_overlooked_play_was_legal_all_the_time() -> None:
    match = play_match(seed=11, pace=(1500, 3000))
    course = list(states(match.setup, match.events))
    found = statistics(course, match.events)
    assert found.overlooked
    for play in found.overlooked:
        seq = play.seq
        assert course[seq].at == play.at
        until = seq
        while Play(course[seq].status.round, play.card, play.to) in book_of("spit").legal(course[until], play.seat):
            until += 1
        assert course[until].at == play.at + play.ms


def test_swapped_seats_give_swapped_figures() -> None:
    """Statistics favour no seat: played and rate of both seats change places with the seats."""
    start = table(a1="7h 9d", b1="3c", c0="8s", c1="8c")
    mirrored = table(b1="7h 9d", a1="3c", c1="8s", c0="8c")
    one = took(start, played(10, 0, "9d", "0.stockpile.1", "centre.0"), ended(20))
    two = took(mirrored, played(10, 1, "9d", "1.stockpile.1", "centre.1"), ended(20))
    assert [one.seats[seat] for seat in SEATS] == [two.seats[1 - seat] for seat in SEATS]
