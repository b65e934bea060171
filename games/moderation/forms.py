"""The form of a report."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.moderation.models import MOST_TEXT, Report


class ReportForm(forms.Form):
    """Who is meant, why, and what there is to say of it."""

    about = forms.TypedChoiceField(label=_("Who is it about?"), coerce=int, widget=forms.RadioSelect)
    reason = forms.ChoiceField(label=_("What is wrong?"), choices=Report.Reason.choices, widget=forms.RadioSelect)
    text = forms.CharField(
        label=_("What happened?"),
        max_length=MOST_TEXT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_("A few words help whoever looks at it. You need not write anything."),
    )

    def __init__(self, *args: Any, people: list[tuple[int, str]], **kwargs: Any) -> None:
        """
        :param people: the ids and names of those who may be meant; a single one needs no choice.
        """
        super().__init__(*args, **kwargs)
        field = self.fields["about"]
        field.choices = people  # type: ignore[attr-defined]
        if len(people) == 1:
            field.widget = forms.HiddenInput()
            field.initial = people[0][0]

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = super().clean() or {}
        if found.get("reason") == Report.Reason.OTHER and not found.get("text", "").strip():
            self.add_error("text", _("Say in a few words what it is."))
        return found
