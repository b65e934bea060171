"""The form of preferences, made from the catalogue. Whatever it is not sent stays as it is."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from spitsite.accounts.preferences.catalogue import GROUPS, PREFERENCES, Group, Preference
from spitsite.accounts.preferences.controls import CONTROLS, SCOPES, Control, Scope, is_key, printed, read
from spitsite.accounts.preferences.values import Values, conflicts


class KeyField(forms.CharField):
    """What is printed on a key, or its name; the value is the key."""

    def __init__(self, scope: Scope, control: Control, **options: Any) -> None:
        self.scope = scope
        self.control = control
        super().__init__(label=control.label, max_length=24, required=False, **options)
        self.widget.attrs.update(autocomplete="off", autocapitalize="none", spellcheck="false")

    def prepare_value(self, value: Any) -> Any:
        return printed(value) if isinstance(value, str) and is_key(self.scope, value) else value

    def clean(self, value: Any) -> str:
        text = super().clean(value)
        key = read(self.scope, text) if text else self.control.default
        if key != self.control.default and not is_key(self.scope, key):
            raise forms.ValidationError(
                _("That key cannot be used. A letter, a figure, a sign, Space or an arrow can.")
            )
        return key


class PreferencesForm(forms.Form):
    """Fields are named as preferences are."""

    def __init__(self, values: Values, data: Any = None, *, has_account: bool = False) -> None:
        super().__init__(data, initial=dict(values), auto_id="id_%s")
        self.values = values
        self.has_account = has_account
        for name, preference in PREFERENCES.items():
            self.fields[name] = forms.ChoiceField(
                label=preference.label,
                help_text=preference.help,
                choices=[(choice.value, choice.label) for choice in preference.choices],
                required=False,
            )
        for name, (scope, control) in CONTROLS.items():
            if not control.is_fixed:
                self.fields[name] = KeyField(scope, control)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        for scope in SCOPES:
            chosen = {**self.values.chosen, **{name: cleaned[name] for name in cleaned if name in self.data}}
            for name, other in conflicts(scope, chosen).items():
                if name not in self.data:
                    continue
                label = CONTROLS[other][1].label
                key = printed(chosen.get(name, CONTROLS[name][1].default))
                self.add_error(name, _("{key} is already the key for: {control}").format(key=key, control=label))
        return cleaned

    @property
    def changes(self) -> dict[str, str]:
        """What was sent and is right."""
        return {
            name: value
            for name, value in self.cleaned_data.items()
            if name in self.data and value and name not in self.errors
        }

    @property
    def groups(self) -> Iterator[tuple[Group, list[tuple[Preference, forms.BoundField]]]]:
        """What stands on the page, but for the keys."""
        for group in GROUPS:
            offered = [
                each for each in group.preferences if each.is_offered and (self.has_account or not each.is_private)
            ]
            shown = [(each, self[each.name]) for each in offered]
            if shown:
                yield group, shown

    @property
    def scopes(self) -> Iterator[tuple[Scope, list[dict[str, Any]]]]:
        """The keys, as they stand on the page."""
        for scope in SCOPES:
            controls = [
                {
                    "control": control,
                    "field": self[f"key.{scope.name}.{control.name}"],
                    "key": self.values[f"key.{scope.name}.{control.name}"],
                }
                for control in scope.controls
                if not control.is_fixed
            ]
            yield scope, controls


def texts(errors: Any) -> dict[str, list[str]]:
    """The errors of a form, for a script."""
    return {name: [str(each) for each in found] for name, found in errors.items()}
