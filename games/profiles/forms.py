"""What lists of matches are filtered by."""

from datetime import date, datetime, time, timedelta
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models import PlayerMatch
from games.people import player_called
from games.words import GAMES

ANY: Final = ("", pgettext_lazy("filter", "Any"))
PEOPLE: Final = "people"
COMPUTER: Final = "computer"
DAYS: Final = [MinValueValidator(date(1900, 1, 1)), MaxValueValidator(date(2999, 12, 31))]
"""Days of which the times are within what databases take."""


class ListForm(forms.Form):
    """A form that is sent by GET: each of its fields may be missing."""

    game = forms.ChoiceField(label=_("Game"), required=False, choices=[ANY, *GAMES.items()])
    rated = forms.ChoiceField(
        label=_("Rated"), required=False, choices=[ANY, ("yes", _("Rated")), ("no", _("Not rated"))]
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        for name in self.errors:
            self.fields[name].widget.attrs["aria-invalid"] = "true"

    @property
    def is_filtering(self) -> bool:
        """Whether it asks for anything."""
        return any(self.data.get(name) for name in self.fields)

    def lookups(self) -> dict[str, Any]:
        """The fields of `PlayerMatch`, or `ListedMatch`, to filter by; of a form that is valid."""
        found: dict[str, Any] = {}
        if self.cleaned_data["game"]:
            found["game"] = self.cleaned_data["game"]
        if self.cleaned_data["rated"]:
            found["rated"] = self.cleaned_data["rated"] == "yes"
        return found


class NameField(forms.CharField):
    """The name of somebody who plays here; cleaned it is that person, or None."""

    def __init__(self, **kwargs: Any) -> None:
        plain = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        super().__init__(required=False, max_length=60, widget=forms.TextInput(attrs=plain), **kwargs)

    def clean(self, value: Any) -> Any:
        name = super().clean(value)
        if not name:
            return None
        found = player_called(name)
        if found is None:
            raise ValidationError(_("Nobody here is called that."), code="unknown")
        return found


class EverybodyForm(ListForm):
    """For the list of all matches."""

    player = NameField(label=_("Player's name"))


class FilterForm(ListForm):
    """For the list of one player's matches."""

    verdict = forms.ChoiceField(label=_("Result"), required=False, choices=[ANY, *PlayerMatch.Verdict.choices])
    against = forms.ChoiceField(
        label=_("Against"), required=False, choices=[ANY, (PEOPLE, _("People")), (COMPUTER, _("The computer"))]
    )
    opponent = NameField(label=_("Opponent's name"))
    since = forms.DateField(
        label=_("From"), required=False, validators=DAYS, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        label=_("To"), required=False, validators=DAYS, widget=forms.DateInput(attrs={"type": "date"})
    )

    field_order = ("game", "verdict", "rated", "against", "opponent", "since", "until")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and since > until:
            self.add_error("until", ValidationError(_("This day lies before the first one."), code="order"))
        return cleaned

    def lookups(self) -> dict[str, Any]:
        wanted = self.cleaned_data
        found = super().lookups()
        for name in ("verdict", "opponent"):
            if wanted[name]:
                found[name] = wanted[name]
        if wanted["against"] == COMPUTER:
            found["bot__gt"] = ""
        elif wanted["against"] == PEOPLE:
            found["bot"] = ""
        if wanted["since"]:
            found["ended_at__gte"] = _start_of(wanted["since"])
        if wanted["until"]:
            found["ended_at__lt"] = _start_of(wanted["until"] + timedelta(days=1))
        return found


def _start_of(day: Any) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))
