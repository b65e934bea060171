"""The claim on a database: one process at a time plays its matches.

Two servers on one database would each think that the other's players are away.
A second one therefore does not start. The claim ends with the process that
holds it, however that ends. (The journal's unique numbers would still keep the
logs whole: this keeps the matches.)
"""

import contextlib
import fcntl
from pathlib import Path
from typing import Final, TextIO

from django.db import DatabaseError, InterfaceError, connection
from django.db.backends.base.base import BaseDatabaseWrapper

_ADVISORY_LOCK: Final = 0x5317
"""The number of PostgreSQL's advisory lock; any will do that nobody else uses on the same database."""


class Claimed(Exception):
    """Another process holds the claim."""


class Claim:
    """Not to be taken twice. `take` it before the first table is set up, `release` it after the last commit."""

    def __init__(self) -> None:
        self._file: TextIO | None = None
        self._connection: BaseDatabaseWrapper | None = None

    def take(self) -> None:
        """
        :raises Claimed: another process has it.
        """
        if connection.vendor == "sqlite":
            self._lock_file(Path(f"{connection.settings_dict['NAME']}.claim"))
        else:
            self._lock_advisory()

    def _lock_file(self, path: Path) -> None:
        file = path.open("a")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise Claimed from None
        self._file = file

    def _lock_advisory(self) -> None:
        own = connection.copy()
        with own.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [_ADVISORY_LOCK])
            row = cursor.fetchone()
        if row is None or not row[0]:
            own.close()
            raise Claimed
        self._connection = own

    def release(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
        if self._connection is not None:
            with contextlib.suppress(DatabaseError, InterfaceError), self._connection.cursor() as cursor:
                # The connection may go back to a pool, which would keep the lock. If it is broken, so is the lock.
                cursor.execute("SELECT pg_advisory_unlock(%s)", [_ADVISORY_LOCK])
            self._connection.close()
            self._connection = None
