"""How allauth makes and names users here."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest

from spitsite.accounts.models import User


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Signing up as a guest turns the guest into the account: same row, same matches."""

    def new_user(self, request: HttpRequest) -> User:
        guest: User | None = getattr(request, "guest", None)
        return guest or User()

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        user.is_guest = False
        saved: User = super().save_user(request, user, form, commit)
        return saved
