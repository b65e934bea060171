"""The forms that matches are asked for with."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID, uuid4

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games import words
from games.bots.levels import DEFAULT, LEVELS
from games.lobby.services import is_guest
from games.rules.registry import BOOKS
from games.rules.setup import PACES, Options, Setup

OFFERED: Final = ("spit",)
"""The games that the site offers now, the first one by default."""

RANKS: Final[Mapping[str, str]] = {
    "deuce": "2",
    "five": "5",
    "eight": "8",
    "jack": "J",
    "queen": "Q",
    "king": "K",
    "ace": "A",
}
"""What the card of a bot level shows; one that is not here is shown without a rank."""


class ValueField(forms.ChoiceField):
    """One of a few values of any type; nothing sent means the value that is usual."""

    widget = forms.RadioSelect

    def __init__(self, name: str, values: tuple[Any, ...], usual: Any, **kwargs: Any) -> None:
        self._values = {_text(value): value for value in values}
        self.usual = usual
        super().__init__(
            choices=[(_text(value), words.value_name(name, value)) for value in values],
            initial=_text(usual),
            required=False,
            **kwargs,
        )

    def clean(self, value: Any) -> Any:
        return self._values.get(super().clean(value), self.usual)


def _text(value: object) -> str:
    return str(value).lower()


class SetupForm(forms.Form):
    """What is to be played: the game, and each of its options."""

    token = forms.UUIDField(required=False, widget=forms.HiddenInput)
    """Another one for each form: a form that is sent twice makes one match."""
    game = forms.ChoiceField(
        choices=[(game, words.GAMES[game]) for game in OFFERED], required=False, widget=forms.HiddenInput
    )
    pace = forms.ChoiceField(
        label=_("Speed class"),
        help_text=_("Relaxed gives more time to turn, to slap and to think."),
        choices=[(pace, words.PACES[pace]) for pace in PACES],
        required=False,
        widget=forms.RadioSelect,
    )
    option_names: tuple[str, ...]

    def __init__(self, *args: Any, user: Any = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        asked = self.data.get("game") if self.is_bound else self.initial.get("game")
        self.book = BOOKS[asked if asked in OFFERED else OFFERED[0]]
        self.fields["game"].initial = self.book.key
        self.fields["token"].initial = uuid4
        self.fields["pace"].initial = "normal"
        for name, values in self.book.choices.items():
            label, help_text = words.OPTIONS[name]
            usual = getattr(self.book.defaults, name)
            self.fields[name] = ValueField(name, values, usual, label=label, help_text=help_text)
        self.option_names = (*self.book.choices, "pace")

    def choices_to_show(self) -> list[forms.BoundField]:
        """The fields of what may be left as it is."""
        return [self[name] for name in self.option_names]

    @property
    def is_particular(self) -> bool:
        """Whether something was chosen that is not usual, so that the page shows it."""
        return self.is_bound and any(
            self.data.get(name) not in (None, "", self.fields[name].initial) for name in self.option_names
        )

    def clean_game(self) -> str:
        return self.cleaned_data["game"] or OFFERED[0]

    def clean_pace(self) -> str:
        return self.cleaned_data["pace"] or "normal"

    def clean_token(self) -> UUID:
        return self.cleaned_data["token"] or uuid4()

    def setup(self) -> Setup:
        """What was chosen, of a valid form."""
        chosen = {name: self.cleaned_data[name] for name in self.book.choices}
        return Setup(self.book.key, Options(**chosen), self.cleaned_data["pace"])


class ComputerForm(SetupForm):
    """A match against the computer."""

    level = forms.ChoiceField(
        label=_("Level"),
        choices=[(level.key, level.name) for level in LEVELS],
        initial=DEFAULT,
        required=False,
        widget=forms.RadioSelect,
    )

    def clean_level(self) -> str:
        return self.cleaned_data["level"] or DEFAULT

    def levels(self) -> list[dict[str, Any]]:
        """The levels as cards to choose from, the slowest first."""
        chosen = self["level"].value()
        return [
            {
                "key": level.key,
                "name": level.name,
                "description": level.description,
                "rank": RANKS.get(level.key, ""),
                "is_chosen": level.key == chosen,
            }
            for level in LEVELS
        ]


class FriendForm(SetupForm):
    """A match that waits for a friend."""

    rated = forms.TypedChoiceField(
        label=_("Rating"),
        help_text=_("A rated match counts for both players' ratings."),
        choices=[("no", pgettext_lazy("rated", "Just for fun")), ("yes", pgettext_lazy("rated", "Rated"))],
        coerce=lambda value: value == "yes",
        empty_value="",
        initial="no",
        required=False,
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.option_names = ("rated", *self.option_names)
        if self.has_no_account:
            self.fields["rated"].help_text = _("Rated matches are for people with an account. Sign in to play them.")

    @property
    def has_no_account(self) -> bool:
        return not getattr(self.user, "is_authenticated", False) or is_guest(self.user)

    def clean_rated(self) -> bool:
        rated = bool(self.cleaned_data["rated"])
        if rated and self.has_no_account:
            raise forms.ValidationError(_("Rated matches are for people with an account."), code="no_account")
        return rated
