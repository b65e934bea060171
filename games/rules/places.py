"""Places: where cards can lie.

A place has a name, the same everywhere: ``[seat.]role[.number]``, for example
``"0.stockpile.3"``, ``"1.spit"``, ``"centre.0"``. A centre pile carries the
number of the seat that starts it (S2).
"""

from enum import StrEnum
from typing import Self

from msgspec import Struct


class Role(StrEnum):
    PACK = "pack"
    """All cards before the first deal."""
    CENTRE = "centre"
    """A shared face-up pile that cards are played on."""
    STOCKPILE = "stockpile"
    """Spit: one of a seat's five (V1: four) layout piles."""
    SPIT = "spit"
    """Spit: the spit cards of a seat, face down, in order."""
    ROW = "row"
    """Two-deck Spit: a place of the face-up row, at most one card."""
    DECK = "deck"
    """Two-deck Spit: a seat's face-down deck."""
    HAND = "hand"
    """Speed: a place of the hand, at most one card, open to its owner alone."""
    STOCK = "stock"
    """Speed: a seat's face-down stock."""
    SIDE = "side"
    """Speed: a face-down side pile, beside the centre pile of the same number."""


class Place(Struct, frozen=True):
    """A place of a game's table.

    `seat` is its owner, None for a shared place; `private` places show their
    faces to the owner alone (G9).
    """

    role: Role
    seat: int | None = None
    number: int | None = None

    @property
    def name(self) -> str:
        parts = (self.seat, self.role.value, self.number)
        return ".".join(str(part) for part in parts if part is not None)

    @property
    def private(self) -> bool:
        return self.role is Role.HAND

    @classmethod
    def parse(cls, name: str) -> Self:
        """The place of that name.

        :raises ValueError: the text is not a place's name.
        """
        parts = name.split(".")
        seat = int(parts.pop(0)) if parts[0].isdigit() else None
        role = Role(parts.pop(0))
        number = int(parts.pop(0)) if parts else None
        if parts:
            raise ValueError(name)
        return cls(role, seat, number)
