"""What makes the log append-only: triggers that refuse to change or delete an event or an end.

They are put there by a migration, on SQLite and on PostgreSQL. Django's SQLite
backend remakes a table to alter it, and a remade table has lost its triggers:
a migration that alters one of `TABLES` calls `protect` again (a test looks).

Tests with real commits empty all tables afterwards, which the triggers refuse
as they should: they do it `with lifted(connection)`.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from django.db.backends.base.base import BaseDatabaseWrapper

TABLES: Final = ("games_event", "games_end")

_SQLITE: Final = """
CREATE TRIGGER IF NOT EXISTS {table}_no_{verb} BEFORE {verb} ON {table}
BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END
"""
_SQLITE_REPLACE: Final = """
CREATE TRIGGER IF NOT EXISTS {table}_no_replace BEFORE INSERT ON {table}
WHEN EXISTS (SELECT 1 FROM {table} WHERE id = NEW.id OR {key})
BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END
"""
"""SQLite's `INSERT OR REPLACE` deletes what is in its way without asking the trigger for that."""
_KEYS: Final = {
    "games_event": "(match_id = NEW.match_id AND seq = NEW.seq)",
    "games_end": "match_id = NEW.match_id",
}
_POSTGRESQL_FUNCTION: Final = """
CREATE OR REPLACE FUNCTION games_append_only() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '%% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; END $$
"""
_POSTGRESQL: Final = """
CREATE OR REPLACE TRIGGER {table}_no_{verb} BEFORE {verb} ON {table}
FOR EACH STATEMENT EXECUTE FUNCTION games_append_only()
"""


def protect(connection: BaseDatabaseWrapper) -> None:
    """Make `TABLES` append-only. Doing it again does no harm.

    :raises NotImplementedError: neither SQLite nor PostgreSQL.
    """
    statements: list[str] = []
    if connection.vendor == "sqlite":
        statements += [_SQLITE.format(table=table, verb=verb) for table in TABLES for verb in ("update", "delete")]
        statements += [_SQLITE_REPLACE.format(table=table, key=_KEYS[table]) for table in TABLES]
    elif connection.vendor == "postgresql":
        statements.append(_POSTGRESQL_FUNCTION.replace("%%", "%"))
        # For each statement, not each row: an UPDATE that happens to meet no row is refused as well.
        statements += [
            _POSTGRESQL.format(table=table, verb=verb) for table in TABLES for verb in ("update", "delete", "truncate")
        ]
    else:
        raise NotImplementedError(f"no append-only tables on {connection.vendor}")
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def unprotect(connection: BaseDatabaseWrapper, tables: Sequence[str] = TABLES) -> None:
    """Take the triggers away."""
    if connection.in_atomic_block:
        # PostgreSQL alters no table of which this transaction has rows whose keys are still to be checked.
        connection.check_constraints()
    with connection.cursor() as cursor:
        for table in tables:
            for verb in ("update", "delete", "truncate", "replace"):
                on = f" ON {table}" if connection.vendor == "postgresql" else ""
                cursor.execute(f"DROP TRIGGER IF EXISTS {table}_no_{verb}{on}")


@contextmanager
def lifted(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Without the protection for a while; for tests that empty the database."""
    unprotect(connection)
    try:
        yield
    finally:
        protect(connection)
