"""How allauth makes users here."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest

from spitsite.accounts.models import User


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Signing up as a guest turns the guest into the account: same row, same matches."""

    def new_user(self, request: HttpRequest) -> User:
        guest: User | None = getattr(request, "guest", None)
        if guest is not None:
            # Sent twice, a form must not turn the account that it made into another one.
            still = User.objects.select_for_update().filter(pk=guest.pk, is_guest=True).first()
            if still is not None:
                return still
        return User()

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        user.is_guest = False
        saved: User = super().save_user(request, user, form, commit)
        return saved
