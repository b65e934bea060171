"""What time takes away: guests who never played, sessions that have ended."""

from datetime import timedelta
from typing import Any, Final

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.clock import wall
from spitsite.accounts.models import User

PORTION: Final = 500
"""Rows that one transaction deletes: on SQLite live play waits for it."""
NEW: Final = timedelta(days=1)
"""A session is stored in several steps; one so new is left alone."""


def remove_idle_guests() -> int:
    """Deletes guests who signed in so many days ago and have not sat at a match since; how many that were."""
    since = wall() - timedelta(days=settings.GUEST_IDLE_DAYS)
    unseen = Q(last_login__lt=since) | Q(last_login=None, date_joined__lt=since)
    return _delete(User.objects.filter(unseen, is_guest=True, seats=None))


def remove_ended_sessions() -> int:
    """Deletes sessions that have run out, and what is known of browsers whose sessions are gone; how many sessions."""
    ended = _delete(Session.objects.filter(expire_date__lt=wall()))
    kept = Session.objects.filter(pk=OuterRef("session_key"))
    _delete(UserSession.objects.filter(~Exists(kept), created_at__lt=wall() - NEW))
    return ended


def _delete(rows: QuerySet[Any]) -> int:
    """Portion by portion; how many of the rows themselves."""
    count = 0
    while portion := list(rows.values_list("pk", flat=True)[:PORTION]):
        _all, per_model = rows.model._default_manager.filter(pk__in=portion).delete()
        count += per_model.get(rows.model._meta.label, 0)
    return count
