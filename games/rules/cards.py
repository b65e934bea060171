"""Cards, as they lie on the table.

A card is a short string, the same in Python, JavaScript, the log and the docs:

- ``"7h"``   the seven of hearts, face up;
- ``"-7h"``  the same card, face down (only the server, and everybody after the match, reads its face);
- ``"-"``    a card whose face the reader may not know;
- ``"7h'"``  the seven of hearts of the second pack, in games with two packs (D1).

Ranks are ``A 2 3 4 5 6 7 8 9 T J Q K``, suits ``c d h s``.
"""

from collections.abc import Iterable
from typing import Final

Card = str
Pile = tuple[Card, ...]
"""The cards of one place, from the bottom to the top."""

RANKS: Final = "A23456789TJQK"
SUITS: Final = "cdhs"
RED: Final = "dh"
BACK: Final[Card] = "-"
SECOND: Final = "'"

PACK: Final[Pile] = tuple(rank + suit for suit in SUITS for rank in RANKS)
SECOND_PACK: Final[Pile] = tuple(card + SECOND for card in PACK)

NEIGHBOURS: Final[dict[str, str]] = {
    rank: RANKS[index - 1] + RANKS[(index + 1) % len(RANKS)] for index, rank in enumerate(RANKS)
}
"""The two ranks next to each rank; they go round, king to ace (G2)."""

FOLLOWERS: Final[dict[Card, frozenset[Card]]] = {
    top: frozenset(card for card in (*PACK, *SECOND_PACK) if card[0] in NEIGHBOURS[top[0]])
    for top in (*PACK, *SECOND_PACK)
}
"""For each face-up card those that fit on it: of the rank above or below (G2)."""


def is_face_down(card: Card) -> bool:
    return card[0] == BACK


def face_down(card: Card) -> Card:
    """The same card, lying on its face."""
    return card if card[0] == BACK else BACK + card


def face_up(card: Card) -> Card:
    """The same card, its face showing. The face must be known."""
    return card.removeprefix(BACK)


def is_red(card: Card) -> bool:
    """Whether a face-up card is a diamond or a heart."""
    return card[1] in RED


ALTERNATING: Final[dict[Card, frozenset[Card]]] = {
    top: frozenset(card for card in cards if is_red(card) is not is_red(top)) for top, cards in FOLLOWERS.items()
}
"""Those of them that are of the other colour (V3)."""


def identities(cards: Iterable[Card]) -> list[Card]:
    """The cards whatever way up they lie, for counting them (invariant: each card in exactly one place)."""
    return [card.removeprefix(BACK) for card in cards]
