"""The state of a match: a frozen value, the fold of its events."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from games.rules.cards import Pile
from games.rules.setup import PACES, Pace, Setup

SEATS = (0, 1)
TOUCHES = 8
"""How many plays on a pile are remembered, to tell a lost race (G4): more than fit into `Pace.contest`."""


class Phase(StrEnum):
    DEALING = "dealing"
    """Cards wait for the dealer to shuffle them (the server answers with `Deal` at once)."""
    READY = "ready"
    """A layout lies there; seats say that they are ready (G6)."""
    COUNTDOWN = "countdown"
    """Both are ready; the starters are turned at `Status.due` (G6)."""
    PLAYING = "playing"
    STUCK = "stuck"
    """Nobody can act (G5); the turn comes at `Status.due`, or when both have called spit."""
    SLAP = "slap"
    """The window of S7 is open until `Status.due`; with V2, the time to choose."""
    OVER = "over"


class Cause(StrEnum):
    """Why a match ended (M2)."""

    OUT_OF_CARDS = "out_of_cards"
    FEWER_CARDS = "fewer_cards"
    RESIGNED = "resigned"
    INACTIVE = "inactive"
    LEFT = "left"
    CAP = "cap"
    ABANDONED = "abandoned"
    """Nobody acted for a long time (G8): a draw if a card had been played."""
    ABORTED = "aborted"
    """Ended before any card was played: no result."""
    BROKEN_OFF = "broken_off"
    """The site broke the match off: no result."""


VOID = frozenset({Cause.ABORTED, Cause.BROKEN_OFF})


class Result(Struct, frozen=True):
    """How a match ended. `winner` is a seat, or None for a draw or an aborted match."""

    winner: int | None
    cause: Cause

    @property
    def is_void(self) -> bool:
        """No result and no rating (M2)."""
        return self.cause in VOID


class Status(Struct, frozen=True):
    """What of the state is not cards: public, and carried whole by each event that changes it.

    `since` and `due` are milliseconds since the start of the match.
    """

    phase: Phase
    round: int = 1
    """Counts the deals of the whole match, so that a command for an old one is known by its number."""
    since: int = 0
    due: int | None = None
    """When the running countdown or window ends; None when none runs."""
    ready: tuple[bool, bool] = (False, False)
    """Who said that they are ready, or called spit (G6)."""
    turns: int = 0
    """Turns in a row that let nobody play (G7)."""
    starts: tuple[str | None, str | None] = (None, None)
    """The centre pile that each seat turns its spit cards onto this round, None for a seat that starts none."""
    alone: int | None = None
    """The seat that spits alone, from the first such turn (or its own choice) on (S5)."""
    chooser: int | None = None
    """In phase SLAP: the seat that may choose its pile, None when both may slap (V2)."""
    result: Result | None = None
    """How the match ended."""
    game: int = 1
    """The number of the game in the match (M1)."""
    score: tuple[int, int] = (0, 0)
    """Games won, or points in a race to a target score; of a series, up to the last finished game (M1, P6)."""
    last: Result | None = None
    """How the last finished game of a series ended."""
    first_round: int = 1
    """The round that this game began with: its own rounds are counted from there (G11)."""
    began: int = 0
    """When this game began: its time is counted from there (G11)."""
    reshuffles: int = 0
    """Speed: how often new side piles were made in this game (P4, G11)."""

    def afresh(
        self, phase: Phase, at: int, number: int, starts: tuple[str | None, str | None] = (None, None)
    ) -> "Status":
        """The status in which round `number` waits for the dealer or the seats; the standing of the match is kept."""
        return replace(
            self,
            phase=phase,
            round=number,
            since=at,
            due=None,
            ready=(False, False),
            turns=0,
            starts=starts,
            alone=None,
            chooser=None,
        )


class Touch(Struct, frozen=True):
    """A play on a centre pile: by whom, and when (ms since the start)."""

    seat: int
    at: int


class State(Struct, frozen=True):
    """A match after `seq` events. `places` is never changed in place."""

    setup: Setup
    status: Status
    places: Mapping[str, Pile]
    seq: int = 0
    at: int = 0
    """The time of the last event."""
    moved_at: int = 0
    """The time of the last event that moved a card: since then nobody has acted (G8)."""
    played: tuple[int, int] = (0, 0)
    """How many cards each seat has played in the whole match."""
    touched: Mapping[str, tuple[Touch, ...]] = {}
    """The last plays on each centre pile since the last turn, at most `TOUCHES`, the newest last."""
    last_player: int | None = None
    """The seat that last played a card (V2)."""
    warned: int | None = None
    """The seat that was warned for inactivity and has not acted since (G8)."""

    @property
    def pace(self) -> Pace:
        return PACES[self.setup.pace]

    @property
    def is_over(self) -> bool:
        return self.status.phase is Phase.OVER
