"""Where the places of a table are drawn, from their names alone. Pure.

The same order as on the pages (`static/js/table/layout.js`): the seat below has its row nearest and the pile that it
starts on its right hand; for the seat above it is the same, seen from there.
"""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from games.rules.places import Place, Role
from games.rules.state import SEATS

SUPPLIES: Final = frozenset({Role.SPIT, Role.DECK, Role.STOCK})
"""What a seat turns or draws from."""


class Arrangement(Struct):
    """The names of places, each list from left to right."""

    rows: tuple[list[str], list[str]]
    """By seat."""
    supplies: tuple[list[str], list[str]]
    """By seat."""
    left: list[str]
    """The centre to the left of the clock; a side pile lies at the outer end."""
    right: list[str]


def arrange(names: Iterable[str], bottom: int) -> Arrangement:
    """
    :param bottom: the seat drawn below.
    :raises ValueError: one of them is not the name of a place.
    """
    places = sorted((Place.parse(name) for name in names), key=lambda place: place.number or 0)
    found = Arrangement(rows=([], []), supplies=([], []), left=[], right=[])
    for place in places:
        if place.role in (Role.CENTRE, Role.SIDE):
            pile = found.right if place.number == bottom else found.left
            # On the left the side pile comes first, on the right last.
            is_first = (place.role is Role.SIDE) is (pile is found.left)
            pile.insert(0 if is_first else len(pile), place.name)
        elif place.seat in SEATS and place.role in SUPPLIES:
            found.supplies[place.seat].append(place.name)
        elif place.seat in SEATS:
            found.rows[place.seat].append(place.name)
    found.rows[1 - bottom].reverse()
    return found
