"""What people may be called, and what guests are called."""

import re
import secrets

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.deconstruct import deconstructible
from django.utils.translation import gettext_lazy as _

from games.bots.levels import LEVELS

MAX_LENGTH = 30

GUEST_PREFIX = "guest-"

well_formed = RegexValidator(
    # One letter or digit first, and `\Z`: `$` would let a line end through.
    r"\A[A-Za-z0-9][A-Za-z0-9_-]*\Z",
    message=_("A name is made of the letters A to Z, digits, - and _, and begins with a letter or a digit."),
)

RESERVED = frozenset(
    {
        "admin", "administrator", "anonymous", "anybody", "bot", "computer", "deleted", "deletedplayer", "everybody",
        "guest", "moderator", "nobody", "opponent", "player", "root", "server", "site", "somebody", "staff", "support",
        "system", "watcher", "you",
    }
)  # fmt: skip
"""What the site calls people, or itself, or might be taken to."""


def _bare(name: str) -> str:
    """A name without what tells names apart for the site but hardly for the eye."""
    return re.sub(r"[\W_]", "", name.lower())


@deconstructible
class NotReserved:
    """Refuses names that would pass for the site itself, for a guest or for the computer."""

    def __call__(self, value: str) -> None:
        bare = _bare(value)
        levels = {_bare(word) for level in LEVELS for word in (level.key, str(level.name))}
        if bare in RESERVED | levels | {_bare(settings.SITE_NAME)} or re.match(r"guest\d*\Z", bare):
            raise ValidationError(_("This name is reserved."), code="reserved")


validators = [well_formed, NotReserved()]
"""For names that people choose (`ACCOUNT_USERNAME_VALIDATORS`)."""


def new_guest_name(digits: int = 4) -> str:
    """A name for a guest with a number of that many digits; whether it is free, the database says."""
    return f"{GUEST_PREFIX}{secrets.randbelow(9 * 10 ** (digits - 1)) + 10 ** (digits - 1)}"


def guest_number(username: str) -> str:
    """The number in a guest's name."""
    return username.removeprefix(GUEST_PREFIX)
