"""Who may not play at the moment, and what they are told.

Whoever is banned may sign in, read, watch and look at replays, and write to who
looks after the site. They may not make a match, join or be paired in one, have a
rematch, or write in a chat; what they play ends as if they had left it.
"""

from collections.abc import Iterable
from typing import Any

from django.db.models import Q

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


def mark_read(user: Any) -> None:
    Measure.objects.filter(about=user.pk, kind__in=TOLD, read_at=None).update(read_at=wall())
