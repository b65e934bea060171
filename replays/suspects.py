"""Signs that a program plays, read from the replays of a person's last matches. They point; they prove nothing.

What is read is in docs/moderation.md, with how often an honest fast player is pointed at. "Never a wrong press" has two
sides: *misplays*, which the rules refused and the table counted (`End.misplays`), and *slips*, which the log shows:
cards that came too late, and plays that stood open for a second and were not made. Where nobody could count misplays
there are the slips alone.
"""

import zlib
from collections.abc import Iterable
from statistics import fmean, median, pstdev
from typing import Any, Final

from msgspec import Struct, field

from games.models import Seat
from games.rules.events import Kind
from replays.format import VERSION, Course, decode_course
from replays.models import Replay

LAST: Final = 20
"""So many of a person's matches are read."""
QUICK: Final = 120
"""Milliseconds from a turn to the first card: nobody sees and moves in less, but for luck."""
RUN: Final = 1_500
"""A pause longer than this between two cards is no rhythm."""

ENOUGH_TURNS: Final = 20
ENOUGH_GAPS: Final = 80
ENOUGH_CARDS: Final = 150
ENOUGH_CONTESTS: Final = 10
"""Below so many there is no sign either way."""
MOST_QUICK: Final = 0.15
"""This share of quick reactions, or more, is a sign."""
STROKE: Final = 1.5
"""Of a person's gaps, those up to so many times their median are the hand at work; longer ones are waiting."""
LEAST_SPREAD: Final = 0.07
"""A coefficient of variation below it is a sign: the hand of a clock."""
LEAST_SLIPS: Final = 0.01
"""Fewer slips for a card played are a sign ..."""
LEAST_MISPLAYS: Final = 0.001
"""... if there are fewer misplays for a card played as well, or nobody knows."""


class Habits(Struct):
    """What somebody's matches show, added up."""

    matches: int = 0
    cards: int = 0
    slips: int = 0
    """Cards that came too late, and plays overlooked."""
    misplays: int = 0
    watched: int = 0
    """Cards played in the matches whose misplays are known."""
    contests: int = 0
    """Races for a pile that one of the two came too late to (G4), whichever: nobody slips whom nobody hurries."""
    reactions: list[int] = field(default_factory=list)
    """Milliseconds from each turn to the first card after it."""
    gaps: list[int] = field(default_factory=list)
    """Milliseconds from one card to the next, pauses left out."""

    def add(self, course: Course, seat: int, misplays: tuple[int, int] | None = None) -> None:
        """One more match, from one seat. `misplays` by seat, None: not known."""
        found = course.statistics
        self.matches += 1
        self.cards += found.seats[seat].played
        self.slips += found.seats[seat].contests_lost + found.seats[seat].overlooked
        self.contests += len(found.contests)
        if misplays is not None:
            self.misplays += misplays[seat]
            self.watched += found.seats[seat].played
        self.reactions += [ms for turn in found.turns if (ms := turn.reactions[seat]) is not None]
        last: int | None = None
        for event in course.events:
            if event.kind is Kind.PLAYED and event.seat == seat:
                if last is not None and event.at - last <= RUN:
                    self.gaps.append(event.at - last)
                last = event.at
            elif event.kind in (Kind.DEALT, Kind.TURNED):
                last = None

    @property
    def quick(self) -> float | None:
        """The share of reactions below `QUICK`; None with too few."""
        if len(self.reactions) < ENOUGH_TURNS:
            return None
        return sum(ms < QUICK for ms in self.reactions) / len(self.reactions)

    @property
    def spread(self) -> float | None:
        """The coefficient of variation of the strokes: how uneven the rhythm is; None with too few."""
        if len(self.gaps) < ENOUGH_GAPS:
            return None
        most = STROKE * median(self.gaps)
        strokes = [gap for gap in self.gaps if gap <= most]
        return pstdev(strokes) / max(1.0, fmean(strokes))

    @property
    def slips_per_card(self) -> float | None:
        """None with too few cards, or with too few of them contested."""
        if self.cards < ENOUGH_CARDS or self.contests < ENOUGH_CONTESTS:
            return None
        return self.slips / self.cards

    @property
    def slips_per_hundred(self) -> float | None:
        return None if self.slips_per_card is None else 100 * self.slips_per_card

    @property
    def misplays_per_card(self) -> float | None:
        """None with too few cards in matches whose misplays are known."""
        return None if self.watched < ENOUGH_CARDS else self.misplays / self.watched

    @property
    def misplays_per_hundred(self) -> float | None:
        return None if self.misplays_per_card is None else 100 * self.misplays_per_card

    @property
    def is_flawless(self) -> bool:
        """Hardly a slip, and practically no misplay, where misplays are known; else the slips have to do."""
        slips, misplays = self.slips_per_card, self.misplays_per_card
        return slips is not None and slips < LEAST_SLIPS and (misplays is None or misplays < LEAST_MISPLAYS)

    @property
    def signs(self) -> list[str]:
        """Of `quick`, `even`, `flawless` those that are there."""
        found = []
        if self.quick is not None and self.quick >= MOST_QUICK:
            found.append("quick")
        if self.spread is not None and self.spread < LEAST_SPREAD:
            found.append("even")
        if self.is_flawless:
            found.append("flawless")
        return found


def habits_of(user_ids: Iterable[int], last: int = LAST) -> dict[int, Habits]:
    """The habits of these people in their last matches that have a replay of this version.

    Reads up to `last` courses for each of them: for a page of a few people.
    """
    return {user_id: _habits(user_id, last) for user_id in user_ids}


def _habits(user_id: int, last: int) -> Habits:
    habits = Habits()
    seats: Any = (
        Seat.objects.filter(user=user_id, match__end__void=False, match__replay__version=VERSION)
        .order_by("-match")
        .values_list("match_id", "number")[:last]
    )
    numbers: dict[int, int] = dict(seats)
    replays = Replay.objects.filter(match__in=numbers).select_related("match__end").defer("packed")
    for replay in replays:
        habits.add(decode_course(zlib.decompress(replay.course)), numbers[replay.match_id], replay.match.end.misplays)
    return habits
