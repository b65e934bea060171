"""Forms of the account's own pages."""

from typing import Any

from allauth.account.adapter import get_adapter
from django import forms
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from spitsite.accounts import names
from spitsite.accounts.models import User, check_free


class NameForm(forms.Form):
    """Another name for somebody who has one."""

    username = forms.CharField(
        label=_("New name"),
        min_length=2,
        max_length=names.MAX_LENGTH,
        help_text=_("Letters, digits, - and _. Your profile's address changes with it."),
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, person: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = person

    def clean_username(self) -> str:
        name = str(get_adapter().clean_username(self.cleaned_data["username"], shallow=True))
        try:
            check_free(name, self.person)
        except forms.ValidationError as error:
            raise forms.ValidationError(error.error_dict["username"]) from None
        return name

    def save(self) -> bool:
        """Whether it is saved: somebody else may have taken the name a moment before."""
        was = self.person.username
        self.person.username = self.cleaned_data["username"]
        try:
            with transaction.atomic():
                self.person.save(update_fields=["username", "name_key", "name_looks"])
        except IntegrityError:
            self.person.username = was
            self.add_error("username", get_adapter().validation_error("username_taken"))
            return False
        return True


class DeletionForm(forms.Form):
    """The last question before an account is deleted."""

    password = forms.CharField(
        label=_("Your password"),
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, person: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = person

    def clean_password(self) -> None:
        if not get_adapter().reauthenticate(self.person, self.cleaned_data["password"]):
            raise forms.ValidationError(_("This is not your password."), code="password")
