"""What makes the log of measures append-only: triggers, as those of `games.append_only`.

Two things of a row may change: that the person has read it, and who it names, when that person is deleted.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.db.backends.base.base import BaseDatabaseWrapper

from games import append_only

TABLE: Final = "moderation_measure"
KEPT: Final = ("id", "kind", "reason", "match_id", "at", "until")
"""The columns that never change."""

_SQLITE: Final = """
CREATE TRIGGER IF NOT EXISTS {table}_no_{verb} BEFORE {verb}{of} ON {table}
BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END
"""
_POSTGRESQL: Final = """
CREATE OR REPLACE TRIGGER {table}_no_{verb} BEFORE {verb}{of} ON {table}
FOR EACH STATEMENT EXECUTE FUNCTION games_append_only()
"""
"""The function is made by a migration of the games."""


def protect(connection: BaseDatabaseWrapper) -> None:
    """Make the log append-only. Doing it again does no harm."""
    is_sqlite = connection.vendor == "sqlite"
    template = _SQLITE if is_sqlite else _POSTGRESQL
    verbs = ("update", "delete") if is_sqlite else ("update", "delete", "truncate")
    with connection.cursor() as cursor:
        for verb in verbs:
            of = f" OF {', '.join(KEPT)}" if verb == "update" else ""
            cursor.execute(template.format(table=TABLE, verb=verb, of=of))


def unprotect(connection: BaseDatabaseWrapper) -> None:
    """Take the triggers away."""
    append_only.unprotect(connection, (TABLE,))


@contextmanager
def lifted(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Without the protection for a while; for tests that empty the database."""
    unprotect(connection)
    try:
        yield
    finally:
        protect(connection)
