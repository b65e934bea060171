"""How events and ends get into the database: the few statements of the journal."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from django.db.backends.base.base import BaseDatabaseWrapper
from msgspec import Struct

from games.models import End, Match
from games.rules.events import VERSIONS, Event

EventRow = tuple[int, int, int, str, int, int | None, str | None, str]
"""match, seq, at, kind, version, seat, command, body."""

_COLUMNS: Final = "match_id, seq, at, kind, version, seat, command, body"
_CHUNK: Final = 512
"""Rows a statement: SQLite allows 32,766 parameters."""
_BUSY_TIMEOUT: Final = 1000
"""Milliseconds SQLite waits for another writer before it says so; the journal's own patience comes on top."""


class EndRow(Struct, frozen=True):
    """How a match ended (`End`)."""

    match_id: int
    winner: int | None
    cause: str
    void: bool
    events: int
    at: int


def event_rows(match_id: int, first: int, events: Sequence[Event], bodies: Sequence[str]) -> list[EventRow]:
    """The rows of events, of which the first has number `first`; `bodies` are the same as JSON."""
    return [
        (match_id, seq, event.at, event.kind.value, VERSIONS[event.kind], event.seat, event.command, body)
        for seq, (event, body) in enumerate(zip(events, bodies, strict=True), first)
    ]


@cache
def _values(count: int) -> str:
    row = "(%s, %s, %s, %s, %s, %s, %s, %s)"
    # Only names and placeholders of this module are put together.
    return f"INSERT INTO games_event ({_COLUMNS}) VALUES {', '.join([row] * count)}"  # noqa: S608


_UNNEST: Final = f"""
INSERT INTO games_event ({_COLUMNS})
SELECT * FROM unnest(%s::bigint[], %s::int[], %s::int[], %s::text[], %s::smallint[], %s::smallint[], %s::text[],
                     %s::text[])
"""  # noqa: S608


def prepare(connection: BaseDatabaseWrapper) -> None:
    """Make sure of a connection that keeps the journal's promise: a commit is on the disk when it returns."""
    if connection.connection is not None:
        return
    connection.ensure_connection()
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA synchronous = FULL")
            cursor.execute(f"PRAGMA busy_timeout = {_BUSY_TIMEOUT}")
        else:
            cursor.execute("SET synchronous_commit = on")


def insert_events(connection: BaseDatabaseWrapper, rows: list[EventRow]) -> None:
    """Insert all rows, in as few statements as can be.

    :raises IntegrityError: one of the numbers is taken.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_UNNEST, [list(column) for column in zip(*rows, strict=True)])
            return
        # One statement with many rows, not executemany: that would let go of the interpreter's lock, and fight for
        # it again with the event loop, for each row.
        for start in range(0, len(rows), _CHUNK):
            chunk = rows[start : start + _CHUNK]
            cursor.execute(_values(len(chunk)), [value for row in chunk for value in row])


def insert_end(end: EndRow) -> None:
    """Write down the end of a match.

    :raises IntegrityError: it has ended already.
    """
    End.objects.create(
        match_id=end.match_id, winner=end.winner, cause=end.cause, void=end.void, events=end.events, at=end.at
    )
    Match.objects.filter(pk=end.match_id).update(state=Match.State.OVER)


def probe(connection: BaseDatabaseWrapper) -> None:
    """Inside a transaction, which on SQLite begins with the right to write."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
