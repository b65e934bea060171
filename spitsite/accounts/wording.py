"""Allauth's forms, with the labels that the rest of the site uses."""

from typing import Any

from allauth.account import forms
from django.utils.translation import gettext_lazy as _

LABELS = {
    "username": _("Name"),
    "oldpassword": _("Password until now"),
    "password1": _("New password"),
    "password2": _("New password again"),
}


class _Worded:
    """Puts our labels in the place of allauth's."""

    worded: tuple[str, ...] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, Any] = self.fields  # type: ignore[attr-defined]  # A form's.
        for name in self.worded:
            fields[name].label = LABELS[name]


class SignupForm(_Worded, forms.SignupForm):  # type: ignore[misc]
    worded = ("username",)


class ChangePasswordForm(_Worded, forms.ChangePasswordForm):  # type: ignore[misc]
    worded = ("oldpassword", "password1", "password2")


class ResetPasswordKeyForm(_Worded, forms.ResetPasswordKeyForm):  # type: ignore[misc]
    worded = ("password1", "password2")
