"""Reads for the pages of the replays."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch, QuerySet
from django.utils.functional import Promise
from django.utils.timesince import timesince
from django.utils.translation import gettext_lazy as _

from games.models import Match, Seat
from games.people import name_of
from games.rules.state import Cause

CAUSES: Final[Mapping[Cause, Promise]] = {
    Cause.OUT_OF_CARDS: _("out of cards"),
    Cause.FEWER_CARDS: _("fewer cards"),
    Cause.RESIGNED: _("resigned"),
    Cause.INACTIVE: _("did nothing"),
    Cause.LEFT: _("left"),
    Cause.CAP: _("time limit"),
    Cause.ABANDONED: _("nobody played on"),
    Cause.ABORTED: _("aborted"),
    Cause.BROKEN_OFF: _("broken off by the site"),
}
"""How a match ended, in a word or two (M2)."""


@dataclass(frozen=True, slots=True)
class Side:
    """One seat of a finished match, as lists show it."""

    name: str
    won: bool
    played: int | None
    """Cards played; None while the replay has not been built."""
    per_minute: int | None


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished match, as lists and the head of a replay show it."""

    match: Match
    sides: tuple[Side, Side]
    cause: Promise
    is_draw: bool
    is_void: bool
    duration: timedelta
    rounds: int | None
    ended_at: datetime
    is_flagged: bool
    """The rules do not lead to what was recorded."""

    @property
    def clock(self) -> str:
        """The length as minutes and seconds, "4:07"."""
        seconds = int(self.duration.total_seconds())
        return f"{seconds // 60}:{seconds % 60:02}"

    @property
    def since(self) -> str:
        """How long ago it ended, in the largest unit alone: "3 hours"."""
        return timesince(self.ended_at, depth=1)


def matches() -> QuerySet[Match]:
    """Every match that is over, with what `finished` reads; the newest end first."""
    seats = Prefetch("seats", Seat.objects.select_related("user").order_by("number"))
    return (
        Match.objects.filter(end__isnull=False)
        .select_related("end", "replay")
        .defer("replay__course")
        .prefetch_related(seats)
        .order_by("-end__pk")
    )


def listed() -> QuerySet[Match]:
    """Those that are worth a look: with a result (M2)."""
    return matches().filter(end__void=False)


def seat_of(match: Match, visitor: AbstractBaseUser | AnonymousUser) -> int:
    """The seat that is drawn below: the visitor's own in a match of his, else the first."""
    own = (seat.number for seat in match.seats.all() if seat.user_id is not None and seat.user_id == visitor.pk)
    return next(own, 0)


def finished(match: Match) -> Finished:
    """What there is to say of a match of `matches`."""
    end = match.end
    built = getattr(match, "replay", None)
    figures = built.statistics if built else None

    def side(seat: Seat) -> Side:
        own = figures["seats"][seat.number] if figures else None
        return Side(
            name=name_of(seat),
            won=end.winner == seat.number,
            played=own["played"] if own else None,
            per_minute=round(own["per_minute"]) if own else None,
        )

    first, second = match.seats.all()
    return Finished(
        match=match,
        sides=(side(first), side(second)),
        cause=CAUSES[Cause(end.cause)],
        is_draw=end.winner is None and not end.void,
        is_void=end.void,
        duration=timedelta(milliseconds=end.at),
        rounds=figures["rounds"] if figures else None,
        ended_at=end.ended_at,
        is_flagged=built.is_flagged if built else False,
    )
