"""The chat of those who watch a match: who may write, and what is kept of it.

Plain functions that read and write the database: for a worker's thread. Those at
the table neither see it nor write in it before everybody may know that their
match is over.
"""

from collections.abc import Collection, Sequence
from datetime import timedelta
from enum import StrEnum
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils.translation import gettext as _
from msgspec import Struct

from games.clock import wall
from games.live.protocol import ChatEntry
from games.models import ChatLine, Match
from games.moderation import standing
from games.stands.text import one_line
from games.ties import apart_from

HISTORY: Final = 50
"""Lines that whoever comes is sent."""
RATE: Final = 5
"""Lines that one person may write ..."""
RATE_SECONDS: Final = 15
"""... in so many seconds, at all matches together."""


class May(StrEnum):
    """Whether somebody may write, and if not, why (`may` in docs/protocol.md)."""

    YES = "yes"
    OFF = "off"
    """The site has no chat."""
    SIGN_IN = "sign_in"
    """Writing is for people with an account."""
    PLAYING = "playing"
    """Who plays the match neither reads nor writes until it is over."""
    MUTED = "muted"
    TOO_FAST = "too_fast"
    """Many lines, or the same again."""
    EMPTY = "empty"
    """Nothing of it can be seen."""


def may_write(match: Match, user_id: int | None) -> May:
    """Whether somebody may write at a match. Not how fast."""
    if not settings.WATCHERS_CHAT:
        return May.OFF
    if is_playing(match, user_id):
        return May.PLAYING
    user = None if user_id is None else get_user_model().objects.filter(pk=user_id, is_active=True).first()
    if user is None or getattr(user, "is_guest", False):
        return May.SIGN_IN
    if standing.mute_of(user) is not None or standing.is_banned(user):
        return May.MUTED
    return May.YES


def is_playing(match: Match, user_id: int | None) -> bool:
    """Whether somebody sits at the match, and it is not over yet for everybody."""
    if user_id is None or not match.seats.filter(user=user_id).exists():
        return False
    end = getattr(match, "end", None)
    return end is None or end.is_withheld


def find(slug: str) -> Match | None:
    return Match.objects.filter(slug=slug).select_related("end").first()


def say(match: Match, user_id: int | None, text: str) -> May:
    """Keep what somebody says, if they may say it: `May.YES`."""
    may = may_write(match, user_id)
    if may is not May.YES or user_id is None:
        return may
    line = one_line(text)
    if not line:
        return May.EMPTY
    with transaction.atomic():
        # Whoever writes by many sockets at once waits for themselves.
        get_user_model().objects.select_for_update().filter(pk=user_id).first()
        since = wall() - timedelta(seconds=RATE_SECONDS)
        recent = list(ChatLine.objects.filter(user=user_id, at__gt=since).values_list("text", flat=True)[:RATE])
        if len(recent) >= RATE or line in recent:
            return May.TOO_FAST
        ChatLine.objects.create(match=match, user_id=user_id, text=line)
    return May.YES


class Line(Struct, frozen=True):
    """A line as it was written, and who must not hear it."""

    entry: ChatEntry
    unheard_by: Collection[int] = ()
    """The ids of those whom its author has blocked or was blocked by, as it is now: people change their minds, and
    their names, while they listen."""


def lines(match: Match, after: int | None = None) -> list[Line]:
    """The lines of a match in order: those after a number, or else the last ones. Two queries."""
    found = ChatLine.objects.filter(match=match, is_hidden=False).select_related("user")
    if after is not None:
        written = list(found.filter(pk__gt=after).order_by("pk")[:HISTORY])
    else:
        written = list(found.order_by("-pk")[:HISTORY])[::-1]
    apart = apart_from({line.user_id for line in written if line.user_id is not None}) if written else {}
    return [
        Line(
            ChatEntry(line.pk, author(line), line.text, int(line.at.timestamp())),
            () if line.user_id is None else apart[line.user_id],
        )
        for line in written
    ]


def author(line: ChatLine) -> str:
    """The name of who wrote it, as it is today."""
    user: Any = line.user
    return _("deleted player") if user is None else str(getattr(user, "display_name", user.get_username()))


def hide(lines_of: Sequence[ChatLine]) -> None:
    """Take lines away. They stay for who looks after the site."""
    ChatLine.objects.filter(pk__in=[line.pk for line in lines_of]).update(is_hidden=True)
