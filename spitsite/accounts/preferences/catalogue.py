"""Every preference: its name, its choices, what it is by default, and what it is called.

The form, the page and the scripts (static/js/site/catalogue.js is written from here) know no others. All values are
texts. The names are those of `data-…` attributes of `<html>`, by which stylesheets know what was chosen.
"""

from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the values of a preference."""

    value: str
    label: StrOrPromise
    icon: str = ""


@dataclass(frozen=True, slots=True)
class Preference:
    """One thing that can be chosen; the first choice is the default unless `default` names another."""

    name: str
    label: StrOrPromise
    choices: tuple[Choice, ...]
    help: StrOrPromise = ""
    initial: str = ""
    is_seen: bool = False
    """Stylesheets want to know it: `<html data-NAME>` says so where it is not the default."""
    is_private: bool = False
    """Of the account and not of the browser: never in the cookie, and only offered to who has an account."""
    is_offered: bool = True
    """On the page of preferences."""

    @property
    def default(self) -> str:
        return self.initial or self.choices[0].value

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(choice.value for choice in self.choices)

    @property
    def is_scale(self) -> bool:
        """So many steps that it is a slider."""
        return len(self.choices) > 6


@dataclass(frozen=True, slots=True)
class Group:
    """Preferences that stand together on the page."""

    name: str
    label: StrOrPromise
    preferences: tuple[Preference, ...]


ON_OFF: Final = (Choice("on", pgettext_lazy("sounds", "On")), Choice("off", pgettext_lazy("sounds", "Off")))

GROUPS: Final = (
    Group(
        "looks",
        _("Looks"),
        (
            Preference(
                "theme",
                _("Theme"),
                (
                    Choice("auto", _("Like this device"), "sun-moon"),
                    Choice("light", _("Light"), "sun"),
                    Choice("dark", _("Dark"), "moon"),
                    Choice("contrast", _("High contrast"), "eye"),
                ),
                _("High contrast is black and white, whichever way round this device is set."),
                is_seen=True,
            ),
            Preference(
                "deck",
                _("Suits"),
                (Choice("two", _("Two colours")), Choice("four", _("Four colours"))),
                _(
                    "With four colours each suit has a colour and a print of its own. Where red and black count in the "
                    "game, it stays at two."
                ),
                is_seen=True,
            ),
            Preference(
                "cards",
                _("Cards"),
                (Choice("small", _("Small")), Choice("normal", _("Normal")), Choice("large", _("Large print"))),
                initial="normal",
                is_seen=True,
            ),
            Preference(
                "motion",
                _("Motion"),
                (Choice("auto", _("Like this device")), Choice("less", _("Less"))),
                _("Less: cards do not fly, they change places."),
                is_seen=True,
            ),
        ),
    ),
    Group(
        "playing",
        _("Playing"),
        (
            Preference(
                "tap",
                _("A press on a card"),
                (Choice("hold", _("Takes it up")), Choice("fits", _("Plays it where it fits"))),
                _("Where it fits twice it is taken up: press the pile, or the card again for the nearer one."),
            ),
            Preference(
                "whispers",
                _("Ranks that fit, under the piles"),
                (Choice("on", _("Show")), Choice("off", _("Hide"))),
                is_seen=True,
            ),
            Preference(
                "hand",
                _("Your playing hand"),
                (Choice("left", _("Left")), Choice("right", _("Right"))),
                _("What you press often lies on that side."),
                initial="right",
                is_seen=True,
            ),
        ),
    ),
    Group(
        "sound",
        _("Sound"),
        (
            Preference("sounds", _("Sounds"), ON_OFF),
            Preference(
                "volume",
                _("Volume"),
                tuple(Choice(str(step), f"{step} %") for step in range(0, 101, 10)),
                initial="100",
            ),
        ),
    ),
    Group(
        "words",
        _("Words and times"),
        (
            Preference(
                "language",
                _("Language"),
                tuple(Choice(code, name) for code, name in settings.LANGUAGES),
                is_offered=len(settings.LANGUAGES) > 1,
            ),
            Preference(
                "clock",
                _("Time of day"),
                (Choice("24", _("17:30")), Choice("12", _("5:30 p.m."))),
            ),
        ),
    ),
    # Asked by the games, which know nothing of the site, by way of `settings.CHOSEN`.
    Group(
        "privacy",
        _("Privacy"),
        (
            Preference(
                "challenges",
                _("Who may challenge you"),
                (
                    Choice("everybody", _("Everybody")),
                    Choice("followed", _("People you follow")),
                    Choice("nobody", _("Nobody")),
                ),
                _("By name. Pairing, open challenges and links that you pass on are as they are."),
                is_private=True,
            ),
            Preference(
                "online",
                _("Others see when you are here"),
                (Choice("yes", _("Yes")), Choice("no", _("No"))),
                _(
                    "No: neither your page nor the lists of those who follow you say that you are playing. The match "
                    "itself can be watched all the same."
                ),
                is_private=True,
            ),
        ),
    ),
)

PREFERENCES: Final = {preference.name: preference for group in GROUPS for preference in group.preferences}
