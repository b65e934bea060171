"""What a seat knows of its match: the frames it was sent, folded, as a browser folds them.

Nothing in here comes from the server's own state. The view of a seat is put
into the shape of a `State` in which unknown cards are backs, so that the rule
book's own reading of the table (`Book.legal`) works on what the seat can see.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct

from games.rules.book import Book
from games.rules.events import Event
from games.rules.evolve import evolve
from games.rules.registry import book_of
from games.rules.setup import Options, Setup
from games.rules.state import State
from games.rules.view import View


class MatchNotice(Struct, frozen=True):
    """Of the match in a `state` frame, what it is played by."""

    game: str
    options: Options
    pace: Mapping[str, Any]


class StateFrame(Struct, frozen=True):
    match: MatchNotice
    view: View


class EventsFrame(Struct, frozen=True):
    seq: int
    events: tuple[Event, ...]


class RefusedFrame(Struct, frozen=True):
    code: str
    id: str | None = None


class AckFrame(Struct, frozen=True):
    id: str


class RematchFrame(Struct, frozen=True):
    offered_by: int | None
    url: str | None


class PingFrame(Struct, frozen=True):
    n: int


Frame = StateFrame | EventsFrame | RefusedFrame | AckFrame | RematchFrame | PingFrame


class _Any(Struct, frozen=True):
    t: str


_tag: Final = msgspec.json.Decoder(_Any)
_decoders: Final[Mapping[str, msgspec.json.Decoder[Any]]] = {
    "state": msgspec.json.Decoder(StateFrame),
    "events": msgspec.json.Decoder(EventsFrame),
    "refused": msgspec.json.Decoder(RefusedFrame),
    "ack": msgspec.json.Decoder(AckFrame),
    "rematch": msgspec.json.Decoder(RematchFrame),
    "ping": msgspec.json.Decoder(PingFrame),
}


def read_frame(text: str) -> Frame | None:
    """A frame of docs/protocol.md; None for one that means nothing to a player.

    :raises msgspec.DecodeError: it is not what the protocol says.
    """
    decoder = _decoders.get(_tag.decode(text).t)
    return None if decoder is None else decoder.decode(text)


def seen_state(frame: StateFrame) -> State:
    """The match as the view of a `state` frame shows it; what a view does not show has its default."""
    setup = Setup(frame.match.game, frame.match.options, str(frame.match.pace["key"]))
    view = frame.view
    return State(setup, view.status, view.places, view.seq, view.at, view.at, warned=view.warned)


class Sight:
    """One seat's knowledge of the table."""

    __slots__ = ("_seen",)

    def __init__(self) -> None:
        self._seen: tuple[State, Book] | None = None

    @property
    def state(self) -> State:
        """The table as the seat sees it: what it may not know is a back, `"-"`.

        :raises LookupError: no `state` frame has come yet.
        """
        return self._known()[0]

    @property
    def book(self) -> Book:
        """The rules that are played by.

        :raises LookupError: no `state` frame has come yet.
        """
        return self._known()[1]

    def _known(self) -> tuple[State, Book]:
        if self._seen is None:
            raise LookupError("nothing has been seen of the match yet")
        return self._seen

    def look(self, frame: StateFrame) -> None:
        """Everything anew."""
        self._seen = seen_state(frame), book_of(frame.match.game)

    def follow(self, frame: EventsFrame) -> Iterable[Event] | None:
        """Fold what happened; the events that were new, or None when some are missing: then ask for `resync`."""
        state, book = self._known()
        if frame.seq > state.seq + 1:
            return None
        new = frame.events[state.seq + 1 - frame.seq :]
        for event in new:
            state = evolve(state, event)
        self._seen = state, book
        return new
