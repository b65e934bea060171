"""What a scripted client reads of the frames that the server sends: only what it plays by."""

from msgspec import Struct

from games.rules.events import Event
from games.rules.setup import Setup
from games.rules.state import State, Status


class View(Struct):
    """The table as this client may see it."""

    seq: int
    at: int
    places: dict[str, tuple[str, ...]]
    status: Status

    def as_state(self, setup: Setup) -> State:
        """The same as a state of the rules, to fold events over."""
        return State(setup, self.status, self.places, self.seq, self.at, self.at)


class StateFrame(Struct, tag_field="t", tag="state"):
    view: View


class EventsFrame(Struct, tag_field="t", tag="events"):
    seq: int
    events: tuple[Event, ...]
