"""Guests: people who play at once and may sign up later."""

from django.contrib.auth import login
from django.db import IntegrityError, transaction
from django.http import HttpRequest

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
