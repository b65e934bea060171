"""What a finished match shows about how it was played. Pure.

All times are whole milliseconds. `at` counts from the start of the match,
`seq` is the number of the event meant. docs/replay-format.md has each field.
"""

from collections.abc import Sequence
from statistics import median
from typing import Final

from msgspec import Struct, field

from games.rules.book import CENTRES
from games.rules.events import Event, Kind
from games.rules.registry import book_of
from games.rules.state import SEATS, Phase, State

BUCKET: Final = 10_000
"""The width of a step of `Statistics.rate`."""
BURST_GAP: Final = 1_000
"""Cards that follow each other within this time belong to one burst."""
OVERLOOKED: Final = 1_000
"""A legal play that stood open this long and was not made was overlooked."""


class Burst(Struct, frozen=True):
    """A run of cards that one seat played without a pause longer than `BURST_GAP`."""

    cards: int
    ms: int
    """From its first card to its last."""
    seq: int
    """Its first card."""


class SeatStatistics(Struct, frozen=True):
    """The figures of one seat."""

    played: int
    """Cards played."""
    per_minute: float
    """Cards played for each minute of `Statistics.playing`."""
    reaction: int | None
    """The median of the seat's reactions to the turns; None without any."""
    burst: Burst | None
    """The longest burst: most cards, then shortest, then first."""
    contests_won: int
    contests_lost: int
    slaps: int
    """How often the seat slapped, or chose, first."""
    overlooked: int
    overlooked_ms: int
    """The longest time that an overlooked play stood open."""


class Round(Struct):
    """One deal and what followed."""

    round: int
    seq: int
    """The deal."""
    at: int
    cards: tuple[int, int]
    """The cards that each seat had to get rid of after the deal."""
    turned: int | None = None
    """When the starters were turned; None if they never were."""
    ended: int | None = None
    """When the piles were taken or the match ended."""


class Turn(Struct):
    """A turn, and how long each seat took to its first play after it, made or missed; None if there was none."""

    seq: int
    at: int
    reactions: tuple[int | None, int | None] = (None, None)


class Contest(Struct, frozen=True):
    """Both seats went for `pile`; `loser` was `late` milliseconds too late (G4)."""

    seq: int
    at: int
    pile: str
    winner: int
    loser: int
    late: int


class Slap(Struct):
    """How the piles of a round were shared out (S7)."""

    seq: int
    at: int
    seat: int | None
    """Who slapped or chose; None when nobody did in time."""
    pile: str
    after: int
    """Since the window had opened."""
    sizes: tuple[int, int]
    """The cards of centre.0 and centre.1."""
    took: tuple[int, int] = (0, 0)
    """The centre cards that each seat got."""


class Overlooked(Struct, frozen=True):
    """A legal play that stood open for `ms`, until it was gone, and was not made."""

    seat: int
    card: str
    to: str
    seq: int
    """The event that made it possible."""
    at: int
    ms: int


class Stuck(Struct):
    """How often nobody could act (G5), and for how long in all."""

    times: int = 0
    ms: int = 0


class Statistics(Struct):
    """Everything; see the fields' own classes."""

    duration: int = 0
    """The time of the last event."""
    playing: int = 0
    """The time during which cards could be played."""
    seats: tuple[SeatStatistics, ...] = ()
    stuck: Stuck = field(default_factory=Stuck)
    bucket: int = BUCKET
    rate: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))
    """For each seat, the cards played in each `bucket` milliseconds from the start on."""
    rounds: list[Round] = []
    turns: list[Turn] = []
    contests: list[Contest] = []
    slaps: list[Slap] = []
    overlooked: list[Overlooked] = []


def statistics(course: Sequence[State], events: Sequence[Event]) -> Statistics:
    """The statistics of a match, or of the part of it that the rules yield.

    :param course: the states before the first event and after each one.
    """
    taker = _Taker(course[0])
    for before, event, after in zip(course, events, course[1:], strict=False):
        taker.take(before, event, after)
    return taker.finish(course[-1])


class _Taker:
    """Takes the events in one by one."""

    def __init__(self, start: State) -> None:
        self.book = book_of(start.setup.game)
        self.found = Statistics()
        self.plays: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
        """For each seat the (time, number) of its plays."""
        self.open: tuple[dict[tuple[str, str], tuple[int, int]], ...] = ({}, {})
        """For each seat the plays that are legal now, with the (number, time) since when."""
        self.phase = start.status.phase
        self.phase_since = 0

    def take(self, before: State, event: Event, after: State) -> None:
        if after.status.phase is not self.phase:
            self._leave_phase(event.at)
            self.phase = after.status.phase
        found, at, seq, seat = self.found, event.at, after.seq, event.seat
        match event.kind:
            case Kind.PLAYED if seat is not None:
                self.plays[seat].append((at, seq))
                self._react(seat, at)
            case Kind.MISSED if seat is not None and event.by is not None:
                self._react(seat, at)
                found.contests.append(Contest(seq, at, event.pile or "", event.by, seat, event.late or 0))
            case Kind.DEALT:
                cards = (self.book.cards_left(after, 0), self.book.cards_left(after, 1))
                found.rounds.append(Round(after.status.round, seq, at, cards))
            case Kind.TURNED:
                found.turns.append(Turn(seq, at))
                if found.rounds and found.rounds[-1].turned is None:
                    found.rounds[-1].turned = at
            case Kind.STUCK:
                found.stuck.times += 1
            case Kind.SLAPPED:
                sizes = (len(before.places[CENTRES[0]]), len(before.places[CENTRES[1]]))
                since = before.status.since
                found.slaps.append(Slap(seq, at, seat, event.pile or "", at - since, sizes))
            case Kind.TAKEN:
                self._end_round(at)
                if found.slaps and found.slaps[-1].seq == seq - 1:
                    taken = [move.target[0] for move in event.moves if move.source in CENTRES]
                    found.slaps[-1].took = (taken.count("0"), taken.count("1"))
            case Kind.ENDED:
                self._end_round(at)
        if event.moves or event.status is not None:
            self._look(event, after)

    def finish(self, last: State) -> Statistics:
        self._leave_phase(last.at)
        found = self.found
        found.duration = last.at
        steps = last.at // BUCKET + 1
        for seat in SEATS:
            rate = found.rate[seat]
            rate.extend([0] * steps)
            for at, _ in self.plays[seat]:
                rate[at // BUCKET] += 1
        found.overlooked.sort(key=lambda play: (play.seq, play.seat, play.card, play.to))
        found.seats = tuple(self._seat(seat) for seat in SEATS)
        return found

    def _seat(self, seat: int) -> SeatStatistics:
        found = self.found
        plays = self.plays[seat]
        reactions = [ms for turn in found.turns if (ms := turn.reactions[seat]) is not None]
        missed = [play.ms for play in found.overlooked if play.seat == seat]
        return SeatStatistics(
            played=len(plays),
            per_minute=round(len(plays) * 60_000 / found.playing, 1) if found.playing else 0.0,
            reaction=round(median(reactions)) if reactions else None,
            burst=longest_burst(plays),
            contests_won=sum(contest.winner == seat for contest in found.contests),
            contests_lost=sum(contest.loser == seat for contest in found.contests),
            slaps=sum(slap.seat == seat for slap in found.slaps),
            overlooked=len(missed),
            overlooked_ms=max(missed, default=0),
        )

    def _leave_phase(self, at: int) -> None:
        spent = at - self.phase_since
        if self.phase is Phase.PLAYING:
            self.found.playing += spent
        elif self.phase is Phase.STUCK:
            self.found.stuck.ms += spent
        self.phase_since = at

    def _react(self, seat: int, at: int) -> None:
        if self.found.turns and self.found.turns[-1].reactions[seat] is None:
            turn = self.found.turns[-1]
            ms = at - turn.at
            turn.reactions = (ms, turn.reactions[1]) if seat == 0 else (turn.reactions[0], ms)

    def _end_round(self, at: int) -> None:
        if self.found.rounds and self.found.rounds[-1].ended is None:
            self.found.rounds[-1].ended = at

    def _look(self, event: Event, after: State) -> None:
        """Which plays have become possible or gone."""
        made = None
        if event.kind is Kind.PLAYED:
            made = event.seat, event.moves[0].card, event.moves[0].target
        for seat in SEATS:
            was = self.open[seat]
            now = self.book.plays(after, seat)
            if now == was.keys():
                continue
            for play in was.keys() - now:
                self._close(seat, play, was.pop(play), event.at, was_made=made == (seat, *play))
            for play in now - was.keys():
                was[play] = (after.seq, event.at)

    def _close(self, seat: int, play: tuple[str, str], since: tuple[int, int], at: int, *, was_made: bool) -> None:
        seq, start = since
        if not was_made and at - start >= OVERLOOKED:
            self.found.overlooked.append(Overlooked(seat, *play, seq, start, at - start))


def longest_burst(plays: Sequence[tuple[int, int]]) -> Burst | None:
    """The longest run of (time, number) pairs, in order, with no gap above `BURST_GAP`; None below two cards."""
    best: Burst | None = None
    first = 0
    for last in range(1, len(plays)):
        if plays[last][0] - plays[last - 1][0] > BURST_GAP:
            first = last
            continue
        cards, ms = last - first + 1, plays[last][0] - plays[first][0]
        if best is None or (cards, -ms) > (best.cards, -best.ms):
            best = Burst(cards, ms, plays[first][1])
    return best
