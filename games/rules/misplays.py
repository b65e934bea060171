"""Misplays: which refusals are for what the hand did. Asked of refusals alone: an accepted play pays nothing for it."""

from typing import Final

from games.rules.book import Book
from games.rules.commands import Command, Play
from games.rules.refusals import MISPLAYS, Code, Refusal
from games.rules.state import TOUCHES, State

RESENT: Final = 3_000
"""Milliseconds after a seat's line came back in which what was pressed while it was broken is sent again."""


def is_misplay(
    book: Book, state: State, command: Command, refusal: Refusal, *, at: int, came_at: int | None = None
) -> bool:
    """Whether a command was refused for what the hand did (`MISPLAYS`), as far as the table can tell.

    A card that does not fit may have fitted when it was pressed. It is no misplay where something says so: it fitted
    what the last turn covered a moment ago (G6), or the line has just come back and it fitted what lay on that pile
    before. Not wherever it fitted once: on a pile of ten nearly every card did.

    :param state: what it was judged against.
    :param at: when, in ms since the start of the match.
    :param came_at: when the seat's last line came, if it had one.
    """
    if refusal.code not in MISPLAYS:
        return False
    if refusal.code is not Code.NOT_ADJACENT or not isinstance(command, Play):
        return True
    *covered, _top = state.places[command.to]
    if came_at is not None and at - came_at <= RESENT:
        return not any(book.fits(state, command.card, card) for card in covered)
    if at - state.status.since > state.pace.contest:
        return True
    since_turn = len(state.touched.get(command.to, ()))
    if since_turn == TOUCHES or since_turn >= len(covered):
        return True
    return not book.fits(state, command.card, covered[-1 - since_turn])
