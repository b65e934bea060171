"""What moderators do: each is one transaction, and each leaves a row in the log."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from django.db import transaction

from games.clock import wall
from games.live import announce
from games.models import ChatLine, End, Match, Muted
from games.moderation.models import Banned, Kind, Measure, Report, Voided
from games.moderation.signals import banned
from games.played import unlist

DAYS: Final = (1, 7, 30)
"""For how many days somebody may be muted or banned; or for good."""


class CannotVoid(Exception):
    """The match is not a finished rated one with a result, or it is voided already."""


def end_of_days(days: int | None) -> datetime | None:
    return None if days is None else wall() + timedelta(days=days)


def decide(by: Any, about: Any, kind: Kind, reason: str, days: int | None = None) -> Measure:
    """Dismiss, warn, mute or ban, and with it be done with all open reports of the person.

    :param days: how long a mute or a ban lasts; None: for good.
    :raises ValueError: not one of these kinds.
    """
    if kind not in (Kind.DISMISS, Kind.WARN, Kind.MUTE, Kind.BAN):
        raise ValueError(kind)
    until = end_of_days(days) if kind in (Kind.MUTE, Kind.BAN) else None
    with transaction.atomic():
        if kind is Kind.BAN:
            banned.send(None, user=about)
        measure = Measure.objects.create(by=by, about=about, kind=kind, reason=reason, until=until)
        Report.objects.filter(about=about, measure=None).update(measure=measure)
        if kind is Kind.MUTE:
            Muted.objects.update_or_create(user=about, defaults={"until": until, "note": reason[:200]})
        elif kind is Kind.BAN:
            Banned.objects.update_or_create(user=about, defaults={"until": until, "reason": reason, "at": wall()})
            transaction.on_commit(partial(announce.person_barred, about.pk))
    return measure


def lift(by: Any, about: Any, kind: Kind, reason: str) -> Measure | None:
    """End a mute (`UNMUTE`) or a ban (`UNBAN`) before its time; None: there was none."""
    model: Any = {Kind.UNMUTE: Muted, Kind.UNBAN: Banned}[kind]
    with transaction.atomic():
        deleted, _models = model.objects.filter(user=about).delete()
        if not deleted:
            return None
        return Measure.objects.create(by=by, about=about, kind=kind, reason=reason)


def hidden(by: Any, lines: Sequence[ChatLine], reason: str = "") -> None:
    """These lines of the chat were taken away: be done with their reports."""
    with transaction.atomic():
        for line in lines:
            measure = Measure.objects.create(
                by=by, about=line.user, kind=Kind.HIDE, reason=reason or line.text, match=line.match
            )
            Report.objects.filter(line=line, measure=None).update(measure=measure)


def broken_off(by: Any, match: Match) -> Measure:
    """Live play was told to end the match without a result."""
    return Measure.objects.create(by=by, kind=Kind.BREAK_OFF, match=match)


def void(by: Any, match: Match, reason: str) -> Measure:
    """Let a finished rated match count for nothing. Its ratings are for a recount to take back.

    :raises CannotVoid: there is nothing to take back.
    """
    with transaction.atomic():
        end = End.objects.filter(match=match, void=False).first()
        if end is None or not match.rated:
            raise CannotVoid
        _voided, is_new = Voided.objects.get_or_create(match=match)
        if not is_new:
            raise CannotVoid
        unlist(end)
        return Measure.objects.create(by=by, kind=Kind.VOID, reason=reason, match=match)
