"""What people are called."""

from django.utils.translation import gettext as _

from games.models import Seat


def name_of(seat: Seat) -> str:
    """The name shown for whoever sits there."""
    if seat.bot:
        return seat.bot
    if seat.user is None:
        return _("deleted player")
    return str(getattr(seat.user, "display_name", seat.user.get_username()))
