"""`evolve`: apply one event. The same for every game; it knows no rules."""

from collections.abc import Iterable
from functools import reduce

from games.rules.events import Event, Kind
from games.rules.state import TOUCHES, State, Touch


def evolve(state: State, event: Event) -> State:
    """The state after `event`.

    :raises IndexError, KeyError, ValueError: the event does not belong to this state.
    """
    kind = event.kind
    places = state.places
    moved_at = state.moved_at
    warned = state.warned
    if event.orders is not None:
        places = {**places, **event.orders}
    if event.moves:
        changed = dict(places)
        for card, source, target in event.moves:
            changed[source] = changed[source][:-1]
            changed[target] = (*changed[target], card)
        places = changed
        if kind is not Kind.MOVED or changed[event.moves[0].source]:
            # Shifting a lone card is no progress (G5): it must not hold off the clock of G8.
            moved_at = event.at
            warned = None
    played = state.played
    touched = state.touched
    last_player = state.last_player
    if kind is Kind.PLAYED:
        seat = event.seat
        if seat is None:
            raise ValueError("a play without a seat")
        played = (played[0] + 1, played[1]) if seat == 0 else (played[0], played[1] + 1)
        target = event.moves[0].target
        touched = {**touched, target: (*touched.get(target, ())[1 - TOUCHES :], Touch(seat, event.at))}
        last_player = seat
    elif kind is Kind.DEALT or kind is Kind.TURNED:
        touched = {}
    elif kind is Kind.WARNED:
        warned = event.seat
    return State(
        state.setup,
        event.status or state.status,
        places,
        state.seq + 1,
        event.at,
        moved_at,
        played,
        touched,
        last_player,
        warned,
    )


def fold(state: State, events: Iterable[Event]) -> State:
    """`evolve` over many events."""
    return reduce(evolve, events, state)
