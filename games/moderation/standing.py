"""Who may not play at the moment, and what they are told.

Whoever is banned may sign in, read, watch and look at replays, and write to who
looks after the site. They may not make a match, join or be paired in one, have a
rematch, or write in a chat; what they play ends as if they had left it.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Exists, OuterRef, Q
from msgspec import Struct

from games.clock import wall
from games.models import Muted
from games.moderation.models import TOLD, Banned, Measure


def in_force() -> Q:
    """Of `Banned` and `Muted`: those that have not run out."""
    return Q(until=None) | Q(until__gt=wall())


def ban_of(user: Any) -> Banned | None:
    """The ban that somebody is under, if any; of nobody, none."""
    pk = getattr(user, "pk", None)
    return None if pk is None else Banned.objects.filter(in_force(), pk=pk).first()


def is_banned(user: Any) -> bool:
    return ban_of(user) is not None


def banned_among(user_ids: Iterable[int]) -> set[int]:
    """Which of these people may not play: for pairing many at once."""
    return set(Banned.objects.filter(in_force(), pk__in=list(user_ids)).values_list("pk", flat=True))


def mute_of(user: Any) -> Muted | None:
    return Muted.objects.filter(in_force(), user=user.pk).first()


def told(user: Any) -> list[Measure]:
    """What somebody is told of, the newest first. Who decided is not a part of it."""
    return list(Measure.objects.filter(about=user.pk, kind__in=TOLD).defer("by").order_by("-pk")[:50])


def has_unread(user: Any) -> bool:
    if user.pk is None:
        return False
    return Measure.objects.filter(about=user.pk, kind__in=TOLD, read_at=None).exists()


class Word(Struct, frozen=True):
    """What every page tells whoever asks for it."""

    is_banned: bool = False
    until: datetime | None = None
    """When the ban ends; None: never."""
    has_unread: bool = False


def word_for(user: Any) -> Word:
    """A ban, and whether something was decided that is not read yet. One query."""
    if user.pk is None:
        return Word()
    unread = Measure.objects.filter(about=OuterRef("pk"), kind__in=TOLD, read_at=None)
    found = (
        get_user_model().objects.filter(pk=user.pk).values_list("banned__user", "banned__until", Exists(unread)).first()
    )
    if found is None:
        return Word()
    banned, until, has_unread = found
    return Word(banned is not None and (until is None or until > wall()), until, has_unread)


def mark_read(user: Any) -> None:
    Measure.objects.filter(about=user.pk, kind__in=TOLD, read_at=None).update(read_at=wall())
