"""Tells live play of sign-ins that have ended, so that no open socket outlives its own."""

from functools import partial
from typing import Any

from django.contrib.auth.signals import user_logged_out
from django.db import transaction
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver
from django.http import HttpRequest

from games.live import announce
from spitsite.accounts.models import User


@receiver(user_logged_out)
def _signed_out(request: HttpRequest, user: User | None, **_: Any) -> None:
    if user is not None and request.session.session_key is not None:
        transaction.on_commit(partial(announce.session_ended, user.pk, request.session.session_key))


@receiver(post_save, sender=User)
def _saved(instance: User, created: bool, **_: Any) -> None:
    """The password may be another one, or the person deactivated."""
    if not created:
        valid = instance.get_session_auth_hash() if instance.is_active else None
        transaction.on_commit(partial(announce.person_changed, instance.pk, valid))


@receiver(post_delete, sender=User)
def _deleted(instance: User, **_: Any) -> None:
    transaction.on_commit(partial(announce.person_deleted, instance.pk))
