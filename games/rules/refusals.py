"""Refusals: why a command was not done. Codes are for programs; each has a sentence in the page's language."""

from enum import StrEnum

from msgspec import Struct


class Code(StrEnum):
    # The message.
    BAD_MESSAGE = "bad_message"
    """Not a message of the protocol: broken JSON, an unknown command, a wrong type, too long."""
    NOT_SEATED = "not_seated"
    """The sender watches; only the two seats can act."""
    TOO_FAST = "too_fast"
    """More commands than anybody can mean."""
    TROUBLE = "trouble"
    """The server could not write the log; nothing was done."""
    # The moment.
    GAME_OVER = "game_over"
    """The game is over (G10)."""
    OLD_ROUND = "old_round"
    """Meant for another round."""
    NOT_NOW = "not_now"
    """Not in this phase: a play before the turn, ready when nothing waits for it."""
    TOO_EARLY = "too_early"
    """A slap before the window (S7)."""
    ALREADY = "already"
    """Done before: ready, called or chosen."""
    GONE = "gone"
    """No rematch with somebody who is not there any more. (Live play says so, not the rules.)"""
    # The cards.
    NO_SUCH_PLACE = "no_such_place"
    """No place of that name can be meant by this command."""
    NOT_YOUR_CARD = "not_your_card"
    """The card is not one of this seat's face-up cards: another's, covered, face down, played."""
    NOT_ADJACENT = "not_adjacent"
    """Not one rank higher or lower (G2), or not the other colour (V3)."""
    PILE_CHANGED = "pile_changed"
    """It would have fitted, but the other seat was faster (G4). Carries `by`, `late`."""
    PLACE_TAKEN = "place_taken"
    """The place is not empty."""
    NOTHING_THERE = "nothing_there"
    """No card there to turn up, draw or turn."""
    NOT_IN_THIS_MATCH = "not_in_this_match"
    """The options of this match do not have that command."""


class Refusal(Struct, frozen=True, omit_defaults=True):
    """A refused command. `by` is the seat that was faster, `late` by how many ms (PILE_CHANGED)."""

    code: Code
    by: int | None = None
    late: int | None = None
