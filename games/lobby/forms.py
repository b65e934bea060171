"""The form that matches are asked for with."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid4

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django_stubs_ext import StrOrPromise

from games import words
from games.bots.levels import DEFAULT, LEVELS
from games.bots.strength import RATINGS
from games.lobby import services
from games.lobby.services import is_guest
from games.lobby.sketch import Sketch, sketch
from games.rules.book import Book
from games.rules.registry import BOOKS
from games.rules.setup import PACES, Options, Setup

OFFERED: Final = tuple(BOOKS)
"""The games that the site offers, the first one by default."""

DELAYS: Final = (0, 10, 30, 60)
"""Seconds by which watchers may be made to see a match later."""

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


class Way(NamedTuple):
    """A way to play that can be chosen."""

    value: str
    """As the form sends it."""
    name: StrOrPromise
    options: Mapping[str, Any]
    """What it means for `Options`."""


class WayField(forms.ChoiceField):
    """One of a few ways to play; nothing sent means the usual one. Gives what it means for `Options`."""

    widget = forms.RadioSelect

    def __init__(self, ways: list[Way], defaults: Options, **kwargs: Any) -> None:
        self._ways = {way.value: way for way in ways}
        usual = (way for way in ways if all(getattr(defaults, name) == value for name, value in way.options.items()))
        self.usual = next(usual)
        super().__init__(
            choices=[(way.value, way.name) for way in ways], initial=self.usual.value, required=False, **kwargs
        )

    def clean(self, value: Any) -> Mapping[str, Any]:
        return self._ways.get(super().clean(value), self.usual).options


def way_fields(book: Book) -> Iterator[tuple[str, WayField]]:
    """A field for each thing that can be chosen in a game. How long a match is (M1) is one: a race is no best-of."""
    lengths = [
        Way(str(count), words.value_name("best_of", count), {"best_of": count, "target": 0})
        for count in book.choices["best_of"]
    ]
    label, help_text = words.OPTIONS["best_of"]
    for points in book.choices.get("target", ()):
        if points:
            lengths.append(Way(f"to-{points}", words.value_name("target", points), {"best_of": 1, "target": points}))
            help_text = words.OPTIONS["target"][1]
    yield "length", WayField(lengths, book.defaults, label=label, help_text=help_text)
    for name, values in book.choices.items():
        if name not in ("best_of", "target"):
            ways = [Way(str(value).lower(), words.value_name(name, value), {name: value}) for value in values]
            label, help_text = words.OPTIONS[name]
            yield name, WayField(ways, book.defaults, label=label, help_text=help_text)


class GameChoice(NamedTuple):
    """A game as the page shows it, to be chosen."""

    key: str
    name: StrOrPromise
    sentence: StrOrPromise
    sketch: Sketch
    is_chosen: bool
    fields: list[forms.BoundField]


class PlayForm(forms.Form):
    """What is to be played: the game, the ways to play it, and against whom.

    Each game has fields of its own, named `<game>-<way>`; those of the games that
    were not chosen mean nothing. So the form works without a script.
    """

    token = forms.UUIDField(required=False, widget=forms.HiddenInput)
    """Another one for each form: a form that is sent twice makes one match."""
    game = forms.ChoiceField(
        label=_("Game"),
        choices=[(game, words.GAMES[game]) for game in OFFERED],
        initial=OFFERED[0],
        required=False,
        widget=forms.RadioSelect,
    )
    level = forms.ChoiceField(
        label=_("Level"),
        choices=[(level.key, level.name) for level in LEVELS],
        initial=DEFAULT,
        required=False,
        widget=forms.RadioSelect,
    )
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
    pace = forms.ChoiceField(
        label=_("Speed class"),
        help_text=_(
            "Relaxed gives more time to turn, to slap and to think. "
            "Paced turns the centre only when both ask, and waits half a minute for a slap."
        ),
        choices=[(pace, words.PACES[pace]) for pace in PACES],
        initial="normal",
        required=False,
        widget=forms.RadioSelect,
    )

    delay = forms.TypedChoiceField(
        label=_("Watchers see it"),
        help_text=_("Later, nobody can tell a player anything of use."),
        coerce=int,
        empty_value=None,
        required=False,
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, user: Any = None, is_for_friend: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        self.is_for_friend = is_for_friend
        self.fields["token"].initial = uuid4
        delays = sorted({services.delay_of(seconds) for seconds in DELAYS})
        self.fields["delay"].choices = [(str(seconds), words.delay(seconds)) for seconds in delays]  # type: ignore[attr-defined]
        self.fields["delay"].initial = str(delays[0])
        self.names: dict[str, list[str]] = {}
        for game in OFFERED:
            fields = {f"{game}-{name}": field for name, field in way_fields(BOOKS[game])}
            self.fields.update(fields)
            self.names[game] = list(fields)
        if self.has_no_account:
            self.fields["rated"].help_text = _("Rated matches are for people with an account. Sign in to play them.")

    @property
    def chosen(self) -> str:
        """The game that is chosen as the form stands."""
        asked = self["game"].value()
        return asked if asked in OFFERED else OFFERED[0]

    @property
    def has_no_account(self) -> bool:
        return not getattr(self.user, "is_authenticated", False) or is_guest(self.user)

    @property
    def is_particular(self) -> bool:
        """Whether something was chosen that is not usual, so that the page shows it."""
        names = (*self.names[self.chosen], "pace", "delay")
        return self.is_bound and any(self[name].value() not in (None, "", self[name].initial) for name in names)

    def games(self) -> list[GameChoice]:
        """The games to choose from, each with its fields."""
        return [
            GameChoice(
                key=game,
                name=words.GAMES[game],
                sentence=words.SENTENCES[game],
                sketch=sketch(BOOKS[game]),
                is_chosen=game == self.chosen,
                fields=[self[name] for name in self.names[game]],
            )
            for game in OFFERED
        ]

    def levels(self) -> list[dict[str, Any]]:
        """The levels of the computer as cards to choose from, the slowest first."""
        chosen = self["level"].value()
        return [
            {
                "key": level.key,
                "name": level.name,
                "description": level.description,
                "rank": RANKS.get(level.key, ""),
                "ratings": [RATINGS.get(game, {}).get(level.key) for game in OFFERED],
                "is_chosen": level.key == chosen,
            }
            for level in LEVELS
        ]

    def clean_token(self) -> UUID:
        return self.cleaned_data["token"] or uuid4()

    def clean_game(self) -> str:
        return self.cleaned_data["game"] or OFFERED[0]

    def clean_level(self) -> str:
        return self.cleaned_data["level"] or DEFAULT

    def clean_pace(self) -> str:
        return self.cleaned_data["pace"] or "normal"

    def clean_rated(self) -> bool:
        rated = self.is_for_friend and bool(self.cleaned_data["rated"])
        if rated and self.has_no_account:
            raise forms.ValidationError(_("Rated matches are for people with an account."), code="no_account")
        return rated

    def clean(self) -> dict[str, Any]:
        """What is wrong with the ways of a game that is not played is no matter."""
        chosen = self.cleaned_data.get("game", self.chosen)
        for game, names in self.names.items():
            if game != chosen:
                for name in names:
                    self.errors.pop(name, None)
        return self.cleaned_data

    def setup(self) -> Setup:
        """What was chosen, of a valid form."""
        game: str = self.cleaned_data["game"]
        options: dict[str, Any] = {}
        for name in self.names[game]:
            options.update(self.cleaned_data[name])
        return Setup(game, Options(**options), self.cleaned_data["pace"])
