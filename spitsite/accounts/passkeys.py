"""allauth's forms of passkeys, which also refuse what no browser sends (allauth's own break on some of it)."""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from allauth.mfa.adapter import get_adapter
from allauth.mfa.webauthn import forms
from django.utils.translation import gettext_lazy as _


@contextmanager
def _refusing() -> Iterator[None]:
    """Whatever reading a made-up credential runs into is a credential that is none.

    :raises ValidationError: it is none.
    """
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError, struct.error):
        raise get_adapter().validation_error("incorrect_code") from None


class _Careful:
    def clean_credential(self) -> Any:
        with _refusing():
            return super().clean_credential()  # type: ignore[misc]


class AddForm(forms.AddWebAuthnForm):  # type: ignore[misc]
    """In words that tell what for; a passkey unless it is not wanted."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("A name to know it by")
        alone = self.fields["passwordless"]
        alone.label = _("Sign in with it alone")
        alone.help_text = _("Without a password. Your device asks for your finger, your face or its PIN.")
        alone.initial = True

    def clean(self) -> Any:
        with _refusing():
            return super().clean()


class AuthenticateForm(_Careful, forms.AuthenticateWebAuthnForm):  # type: ignore[misc]
    pass


class LoginForm(_Careful, forms.LoginWebAuthnForm):  # type: ignore[misc]
    pass


class ReauthenticateForm(_Careful, forms.ReauthenticateWebAuthnForm):  # type: ignore[misc]
    pass
