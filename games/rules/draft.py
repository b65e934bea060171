"""`Draft`: a decision in the making."""

from collections.abc import Mapping

from games.rules.cards import Card, Pile
from games.rules.events import CardMove, Event, Kind
from games.rules.evolve import evolve
from games.rules.state import State, Status


class Draft:
    """The events of a decision so far, and the state after them."""

    __slots__ = ("at", "command", "events", "state")

    def __init__(self, state: State, at: int, command: str | None) -> None:
        self.state = state
        self.at = at
        self.command = command
        self.events: list[Event] = []

    def add(
        self,
        kind: Kind,
        *,
        seat: int | None = None,
        moves: tuple[CardMove, ...] = (),
        status: Status | None = None,
        orders: Mapping[str, Pile] | None = None,
        pile: str | None = None,
        card: Card | None = None,
        by: int | None = None,
        late: int | None = None,
        place: str | None = None,
    ) -> None:
        """Append an event; the first one carries the id of the command."""
        command = None if self.events else self.command
        event = Event(kind, self.at, seat, moves, status, orders, pile, card, by, late, place, command)
        self.events.append(event)
        self.state = evolve(self.state, event)
