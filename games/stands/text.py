"""What somebody writes, as it is kept: one line of plain text."""

import unicodedata

from games.live.protocol import MAX_LINE

_UNSEEN = frozenset("\u200b\u200e\u200f\u2028\u2029\u2060\ufeff\u00ad\u034f\u061c\u115f\u1160\u3164")
"""Letters that nobody sees, and marks that turn the direction of what stands beside them."""


def one_line(text: str) -> str:
    """The text without anything that is not to be seen, with single spaces; empty if nothing is left.

    More than a few marks on one letter, which would run over the lines above and below, are left out.
    """
    kept: list[str] = []
    marks = 0
    for letter in unicodedata.normalize("NFC", text):
        category = unicodedata.category(letter)
        if category in ("Mn", "Me"):
            marks += 1
            if marks > 2:
                continue
        else:
            marks = 0
        if category in ("Cc", "Zs", "Zl", "Zp"):
            kept.append(" ")
        elif letter not in _UNSEEN and category not in ("Cf", "Co", "Cs", "Cn"):
            kept.append(letter)
    return " ".join("".join(kept).split())[:MAX_LINE].strip()
