"""How events and ends get into the database: the few statements of the journal."""

from collections.abc import Sequence
from datetime import timedelta
from functools import cache
from typing import Final

from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from msgspec import Struct

from games.clock import wall
from games.end_order import begin_end
from games.models import End, Match
from games.rules.events import VERSIONS, Event

EventRow = tuple[int, int, int, str, int, int | None, str | None, str]
"""match, seq, at, kind, version, seat, command, body."""

_COLUMNS: Final = "match_id, seq, at, kind, version, seat, command, body"
_CHUNK: Final = 512
"""Rows a statement: SQLite allows 32,766 parameters."""
_BUSY_TIMEOUT: Final = 1000
"""Milliseconds a statement waits for another writer before it says so; the journal's own patience comes on top."""


class EndRow(Struct, frozen=True):
    """How a match ended (`End`)."""

    match_id: int
    winner: int | None
    cause: str
    void: bool
    events: int
    at: int
    delay: int = 0
    """Seconds for which only the players know."""
    misplays: tuple[int, int] | None = None
    """By seat (`End.misplays`); None: not known."""


def event_rows(match_id: int, first: int, events: Sequence[Event], bodies: Sequence[str]) -> list[EventRow]:
    """The rows of events, of which the first has number `first`; `bodies` are the same as JSON."""
    return [
        (match_id, seq, event.at, event.kind.value, VERSIONS[event.kind], event.seat, event.command, body)
        for seq, (event, body) in enumerate(zip(events, bodies, strict=True), first)
    ]


@cache
def _values(count: int) -> str:
    # Only names and placeholders of this module are put together.
    row = "(?, ?, ?, ?, ?, ?, ?, ?)"
    return f"INSERT INTO games_event ({_COLUMNS}) VALUES {', '.join([row] * count)}"  # noqa: S608


_UNNEST: Final = f"""
INSERT INTO games_event ({_COLUMNS})
SELECT * FROM unnest(%b::bigint[], %b::int[], %b::int[], %b::text[], %b::smallint[], %b::smallint[], %b::text[],
                     %b::text[])
"""  # noqa: S608
"""A row for each place in eight arrays, sent in PostgreSQL's binary form (`%b`): as text they cost six times as much of
this process's time, which the event loop waits for."""


def own_connection() -> BaseDatabaseWrapper:
    """Give this thread a connection that comes from no pool, and keep it: pages cannot take the last one away.

    On PostgreSQL statements are prepared on it, so it needs a session of its own there too (no pooler that gives
    each transaction another one).
    """
    own = connections[DEFAULT_DB_ALIAS]
    if own.vendor == "postgresql":
        own = unpooled(own)
        own.settings_dict["OPTIONS"] |= {"server_side_binding": True, "prepare_threshold": 0}
        # In the place of the thread's own, so that models and `atomic` use it as well.
        connections[DEFAULT_DB_ALIAS] = own
    return own


def unpooled(connection: BaseDatabaseWrapper) -> BaseDatabaseWrapper:
    """A connection to the same database that comes from no pool, not yet made."""
    own = connection.copy()
    if own.vendor == "postgresql":
        options = own.settings_dict["OPTIONS"]
        options.pop("pool", None)
        # A server that has gone without a word is to be found out in the time for which a batch is held.
        own.settings_dict["OPTIONS"] = {"connect_timeout": 2, "tcp_user_timeout": 2000, **options}
    return own


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
            cursor.execute(f"SET lock_timeout = {_BUSY_TIMEOUT}")


def write(connection: BaseDatabaseWrapper, events: list[EventRow], ends: Sequence[EndRow]) -> None:
    """Insert all of it in one transaction.

    :raises IntegrityError: one of the numbers is taken, or a match has ended already.
    """
    if not ends and len(events) <= _CHUNK:
        # One statement is a transaction by itself.
        _insert_events(connection, events)
        return
    with transaction.atomic():
        if ends:
            begin_end()
        for start in range(0, len(events), _CHUNK):
            _insert_events(connection, events[start : start + _CHUNK])
        for end in ends:
            _insert_end(end)


def _insert_events(connection: BaseDatabaseWrapper, events: list[EventRow]) -> None:
    # The driver itself, not Django's cursor: this is the one statement that every play pays for, and the cursor costs
    # four times what the statement does.
    with connection.wrap_database_errors:
        if connection.vendor == "postgresql":
            connection.connection.execute(_UNNEST, [list(column) for column in zip(*events, strict=True)])
        else:
            # One statement with many rows, not executemany: that lets go of the interpreter's lock, and fights for it
            # again with the event loop, for each row.
            connection.connection.execute(_values(len(events)), [value for row in events for value in row])


def _insert_end(end: EndRow) -> None:
    misplays = end.misplays or (None, None)
    End.objects.create(
        match_id=end.match_id,
        winner=end.winner,
        cause=end.cause,
        void=end.void,
        events=end.events,
        at=end.at,
        withheld_until=wall() + timedelta(seconds=end.delay) if end.delay else None,
        misplays_0=misplays[0],
        misplays_1=misplays[1],
    )
    Match.objects.filter(pk=end.match_id).update(state=Match.State.OVER)


def probe(connection: BaseDatabaseWrapper) -> None:
    """Whether the database can be written again.

    :raises DatabaseError, InterfaceError: it cannot.
    """
    prepare(connection)
    # On SQLite a transaction begins with the right to write. On PostgreSQL this is the lock that an insertion takes.
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "LOCK TABLE games_event IN ROW EXCLUSIVE MODE" if connection.vendor == "postgresql" else "SELECT 1"
        )
