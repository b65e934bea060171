"""What somebody has chosen, as a value; and its text, which is the cookie's, the page's and the database's alike."""

from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import parse_qsl, urlencode

from spitsite.accounts.preferences.catalogue import PREFERENCES
from spitsite.accounts.preferences.controls import CONTROLS, SCOPES, Scope, is_key

LONGEST: Final = 2_000
"""Letters of the text form; more than all preferences together can need."""


def default_of(name: str) -> str:
    """:raises KeyError: there is no such preference."""
    return PREFERENCES[name].default if name in PREFERENCES else CONTROLS[name][1].default


def is_value(name: str, value: str) -> bool:
    """Whether there is that preference, and it can have that value."""
    if name in PREFERENCES:
        return value in PREFERENCES[name].values
    if name not in CONTROLS:
        return False
    scope, control = CONTROLS[name]
    return value == control.default or (not control.is_fixed and is_key(scope, value))


class Values(Mapping[str, str]):
    """All preferences: those that were chosen, and the others as they are by default.

    Built from any texts: what is unknown or impossible is left out, and keys of which two would be one are all as they
    were. So neither an old row nor a cookie that somebody has written can do harm.
    """

    def __init__(self, chosen: Mapping[str, str] | None = None) -> None:
        known = {
            name: value
            for name, value in (chosen or {}).items()
            if isinstance(value, str) and is_value(name, value) and value != default_of(name)
        }
        for scope in SCOPES:
            if conflicts(scope, known):
                known = {name: value for name, value in known.items() if CONTROLS.get(name, (None,))[0] is not scope}
        self.chosen: Mapping[str, str] = dict(sorted(known.items()))

    def __getitem__(self, name: str) -> str:
        return self.chosen.get(name) or default_of(name)

    def __iter__(self) -> Iterator[str]:
        yield from PREFERENCES
        yield from CONTROLS

    def __len__(self) -> int:
        return len(PREFERENCES) + len(CONTROLS)

    def __repr__(self) -> str:
        return f"Values({dict(self.chosen)})"

    def with_(self, changes: Mapping[str, str]) -> "Values":
        return Values({**self.chosen, **changes})

    @classmethod
    def decode(cls, text: str) -> "Values":
        """From `encode`'s text, or from anything else."""
        if len(text) > LONGEST:
            return cls()
        return cls(dict(parse_qsl(text)))

    def encode(self, *, is_private: bool = False) -> str:
        """What was chosen, as `theme=dark&deck=four`; with `is_private` also what never goes into a cookie."""
        return urlencode({name: value for name, value in self.chosen.items() if is_private or not _is_private(name)})


def conflicts(scope: Scope, chosen: Mapping[str, str]) -> dict[str, str]:
    """Names of keys, each with the name of another control of its scope that has the same key."""
    holders: dict[str, str] = {}
    found: dict[str, str] = {}
    for control in scope.controls:
        name = f"key.{scope.name}.{control.name}"
        for key in (chosen.get(name, control.default), *control.also):
            other = holders.setdefault(key, name)
            if other != name:
                found[name], found[other] = other, name
    return found


def _is_private(name: str) -> bool:
    return name in PREFERENCES and PREFERENCES[name].is_private
