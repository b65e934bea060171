"""Who is where in a game: reads only."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final, overload

from django.db.models import Count, F, IntegerField, Q
from django.db.models.functions import Cast, Floor
from msgspec import Struct

from games.clock import wall
from games.models import Rating, RatingChange
from games.people import AT_ONCE, Standings, unmoved
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


class Ranking(Sequence[Rating]):
    """Ratings of a game in order, the best first, as far as everybody may know: what only the players may know of yet
    (`Match.delay`) moves nobody here, and brings nobody here.

    A page of it is a few rows of an index: whom withheld ends have moved, nearly always nobody, are taken out of the
    rows and put where they were.
    """

    def __init__(self, game: str, *, has_place: bool) -> None:
        before = unmoved(RatingChange.objects.filter(game=game))
        users = [user for user, _game in before]
        ratings = Rating.objects.filter(game=game, user__is_active=True)
        matches = {"matches__gte": PROVISIONAL} if has_place else {"matches__lt": PROVISIONAL, "matches__gt": 0}
        others = ratings.filter(last_at__gte=wall() - ACTIVE, **matches)
        self.others = others.exclude(user__in=users) if users else others
        """All whose `Rating` everybody may know."""
        self.unmoved: list[Rating] = []
        """The ratings of the rest as they were before, in their order."""
        if users:
            found = ratings.filter(user__in=users).select_related("user")
            self.unmoved = sorted(filter(partial(self._is_here, has_place), _as_they_were(found, before)), key=_order)

    @staticmethod
    def _is_here(has_place: bool, rating: Rating) -> bool:
        is_established = rating.matches >= PROVISIONAL
        is_active = rating.last_at is not None and rating.last_at >= wall() - ACTIVE
        return is_active and rating.matches > 0 and is_established == has_place

    def __len__(self) -> int:
        return self.others.count() + len(self.unmoved)

    @overload
    def __getitem__(self, part: int) -> Rating: ...

    @overload
    def __getitem__(self, part: slice) -> list[Rating]: ...

    def __getitem__(self, part: int | slice) -> Rating | list[Rating]:
        """
        :param part: from the beginning, in steps of one.
        """
        if isinstance(part, int):
            return self[part : part + 1][0]
        start, stop = part.start or 0, part.stop
        # Of those in this part at most so many come from before the others in it.
        first = max(0, start - len(self.unmoved))
        rows = self.others.select_related("user").order_by("-value", "user_id")
        others = list(rows[first:stop])
        here = self.unmoved
        if others and first:
            here = [rating for rating in here if _order(rating) > _order(others[0])]
        found = sorted([*others, *here], key=_order)
        skipped = first + len(self.unmoved) - len(here)
        return found[start - skipped : None if stop is None else stop - skipped]

    def __iter__(self) -> Iterator[Rating]:
        return iter(self[:])

    def rating_of(self, user: Any) -> Rating | None:
        """Somebody's rating, if it is among them."""
        if user.pk is None:
            return None
        known = next((rating for rating in self.unmoved if rating.user_id == user.pk), None)
        return known or self.others.filter(user=user).first()


def ranked(game: str) -> Ranking:
    """The ratings that have a place: established, and of people who played a rated match of late; the best first."""
    return Ranking(game, has_place=True)


def newcomers(game: str) -> Ranking:
    """The ratings of people who have played of late, but not often enough yet; the best first."""
    return Ranking(game, has_place=False)


def leaders(ratings: Iterable[Rating], viewer: Any, first: int | None) -> list[Leader]:
    """Rows of these ratings, of a `Ranking`.

    :param first: the place of the first of them; None: they have none.
    """
    return [
        Leader(
            place=None if first is None else first + index,
            user=rating.user,
            value=round(rating.value),
            matches=rating.matches,
            peak=round(rating.peak),
            last_at=rating.last_at,
            is_you=rating.user_id == viewer.pk,
        )
        for index, rating in enumerate(ratings)
    ]


def place_of(user: Any, ranking: Ranking) -> int | None:
    """Somebody's place, from 1 on; None without one."""
    own = ranking.rating_of(user)
    if own is None:
        return None
    is_better = Q(value__gt=own.value) | Q(value=own.value, user__lt=user.pk)
    better = sum(_order(rating) < _order(own) for rating in ranking.unmoved)
    return ranking.others.filter(is_better).count() + better + 1


def spread(ranking: Ranking, own: float | None) -> list[Bar]:
    """How the ratings of all who have a place are spread, from the lowest to the highest, without a gap."""
    counts = Counter(
        dict(
            ranking.others.annotate(bin=Cast(Floor(F("value") / BIN), IntegerField()))
            .values_list("bin")
            .annotate(Count("pk"))
        )
    )
    counts.update(int(rating.value) // BIN for rating in ranking.unmoved)
    if not counts:
        return []
    most = max(counts.values())
    yours = None if own is None else int(own) // BIN
    return [
        Bar(
            low=number * BIN,
            count=counts[number],
            path=f"M{index}.08 100h.84v-{round(100 * counts[number] / most, 1)}h-.84z",
            is_yours=number == yours,
        )
        for index, number in enumerate(range(min(counts), max(counts) + 1))
    ]


def _order(rating: Rating) -> tuple[float, int]:
    return -rating.value, rating.user_id


def _as_they_were(ratings: Iterable[Rating], before: Standings) -> list[Rating]:
    """These ratings, as they were; not to be saved."""
    times: dict[int | None, datetime] = {}
    moved = list(before.items())
    for start in range(0, len(moved), AT_ONCE):
        earlier = Q(pk=None)
        for (user, game), standing in moved[start : start + AT_ONCE]:
            earlier |= Q(user=user, game=game, matches=standing.matches)
        times.update(RatingChange.objects.filter(earlier).values_list("user", "end__ended_at"))
    found = []
    for rating in ratings:
        rating.value, rating.matches, rating.peak = before[rating.user_id, rating.game]
        rating.last_at = times.get(rating.user_id)
        found.append(rating)
    return found
