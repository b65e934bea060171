"""What goes with a person: sign-ins that have ended, so that no open socket outlives its own; and all that is left of
who is deleted."""

from functools import partial
from typing import Any

from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.contrib.auth.signals import user_logged_out
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models.signals import post_delete, post_save, pre_delete
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.translation import gettext as _

from games.live import announce
from games.lobby.leaving import leave
from spitsite.accounts.models import User


@receiver(user_logged_out)
def _signed_out(request: HttpRequest, user: User | None, **kwargs: Any) -> None:
    if user is not None and request.session.session_key is not None:
        transaction.on_commit(partial(announce.session_ended, user.pk, request.session.session_key))


@receiver(post_save, sender=User)
def _saved(instance: User, created: bool, **kwargs: Any) -> None:
    """The password may be another one, or the person deactivated."""
    if not created:
        valid = instance.get_session_auth_hash() if instance.is_active else None
        transaction.on_commit(partial(announce.person_changed, instance.pk, valid))


@receiver(pre_delete, sender=User)
def _goes(instance: User, **kwargs: Any) -> None:
    """Nobody would ever come to their invitations, or to those who wait for them; their sessions are of no use to
    anybody."""
    leave(instance)
    # Those who never sat anywhere, as idle guests, are told of in this process alone.
    instance.has_seats = instance.seats.exists()  # type: ignore[attr-defined]
    sessions = UserSession.objects.filter(user=instance).values_list("session_key", flat=True)
    Session.objects.filter(session_key__in=list(sessions)).delete()


@receiver(post_delete, sender=User)
def _deleted(instance: User, **kwargs: Any) -> None:
    """The admin's history tells what was done to whom by a name of its own."""
    about = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(User), object_id=str(instance.pk))
    about.update(object_repr=_("deleted player"))
    if instance.has_seats:  # type: ignore[attr-defined]
        transaction.on_commit(partial(announce.person_deleted, instance.pk))
    else:
        transaction.on_commit(partial(announce.person_changed, instance.pk, None))
