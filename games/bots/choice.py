"""What to do with what is seen: pure functions of a table, an attention and chance.

They know no game: what may be done comes from the rule book, what is worth
doing from what all the games have in common.
"""

import random
from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct

from games.bots.levels import Level
from games.rules.book import CENTRES, Book, Decision
from games.rules.cards import BACK, RANKS, Card
from games.rules.commands import Choose, Flip, Move, Play, PlayerCommand, Refill
from games.rules.state import State

Action = Play | Move | Flip | Refill
Sources = Mapping[Card, str]
"""The seat's places, by the card on top; of those with a back on top, any."""


SEARCHES = 4
"""So many looks that find nothing, and one looks at everything."""


class Glance(Struct, frozen=True):
    """What one look takes in: names of own places and of centre piles, and whether it thinks of empty places."""

    places: frozenset[str]
    piles: frozenset[str]
    thinks_of_spaces: bool


def own_places(state: State, seat: int) -> list[str]:
    """The seat's places that hold cards, in the table's order."""
    prefix = f"{seat}."
    return [name for name, pile in state.places.items() if pile and name.startswith(prefix)]


def glance(
    state: State, seat: int, level: Level, chance: random.Random, *, effort: int, fresh: Collection[str]
) -> Glance:
    """Look at the table once.

    `effort` counts the looks before this one that found nothing: each sees
    more, and from `SEARCHES` on one sees all. What has just changed (`fresh`)
    catches the eye.
    """
    own = own_places(state, seat)
    piles = [name for name in CENTRES if state.places[name]]
    if effort >= SEARCHES:
        return Glance(frozenset(own), frozenset(piles), True)

    def takes_in(names: Sequence[str], likely: float) -> set[str]:
        missed = 1.0 - likely
        return {
            name for name in names if chance.random() >= missed ** (1 + effort + (1 if name in fresh else 0))
        } or set(chance.sample(names, min(1, len(names))))

    forgets = level.forgets_spaces ** (1 + effort)
    return Glance(
        frozenset(takes_in(own, level.attention)),
        frozenset(takes_in(piles, level.overview)),
        chance.random() >= forgets,
    )


def choose_action(
    state: State, book: Book, seat: int, seen: Glance, level: Level, chance: random.Random
) -> Action | None:
    """What to do next, if anything is seen that can be done."""
    if chance.random() < level.misfit and (wrong := _misfit(state, book, seen, chance)):
        return wrong
    sources = {state.places[name][-1]: name for name in own_places(state, seat)}
    actions = [action for action in _possible(state, book, seat, sources) if _is_seen(action, seen, sources)]
    if not actions:
        return None
    if chance.random() < level.foresight:
        worths = [_worth(action, state, book, seen, sources) for action in actions]
        best = max(worths)
        actions = [action for action, worth in zip(actions, worths, strict=True) if worth == best]
    else:
        # A beginner, too, plays before it tidies up.
        actions = [action for action in actions if isinstance(action, Play)] or actions
    action = chance.choice(actions)
    if isinstance(action, Play) and len(seen.piles) > 1 and chance.random() < level.wrong_pile:
        (other,) = set(CENTRES) - {action.to}
        return Play(action.round, action.card, other)
    return action


def _possible(state: State, book: Book, seat: int, sources: Sources) -> Iterator[Action]:
    """The seat's legal actions, but for shifting a lone card, which leads nowhere (G5)."""
    for command in book.legal(state, seat):
        if isinstance(command, Move) and len(state.places[sources[command.card]]) == 1:
            continue
        if isinstance(command, Play | Move | Flip | Refill):
            yield command


def _is_seen(action: Action, seen: Glance, sources: Sources) -> bool:
    match action:
        case Play():
            return action.to in seen.piles and sources[action.card] in seen.places
        case Move():
            return seen.thinks_of_spaces and sources[action.card] in seen.places
        case Flip():
            return action.place in seen.places
        case Refill():
            return seen.thinks_of_spaces


def _worth(action: Action, state: State, book: Book, seen: Glance, sources: Sources) -> int:
    """How good an action looks: a play before tidying up, a card that another one follows, a long pile."""
    match action:
        case Play():
            source = sources[action.card]
            followers = sum(
                1
                for card, name in sources.items()
                if name != source and name in seen.places and card[0] != BACK and book.fits(state, card, action.card)
            )
            return 100 + 4 * min(followers, 2) + len(state.places[source])
        case Move():
            return len(state.places[sources[action.card]])
        case _:
            return 50


def _misfit(state: State, book: Book, seen: Glance, chance: random.Random) -> Play | None:
    """A play that nearly fits: the same rank, or one too far."""
    tries = [
        Play(state.status.round, card, pile)
        for name in sorted(seen.places)
        if (card := state.places[name][-1])[0] != BACK
        for pile in sorted(seen.piles)
        if not book.fits(state, card, top := state.places[pile][-1])
        and (RANKS.index(card[0]) - RANKS.index(top[0])) % len(RANKS) in (0, 2, 11)
    ]
    return chance.choice(tries) if tries else None


# Piles: the slap (S7), the choice (V2), the pile to spit on alone (S5)


def pile_to_take(state: State, level: Level, chance: random.Random) -> str:
    """The smaller pile, as a rule."""
    small, big = sorted(CENTRES, key=lambda name: len(state.places[name]))
    return big if chance.random() < level.wrong_slap else small


def pile_to_spit_on(state: State, book: Book, seat: int) -> PlayerCommand | None:
    """The choice of S5, when it is this seat's: the bigger pile grows, the smaller one stays small for the slap."""
    pile = max(CENTRES, key=lambda name: len(state.places[name]))
    command = Choose(state.status.round, pile)
    # Asking the rule book is safe here: a choice turns up no card.
    return command if isinstance(book.decide(state, command, at=state.at, seat=seat), Decision) else None
