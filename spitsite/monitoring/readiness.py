"""Whether this process can do its work now, and what is wrong if not."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import redis
import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from games.live.supervisor import Supervisor, get_supervisor

log = structlog.get_logger(__name__)

PATIENCE: Final = 3.0
"""Seconds in which the database and Redis have to answer."""

Faults = dict[str, str]
"""What is wrong, by part, in words that may be shown to anybody. Empty: nothing."""


class Readiness:
    """One per process. Nothing is remembered from one look to the next; looks at the same time share one."""

    def __init__(self) -> None:
        self.is_stopping = False
        """Set as soon as the process is told to stop: no new visitors then."""
        self._looking: asyncio.Future[Faults] | None = None
        self._threads: dict[str, ThreadPoolExecutor] = {}
        self._migrations: set[tuple[str, str]] = set()
        """Of the code that runs, which stays as it is."""

    def prepare(self) -> None:
        """Look up once what does not change. Before the first visitor comes: it takes a while."""
        self._migrations = set(MigrationLoader(None).graph.nodes)

    async def faults(self) -> Faults:
        """All that keeps this process from serving."""
        if self._looking is None:
            looking = self._looking = asyncio.ensure_future(self._look())
            looking.add_done_callback(self._looked)
        return await asyncio.shield(self._looking)

    def _looked(self, _: "asyncio.Future[Faults]") -> None:
        self._looking = None

    async def _look(self) -> Faults:
        supervisor = get_supervisor()
        if self.is_stopping:
            return {"process": "stopping"}
        asked = [self._in_time("database", self._database)]
        if settings.REDIS_URL:
            asked.append(self._in_time("redis", self._redis))
        found: Faults = {} if supervisor.is_running else {"process": "live play does not run: it starts or stops"}
        for faults in await asyncio.gather(*asked):
            found |= faults
        return found | _journal(supervisor)

    async def _in_time(self, part: str, look: Callable[[], Faults]) -> Faults:
        """Look in a thread of the part's own: one that hangs keeps only itself waiting."""
        thread = self._threads.setdefault(part, ThreadPoolExecutor(1, f"readiness-{part}"))
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(PATIENCE):
                return await loop.run_in_executor(thread, look)
        except TimeoutError:
            return {part: f"no answer in {PATIENCE:.0f} seconds"}

    def _database(self) -> Faults:
        try:
            applied = set(MigrationRecorder(connection).applied_migrations())
        except (DatabaseError, InterfaceError) as error:
            log.warning("not ready: the database cannot be read", error=str(error))
            return {"database": "cannot be read"}
        finally:
            connection.close()
        if not self._migrations:
            self.prepare()
        missing = sorted(self._migrations - applied)
        return {"migrations": f"not applied: {', '.join('.'.join(name) for name in missing)}"} if missing else {}

    @staticmethod
    def _redis() -> Faults:
        try:
            with redis.Redis.from_url(
                settings.REDIS_URL, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE
            ) as client:
                client.ping()
        except (redis.RedisError, OSError) as error:
            log.warning("not ready: Redis does not answer", error=str(error))
            return {"redis": "does not answer"}
        return {}


def _journal(supervisor: Supervisor) -> Faults:
    if supervisor.journal.in_trouble:
        return {"journal": f"cannot write; entries that wait: {supervisor.journal.pending}"}
    return {}


readiness: Final = Readiness()
"""Of this process."""
