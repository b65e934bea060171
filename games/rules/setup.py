"""What is fixed before a match begins: the game, its options, its speed class."""

from enum import StrEnum
from typing import Final

from msgspec import Struct


class Handling(StrEnum):
    """Who turns cards up and refills (G12)."""

    AUTOMATIC = "automatic"
    BY_HAND = "by_hand"


class Options(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The options of a match. A rule book names those that its game has (`Book.options`)."""

    handling: Handling = Handling.AUTOMATIC
    stockpiles: int = 5
    """Spit: 5, or 4 (V1)."""
    slap: bool = True
    """Spit: piles are slapped for (S7); False: the seat that went out chooses (V2)."""
    alternate: bool = False
    """Spit: colours alternate on the centre piles (V3)."""


class Pace(Struct, frozen=True):
    """A speed class: every time of G6 to G8, G11 and S7, in milliseconds."""

    key: str
    countdown: int = 3_000
    """From both ready to the turn of the starters (G6)."""
    stuck: int = 1_500
    """From stuck to the turn (G6)."""
    still_stuck: int = 800
    """The same after a turn that helped nobody (G7)."""
    slap: int = 5_000
    """How long the slap window stays open (S7)."""
    warning: int = 10_000
    """The only seat that can act did nothing: it is warned (G8)."""
    inactive: int = 30_000
    """... and loses (G8)."""
    abandoned: int = 60_000
    """Nobody acted (G8)."""
    grace: int = 30_000
    """How long a seat may be away in one go before it loses."""
    away_budget: int = 90_000
    """How long a seat may be away in a whole match."""
    cap: int = 30 * 60_000
    """The longest game (G11)."""
    contest: int = 1_000
    """A refused play that would have been legal this long ago was a race for the pile (G4)."""


PACES: Final = {
    pace.key: pace
    for pace in (
        Pace("normal"),
        Pace("relaxed", stuck=3_000, still_stuck=2_000, slap=8_000, warning=20_000, inactive=60_000, abandoned=120_000),
    )
}


class Setup(Struct, frozen=True):
    """Everything about a match that its rules depend on."""

    game: str
    options: Options = Options()
    pace: str = "normal"
