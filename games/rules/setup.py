"""What is fixed before a match begins: the game, its options, its speed class."""

from enum import StrEnum
from typing import Final, Literal

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
    side: int = 10
    """Speed: cards in each side pile, 10, or 5 (V4)."""
    best_of: int = 1
    """How many games decide the match: 1, 3 or 5 (M1)."""
    target: int = 0
    """Speed: the score that the seats race to in a series of games (P6); 0: games are counted, not points."""

    @property
    def is_series(self) -> bool:
        """Whether the match may have more than one game (M1)."""
        return self.best_of > 1 or self.target > 0


class Problem(Struct, frozen=True):
    """Why a game cannot be played with an option as it is (`Book.validate`).

    `unknown`: the game does not have that option. `value`: it cannot have that
    value. `clash`: it does not go with the others (a race to a score is not a
    best-of, M1).
    """

    option: str
    reason: Literal["unknown", "value", "clash"]


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
    """The longest game (G11); each game of a series has its own."""
    contest: int = 1_000
    """A refused play that would have been legal this long ago was a race for the pile (G4)."""
    asks: bool = False
    """When stuck, no countdown: the turn comes when both seats have asked for it (G6)."""


PACES: Final = {
    pace.key: pace
    for pace in (
        Pace("normal"),
        Pace("relaxed", stuck=3_000, still_stuck=2_000, slap=8_000, warning=20_000, inactive=60_000, abandoned=120_000),
        # For whom a window of seconds shuts out: who listens to the table, or moves with difficulty.
        Pace(
            "paced",
            countdown=5_000,
            slap=30_000,
            warning=60_000,
            inactive=180_000,
            abandoned=300_000,
            grace=60_000,
            away_budget=180_000,
            cap=60 * 60_000,
            asks=True,
        ),
    )
}


class Setup(Struct, frozen=True):
    """Everything about a match that its rules depend on."""

    game: str
    options: Options = Options()
    pace: str = "normal"
