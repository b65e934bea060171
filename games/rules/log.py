"""The log: events as text, and a whole log judged again."""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from games.rules.events import VERSIONS, Event, Kind
from games.rules.evolve import evolve
from games.rules.registry import book_of
from games.rules.setup import Setup
from games.rules.state import State

_encoder: Final = msgspec.json.Encoder()
_decoder: Final = msgspec.json.Decoder(Event)


class BadLog(ValueError):
    """A stored event that cannot be read: an unknown kind, a version of the future, broken JSON."""


def encode_event(event: Event) -> str:
    """An event as compact JSON, as it is stored and, redacted, as it is sent."""
    return _encoder.encode(event).decode()


def decode_event(text: str | bytes, version: int = 1) -> Event:
    """The event of a stored text.

    :raises BadLog: it cannot be read.
    """
    try:
        event = _decoder.decode(text)
    except msgspec.DecodeError as error:
        raise BadLog(str(error)) from error
    if version > VERSIONS[Kind(event.kind)]:
        raise BadLog(f"version {version} of {event.kind} is newer than this program")
    return event


def states(setup: Setup, events: Iterable[Event]) -> Iterator[State]:
    """The state before the first event, then after each."""
    state = book_of(setup.game).start(setup)
    yield state
    for event in events:
        state = evolve(state, event)
        yield state
