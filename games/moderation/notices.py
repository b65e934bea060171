"""The message to everybody: asked for by every page, so kept in the cache for a moment."""

from typing import Any, Final

from django.core.cache import cache
from django.db import DatabaseError, InterfaceError
from django.db.models import Q

from games.clock import wall
from games.moderation.models import Notice

KEY: Final = "moderation.notice"
SECONDS: Final = 15
"""So long after it was written everybody has it, whatever process and cache they are served by."""


def current() -> dict[str, Any] | None:
    """`text` and `link` of the newest message that is true now; None while there is none, or nobody can tell."""
    found = cache.get(KEY)
    if found is None:
        try:
            found = _read()
        except (DatabaseError, InterfaceError):
            return None
        cache.set(KEY, found, SECONDS)
    return found or None


def changed() -> None:
    """Somebody has written: ask anew."""
    cache.delete(KEY)


def _read() -> dict[str, Any]:
    now = wall()
    notice = Notice.objects.filter(Q(ends=None) | Q(ends__gt=now), begins__lte=now).order_by("-begins", "-pk").first()
    return {} if notice is None else {"text": notice.text, "link": notice.link}
