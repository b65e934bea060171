"""What keeps two people from making ratings between themselves (R3), and what moderators should look at (R4). Pure.

Everything is decided from the matches of the same two people in the same game
that ended earlier in the order of the ends: whoever decides it again comes to
the same.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Final, NamedTuple

HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)
"""No guard looks farther back than this."""

FREE: Final = 3
"""So many matches within an hour are rated whatever comes of them."""
CAP: Final = 40.0
"""What somebody may win in all from one other person within an hour, once more than `FREE` were played."""

SHORT: Final = 10_000
"""Milliseconds; a match shorter than that is flagged."""
EARLY: Final = 30_000
"""Milliseconds; who gives up in that time gives up early, and a match that is over in it is very short."""
GIVEN_UP: Final = 3
"""So many times within a day is again and again; then flagged at each doubling, not each time."""
IN_TURN: Final = 4
"""So many very short matches in a row, won in turn."""


class Pair(NamedTuple):
    """Two people, the one with the lower id first, and a game."""

    low: int
    high: int
    game: str


def pair_of(one: int, other: int, game: str) -> Pair:
    """These two, whichever is named first."""
    return Pair(one, other, game) if one < other else Pair(other, one, game)


class Meeting(NamedTuple):
    """A rated match of two people, as the guards see it. A side is 0 for the lower id, 1 for the higher one."""

    end: int
    at: datetime
    """When it ended."""
    length: int
    """Milliseconds."""
    winner: int | None
    """The side that won."""
    gave_up: bool
    """The other side resigned or left."""
    gains: tuple[float, float] | None
    """What each side's rating moved by; None when it was not rated (R3)."""


def within(meetings: Sequence[Meeting], at: datetime, span: timedelta) -> Iterator[Meeting]:
    """Those that ended less than that before. The clocks of two servers differ, so an earlier end may be told later."""
    return (meeting for meeting in meetings if abs(at - meeting.at) < span)


def may_rate(earlier: Sequence[Meeting], at: datetime, gains: tuple[float, float]) -> bool:
    """Whether a match that would move the two sides by that much is rated (R3).

    :param earlier: the pair's matches before it, in the order of their ends.
    """
    rated = [meeting.gains for meeting in within(earlier, at, HOUR) if meeting.gains is not None]
    if len(rated) < FREE:
        return True
    side = 0 if gains[0] > gains[1] else 1
    return sum(gain[side] for gain in rated) + gains[side] <= CAP


def signs(earlier: Sequence[Meeting], last: Meeting) -> list[str]:
    """Why a moderator should look at the last of these matches (R4): reasons of a `MatchFlag`."""
    found = ["short"] if last.length < SHORT else []
    if not earlier or last.winner is None or last.length >= EARLY:
        return found
    today = list(within(earlier, last.at, DAY))
    if last.gave_up:
        times = 1 + sum(
            meeting.gave_up and meeting.length < EARLY and meeting.winner == last.winner for meeting in today
        )
        times, rest = divmod(times, GIVEN_UP)
        if not rest and times.bit_count() == 1:
            found.append("gives_up")
    run = [*today[1 - IN_TURN :], last]
    if len(run) == IN_TURN and all(meeting.length < EARLY and meeting.winner is not None for meeting in run):
        winners = [meeting.winner for meeting in run]
        if all(one != two for one, two in pairwise(winners)):
            found.append("turns")
    return found


class Meetings:
    """The latest matches of all pairs, in the order in which they ended."""

    def __init__(self) -> None:
        self._of: dict[Pair, list[Meeting]] = {}
        self._ends: deque[tuple[datetime, Pair]] = deque()

    def __getitem__(self, pair: Pair) -> Sequence[Meeting]:
        return self._of.get(pair, ())

    def add(self, pair: Pair, meeting: Meeting) -> None:
        self._of.setdefault(pair, []).append(meeting)
        self._ends.append((meeting.at, pair))

    def forget(self, before: datetime) -> None:
        """Forget what ended before that and is not behind something later: nobody will ask for it any more."""
        while self._ends and self._ends[0][0] < before:
            _, pair = self._ends.popleft()
            kept = self._of[pair]
            if len(kept) == 1:
                del self._of[pair]
            else:
                del kept[0]
