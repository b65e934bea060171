"""A second generator of legal commands, written from docs/rules.md and on purpose as simple as can be.

It knows nothing of the rule books: it tries every card of the table on every
pile and looks at each condition of the rules in turn. `disagreement` compares
it with the engine in one state; run as a program it does so in very many:

    python -m tests.rules.naive [states]
"""

import sys
import time
from itertools import count

from games.rules.commands import Flip, Move, Play, PlayerCommand, Refill
from games.rules.setup import Setup
from games.rules.state import State
from tests.rules.matches import SETUPS, RandomPlayers

ORDER = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]
RED = {"d", "h"}


def lies_next_to(rank: str, other: str) -> bool:
    """G2: one rank higher or lower; the ace lies next to king and to two."""
    distance = abs(ORDER.index(rank) - ORDER.index(other))
    return distance == 1 or distance == 12


def legal(state: State, seat: int) -> set[PlayerCommand]:
    """Every play, move, flip and refill that the rules allow the seat in that state."""
    if state.status.phase not in ("playing", "stuck"):
        return set()
    number = state.status.round
    options = state.setup.options
    by_hand = options.handling == "by_hand"
    found: set[PlayerCommand] = set()
    mine = {name: pile for name, pile in state.places.items() if name.startswith(f"{seat}.")}
    shown = {name: pile for name, pile in mine.items() if name.split(".")[1] in ("stockpile", "row", "hand")}

    # G2, V3: a face-up card of one's own on a centre pile.
    for centre in ("centre.0", "centre.1"):
        for pile in shown.values():
            if len(pile) == 0 or pile[-1].startswith("-"):
                continue
            if len(state.places[centre]) == 0:
                continue
            card, top = pile[-1], state.places[centre][-1]
            if not lies_next_to(card[0], top[0]):
                continue
            if options.alternate and (card[1] in RED) == (top[1] in RED):
                continue
            found.add(Play(number, card, centre))

    # S3: a face-up top into an empty one of one's places.
    for source, pile in shown.items():
        if source.split(".")[1] == "stockpile" and len(pile) > 0 and not pile[-1].startswith("-"):
            for target, other in shown.items():
                if len(other) == 0:
                    found.add(Move(number, pile[-1], target))

    # S3, G12: a face-down top is turned up, by hand.
    for name, pile in shown.items():
        if by_hand and len(pile) > 0 and pile[-1].startswith("-"):
            found.add(Flip(number, name))

    # D3, P2, G12: an empty place of the row or hand is filled up, by hand.
    for reserve in (f"{seat}.deck", f"{seat}.stock"):
        for name, pile in shown.items():
            if by_hand and len(state.places.get(reserve, ())) > 0 and len(pile) == 0:
                found.add(Refill(number, name))
    return found


def is_stuck(state: State) -> bool:
    """G5: neither seat has a legal play, or a free action that turns up a card."""
    for seat in (0, 1):
        for command in legal(state, seat):
            if not isinstance(command, Move):
                return False
            # Moving a lone card into a space never counts.
            for name, pile in state.places.items():
                if name.startswith(f"{seat}.stockpile") and command.card in pile and len(pile) >= 2:
                    return False
    return True


def disagreement(players: RandomPlayers) -> str | None:
    """Where the engine and this generator differ about the players' present state; None where they agree."""
    book, state = players.book, players.state
    if state.status.phase not in ("playing", "stuck"):
        return None
    for seat in (0, 1):
        found = list(book.legal(state, seat))
        if len(set(found)) != len(found):
            return f"seat {seat}: the engine says something twice: {found}"
        if set(found) != legal(state, seat):
            return f"seat {seat}: engine {set(found)}, rules {legal(state, seat)}"
    if book.is_stuck(state) != is_stuck(state):
        return f"the engine says that the table is stuck: {book.is_stuck(state)}"
    if (state.status.phase == "stuck") != is_stuck(state):
        return f"the table is called {state.status.phase} and is not"
    return None


def compare(states: int) -> int:
    """Compare over at least so many states of random matches, as many in each combination of options; how many it were.

    :raises AssertionError: they disagree.
    """
    share = -(-states // len(SETUPS))
    return sum(compare_setup(setup, share) for setup in SETUPS)


def compare_setup(setup: Setup, states: int) -> int:
    compared = 0
    for seed in count():
        players = RandomPlayers(setup, seed)
        for _ in players.steps():
            if players.state.status.phase in ("playing", "stuck"):
                problem = disagreement(players)
                assert problem is None, f"{setup}, seed {seed}, event {players.state.seq}: {problem}"
                compared += 1
                if compared == states:
                    return compared
    raise AssertionError  # count() never ends


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    begin = time.monotonic()
    print(f"{compare(wanted):,} states agree, {time.monotonic() - begin:.0f} s")
