"""How allauth makes users here."""

from typing import Any, ClassVar

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context as allauth_context
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sites.shortcuts import get_current_site
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _

from games.live import announce
from spitsite.accounts import names
from spitsite.accounts.models import User, check_free


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Signing up as a guest turns the guest into the account: same row, same matches."""

    error_messages: ClassVar = {
        **DefaultAccountAdapter.error_messages,
        # The field is called "Name".
        "username_taken": User._meta.get_field("username").error_messages["unique"],
    }

    def new_user(self, request: HttpRequest) -> User:
        guest: User | None = getattr(request, "guest", None)
        if guest is not None:
            # Sent twice, a form must not turn the account that it made into another one.
            still = User.objects.select_for_update().filter(pk=guest.pk, is_guest=True).first()
            if still is not None:
                return still
        return User()

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """
        :raises ValidationError: what is wrong with it, in a sentence.
        """
        cleaned: str = super().clean_username(names.normal(username), shallow)
        if not shallow:
            try:
                check_free(cleaned)
            except ValidationError as error:
                raise ValidationError(error.error_dict["username"]) from None
        return cleaned

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """allauth's mails name the host as the site; ours has a name."""
        site = get_current_site(allauth_context.request)
        site.name = settings.SITE_NAME
        super().send_mail(template_prefix, email, {**context, "current_site": site})

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        user.is_guest = False
        saved: User = super().save_user(request, user, form, commit)
        return saved


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """What apps and keys are told to call the site and the account."""

    def _get_site_name(self) -> str:
        return str(settings.SITE_NAME)

    def _get_user_identifier(self, user: User) -> str:
        return user.username

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:  # noqa: A002
        """What a key is called whose owner gives it no name."""
        number = Authenticator.objects.filter(user=user, type=type).count() + 1
        return _("Passkey {number}").format(number=number)


class SessionsAdapter(DefaultUserSessionsAdapter):  # type: ignore[misc]
    """A sign-in that is ended from elsewhere takes its open tables along (B28)."""

    def end_sessions(self, sessions: list[UserSession]) -> None:
        super().end_sessions(sessions)
        for session in sessions:
            announce.session_ended(session.user_id, session.session_key)
