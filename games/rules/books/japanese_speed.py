"""Japanese Speed: one pack, the red cards to one seat and the black ones to the other; else as two-deck Spit (D)."""

from games.rules.books.two_deck import TwoDeckBook
from games.rules.cards import PACK, is_red


class JapaneseSpeedBook(TwoDeckBook):
    key = "japanese_speed"
    packs = (tuple(filter(is_red, PACK)), tuple(card for card in PACK if not is_red(card)))
