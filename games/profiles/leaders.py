"""Who is where in a game: reads only."""

from datetime import timedelta
from typing import Any, Final

from django.db.models import Count, IntegerField, QuerySet
from django.db.models.functions import Cast, Floor
from msgspec import Struct

from games.clock import wall
from games.models import Rating
from games.people import standings_before
from games.standing import PROVISIONAL

ACTIVE: Final = timedelta(days=30)
"""Who has played no rated match for so long is on no list until the next one."""
PER_PAGE: Final = 50
NEWCOMERS: Final = 20
"""How many people with a provisional rating are shown."""
BIN: Final = 50
"""The width of a bar of the spread of ratings."""


class Leader(Struct, frozen=True):
    """A row of a leaderboard."""

    place: int | None
    """From 1 on; None for a provisional rating."""
    user: Any
    value: int
    matches: int
    peak: int
    last_at: Any
    is_you: bool


class Bar(Struct, frozen=True):
    """How many people's ratings lie from `low` up to `low` + `BIN`."""

    low: int
    count: int
    path: str
    """The `d` of a bar, up to 100 high, in a picture in which each bar is 1 wide."""
    is_yours: bool


def ranked(game: str) -> QuerySet[Rating]:
    """The ratings that have a place: established, and of people who played a rated match of late; the best first."""
    return _active(game).filter(matches__gte=PROVISIONAL).order_by("-value", "user_id")


def newcomers(game: str) -> QuerySet[Rating]:
    """The ratings of people who have played of late, but not often enough yet; the best first."""
    return _active(game).filter(matches__lt=PROVISIONAL, matches__gt=0).order_by("-value", "user_id")


def leaders(ratings: QuerySet[Rating], viewer: Any, first: int | None) -> list[Leader]:
    """Rows of these ratings.

    :param first: the place of the first of them; None: they have none.
    """
    rows = list(ratings.select_related("user"))
    # What only the players may know of yet moves nobody here.
    before = standings_before({rating.user_id for rating in rows})
    found = []
    for index, rating in enumerate(rows):
        standing = before.get((rating.user_id, rating.game), rating.standing)
        found.append(
            Leader(
                place=None if first is None else first + index,
                user=rating.user,
                value=round(standing.value),
                matches=standing.matches,
                peak=round(standing.peak),
                last_at=rating.last_at,
                is_you=rating.user_id == viewer.pk,
            )
        )
    return found


def place_of(user: Any, game: str) -> int | None:
    """Somebody's place in a game, from 1 on; None without one."""
    own = ranked(game).filter(user=user).first() if user.pk is not None else None
    if own is None:
        return None
    better = ranked(game).filter(value__gt=own.value).count()
    return better + ranked(game).filter(value=own.value, user__lte=user.pk).count()


def spread(game: str, own: float | None) -> list[Bar]:
    """How the ratings of all who have a place are spread, from the lowest to the highest, without a gap."""
    counts = dict(
        ranked(game)
        .order_by()
        .annotate(bin=Cast(Floor(Cast("value", IntegerField()) / BIN), IntegerField()))
        .values_list("bin")
        .annotate(Count("pk"))
    )
    if not counts:
        return []
    most = max(counts.values())
    yours = None if own is None else int(own) // BIN
    return [
        Bar(
            low=number * BIN,
            count=(count := counts.get(number, 0)),
            path=f"M{index}.08 100h.84v-{round(100 * count / most, 1)}h-.84z",
            is_yours=number == yours,
        )
        for index, number in enumerate(range(min(counts), max(counts) + 1))
    ]


def _active(game: str) -> QuerySet[Rating]:
    return Rating.objects.filter(game=game, last_at__gte=wall() - ACTIVE, user__is_active=True)
