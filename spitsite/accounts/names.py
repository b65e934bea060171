"""What people may be called, and what guests are called.

Letters of any one script, digits, - and _. PRECIS (RFC 8265) says which signs a name may have and when two names are
one; which names look alike is in `likeness`.
"""

import re
import secrets
import unicodedata

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.deconstruct import deconstructible
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrPromise
from precis_i18n import get_profile

from games.bots.levels import LEVELS
from spitsite.accounts import likeness

MAX_LENGTH = 30
MAX_MARKS = 2
"""So many accents may stand on one letter: as many as any language needs, and no towers of them."""

GUEST_PREFIX = "guest-"

_AS_WRITTEN = get_profile("UsernameCasePreserved")
_IN_ANY_CASE = get_profile("UsernameCaseMapped")


def normal(name: str) -> str:
    """The name as it is kept: wide letters are made ordinary ones, letters and their accents one sign.

    :raises ValidationError: it has signs that no name may have.
    """
    try:
        # The same letters at another width are no other name.
        return str(_AS_WRITTEN.enforce(name))
    except UnicodeEncodeError as error:
        raise ValidationError(_fault(name[error.start : error.end]), code="invalid") from None


def key(name: str) -> str:
    """What makes names one and the same, whatever the case. Of any text at all."""
    try:
        return str(_IN_ANY_CASE.enforce(name)).casefold()
    except UnicodeEncodeError:
        return unicodedata.normalize("NFC", name.casefold())


def _fault(sign: str) -> StrPromise:
    if any(unicodedata.category(each) in ("Cc", "Cf", "Cn", "Co", "Cs") for each in sign):
        return _("This name has an invisible character in it. Type it anew, letter by letter.")
    if any(each.isspace() for each in sign):
        return _("A name has no spaces in it. Use - or _ instead.")
    return _NOT_WELL_FORMED


_NOT_WELL_FORMED = _("A name is made of letters, digits, - and _, and begins with a letter or a digit.")


def well_formed(name: str) -> None:
    """
    :raises ValidationError: it is not, with a sentence that says why.
    """
    # One letter a sign: L a letter, M a mark on the one before, N a digit, - and _ themselves.
    kinds = "".join(sign if sign in "-_" else _kind(sign) for sign in normal(name))
    if not re.fullmatch(r"[LN][LMN_-]*", kinds):
        raise ValidationError(_NOT_WELL_FORMED, code="invalid")
    if "M" * (MAX_MARKS + 1) in kinds:
        raise ValidationError(_("Too many accents stand on one letter of this name."), code="invalid")
    if likeness.is_mixed(name):
        raise ValidationError(
            _("The letters of a name are of one alphabet. This one has letters that only look like others."),
            code="mixed",
        )


def _kind(sign: str) -> str:
    category = unicodedata.category(sign)
    return category[0] if category[0] in "LM" or category == "Nd" else "?"


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


def _drawn(name: str) -> str:
    """As it looks, the dot of an i left out, too."""
    return likeness.likeness(name).replace("i", "l")


@deconstructible
class NotReserved:
    """Refuses names that would pass for the site itself, for a guest or for the computer."""

    def __call__(self, value: str) -> None:
        bare = _bare(value)
        levels = {_bare(word) for level in LEVELS for word in (level.key, str(level.name))}
        reserved = RESERVED | levels | {_bare(settings.SITE_NAME)}
        if _drawn(bare) in map(_drawn, reserved) or re.match(r"guest\d*\Z", bare):
            raise ValidationError(_("This name is reserved."), code="reserved")


validators = [well_formed, NotReserved()]
"""For names that people choose (`ACCOUNT_USERNAME_VALIDATORS`)."""


def new_guest_name(digits: int = 4) -> str:
    """A name for a guest with a number of that many digits; whether it is free, the database says."""
    return f"{GUEST_PREFIX}{secrets.randbelow(9 * 10 ** (digits - 1)) + 10 ** (digits - 1)}"


def guest_number(username: str) -> str:
    """The number in a guest's name."""
    return username.removeprefix(GUEST_PREFIX)
