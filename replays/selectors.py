"""Reads for the pages of the replays."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from games.clock import wall
from games.lobby import selectors as lobby
from games.models import End, ListedMatch, PlayerMatch
from games.people import withheld_ends
from games.profiles.selectors import LAST
from games.profiles.speed import Speed
from replays.models import Replay, SeatSpeed

Visitor = AbstractBaseUser | AnonymousUser


def page_of(lookups: Mapping[str, Any], player: Any, before: int | None, limit: int) -> list[lobby.Outcome]:
    """The matches with a result (M2) that everybody may know of, those that ended last first.

    :param lookups: what to filter by, of `ListForm`.
    :param player: only matches of that person; None: of everybody.
    :param before: an `Outcome.end`; older ones only.
    """
    last = LAST if before is None else before
    if player is None and not lookups:
        return lobby.outcomes(list(lobby.ended().filter(void=False, pk__lt=last).order_by("-pk")[:limit]))
    wanted: QuerySet[Any]
    if player is None:
        wanted = ListedMatch.objects.filter(**lookups)
    else:
        wanted = PlayerMatch.objects.filter(user=player, end__void=False, **lookups)
    if held := withheld_ends():
        wanted = wanted.exclude(end__in=held)
    found = list(wanted.filter(end__lt=last).order_by("-end").values_list("end", flat=True)[:limit])
    return lobby.outcomes(list(lobby.all_ended().filter(pk__in=found).order_by("-pk")))


def end_of(slug: str, visitor: Visitor) -> End | None:
    """The end of a match; None while it is played as far as the visitor may know, or when there is no such match."""
    end = lobby.all_ended().filter(match__slug=slug).first()
    if end is None or not end.is_withheld:
        return end
    is_player = visitor.pk is not None and any(seat.user_id == visitor.pk for seat in end.match.seats.all())
    return end if is_player else None


def outcome_of(end: End) -> lobby.Outcome:
    """Who played, and how it ended; of an `end_of`."""
    return lobby.outcomes([end])[0]


def speeds_of(user: Any, game: str, limit: int) -> list[Speed]:
    """How fast somebody was in their latest matches of a game, the earliest of them first."""
    rows = (
        SeatSpeed.objects.filter(user=user, game=game)
        .exclude(match__end__withheld_until__gt=wall())
        .order_by("-match")
        .values_list("match__slug", "match__end__ended_at", "per_minute", "reaction")[:limit]
    )
    return [Speed(*row) for row in reversed(rows)]


def is_flagged(end: End) -> bool:
    """Whether the rules do not lead to what was recorded."""
    return Replay.objects.filter(match=end.match_id, verdict=Replay.Verdict.FLAGGED).exists()


def seat_of(end: End, visitor: Visitor) -> int:
    """The seat that is drawn below: the visitor's own in a match of theirs, else the first."""
    own = (seat.number for seat in end.match.seats.all() if seat.user_id is not None and seat.user_id == visitor.pk)
    return next(own, 0)
