"""What people are called."""

from typing import Final

from django.utils.translation import gettext as _
from django_stubs_ext import StrOrPromise

from games.models import Seat

BOT_NAMES: Final[dict[str, StrOrPromise]] = {}
"""The names of the bot levels by key; `games.apps` fills it in."""


def name_of(seat: Seat) -> str:
    """The name shown for whoever sits there."""
    if seat.bot:
        return str(BOT_NAMES.get(seat.bot, seat.bot))
    if seat.user is None:
        return _("deleted player")
    return str(getattr(seat.user, "display_name", seat.user.get_username()))
