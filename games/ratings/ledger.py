"""What a match does to ratings, decided one match after the other (R1, R3, R4): for rating and recounting alike."""

from typing import NamedTuple

from games.ratings.elo import after_match, score_of
from games.ratings.guards import Meetings, may_rate, signs
from games.ratings.rateable import RatedMatch
from games.standing import Standing

Standings = dict[tuple[int, str], Standing]
"""Standings by user and game."""


class Ruling(NamedTuple):
    """What a match does."""

    is_rated: bool
    """Whether it moves ratings; the standings after it are those before it when not (R3)."""
    before: tuple[Standing, Standing]
    after: tuple[Standing, Standing]
    flags: list[str]
    """Why a moderator should look at it (R4)."""


class Ledger:
    """The standings of all players and the latest matches of all pairs, as of the last match that was taken in."""

    def __init__(self, standings: Standings | None = None, meetings: Meetings | None = None) -> None:
        self.standings: Standings = {} if standings is None else standings
        self.meetings = Meetings() if meetings is None else meetings

    def take(self, match: RatedMatch) -> Ruling:
        """Take in the next match in the order in which they ended.

        :raises ValueError: the match is not one that counts (`RatedMatch.counts`).
        """
        before = (self._before(match, 0), self._before(match, 1))
        after = (
            after_match(before[0], before[1].value, score_of(0, match.winner)),
            after_match(before[1], before[0].value, score_of(1, match.winner)),
        )
        gains = (after[0].value - before[0].value, after[1].value - before[1].value)
        flags: list[str] = []
        # Of a deleted player's match it is not known who met, but whether it was rated is: `counts` has said so.
        if (pair := match.pair) is not None:
            earlier = self.meetings[pair]
            meeting = match.meeting(gains)
            is_rated = not earlier or meeting.gains is None or may_rate(earlier, match.at, meeting.gains)
            if not is_rated:
                meeting = meeting._replace(gains=None)
            flags = signs(earlier, meeting)
            self.meetings.add(pair, meeting)
            if not is_rated:
                return Ruling(False, before, before, flags)
        for side, standing in zip(match.sides, after, strict=True):
            if side.user is not None:
                self.standings[side.user, match.game] = standing
        return Ruling(True, before, after, flags)

    def _before(self, match: RatedMatch, seat: int) -> Standing:
        side = match.sides[seat]
        if side.user is not None:
            return self.standings.get((side.user, match.game), Standing())
        if side.stood is not None:
            return side.stood.standing_before
        raise ValueError("nothing is known of a seat")
