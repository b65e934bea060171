"""Which names the eye takes for one another.

The skeleton of a name, as Unicode's security report (UTS 39) has it, by the tables of confusable_homoglyphs: each sign
is replaced by the one that stands for all that look like it. Names with the same skeleton look alike.
"""

import unicodedata
from functools import lru_cache

from confusable_homoglyphs import categories, confusables

_COMMON = frozenset({"COMMON", "INHERITED"})
_WRITTEN_TOGETHER = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "HAN", "BOPOMOFO"}),
    frozenset({"LATIN", "HAN", "HANGUL"}),
)
"""What one language is written in (UTS 39, "highly restrictive")."""


def likeness(name: str) -> str:
    """What all names that look like this one have in common: "Bob", "B0b" and "bob" have the same.

    Capital and small letters make no difference, and neither do 0 and O, 1, I and l, rn and m, or letters of another
    script that look like ours.
    """
    signs = unicodedata.normalize("NFD", name)
    drawn = unicodedata.normalize("NFD", "".join(map(_prototype, signs)))
    return unicodedata.normalize("NFC", drawn.casefold())


def is_mixed(name: str) -> bool:
    """Whether its letters are of scripts that nobody writes in one word."""
    scripts = {categories.alias(sign).upper() for sign in name} - _COMMON
    return len(scripts) > 1 and not any(scripts <= together for together in _WRITTEN_TOGETHER)


@lru_cache(4096)
def _prototype(sign: str) -> str:
    """The sign or signs that stand for all that look like this one."""
    alike: list[str] = [found["c"].strip("\u200e") for found in confusables.confusables_data.get(sign, ())]
    # The tables lead both ways: from the one that stands for all to each of the others, and from each to that one.
    if len(alike) != 1:
        return sign
    [other] = alike
    if len(confusables.confusables_data.get(other, ())) > 1 or len(other) > 1:
        return other
    return min(sign, other)
