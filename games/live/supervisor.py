"""The supervisor: one per process. It knows the tables, sets them up from the log, and parts from them."""

import asyncio
import contextvars
import logging
from collections.abc import Callable, Collection, Coroutine, Iterable, Sequence
from typing import Any, Final

from channels.db import database_sync_to_async
from django.conf import settings
from django.db import DatabaseError, InterfaceError

from games.live import match_info
from games.live.hub import Member, Room, Sink
from games.live.journal import Journal
from games.live.match_info import Loaded, NoSuchMatch, NotSeated
from games.live.ownership import Ownership, Sole
from games.live.place import Place
from games.live.protocol import Close
from games.live.relay.cluster import Cluster
from games.live.relay.messages import PersonBarred, PersonChanged, PersonDeleted, SessionEnded, Told
from games.live.relay.remote import Remote
from games.live.rematch import Maker
from games.live.signals import match_over
from games.live.signed_in import signed_in
from games.live.stands import Stands
from games.live.table import Table
from games.live.tasks import Tasks
from games.live.waiting import GoesOn, WaitingRoom, WaitingRooms
from games.shuffling import Dealer, RandomDealer

log = logging.getLogger(__name__)

BEAT: Final = 1.0
"""Seconds between two looks at a match's sockets."""
BEAT_SLICES: Final = 20
SWEEP: Final = 60.0
"""Seconds between two searches for live matches without a table."""
AT_ONCE: Final = 500
"""So many people are asked about in one query."""
STOPPING: Final = 2.0
"""Seconds in which tables that are just being set up have to give up when the process stops."""
LINGER: Final = 120.0
"""Seconds for which the table of a match that is over stays, with bots that may want a rematch, when nobody else is
there; a table with sockets stays as long as they do."""


class Stopping(Exception):
    """This process stops, and takes nobody in any more."""


class Supervisor:
    """Use it in the event loop of its process only. `start` first, `stop` at the end."""

    def __init__(
        self,
        *,
        journal: Journal | None = None,
        dealer: Dealer | None = None,
        rematch: Maker | None = None,
        on_table: Iterable[Callable[[Table], None]] = (),
        is_shared: bool = False,
    ) -> None:
        """`is_shared`: there may be other processes that play matches of the same database."""
        self.journal = journal or Journal()
        self.dealer = dealer or RandomDealer()
        self.on_table: list[Callable[[Table], None]] = list(on_table)
        """Called with each table that is set up, before any socket joins it: bots take their seats here."""
        self.rematch_maker = rematch
        self.barred_among: Callable[[Collection[int]], Collection[int]] = lambda user_ids: ()
        """Who of these people, by their ids, may not play at the moment. Called in a thread."""
        self.on_bystander: Callable[[str, bytes], None] = lambda sender, body: None
        """Called with what the stands of another process tell (`games.stands`)."""
        self.tables: dict[str, Table] = {}
        self.waiting = WaitingRooms(self)
        self.stands: dict[str, Stands] = {}
        """Where watchers sit who learn later of everything."""
        self._is_shared = is_shared
        self._cluster: Cluster | None = None
        self._ownership: Ownership = Sole()
        self._setting_up: dict[str, asyncio.Future[Table | Remote]] = {}
        self._tasks = Tasks("supervisor")
        self._telling = Tasks("supervisor")
        """Of matches that are over; not broken off when the process is told to stop."""
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
        if self._is_shared:
            self._cluster = Cluster(self)
            self._ownership = self._cluster.ownership
            await self._cluster.start()
        self.spawn(self._beat())
        self.spawn(signed_in.watch())
        await self._resume()
        self.spawn(self._sweep())

    async def _sweep(self) -> None:
        """Now and then look for live matches without a table, such as a rematch that nobody came to."""
        while True:
            await asyncio.sleep(SWEEP)
            await self.sweep()

    async def sweep(self) -> None:
        """Set up the tables of live matches that have none, anywhere; and look whether all who sit here may play."""
        try:
            await self._resume()
            await self._look_for_barred(tuple(self.tables.values()))
        except (DatabaseError, InterfaceError) as error:
            log.warning("live matches cannot be looked for: %s", error)
        except Exception:
            # Whatever it was, the next search has to come.
            log.exception("live matches cannot be looked for")

    async def _resume(self) -> None:
        """Set up the tables of all live matches that are no other process's: their clocks go on."""
        for slug in await self._ownership.ownerless():
            if slug in self.tables or self._is_stopping:
                continue
            try:
                if self._cluster is None or await self._ownership.claim(slug) is None:
                    await self.place(slug)
            except Stopping:
                return
            except Exception:
                # One log that cannot be read is not to keep the others from going on.
                log.exception("a match cannot be resumed", extra={"match": slug})

    async def stop(self) -> None:
        """Decide nothing more, write what was decided, give the matches to other processes, send everybody away, end.

        Again: nothing.
        """
        if self._is_stopping:
            return
        self._is_stopping = True
        if self._cluster is not None:
            self._cluster.stop_taking()
        for table in self.tables.values():
            table.stand_still()
        self._tasks.cancel()
        # Nobody is to wait for a table that there will not be.
        setting_up = set(self._setting_up.values())
        for future in setting_up:
            future.cancel()
        try:
            if setting_up:
                await asyncio.wait(setting_up, timeout=STOPPING)
            await self.journal.stop()
            if self._cluster is not None:
                # First this: who is sent away comes back at once, to any process.
                await self._cluster.stop()
        finally:
            for place in self._places():
                place.close(Close.RESTART, "the server restarts")
            self.tables.clear()
            self.waiting.rooms.clear()
            self.stands.clear()
        if telling := set(self._telling):
            # A thread that is about it cannot be stopped. What is not told by then, the sweeps find.
            await asyncio.wait(telling, timeout=STOPPING)

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
        """The table of a match of this process, set up from its log if need be.

        :raises NoSuchMatch, NotSeated: there is nothing to play.
        :raises RuntimeError: another process has it.
        """
        place = await self.place(slug)
        if not isinstance(place, Table):
            raise RuntimeError(f"{slug} is played in another process")
        return place

    async def place(self, slug: str) -> Table | Remote:
        """Where a match is played, as seen from here: its table, set up from its log if need be, or the way there.

        :raises NoSuchMatch, NotSeated: there is nothing to play.
        :raises Stopping: the process stops.
        """
        place = self.tables.get(slug) or self.remotes.get(slug)
        if place is not None:
            return place
        setting_up = self._setting_up.get(slug)
        if setting_up is None:
            setting_up = asyncio.ensure_future(self._set_up(slug))
            self._setting_up[slug] = setting_up
            setting_up.add_done_callback(lambda _: self._setting_up.pop(slug, None))
        try:
            return await asyncio.shield(setting_up)
        except asyncio.CancelledError:
            if self._is_stopping and setting_up.cancelled():
                raise Stopping from None
            raise

    @property
    def remotes(self) -> dict[str, Remote]:
        """The places at matches that other processes have."""
        return {} if self._cluster is None else self._cluster.remotes

    async def _set_up(self, slug: str) -> Table | Remote:
        while (owner := await self._ownership.claim(slug)) is not None:
            if self._cluster is not None and owner:
                info = await database_sync_to_async(match_info.load_info)(slug)
                return self._cluster.remote(info, owner)
            # Released in this very moment.
            await asyncio.sleep(0)
        return await self._set_up_table(slug)

    async def _set_up_table(self, slug: str, spent: Sequence[int] | None = None) -> Table:
        loaded = await self.reload(slug)
        table = Table(loaded, journal=self.journal, room=self.new_room(), dealer=self.dealer, host=self)
        if spent is not None:
            table.attendance.spend(spent)
        try:
            await table.opened()
        except asyncio.CancelledError:
            table.stand_still()
            raise
        if self._is_stopping:
            table.stand_still()
        self.tables[slug] = table
        if not table.shown.is_over:
            for attach in self.on_table:
                attach(table)
            # Only now: from here on this table hears what is told.
            self.spawn(self._look_for_barred_at(table))
        return table

    def _places(self) -> list[Place]:
        return [*self.tables.values(), *self.remotes.values(), *self.waiting.rooms.values(), *self.stands.values()]

    def place_of_watchers(self, place: Table | Remote) -> Table | Remote | Stands:
        """Where those sit who only watch: there, or behind its delay."""
        if not place.match.delay:
            return place
        stands = self.stands.get(place.match.slug)
        if stands is None:
            stands = self.stands[place.match.slug] = Stands(place, self.new_room(), self.spawn, self._left_stands)
        return stands

    def _left_stands(self, stands: Stands) -> None:
        if self.stands.get(stands.match.slug) is stands:
            del self.stands[stands.match.slug]

    def tell_bystanders(self, body: bytes) -> None:
        """Tell the stands of all other processes something, if there are any."""
        if self._cluster is not None:
            self._cluster.tell_bystanders(body)

    def new_room(self) -> Room:
        loop = asyncio.get_running_loop()
        return Room(loop.time, loop.call_soon)

    async def enter(self, slug: str, sink: Sink, goes_on: GoesOn) -> Table | Remote | WaitingRoom:
        """Lead a visitor to the table, where `goes_on` seats it; first to the waiting room, if there is none yet.

        `goes_on` may be called again, when the match is played elsewhere from then on.

        :raises NoSuchMatch: there is no such match.
        """
        if self._is_stopping:
            raise Stopping
        try:
            place = await self.place(slug)
        except NotSeated:
            return self.waiting.enter(slug, sink, goes_on)
        if self._is_stopping:
            raise Stopping
        goes_on(place)
        return place

    def seated(self, slug: str) -> None:
        """Both seats are taken: set the table up and send those who wait, here or elsewhere, on to it."""
        self.waiting.seated(slug)
        if self._cluster is not None:
            self._cluster.tell(Told("seated", slug))

    def withdrawn(self, slug: str) -> None:
        """The invitation was taken back, or lapsed: nobody need wait any more."""
        self.waiting.withdrawn(slug)
        if self._cluster is not None:
            self._cluster.tell(Told("withdrawn", slug))

    def break_off(self, slug: str) -> None:
        """End a live match without a result."""
        self.spawn(self.break_off_here(slug))

    async def break_off_here(self, slug: str) -> None:
        try:
            (await self.place(slug)).break_off()
        except (NoSuchMatch, NotSeated):
            log.warning("nothing to break off", extra={"match": slug})

    def sign_in_ended(self, news: SessionEnded | PersonChanged) -> None:
        """Somebody signed out, or has another password: their sockets have no seat any more, here or elsewhere."""
        if isinstance(news, SessionEnded):
            signed_in.session_ended(news.user_id, news.session)
        else:
            signed_in.person_changed(news.user_id, news.password)
        if self._cluster is not None:
            self._cluster.tell(news)

    def person_deleted(self, user_id: int) -> None:
        """Somebody is no more, and has left whatever they play (B29), here or elsewhere."""
        self.person_deleted_elsewhere(user_id)
        if self._cluster is not None:
            self._cluster.tell(PersonDeleted(user_id))

    def person_deleted_elsewhere(self, user_id: int) -> None:
        signed_in.person_changed(user_id, None)
        for table in tuple(self.tables.values()):
            seat = table.match.seat_of(user_id)
            table.forget(user_id)
            if seat is not None and table.is_live:
                table.left(seat)

    def person_barred(self, user_id: int) -> None:
        """Somebody may not play any more, and has left whatever they play, here or elsewhere."""
        self.person_barred_elsewhere(user_id)
        if self._cluster is not None:
            self._cluster.tell(PersonBarred(user_id))

    def person_barred_elsewhere(self, user_id: int) -> None:
        self._all_leave(tuple(self.tables.values()), user_id)

    @staticmethod
    def _all_leave(tables: Iterable[Table], user_id: int) -> None:
        for table in tables:
            seat = table.match.seat_of(user_id)
            if seat is not None and table.is_live:
                table.left(seat)

    async def _look_for_barred_at(self, table: Table) -> None:
        """Whoever may not play any more since before this table heard of it has left it."""
        try:
            await self._look_for_barred((table,))
        except (DatabaseError, InterfaceError) as error:
            # The next sweep looks again.
            log.warning("it cannot be looked who may play: %s", error, extra={"match": table.match.slug})

    async def _look_for_barred(self, tables: Sequence[Table]) -> None:
        """That somebody may not play any more is told once, and may have been lost on the way."""
        ids = (seat.user_id for table in tables if table.is_live for seat in table.match.seats)
        people = sorted({user_id for user_id in ids if user_id is not None})
        for start in range(0, len(people), AT_ONCE):
            some = people[start : start + AT_ONCE]
            for user_id in await database_sync_to_async(self.barred_among)(some):
                self._all_leave(tables, user_id)

    # From table to remote place and back

    async def take_over(self, remote: Remote) -> None:
        """The match is this process's own now: set its table up and lead everybody there."""
        slug = remote.match.slug
        log.info("match taken over", extra={"match": slug})
        # From here on nothing is shown that the database may not have had when it is read.
        remote.detach()
        table = await self._set_up_table(slug, remote.spent)
        self.remotes.pop(slug, None)
        members, commands = remote.retire()
        self._lead_on(members, table)
        for sink, text in commands:
            table.receive(sink, text)

    def step_back(self, table: Table, owner: str) -> None:
        """Another process has the match: what is here becomes the way there."""
        slug = table.match.slug
        log.warning("the match is another process's", extra={"match": slug})
        if self._cluster is None or self.tables.get(slug) is not table:
            return
        del self.tables[slug]
        self._cluster.parted(table)
        self._lead_on(table.retire(), self._cluster.remote(table.match, owner, table.seq))

    @staticmethod
    def _lead_on(members: Iterable[Member], place: Table | Remote) -> None:
        for member in members:
            if member.goes_on is not None:
                member.goes_on(place)

    # What tables ask for (`games.live.host.Host`)

    @property
    def is_sure(self) -> bool:
        return self._ownership.is_sure

    async def keeps(self, slug: str) -> bool:
        return await self._ownership.claim(slug) is None

    def overtaken(self, table: Table) -> None:
        if self._cluster is not None:
            self._cluster.overtaken(table)

    async def reload(self, slug: str) -> Loaded:
        # A long log takes a while to fold: not in the one thread in which all handshakes find out who comes.
        loaded: Loaded = await database_sync_to_async(match_info.load, thread_sensitive=False)(slug)
        return loaded

    async def rematch(self, slug: str, begin: bool) -> str | None:
        if self.rematch_maker is None:
            raise RuntimeError("nobody makes rematches here")
        url: str | None = await database_sync_to_async(self.rematch_maker)(slug, begin)
        return url

    def over(self, table: Table) -> None:
        # Not in the thread that handshakes and loading wait for: building a replay takes its time.
        telling = database_sync_to_async(_tell_over, thread_sensitive=False)
        self._telling.spawn(telling(table.match.slug, table.match.pk))
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
        if self._cluster is not None:
            self._cluster.parted(table)
            self.spawn(self._ownership.release(table.match.slug))

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

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        self._tasks.spawn(work)


def _tell_over(slug: str, match_id: int) -> None:
    for receiver, answer in match_over.send_robust(sender=Table, slug=slug, match_id=match_id):
        if isinstance(answer, Exception):
            log.error("%r failed on the end of a match", receiver, exc_info=answer, extra={"match": slug})


_supervisor: Supervisor | None = None


def get_supervisor() -> Supervisor:
    """The supervisor of this process."""
    global _supervisor
    if _supervisor is None:
        _supervisor = Supervisor(is_shared=settings.PLAY_IS_SHARED)
    return _supervisor
