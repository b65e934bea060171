"""What people are called, and how they stand."""

from collections.abc import Collection, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db.models import Max, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django_stubs_ext import StrOrPromise
from msgspec import Struct

from games.clock import wall
from games.models import End, Rating, RatingChange, Seat
from games.standing import START, Standing

BOT_NAMES: Final[dict[str, StrOrPromise]] = {}
"""The names of the bot levels by key; `games.apps` fills it in."""
AT_ONCE: Final = 100
"""So many people's earlier ratings are asked for in one query."""


def player_called(username: str) -> Any:
    """The player of that name, whatever the case; None if there is none."""
    if "\0" in username:
        # In no name; PostgreSQL refuses even to look for it.
        return None
    people = get_user_model()
    try:
        found = people.objects.get_by_natural_key(username)
    except people.DoesNotExist:
        return None
    return found if found.is_active else None


class Person(Struct, frozen=True):
    """Whoever sits in a seat."""

    name: str
    user_id: int | None = None
    username: str | None = None
    """None for the computer and for deleted players: they have no page."""
    bot: str = ""
    """The key of a bot level, empty for a person."""
    rating: int | None = None
    """In the match's game; None for guests and for the computer."""
    provisional: bool = False

    @property
    def is_bot(self) -> bool:
        return bool(self.bot)

    @property
    def rating_text(self) -> str:
        """As it is written beside the name: "1512", "1500?" when provisional; empty without one."""
        return "" if self.rating is None else f"{self.rating}?" if self.provisional else str(self.rating)

    @property
    def url(self) -> str | None:
        """The address of their page."""
        return None if self.username is None else reverse("profile", args=[self.username])


def name_of(seat: Seat) -> str:
    """The name shown for whoever sits there."""
    if seat.bot:
        return str(BOT_NAMES.get(seat.bot, seat.bot))
    if seat.user is None:
        return _("deleted player")
    return str(getattr(seat.user, "display_name", seat.user.get_username()))


def person_of(seat: Seat, standing: Standing | None = None) -> Person:
    """Whoever sits there.

    :param standing: where they stand in the match's game; None before their first rated match.
    """
    user = seat.user
    if user is None:
        return Person(name_of(seat), bot=seat.bot)
    if getattr(user, "is_guest", False):
        return Person(name_of(seat), user.pk, user.get_username())
    standing = standing or Standing()
    return Person(
        name_of(seat), user.pk, user.get_username(), rating=round(standing.value), provisional=standing.is_provisional
    )


Standings = dict[tuple[int | None, str], Standing]
"""By user and game."""


def standings_of(users: Collection[int | None]) -> Standings:
    """Where these people stand, as far as everybody may know (`Match.delay`)."""
    ratings = Rating.objects.filter(user__in=users)
    return {(rating.user_id, rating.game): rating.standing for rating in ratings} | standings_before(users)


def standings_before(users: Collection[int | None]) -> Standings:
    """Where those of these people stood whom the ends have moved that only the players may know of yet, before; whom a
    later match with one of those has moved, too (`_telling`).
    """
    return unmoved(RatingChange.objects.filter(user__in=users))


def unmoved(changes: QuerySet[RatingChange]) -> Standings:
    """Where everybody stood, as far as everybody may know, whom ends have moved that only the players may know of yet.

    :param changes: of whom, or of which game.
    """
    held = withheld_ends()
    if not held:
        return {}
    found: Standings = {}
    reached: dict[tuple[int | None, str], float] = {}
    """How high each of them has been since."""
    latest = list(changes.filter(end__gte=min(held), user__isnull=False).order_by("end"))
    telling = _telling(held, {change.game for change in latest})
    for change in latest:
        key = (change.user_id, change.game)
        # The first of several is what was known last.
        if key not in found and change.end_id in telling:
            found[key] = Standing(change.before, change.matches - 1)
        if key in found:
            reached[key] = max(change.after, reached.get(key, 0.0))
    return _with_peaks(found, reached)


def _telling(held: Collection[int], games: Collection[str]) -> set[int]:
    """The ends whose rating changes would tell what the `held` ones did: those themselves, and each later one of
    somebody whom one of these has moved, for what one wins or loses depends on where the other stands.

    :param games: in which to look.
    """
    if not games:
        return set()
    changes = RatingChange.objects.filter(end__gte=min(held), game__in=games).order_by("end")
    withheld = set(held)
    telling: set[int] = set()
    moved: set[tuple[int | None, str]] = set()
    for end, sides in groupby(changes.values_list("end", "user", "game"), key=itemgetter(0)):
        # Deleted players count as one: which of them it was, nothing here says any more.
        players = {(user, game) for _end, user, game in sides}
        if end in withheld or not moved.isdisjoint(players):
            telling.add(end)
            moved |= players
    return telling


def _with_peaks(found: Standings, reached: Mapping[tuple[int | None, str], float]) -> Standings:
    """The same with how high each of them had been by then. A query more for those who have never been so high."""
    if not found:
        return found
    ratings = Rating.objects.filter(user__in={user for user, _game in found})
    peaks: dict[tuple[int | None, str], float] = {(rating.user_id, rating.game): rating.peak for rating in ratings}
    at_their_highest = [key for key in found if peaks.get(key, 0.0) <= reached[key]]
    for start in range(0, len(at_their_highest), AT_ONCE):
        earlier = Q(pk=None)
        for user, game in at_their_highest[start : start + AT_ONCE]:
            earlier |= Q(user=user, game=game, matches__lte=found[user, game].matches)
            peaks[user, game] = START
        highest = RatingChange.objects.filter(earlier).values("user", "game").annotate(highest=Max("after"))
        for user, game, peak in highest.values_list("user", "game", "highest"):
            peaks[user, game] = max(peak, START)
    return {key: standing._replace(peak=peaks[key]) for key, standing in found.items()}


def withheld_ends() -> list[int]:
    """The ids of the ends that only the players may know of yet (`Match.delay`); nearly always none."""
    return list(End.objects.filter(withheld_until__gt=wall()).values_list("pk", flat=True))
