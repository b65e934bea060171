"""Which process has the table of a match.

`Sole`: there is only this one, and nothing to ask. `Shared`: there are many on
one PostgreSQL, and `Match.owner` says it. A process shows that it lives by its
row in `Process`, which it renews every second by the database's clock.

This needs to be nearly right only. If two processes take a match for their own,
the journal's unique numbers decide: the slower one finds out and steps back.
"""

import asyncio
import logging
import math
import os
import secrets
import socket
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from typing import Final, Protocol, TypeVar

from channels.db import database_sync_to_async
from django.db import DEFAULT_DB_ALIAS, DatabaseError, InterfaceError, connection, connections
from django.db.models import DurationField, ExpressionWrapper, F, Max, Q
from django.db.models.functions import Now

from games.live.match_info import NoSuchMatch, NotSeated
from games.live.rows import unpooled
from games.models import Match, Process

log = logging.getLogger(__name__)
T = TypeVar("T")

BEAT: Final = 1.0
"""Seconds between two signs of life."""
DEAD: Final = 3.0
"""Seconds without one after which a process is dead."""
HURRY: Final = 0.25
"""Seconds between two looks while somebody's sign of life is overdue: what was his is to be taken over at once."""
REAPED: Final = 60.0
"""Seconds after which the row of a dead process is removed."""


class Ownership(Protocol):
    @property
    def is_sure(self) -> bool:
        """Whether this process may still take what it has for its own."""

    async def claim(self, slug: str) -> str | None:
        """Make the match this process's own, if nobody has it; else the id of the process that does.

        :raises NoSuchMatch, NotSeated: there is nothing to have.
        """

    async def release(self, slug: str) -> None:
        """Nobody need have it any more."""

    async def ownerless(self) -> list[str]:
        """The live matches that people play and that no living process has."""


class Sole:
    """One process has everything."""

    is_sure: Final = True

    async def claim(self, slug: str) -> str | None:
        return None

    async def release(self, slug: str) -> None:
        return

    async def ownerless(self) -> list[str]:
        # Those of bots alone are played elsewhere (self-play).
        slugs: list[str] = await database_sync_to_async(_live_slugs)(Q())
        return slugs


class Shared:
    """One process of many. `start` it before the first claim; `stop` gives everything away."""

    def __init__(self, on_beat: Callable[[frozenset[str]], None], verify: Callable[[], Collection[str]]) -> None:
        """`on_beat` is told after each sign of life which processes live. `verify` gives the slugs that this process
        takes for its own; what turns out to be another's is reported by `on_lost`, what is kept by `on_kept`."""
        self.id = secrets.token_hex(8)
        self.alive: frozenset[str] = frozenset()
        """The processes that live, this one too, as of the last look."""
        self.on_lost: Callable[[str], None] = lambda slug: None
        self.on_kept: Callable[[str, int], None] = lambda slug, seq: None
        """Told where its log ends: somebody else may have had the match for a while, and written."""
        self._on_beat = on_beat
        self._held = verify
        self._sure_until = -math.inf
        self._well_since = math.inf
        self._thread = ThreadPoolExecutor(1, "heartbeat", _own_connection)
        self._task: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def is_sure(self) -> bool:
        return self._loop is not None and self._loop.time() < self._sure_until

    @property
    def _is_well(self) -> bool:
        """Whether this process may call others dead: after a time without the database everybody looks so."""
        return self._loop is not None and self._loop.time() - self._well_since > 1.5 * BEAT

    async def start(self) -> None:
        """
        :raises DatabaseError: there is no database.
        """
        self._loop = asyncio.get_running_loop()
        sent = self._loop.time()
        self.alive = (await self._in_thread(self._beat))[0]
        self._sure_until = sent + DEAD
        self._well_since = -math.inf
        self._task = asyncio.create_task(self._go_on())

    async def stop(self) -> None:
        """Let go of all matches, and of life."""
        if self._task is not None:
            self._task.cancel()
        self._sure_until = -math.inf
        try:
            await asyncio.wait_for(self._in_thread(self._leave), DEAD)
        except (DatabaseError, InterfaceError, TimeoutError) as error:
            # Then the others wait until it looks dead.
            log.warning("the matches cannot be released: %s", error)
        self._thread.shutdown(wait=False)

    async def claim(self, slug: str) -> str | None:
        owner: str | None = await database_sync_to_async(self._claim, thread_sensitive=False)(slug)
        return owner

    async def release(self, slug: str) -> None:
        await database_sync_to_async(self._release, thread_sensitive=False)(slug)

    async def ownerless(self) -> list[str]:
        slugs: list[str] = await database_sync_to_async(_live_slugs, thread_sensitive=False)(self._free())
        return slugs

    # The sign of life

    async def _go_on(self) -> None:
        loop = asyncio.get_running_loop()
        hurry = False
        while True:
            await asyncio.sleep(HURRY if hurry else BEAT)
            sent = loop.time()
            try:
                alive, hurry = await self._in_thread(self._beat)
                if loop.time() >= self._sure_until:
                    # Late by more than the limit: others may have taken what was ours.
                    log.warning("this process was not heard of for too long: it looks again what is its own")
                    held = set(self._held())
                    kept = await self._in_thread(partial(self._reclaim, held))
                    for slug in held - kept.keys():
                        self.on_lost(slug)
                    for slug, seq in kept.items():
                        self.on_kept(slug, seq)
                    self._well_since = loop.time()
            except (DatabaseError, InterfaceError) as error:
                log.warning("no sign of life: the database: %s", error)
                continue
            except Exception:
                # Without a sign of life everything is lost: whatever it was, the next one has to come.
                log.exception("no sign of life")
                continue
            self._sure_until = sent + DEAD
            if self._is_well or alive >= self.alive:
                self.alive = alive
            try:
                self._on_beat(self.alive)
            except Exception:
                log.exception("what follows from the signs of life failed")

    async def _in_thread(self, what: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, _closing_on_error, what)

    def _beat(self) -> tuple[frozenset[str], bool]:
        """Renew the sign of life. Who lives, and whether somebody's is overdue."""
        if not Process.objects.filter(pk=self.id).update(seen_at=Now()):
            Process.objects.create(pk=self.id, name=f"{socket.gethostname()[:80]}:{os.getpid()}")
        age = ExpressionWrapper(Now() - F("seen_at"), DurationField())
        ages = {pk: age.total_seconds() for pk, age in Process.objects.annotate(age=age).values_list("pk", "age")}
        if max(ages.values()) > REAPED:
            Process.objects.filter(seen_at__lt=Now() - timedelta(seconds=REAPED)).delete()
        alive = frozenset(pk for pk, age in ages.items() if age < DEAD)
        return alive, any(DEAD > ages[pk] > 1.5 * BEAT for pk in alive)

    def _leave(self) -> None:
        Match.objects.filter(owner=self.id).update(owner=None)
        Process.objects.filter(pk=self.id).delete()
        connection.close()

    # The matches. Each statement looks at the row's own `owner`, without a join: two that run at once see each other.

    def _free(self) -> Q:
        free = Q(owner=None) | Q(owner=self.id)
        if self._is_well:
            free |= Q(owner__in=Process.objects.filter(seen_at__lt=Now() - timedelta(seconds=DEAD)))
        return free

    def _claim(self, slug: str) -> str | None:
        if Match.objects.filter(self._free(), slug=slug).exclude(state=Match.State.OPEN).update(owner=self.id):
            return None
        found = Match.objects.filter(slug=slug).values_list("state", "owner").first()
        if found is None:
            raise NoSuchMatch(slug)
        state, owner = found
        if state == Match.State.OPEN:
            raise NotSeated(slug)
        # Released in between: it is claimed the next time.
        return "" if owner is None else str(owner)

    def _reclaim(self, slugs: set[str]) -> dict[str, int]:
        """Which of these are still this process's own, and the number of the last event in the log of each.

        One that is nobody's may have been another's meanwhile, who wrote, and let go.
        """
        ours = Match.objects.filter(Q(owner=None) | Q(owner=self.id), slug__in=slugs)
        ours.update(owner=self.id)
        kept = Match.objects.filter(owner=self.id, slug__in=slugs).annotate(last=Max("events__seq"))
        return {slug: last or 0 for slug, last in kept.values_list("slug", "last")}

    def _release(self, slug: str) -> None:
        Match.objects.filter(slug=slug, owner=self.id).update(owner=None)


def _own_connection() -> None:
    """Give this thread a connection from no pool: pages cannot keep a sign of life waiting for one."""
    connections[DEFAULT_DB_ALIAS] = unpooled(connections[DEFAULT_DB_ALIAS])


def _closing_on_error(what: Callable[[], T]) -> T:
    try:
        return what()
    except (DatabaseError, InterfaceError):
        connection.close()
        raise


def _live_slugs(condition: Q) -> list[str]:
    people = Match.objects.filter(condition, state=Match.State.LIVE, seats__bot="")
    return list(people.order_by("pk").values_list("slug", flat=True).distinct())
