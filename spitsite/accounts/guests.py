"""Guests: people who play at once and may sign up later."""

from datetime import timedelta

from django.conf import settings
from django.contrib.auth import login
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.http import HttpRequest

from games.clock import wall
from spitsite.accounts import limits, names
from spitsite.accounts.models import User


def ensure_user(request: HttpRequest) -> User:
    """The signed-in user; for anybody else a new guest, who is signed in from now on.

    :raises LobbyError: `TOO_OFTEN`.
    """
    if isinstance(request.user, User):
        return request.user
    limits.check_guest(request)
    guest = create_guest()
    login(request, guest, backend="django.contrib.auth.backends.ModelBackend")
    return guest


def create_guest() -> User:
    """A new guest under a number nobody has. The numbers grow longer where the short ones are taken."""
    for digits in (4, 4, 4, 5, 5, 6, 6, 9, 9):
        guest = User(username=names.new_guest_name(digits), is_guest=True)
        guest.set_unusable_password()
        try:
            with transaction.atomic():
                guest.save(force_insert=True)
        except IntegrityError:
            continue  # The number is taken.
        return guest
    raise RuntimeError("no free number for a guest was found")


def remove_idle_guests() -> int:
    """Deletes guests who never sat at a match and have not been here for a while; how many that were."""
    since = wall() - timedelta(days=settings.GUEST_IDLE_DAYS)
    unseen = Q(last_login__lt=since) | Q(last_login=None, date_joined__lt=since)
    idle = User.objects.filter(unseen, is_guest=True, seats=None)
    _all, per_model = idle.delete()
    return per_model.get(User._meta.label, 0)
