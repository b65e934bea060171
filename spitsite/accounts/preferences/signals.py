"""Who signs up or in takes along what was chosen in the browser."""

from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest

from spitsite.accounts.models import User
from spitsite.accounts.preferences import services


@receiver(user_logged_in)
def _signed_in(request: HttpRequest | None, user: User, **_: Any) -> None:
    if request is not None:
        services.adopt(request, user)
