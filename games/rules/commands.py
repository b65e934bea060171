"""Commands: what a seat, the clock or the dealer asks of a match. Imperative, one class each.

Those of a seat (`SeatCommand`) come from a browser or a bot and name the round
that the sender saw, so that one meant for an old round does nothing (S7, B03).
The others (`RefereeCommand`) are made by the server alone.
"""

from collections.abc import Mapping

from msgspec import Struct

from games.rules.cards import Card, Pile
from games.rules.state import Cause


class SeatCommand(Struct, frozen=True, forbid_unknown_fields=True):
    """A command of the seat that sent it."""


class RoundCommand(SeatCommand, frozen=True):
    round: int


class Ready(RoundCommand, frozen=True, tag_field="t", tag="ready"):
    """I am ready for the round to start (G6)."""


class Spit(RoundCommand, frozen=True, tag_field="t", tag="spit"):
    """I call spit: turn the next cards (G6)."""


class Play(RoundCommand, frozen=True, tag_field="t", tag="play"):
    """Put my face-up card on a centre pile (G2)."""

    card: Card
    to: str


class Move(RoundCommand, frozen=True, tag_field="t", tag="move"):
    """Move my face-up top into an empty place of mine (S3)."""

    card: Card
    to: str


class Flip(RoundCommand, frozen=True, tag_field="t", tag="flip"):
    """Turn the face-down top of my place up (S3, by hand)."""

    place: str


class Refill(RoundCommand, frozen=True, tag_field="t", tag="refill"):
    """Draw from my deck or stock into an empty place of my row or hand (D3, P2, by hand)."""

    place: str


class Choose(RoundCommand, frozen=True, tag_field="t", tag="choose"):
    """Choose the centre pile I spit on alone (S5), or take (V2)."""

    pile: str


class Slap(RoundCommand, frozen=True, tag_field="t", tag="slap"):
    """Slap a centre pile (S7)."""

    pile: str


class Resign(SeatCommand, frozen=True, tag_field="t", tag="resign"):
    """I give the match up."""


class RefereeCommand(Struct, frozen=True):
    """A command that only the server makes."""


class Deal(RefereeCommand, frozen=True):
    """Here are the cards of these places, shuffled; now deal."""

    orders: Mapping[str, Pile]


class Elapse(RefereeCommand, frozen=True):
    """Time has passed: do what is due by now, if anything is."""


class End(RefereeCommand, frozen=True):
    """The match ends from outside: a seat has left, or the site breaks it off.

    `loser` is None when nobody is to blame. Before any card was played a
    match that ends so is aborted (M2).
    """

    cause: Cause
    loser: int | None = None


PlayerCommand = Ready | Spit | Play | Move | Flip | Refill | Choose | Slap | Resign
Command = PlayerCommand | Deal | Elapse | End
