"""Refusals: why a command was not done. Codes are for programs; each has a sentence in the page's language."""

from enum import StrEnum
from typing import Final

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


MISPLAYS: Final = frozenset(
    {Code.NOT_ADJACENT, Code.PLACE_TAKEN, Code.NO_SUCH_PLACE, Code.NOT_IN_THIS_MATCH, Code.TOO_EARLY}
)
"""The refusals of a *misplay*: a card put where it may not lie, or a pile slapped before its time. The hand went wrong,
as far as the table can tell (`games.rules.misplays`).

- NOT_ADJACENT: the card does not fit on that pile (G2, V3). Not where a turn has just covered what it fitted (G6), nor
  where the seat's line has just come back and the card fitted what lay there before. A play that a whole line holds up
  for longer than `Pace.contest` cannot be told from a wrong one, and counts: a misplay too many takes a sign away from
  somebody (`replays/suspects.py`), one too few would bring it.
- PLACE_TAKEN: a card moved or drawn to a place of one's own that is not empty (S3, D3).
- NO_SUCH_PLACE: a card put where no pile lies, above all beside the only pile of a one-pile round (S10).
- NOT_IN_THIS_MATCH: what this game does not know, above all a card moved along a row or a hand (D3, P2).
- TOO_EARLY: a slap before the window (S7). One that comes after it is of an old round.

No misplays are:

- what is no command or not a seat's, and trouble (BAD_MESSAGE, NOT_SEATED, TOO_FAST, TROUBLE, GONE);
- what came when its moment had passed, or not come, which the line alone can bring about (GAME_OVER, OLD_ROUND,
  NOT_NOW, ALREADY; NOTHING_THERE too, for a turn may have taken the last card);
- a lost race (PILE_CHANGED), which is an event of its own;
- NOT_YOUR_CARD: the table's page lets a hand take up none but its own open cards, so what comes there is a card that
  was played already, a press that came twice.

A second card put on one's own first one, which itself lost its race, is NOT_ADJACENT and counts: the hand did not wait.
"""


class Refusal(Struct, frozen=True, omit_defaults=True):
    """A refused command. `by` is the seat that was faster, `late` by how many ms (PILE_CHANGED)."""

    code: Code
    by: int | None = None
    late: int | None = None
