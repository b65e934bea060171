"""Which matches count for ratings (R2), read in the order in which they ended (R1).

`Match.rated` is settled when the second seat is taken: a match with a bot or a
guest is made unrated, and stays so if the guest signs up later. What is left to
look at here is what may have happened since.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final, NamedTuple

from django.db.models import TextField
from django.db.models.functions import Cast

from games.models import Seat
from games.ratings.guards import Meeting, Pair, pair_of
from games.rules.state import Cause
from games.standing import Standing

GAVE_UP: Final = frozenset({Cause.RESIGNED.value, Cause.LEFT.value})
"""The ends that a player brings about by giving up (R4)."""


class Stood(NamedTuple):
    """A change that has been written, as it stands."""

    id: int
    before: float
    after: float
    matches: int
    other: float

    @property
    def standing_before(self) -> Standing:
        return Standing(self.before, self.matches - 1, self.before)


class Side(NamedTuple):
    """One seat of an ended match, with the change that has been written for it, if any."""

    seat: int
    user: int | None
    bot: str
    stood: Stood | None


class RatedMatch(NamedTuple):
    """A match that was to be rated, and has ended with a result."""

    end: int
    game: str
    winner: int | None
    cause: str
    length: int
    """Milliseconds."""
    at: datetime
    """When it ended."""
    sides: tuple[Side, Side]

    @property
    def counts(self) -> bool:
        """Whether it is rated (R2): two different persons, each of whom is still known or has been rated for it.

        Of a deleted player only what was written for the match is left. When
        that is nothing, the match is not rated for the other one either.
        """
        one, two = self.sides
        if one.bot or two.bot:
            return False
        if one.user is not None and one.user == two.user:
            return False
        return all(side.user is not None or side.stood is not None for side in self.sides)

    @property
    def pair(self) -> Pair | None:
        """The two people and the game; None when one of them is not known any more."""
        one, two = self.sides[0].user, self.sides[1].user
        if one is None or two is None:
            return None
        return pair_of(one, two, self.game)

    def meeting(self, gains: tuple[float, float] | None) -> Meeting:
        """The match as the guards see it.

        :param gains: what the two seats' ratings moved by; None: it was not rated (R3).
        """
        one, two = self.sides[0].user or 0, self.sides[1].user or 0
        winner = self.winner
        if one > two:
            winner = None if winner is None else 1 - winner
            gains = None if gains is None else (gains[1], gains[0])
        return Meeting(self.end, self.at, self.length, winner, self.cause in GAVE_UP, gains)


def rated_matches(after: int, upto: int, limit: int) -> Iterator[RatedMatch]:
    """The next `limit` matches to be rated whose ends have ids in (`after`, `upto`], in order."""
    rows = (
        Seat.objects.filter(
            match__end__id__gt=after,
            match__end__id__lte=upto,
            match__end__void=False,
            match__rated=True,
            match__voided=None,
        )
        # As text: Python reads that in a tenth of the time that the driver takes for it.
        .annotate(ended=Cast("match__end__ended_at", TextField()))
        .order_by("match__end__id", "number")
        .values_list(
            "match__end__id",
            "match__game",
            "match__end__winner",
            "match__end__cause",
            "match__end__at",
            "ended",
            "id",
            "user_id",
            "bot",
            "rating_change__id",
            "rating_change__before",
            "rating_change__after",
            "rating_change__matches",
            "rating_change__other",
        )[: 2 * limit]
    )
    sides: list[Side] = []
    for end, game, winner, cause, length, at, seat, user, bot, change, before, value, matches, other in rows:
        sides.append(Side(seat, user, bot, None if change is None else Stood(change, before, value, matches, other)))
        if len(sides) == 2:
            yield RatedMatch(end, game, winner, cause, length, _moment(at), (sides[0], sides[1]))
            sides = []


def _moment(text: str) -> datetime:
    """A time as the databases write it, with the zone (PostgreSQL) or without (SQLite): that of the site's, UTC."""
    at = datetime.fromisoformat(text)
    return at if at.tzinfo else at.replace(tzinfo=UTC)
