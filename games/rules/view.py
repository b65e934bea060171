"""The one door for secrets (G9): what of a state or an event an audience may see.

Nothing about a live match may leave the server except through here.
"""

from collections.abc import Mapping
from enum import IntEnum

from msgspec import Struct
from msgspec.structs import replace

from games.rules.cards import BACK, Card, Pile
from games.rules.events import CardMove, Event
from games.rules.state import State, Status


class Audience(IntEnum):
    """Who looks. The first two are the seats' own numbers."""

    SEAT_0 = 0
    SEAT_1 = 1
    WATCHERS = 2


class View(Struct, frozen=True, omit_defaults=True):
    """What an audience may know of a match after `seq` events."""

    seq: int
    at: int
    places: Mapping[str, Pile]
    status: Status
    warned: int | None = None


def _hides(place: str, audience: Audience) -> bool:
    # Only a Speed hand hides faces that lie up, and only from the others ("0.hand.3").
    return place[2:6] == "hand" and place[0] != str(audience.value)


def _card(card: Card, place: str, audience: Audience) -> Card:
    return BACK if card[0] == BACK or _hides(place, audience) else card


def _pile(pile: Pile, place: str, audience: Audience) -> Pile:
    if _hides(place, audience):
        return (BACK,) * len(pile)
    return tuple([BACK if card[0] == BACK else card for card in pile])


def redacted(state: State, audience: Audience) -> State:
    """The state with every card hidden that `audience` may not see; all open once the match is over (G9)."""
    if state.is_over:
        return state
    return replace(state, places={name: _pile(pile, name, audience) for name, pile in state.places.items()})


def view_state(state: State, audience: Audience) -> View:
    """The state as `audience` may see it; all of it once the match is over (G9)."""
    seen = redacted(state, audience)
    return View(seen.seq, seen.at, seen.places, seen.status, seen.warned)


def is_open(event: Event) -> bool:
    """Whether all audiences may see the event just as it is; most events of play are so. Cheap: every play asks."""
    for card, _, target in event.moves:
        if card[0] == BACK or target[2:6] == "hand":
            return False
    return event.orders is None and (event.place is None or event.place[2:6] != "hand")


def view_event(event: Event, audience: Audience) -> Event:
    """The event as `audience` may see it while the match is live.

    Returns the event itself when there is nothing to hide, so that one
    serialised frame can serve every audience.
    """
    moves = event.moves
    if any(card[0] == BACK or _hides(target, audience) for card, _, target in moves):
        moves = tuple([CardMove(_card(card, target, audience), source, target) for card, source, target in moves])
    if event.orders is not None:
        hidden = {name: (BACK,) * len(pile) for name, pile in event.orders.items()}
        return replace(event, moves=moves, orders=hidden)
    if event.card is not None and event.place is not None and _hides(event.place, audience):
        # A card that came too late is back in its hand.
        return replace(event, card=BACK)
    return event if moves is event.moves else replace(event, moves=moves)
