"""How allauth makes users here."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context as allauth_context
from django.conf import settings
from django.contrib.sites.shortcuts import get_current_site
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

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """allauth's mails name the host as the site; ours has a name."""
        site = get_current_site(allauth_context.request)
        site.name = settings.SITE_NAME
        super().send_mail(template_prefix, email, {**context, "current_site": site})

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        user.is_guest = False
        saved: User = super().save_user(request, user, form, commit)
        return saved
