"""Which matches count for ratings (R2), read in the order in which they ended (R1).

`Match.rated` is settled when the second seat is taken: a match with a bot or a
guest is made unrated, and stays so if the guest signs up later. What is left to
look at here is what may have happened since.
"""

from collections.abc import Iterator
from typing import NamedTuple

from django.db import connection, transaction
from django.db.models import Max

from games.models import End, Seat
from games.standing import Standing


class Stood(NamedTuple):
    """A change that has been written, as it stands."""

    id: int
    before: float
    after: float
    matches: int

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


def settled_end() -> int:
    """The highest id up to which no end can appear any more.

    On PostgreSQL ids are given out before the commit, so a lower one may
    become visible later than a higher one. The lock waits for those who are
    writing ends at this moment (a few milliseconds); none of them holds it
    while waiting for us.
    """
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(f'LOCK TABLE "{End._meta.db_table}" IN SHARE MODE')
        highest: int | None = End.objects.aggregate(highest=Max("id"))["highest"]
    return highest or 0


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
        .order_by("match__end__id", "number")
        .values_list(
            "match__end__id",
            "match__game",
            "match__end__winner",
            "id",
            "user_id",
            "bot",
            "rating_change__id",
            "rating_change__before",
            "rating_change__after",
            "rating_change__matches",
        )[: 2 * limit]
    )
    sides: list[Side] = []
    for end, game, winner, seat, user, bot, change, before, value, matches in rows:
        sides.append(Side(seat, user, bot, None if change is None else Stood(change, before, value, matches)))
        if len(sides) == 2:
            yield RatedMatch(end, game, winner, (sides[0], sides[1]))
            sides = []
