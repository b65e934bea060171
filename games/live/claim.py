"""The claim on a database: who may play its matches.

Where one process plays all matches, a second one would think that the first
one's players are away; it does not start. Processes that share the matches
(`games.live.ownership`) share the claim. It ends with the process that
holds it, however that ends. (The journal's unique numbers would still keep the
logs whole: this keeps the matches.)
"""

import contextlib
import fcntl
import logging
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TextIO

from django.db import DatabaseError, InterfaceError, connection
from django.db.backends.base.base import BaseDatabaseWrapper

from games.live.rows import unpooled

log = logging.getLogger(__name__)

LOOK_EVERY: Final = 2.0
"""Seconds between two looks whether the claim still holds, where it hangs on a connection."""
LEAVE: Final = 2.0
"""Seconds that the end of the process waits for a look that is under way."""
_ADVISORY_LOCK: Final = 0x5317
"""The number of PostgreSQL's advisory lock; any will do that nobody else uses on the same database."""


_STARTING: Final = 0x5318
"""The same, for `alone`."""


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Do something that no two servers of a PostgreSQL may do at once: the others wait."""
    if connection.vendor == "sqlite":
        yield
        return
    own = connection.copy()
    try:
        with own.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [_STARTING])
            try:
                yield
            finally:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [_STARTING])
    finally:
        own.close()


class Claimed(Exception):
    """Another process holds the claim."""


class Claim:
    """Not to be taken twice. `take` it before the first table is set up, `release` it after the last commit."""

    def __init__(self, is_shared: bool = False) -> None:
        """`is_shared`: together with others that say so too (PostgreSQL only)."""
        self._is_shared = is_shared
        self._file: TextIO | None = None
        self._connection: BaseDatabaseWrapper | None = None
        self._is_released = threading.Event()
        self._keeper: threading.Thread | None = None

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
        # Held as long as the server runs: it must not be one of the pages' connections.
        own = unpooled(connection)
        own.inc_thread_sharing()
        lock = "pg_try_advisory_lock_shared" if self._is_shared else "pg_try_advisory_lock"
        with own.cursor() as cursor:
            cursor.execute(f"SELECT {lock}(%s)", [_ADVISORY_LOCK])
            row = cursor.fetchone()
        if row is None or not row[0]:
            own.close()
            raise Claimed
        self._connection = own

    def keep(self, lost: Callable[[], None]) -> None:
        """Look after it from now on, in a thread. A lock of PostgreSQL goes with its connection, as when the database
        is started again, and is taken again then; `lost` is called, once, if another process was faster."""
        if self._connection is not None:
            self._keeper = threading.Thread(target=self._keep, args=[lost], name="claim", daemon=True)
            self._keeper.start()

    def _keep(self, lost: Callable[[], None]) -> None:
        while not self._is_released.wait(LOOK_EVERY):
            try:
                if self._connection is not None and not self._holds(self._connection):
                    self._connection = None
                if self._connection is None:
                    self._lock_advisory()
                    log.warning("the claim on the database was taken again")
            except Claimed:
                log.critical("another server has taken the claim on the database: this one ends")
                lost()
                return
            except (DatabaseError, InterfaceError) as error:
                log.warning("the claim on the database cannot be taken yet: %s", error)

    @staticmethod
    def _holds(own: BaseDatabaseWrapper) -> bool:
        try:
            with own.cursor() as cursor:
                cursor.execute("SELECT 1")
        except (DatabaseError, InterfaceError) as error:
            log.warning("the claim on the database is lost: %s", error)
            own.close()
            return False
        return True

    def release(self) -> None:
        self._is_released.set()
        if self._keeper is not None:
            self._keeper.join(LEAVE)
            if self._keeper.is_alive():
                # The database does not answer, and cannot be told; the claim goes with the process.
                return
            self._keeper = None
        if self._file is not None:
            self._file.close()
            self._file = None
        if self._connection is not None:
            with contextlib.suppress(DatabaseError, InterfaceError), self._connection.cursor() as cursor:
                # A pooler between might keep the session, and with it the lock. If it is broken, so is the lock.
                cursor.execute("SELECT pg_advisory_unlock_all()")
            self._connection.close()
            self._connection = None
