"""The supervisor: one per process. It knows the tables, sets them up from the log, and parts from them."""

import asyncio
import contextvars
import logging
from collections.abc import Callable, Coroutine, Iterable
from functools import partial
from typing import Any, Final

from channels.db import database_sync_to_async
from django.db import DatabaseError, InterfaceError

from games.live import match_info
from games.live.hub import Room, Sink
from games.live.journal import Journal
from games.live.match_info import Loaded, NoSuchMatch, NotSeated
from games.live.protocol import Close
from games.live.rematch import Maker
from games.live.signals import match_over
from games.live.signed_in import signed_in
from games.live.table import Table
from games.live.waiting import WaitingRoom
from games.models import Match
from games.shuffling import Dealer, RandomDealer

log = logging.getLogger(__name__)

BEAT: Final = 1.0
"""Seconds between two looks at a match's sockets."""
BEAT_SLICES: Final = 20
SWEEP: Final = 60.0
"""Seconds between two searches for live matches without a table."""
LINGER: Final = 120.0
"""Seconds for which the table of a match that is over stays, with bots that may want a rematch, when nobody else is
there; a table with sockets stays as long as they do."""


class Supervisor:
    """Use it in the event loop of its process only. `start` first, `stop` at the end."""

    def __init__(
        self,
        *,
        journal: Journal | None = None,
        dealer: Dealer | None = None,
        rematch: Maker | None = None,
        on_table: Iterable[Callable[[Table], None]] = (),
    ) -> None:
        self.journal = journal or Journal()
        self.dealer = dealer or RandomDealer()
        self.on_table: list[Callable[[Table], None]] = list(on_table)
        """Called with each table that is set up, before any socket joins it: bots take their seats here."""
        self.rematch_maker = rematch
        self.tables: dict[str, Table] = {}
        self.waiting: dict[str, WaitingRoom] = {}
        self._setting_up: dict[str, asyncio.Future[Table]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._context: contextvars.Context | None = None
        self._starting: asyncio.Future[None] | None = None
        self._is_stopping = False

    # The process

    async def start(self) -> None:
        """Begin, once: whoever else calls it waits for the first call to be done."""
        if self._starting is None:
            self._starting = asyncio.ensure_future(self._start())
        await asyncio.shield(self._starting)

    async def _start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._context = contextvars.copy_context()
        self.journal.start()
        self._spawn(self._beat())
        self._spawn(signed_in.watch())
        await self._resume()
        self._spawn(self._sweep())

    async def _sweep(self) -> None:
        """Now and then look for live matches without a table, such as a rematch that nobody came to."""
        while True:
            await asyncio.sleep(SWEEP)
            try:
                await self._resume()
            except (DatabaseError, InterfaceError) as error:
                log.warning("live matches cannot be looked for: %s", error)

    async def _resume(self) -> None:
        """Set up the tables of all live matches: their clocks go on."""
        slugs = await database_sync_to_async(_live_slugs)()
        for slug in slugs:
            if slug in self.tables:
                continue
            try:
                await self.table(slug)
            except Exception:
                # One log that cannot be read is not to keep the others from going on.
                log.exception("a match cannot be resumed", extra={"match": slug})

    async def stop(self) -> None:
        """Send everybody away, write what was decided, end."""
        self._is_stopping = True
        for place in self._places():
            place.close(Close.RESTART, "the server restarts")
        for task in tuple(self._tasks):
            task.cancel()
        await self.journal.stop()
        self.tables.clear()
        self.waiting.clear()

    @property
    def is_running(self) -> bool:
        return self._loop is not None and not self._is_stopping

    def call(self, what: Callable[..., object], *args: object) -> bool:
        """Call something in the loop of the supervisor, from any thread. False if it does not run."""
        if self._loop is None or self._is_stopping or self._loop.is_closed():
            return False
        # In the supervisor's own context: a table lives longer than the request that began it, and is not to keep its
        # language.
        self._loop.call_soon_threadsafe(what, *args, context=self._context)
        return True

    # Tables

    async def table(self, slug: str) -> Table:
        """The table of a match, set up from its log if need be.

        :raises NoSuchMatch, NotSeated: there is nothing to play.
        """
        table = self.tables.get(slug)
        if table is not None:
            return table
        setting_up = self._setting_up.get(slug)
        if setting_up is None:
            setting_up = asyncio.ensure_future(self._set_up(slug))
            self._setting_up[slug] = setting_up
            setting_up.add_done_callback(lambda _: self._setting_up.pop(slug, None))
        return await asyncio.shield(setting_up)

    async def _set_up(self, slug: str) -> Table:
        loaded = await self.reload(slug)
        room = self._room()
        table = Table(loaded, journal=self.journal, room=room, dealer=self.dealer, host=self)
        await table.opened()
        self.tables[slug] = table
        if not table.shown.is_over:
            for attach in self.on_table:
                attach(table)
        return table

    def _places(self) -> list[Table | WaitingRoom]:
        return [*self.tables.values(), *self.waiting.values()]

    def _room(self) -> Room:
        loop = asyncio.get_running_loop()
        return Room(loop.time, loop.call_soon)

    async def enter(self, slug: str, sink: Sink, goes_on: Callable[[Table], None]) -> Table | WaitingRoom:
        """Lead a visitor to the table, where `goes_on` seats it; first to the waiting room, if there is none yet.

        :raises NoSuchMatch: there is no such match.
        """
        try:
            table = await self.table(slug)
        except NotSeated:
            waiting = self.waiting.get(slug)
            if waiting is None:
                waiting = self.waiting[slug] = WaitingRoom(self._room(), partial(self._close_waiting, slug))
            waiting.join(sink, goes_on)
            # It may have been seated while we looked.
            self._spawn(self._seated(slug))
            return waiting
        goes_on(table)
        return table

    def _close_waiting(self, slug: str, waiting: WaitingRoom) -> None:
        if self.waiting.get(slug) is waiting:
            del self.waiting[slug]

    def seated(self, slug: str) -> None:
        """Both seats are taken: set the table up and send those who wait on to it."""
        self._spawn(self._seated(slug))

    async def _seated(self, slug: str) -> None:
        try:
            table = await self.table(slug)
        except (NoSuchMatch, NotSeated):
            return
        waiting = self.waiting.pop(slug, None)
        if waiting is not None:
            waiting.open(table)

    def withdrawn(self, slug: str) -> None:
        """The invitation was taken back, or lapsed: nobody need wait any more."""
        waiting = self.waiting.pop(slug, None)
        if waiting is not None:
            waiting.close(Close.NO_SUCH_MATCH, "the invitation was taken back")

    def break_off(self, slug: str) -> None:
        """End a live match without a result."""
        self._spawn(self._break_off(slug))

    async def _break_off(self, slug: str) -> None:
        try:
            (await self.table(slug)).break_off()
        except (NoSuchMatch, NotSeated):
            log.warning("nothing to break off", extra={"match": slug})

    # What tables ask for (`games.live.table.Host`)

    async def reload(self, slug: str) -> Loaded:
        loaded: Loaded = await database_sync_to_async(match_info.load)(slug)
        return loaded

    async def rematch(self, slug: str, begin: bool) -> str | None:
        if self.rematch_maker is None:
            raise RuntimeError("nobody makes rematches here")
        url: str | None = await database_sync_to_async(self.rematch_maker)(slug, begin)
        return url

    def over(self, table: Table) -> None:
        # Not in the thread that handshakes and loading wait for: building a replay takes its time.
        self._spawn(database_sync_to_async(_tell_over, thread_sensitive=False)(table.match.slug, table.match.pk))
        asyncio.get_running_loop().call_later(LINGER, self._drop_if_deserted, table.match.slug)

    def lost(self, table: Table) -> None:
        self._drop(table, Close.RESTART, "the match has to be set up anew")

    def deserted(self, table: Table) -> None:
        if table.shown.is_over and not self._is_stopping:
            self._drop(table)

    def _drop_if_deserted(self, slug: str) -> None:
        table = self.tables.get(slug)
        if table is not None and table.shown.is_over and not table.room.has_wires:
            self._drop(table)

    def _drop(self, table: Table, code: Close = Close.OVER, text: str = "the match is over") -> None:
        if self.tables.get(table.match.slug) is table:
            del self.tables[table.match.slug]
        table.close(code, text)

    async def _beat(self) -> None:
        """Look after all sockets, a slice of the matches at a time."""
        turn = 0
        while True:
            await asyncio.sleep(BEAT / BEAT_SLICES)
            turn = (turn + 1) % BEAT_SLICES
            for place in self._places()[turn::BEAT_SLICES]:
                try:
                    place.beat()
                except Exception:
                    # All the other matches have to be looked after all the same.
                    log.exception("a match could not be looked after", extra={"match": place.room.slug})

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a task of the supervisor failed", exc_info=error)


def _live_slugs() -> list[str]:
    """The matches that wait for this process. Those of bots alone are played elsewhere (self-play)."""
    people = Match.objects.filter(state=Match.State.LIVE, seats__bot="")
    return list(people.order_by("pk").values_list("slug", flat=True).distinct())


def _tell_over(slug: str, match_id: int) -> None:
    for receiver, answer in match_over.send_robust(sender=Table, slug=slug, match_id=match_id):
        if isinstance(answer, Exception):
            log.error("%r failed on the end of a match", receiver, exc_info=answer, extra={"match": slug})


_supervisor: Supervisor | None = None


def get_supervisor() -> Supervisor:
    """The supervisor of this process."""
    global _supervisor
    if _supervisor is None:
        _supervisor = Supervisor()
    return _supervisor
