"""The replay document: what docs/replay-format.md describes, as types.

The document is built from these classes, its JSON Schema is made from them,
and a test demands that the page names every field. A reader of another program
needs the page alone.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from games.rules.cards import Pile
from games.rules.events import Event
from games.rules.setup import Pace
from games.rules.state import Cause
from games.rules.view import View
from replays.statistics import Statistics

FORMAT: Final = "spit-replay"
VERSION: Final = 1
"""Goes up when a reader of the version before would misread a document; new fields alone do not do that."""
LATEST: Final = 2**31 - 1
"""No match lasts longer, ms: the database could not hold it."""

Seat = Annotated[int, Meta(ge=0, le=1)]


class DocumentSeat(Struct, kw_only=True):
    """Who sat there, as the site shows it."""

    name: str
    bot: bool
    rating: int | None
    """Before the match; None when the match was not rated (or is not yet)."""
    rating_after: int | None
    provisional: bool
    """Whether the rating before was one of fewer than 30 matches (R1)."""


class DocumentMatch(Struct, kw_only=True):
    slug: str
    game: str
    options: Mapping[str, Any]
    """Every option that the game has (`Options`)."""
    pace: Pace
    rated: bool
    started_at: str
    """ISO 8601 with the offset; the zero of all milliseconds."""
    ended_at: str
    seats: tuple[DocumentSeat, DocumentSeat]


class DocumentResult(Struct, kw_only=True):
    """The end as it was recorded."""

    winner: Seat | None
    cause: Cause
    void: bool
    """Aborted or broken off: no result (M2)."""
    seq: int
    """The number of the last event."""
    at: int


class DocumentFault(Struct):
    """What is wrong with the log, at event `seq`; 0 for the log as a whole."""

    seq: int
    text: str


class DocumentVerdict(Struct, kw_only=True):
    """What came of judging the log again by the rules."""

    sound: bool
    faults: list[DocumentFault]


class Course(Struct, kw_only=True):
    """What of a document does not depend on names: it is stored (`replays.models.Replay`)."""

    places: list[str]
    start: Mapping[str, Pile]
    events: list[Event]
    keyframes: list[View]
    result: DocumentResult
    verdict: DocumentVerdict
    statistics: Statistics


class Document(Course, kw_only=True):
    """A whole document."""

    format: Literal["spit-replay"]
    version: int
    match: DocumentMatch


_encoder: Final = msgspec.json.Encoder()


def encode_course(course: Course) -> bytes:
    return _encoder.encode(course)


def decode_course(course: bytes) -> Course:
    """A stored course of this version read back."""
    return msgspec.json.decode(course, type=Course)


def join(match: DocumentMatch, course: bytes) -> bytes:
    """The document of a match and its encoded course, without decoding the course.

    It says the same as an encoded `Document` (a test compares), beginning with what it is.
    """
    head = _encoder.encode({"format": FORMAT, "version": VERSION, "match": match})
    return head[:-1] + b"," + course[1:]


def decode(document: bytes | str) -> Document:
    """A document read back.

    :raises msgspec.ValidationError: it is not one, or of another version.
    """
    found = msgspec.json.decode(document, type=Document)
    if found.version != VERSION:
        raise msgspec.ValidationError(f"version {found.version} of {FORMAT}")
    return found


def schema() -> dict[str, Any]:
    """The JSON Schema of a document (docs/replay-format.schema.json)."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(Document)}
