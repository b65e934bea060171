"""Events: what happened, in the words of the game, with the card moves it made.

An event is all that a reader needs to get from one state to the next, without
knowing any rules: the moves it made and the new `Status` if that changed.
Stored events are never edited; a kind whose meaning changes gets a new version
in `VERSIONS` and an upcast in `games.rules.log`.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from msgspec import Struct

from games.rules.cards import Card, Pile
from games.rules.state import SEATS, Cause, Status


class CardMove(NamedTuple):
    """The top card of `source` goes on top of `target`, lying as `card` says.

    With `source` equal to `target` the top card is turned over where it lies.
    """

    card: Card
    source: str
    target: str


class Kind(StrEnum):
    SHUFFLED = "shuffled"
    """Cards were put into a new order (`orders`; secret until the match is over)."""
    DEALT = "dealt"
    """A round's layout was dealt; it waits for both seats to be ready."""
    READIED = "readied"
    """`seat` is ready (G6)."""
    CALLED = "called"
    """`seat` called spit (G6)."""
    CHOSE = "chose"
    """`seat` chose `pile` (S5)."""
    TURNED = "turned"
    """The turn: one card of each seat that has one, onto the centre, at one moment (G6, S4, S5, D4, P3)."""
    PLAYED = "played"
    """`seat` played a card on a centre pile (G2)."""
    MOVED = "moved"
    """`seat` moved a top into an empty place (S3)."""
    FLIPPED = "flipped"
    """`seat` turned a face-down top up (by hand)."""
    REFILLED = "refilled"
    """`seat` drew a card into an empty place (by hand)."""
    MISSED = "missed"
    """`seat` lost the race for `pile` (G4): its `card`, back at `place`, came `late` ms after seat `by` changed it."""
    STUCK = "stuck"
    """Nobody can act (G5)."""
    CLEARED = "cleared"
    """`seat` has no stockpile cards left, or (no seat) both are blocked: piles are to be taken (S6)."""
    SLAPPED = "slapped"
    """`seat` slapped `pile` first (S7), or chose it (V2); without both: nobody did in time."""
    TAKEN = "taken"
    """The seats took the centre piles and their own cards (S8, S11)."""
    GATHERED = "gathered"
    """Speed: the cards under the two tops were gathered (P4)."""
    RESHUFFLED = "reshuffled"
    """Speed: they were dealt into two new side piles (P4)."""
    WARNED = "warned"
    """`seat` is the only one who can act, and does not (G8)."""
    FINISHED = "finished"
    """A game of a series is over, `seat` won it: `status.last` says how, `status.score` counts it (M1)."""
    ENDED = "ended"
    """The match is over; `status.result` says how (M2)."""


VERSIONS: Final[dict[Kind, int]] = dict.fromkeys(Kind, 1)
"""The version of each kind that is written today."""


class Event(Struct, frozen=True, omit_defaults=True):
    """One event; `at` is milliseconds since the start of the match.

    `command` is the client-made id of the command that caused it.
    """

    kind: Kind
    at: int
    seat: int | None = None
    moves: tuple[CardMove, ...] = ()
    status: Status | None = None
    orders: Mapping[str, Pile] | None = None
    pile: str | None = None
    card: Card | None = None
    by: int | None = None
    late: int | None = None
    place: str | None = None
    command: str | None = None


def senders(event: Event) -> Sequence[int]:
    """Whose command an event with a command id may have been."""
    if event.kind is not Kind.ENDED:
        return (event.seat,) if event.seat is not None else SEATS
    result = event.status.result if event.status else None
    if result is None or result.winner is None:
        return SEATS
    return (1 - result.winner,) if result.cause is Cause.RESIGNED else (result.winner,)
