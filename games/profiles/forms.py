"""What a list of a player's matches is filtered by."""

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


class FilterForm(forms.Form):
    """A form that is sent by GET: each of its fields may be missing."""

    game = forms.ChoiceField(label=_("Game"), required=False, choices=[ANY, *GAMES.items()])
    verdict = forms.ChoiceField(label=_("Result"), required=False, choices=[ANY, *PlayerMatch.Verdict.choices])
    rated = forms.ChoiceField(
        label=_("Rated"), required=False, choices=[ANY, ("yes", _("Rated")), ("no", _("Not rated"))]
    )
    against = forms.ChoiceField(
        label=_("Against"), required=False, choices=[ANY, (PEOPLE, _("People")), (COMPUTER, _("The computer"))]
    )
    opponent = forms.CharField(
        label=_("Opponent's name"),
        required=False,
        max_length=60,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )
    since = forms.DateField(
        label=_("From"), required=False, validators=DAYS, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        label=_("To"), required=False, validators=DAYS, widget=forms.DateInput(attrs={"type": "date"})
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        for name in self.errors:
            self.fields[name].widget.attrs["aria-invalid"] = "true"

    def clean_opponent(self) -> Any:
        name = self.cleaned_data["opponent"]
        if not name:
            return None
        found = player_called(name)
        if found is None:
            raise ValidationError(_("Nobody here is called that."), code="unknown")
        return found

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and since > until:
            self.add_error("until", ValidationError(_("This day lies before the first one."), code="order"))
        return cleaned

    @property
    def is_filtering(self) -> bool:
        """Whether it asks for anything."""
        return any(self.data.get(name) for name in self.fields)

    def lookups(self) -> dict[str, Any]:
        """The fields of `PlayerMatch` to filter by; of a form that is valid."""
        wanted = self.cleaned_data
        found: dict[str, Any] = {}
        for name in ("game", "verdict", "opponent"):
            if wanted[name]:
                found[name] = wanted[name]
        if wanted["rated"]:
            found["rated"] = wanted["rated"] == "yes"
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
