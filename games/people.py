"""What people are called, and how they stand."""

from collections.abc import Collection
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django_stubs_ext import StrOrPromise
from msgspec import Struct

from games.clock import wall
from games.models import End, Rating, RatingChange, Seat
from games.standing import Standing

BOT_NAMES: Final[dict[str, StrOrPromise]] = {}
"""The names of the bot levels by key; `games.apps` fills it in."""


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
    """Where those of these people stood whom the ends have moved that only the players may know of yet, before."""
    held = withheld_ends()
    if not held:
        return {}
    changes = RatingChange.objects.filter(end__in=held, seat__user__in=users).select_related("seat__match")
    # The first of several is what was known last.
    return {
        (change.seat.user_id, change.seat.match.game): Standing(change.before, change.matches - 1, change.before)
        for change in changes.order_by("-end")
    }


def withheld_ends() -> list[int]:
    """The ids of the ends that only the players may know of yet (`Match.delay`); nearly always none."""
    return list(End.objects.filter(withheld_until__gt=wall()).values_list("pk", flat=True))
