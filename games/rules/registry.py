"""The one registry of games."""

from typing import Final

from games.rules.book import Book
from games.rules.books.japanese_speed import JapaneseSpeedBook
from games.rules.books.speed import SpeedBook
from games.rules.books.spit import SpitBook
from games.rules.books.two_deck import TwoDeckBook

BOOKS: Final[dict[str, Book]] = {
    book.key: book for book in (SpitBook(), TwoDeckBook(), SpeedBook(), JapaneseSpeedBook())
}


def book_of(game: str) -> Book:
    """The rule book of a game.

    :raises KeyError: no such game.
    """
    return BOOKS[game]
