"""The one registry of games."""

from typing import Final

from games.rules.book import Book
from games.rules.books.spit import SpitBook

BOOKS: Final[dict[str, Book]] = {book.key: book for book in (SpitBook(),)}


def book_of(game: str) -> Book:
    """The rule book of a game.

    :raises KeyError: no such game.
    """
    return BOOKS[game]
