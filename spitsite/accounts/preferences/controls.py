"""What keys are for, which key it is by default, and which keys there are to choose from.

At the table a key is taken by where it lies (`KeyboardEvent.code`), so that a row of keys is a row on every keyboard.
Everywhere else it is taken by what is printed on it (`KeyboardEvent.key`, small letters), since there the letter says
what it does.
"""

import re
from dataclasses import dataclass
from typing import Final, Literal

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django_stubs_ext import StrOrPromise

PREFIX: Final = "key."
"""A key that was chosen is kept as the preference `key.SCOPE.CONTROL`."""


@dataclass(frozen=True, slots=True)
class Control:
    """One thing that a key does."""

    name: str
    label: StrOrPromise
    default: str
    is_fixed: bool = False
    also: tuple[str, ...] = ()
    """Further keys, said on the sheet; nobody can change them."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Controls among which no two may have one key."""

    name: str
    label: StrOrPromise
    by: Literal["code", "key"]
    controls: tuple[Control, ...]
    sheets: tuple[str, ...]
    """The pages on whose sheet of keys they stand."""


SCOPES: Final = (
    Scope(
        "table",
        _("At the table"),
        "code",
        (
            *(
                Control(f"row{number}", label, f"Key{letter}")
                for number, (letter, label) in enumerate(
                    zip(
                        "ASDFGH",
                        (
                            _("First place of your row"),
                            _("Second place"),
                            _("Third place"),
                            _("Fourth place"),
                            _("Fifth place"),
                            _("Sixth place"),
                        ),
                        strict=True,
                    ),
                    1,
                )
            ),
            Control("left", _("Left pile: play on it, slap it"), "KeyJ"),
            Control("right", _("Right pile: play on it, slap it"), "KeyK"),
            Control("go", _("Ready; spit"), "Space"),
            Control("cancel", _("Put the card back"), "Escape", is_fixed=True),
        ),
        ("table", "practice"),
    ),
    Scope(
        "view",
        _("At every table"),
        "key",
        (
            Control("flip", _("Turn the table, where you watch"), "f"),
            Control("sound", _("Sounds on or off"), "m"),
            Control("keys", _("This sheet"), "?", is_fixed=True),
        ),
        ("table", "practice", "watch"),
    ),
    Scope(
        "replay",
        _("In a replay"),
        "key",
        (
            Control("play", _("Play, pause"), "Space", also=("k",)),
            Control("back", _("Play backwards"), "b"),
            Control("step-back", _("One event back"), "ArrowLeft"),
            Control("step", _("One event on"), "ArrowRight"),
            Control("contest-back", _("Contest before"), "Shift+ArrowLeft"),
            Control("contest", _("Contest after"), "Shift+ArrowRight"),
            Control("nudge-back", _("100 ms back"), ","),
            Control("nudge", _("100 ms on"), "."),
            Control("round-back", _("Round before"), "PageUp"),
            Control("round", _("Round after"), "PageDown"),
            Control("home", _("To the start"), "Home"),
            Control("end", _("To the end"), "End"),
            Control("slowest", _("Speed, from ¼× …"), "1", is_fixed=True),
            Control("fastest", _("… to 8×"), "6", is_fixed=True),
            Control("skip", _("Skip waits"), "w"),
            Control("reveal", _("Open or hide face-down cards"), "h"),
            Control("flip", _("Turn the table"), "f"),
            Control("closer", _("Timeline closer"), "+", also=("=",)),
            Control("wider", _("Timeline wider"), "-"),
            Control("part-from", _("A part begins here"), "[", also=("i",)),
            Control("part-to", _("It ends here"), "]", also=("o",)),
            Control("loop", _("The part on or off: played again and again"), "r"),
            Control("share", _("Copy a link to this moment"), "l"),
            Control("send", _("Share: picture, clip, frame, file"), "s"),
            Control("sheet", _("This sheet"), "?", is_fixed=True),
        ),
        ("replay", "watch"),
    ),
)

WHILE_LIVE: Final = frozenset(
    [
        *("play", "step-back", "step", "contest-back", "contest", "nudge-back", "nudge", "round-back", "round"),
        *("home", "end", "slowest", "fastest"),
    ]
)
"""Keys of the replay that those who watch a live match have, too: among what they have seen of it."""

CONTROLS: Final = {
    f"{PREFIX}{scope.name}.{control.name}": (scope, control) for scope in SCOPES for control in scope.controls
}
"""By the name under which the key is kept."""

NAMES: Final[dict[str, StrOrPromise]] = {
    "Space": _("Space"),
    "Escape": _("Esc"),
    "ArrowLeft": "←",
    "ArrowRight": "→",
    "ArrowUp": "↑",
    "ArrowDown": "↓",
    "PageUp": _("Page up"),
    "PageDown": _("Page down"),
    "Home": pgettext_lazy("key", "Home"),
    "End": pgettext_lazy("key", "End"),
    "Insert": pgettext_lazy("key", "Insert"),
    "Delete": pgettext_lazy("key", "Delete"),
    "Shift": pgettext_lazy("key", "Shift"),
}
"""What is printed on keys that have no letter."""

SIGNS: Final = {
    "Comma": ",", "Period": ".", "Slash": "/", "Semicolon": ";", "Quote": "'", "BracketLeft": "[", "BracketRight": "]",
    "Backslash": "\\", "Minus": "-", "Equal": "=", "Backquote": "`",
    "NumpadAdd": "+", "NumpadSubtract": "−", "NumpadMultiply": "*", "NumpadDivide": "÷", "NumpadDecimal": "·",
    "IntlBackslash": "<", "IntlRo": "ろ", "IntlYen": "¥",
}  # fmt: skip
"""What an English keyboard has printed on the keys that are named by their place, besides letters and figures."""

_MOVES = r"Space|Arrow(?:Left|Right|Up|Down)|Page(?:Up|Down)|Home|End|Insert|Delete"
_CODE: Final = re.compile(rf"Key[A-Z]|Digit\d|Numpad\d|{'|'.join(SIGNS)}|{_MOVES}")
_KEY: Final = re.compile(rf"(?:Shift\+)?(?:{_MOVES})|[^\s\x00-\x1f?]")


def is_key(scope: Scope, key: str) -> bool:
    """Whether a control of that scope can have that key: not one that browsers or assistive programs need."""
    pattern = _CODE if scope.by == "code" else _KEY
    return len(key) < 24 and pattern.fullmatch(key) is not None and key == (key if len(key) > 1 else key.lower())


def printed(key: str) -> str:
    """A key as it is printed on an English keyboard; the page knows better where the browser does."""
    if "+" in key[1:]:
        return " ".join(printed(part) for part in key.split("+"))
    if key in NAMES:
        return str(NAMES[key])
    if key in SIGNS:
        return SIGNS[key]
    return re.sub(r"^(?:Key|Digit|Numpad)(?=.)", "", key).upper()


def read(scope: Scope, text: str) -> str:
    """The key that somebody means who writes what is printed on it, or its name; what is none comes back as it is."""
    text = text.strip()
    for name, sign in {**NAMES, **SIGNS}.items():
        if text.lower() == str(sign).lower() and is_key(scope, name):
            return name
    if is_key(scope, text):
        return text
    if scope.by == "code" and re.fullmatch(r"[A-Za-z]", text):
        return f"Key{text.upper()}"
    if scope.by == "code" and re.fullmatch(r"[0-9]", text):
        return f"Digit{text}"
    if scope.by == "key" and text[:6].lower() in ("shift ", "shift+"):
        return f"Shift+{read(scope, text[6:])}"
    return text.lower() if scope.by == "key" and len(text) == 1 else text
