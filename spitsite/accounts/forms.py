"""The forms of accounts where they differ from allauth's."""

from allauth.account import forms as allauth_forms


class SignupForm(allauth_forms.SignupForm):  # type: ignore[misc]
    """Username, e-mail and one password."""
