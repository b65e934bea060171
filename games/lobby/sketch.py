"""A tiny picture of a game's table, drawn from the places that its rule book names."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from games.rules.book import Book
from games.rules.books.two_deck import TwoDeckBook
from games.rules.cards import is_red
from games.rules.places import Place, Role
from games.rules.setup import Setup

WIDTH: Final = 92
HEIGHT: Final = 66
STEP: Final = 1.2
"""How much of a card is seen below another one."""
ROWS: Final = (Role.STOCKPILE, Role.ROW, Role.HAND)
SUPPLIES: Final = (Role.SPIT, Role.DECK, Role.STOCK)


class Shape(Struct, frozen=True):
    """A card or the edge of one; lengths in the units of the picture."""

    x: float
    y: float
    width: float
    height: float
    kind: str
    """`face`, `back`, `edge` (of a card below), `red` or `black` (a face with its colour)."""


class Sketch(Struct, frozen=True):
    """The picture: its size and its shapes, the lowest first."""

    width: int
    height: int
    shapes: tuple[Shape, ...]


def sketch(book: Book) -> Sketch:
    """The table of a game in its usual form, seat 0 below."""
    places = book.places(Setup(book.key, book.defaults))
    return Sketch(WIDTH, HEIGHT, (*_seat(book, places, 1), *_centre(places), *_seat(book, places, 0)))


def _seat(book: Book, places: tuple[Place, ...], seat: int) -> Iterator[Shape]:
    own = [place for place in places if place.seat == seat]
    row = [place for place in own if place.role in ROWS]
    supplies = [place for place in own if place.role in SUPPLIES]
    width, height, gap = (11.0, 15.0, 3.0) if seat == 0 else (8.5, 11.5, 2.5)
    count = len(row) + len(supplies)
    left = (WIDTH - count * width - (count - 1) * gap) / 2
    y = HEIGHT - height - 2 if seat == 0 else 5.0
    # As each seat sees it: the supply at its right hand.
    shown = [*row, *supplies] if seat == 0 else [*supplies, *reversed(row)]
    for index, place in enumerate(shown):
        x = left + index * (width + gap)
        depth = 3 if place.role in SUPPLIES else (place.number or 1) - 1 if place.role is Role.STOCKPILE else 0
        for below in range(min(depth, 3), 0, -1):
            yield Shape(x, y - below * STEP, width, height, "edge")
        yield Shape(x, y, width, height, _kind(book, place, seat))


def _kind(book: Book, place: Place, seat: int) -> str:
    if place.role in SUPPLIES or (place.private and seat == 1):
        return "back"
    if isinstance(book, TwoDeckBook):
        colours = {is_red(card) for card in book.packs[seat]}
        if len(colours) == 1:
            return "red" if colours.pop() else "black"
    return "face"


def _centre(places: tuple[Place, ...]) -> Iterator[Shape]:
    width, height = 13.0, 18.0
    middle = 27.5
    y = middle - height / 2 + 3.5
    for place in places:
        if place.role is Role.CENTRE:
            yield Shape(WIDTH / 2 + (6 if place.number == 0 else -6 - width), y, width, height, "face")
        elif place.role is Role.SIDE:
            x = WIDTH / 2 + (25 if place.number == 0 else -25 - 9)
            for below in (2, 1):
                yield Shape(x, y + 3 - below * STEP, 9, 12.5, "edge")
            yield Shape(x, y + 3, 9, 12.5, "back")
