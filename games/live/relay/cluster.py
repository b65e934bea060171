"""This process among others: who has which match, and the messages between them."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Final, Protocol

from channels.db import database_sync_to_async
from django.db import DatabaseError, InterfaceError

from games.live.hub import Room
from games.live.match_info import MatchInfo, NoSuchMatch, NotSeated
from games.live.ownership import Shared
from games.live.relay import messages
from games.live.relay.messages import Bundle, Down, Message, News, Up
from games.live.relay.outpost import Outpost
from games.live.relay.post import ALL, Post
from games.live.relay.remote import UNREADABLE, Remote
from games.live.signed_in import signed_in
from games.live.table import Table
from games.live.waiting import WaitingRooms
from games.models import Match

log = logging.getLogger(__name__)

AGAIN: Final = 0.3
"""Seconds between two tries to find out who has a match."""
SWEEP_AFTER: Final = 0.5
"""Seconds after which matches of a process that is gone are taken that nobody here sits at: first come those who do."""
HELD: Final = 100
"""The most messages of a stream that wait for their table to be set up."""


class House(Protocol):
    """What a cluster asks of its process (`games.live.supervisor`)."""

    tables: dict[str, Table]
    waiting: WaitingRooms

    on_bystander: Callable[[str, bytes], None]

    def new_room(self) -> Room: ...

    async def place(self, slug: str) -> Table | Remote:
        """:raises NoSuchMatch, NotSeated: there is nothing to play."""

    async def take_over(self, remote: Remote) -> None:
        """The match is ours now: its table comes in the place of the remote end."""

    def step_back(self, table: Table, owner: str) -> None:
        """The match is another's."""

    async def break_off_here(self, slug: str) -> None: ...

    def person_deleted_elsewhere(self, user_id: int) -> None: ...

    def person_barred_elsewhere(self, user_id: int) -> None: ...

    async def sweep(self) -> None:
        """Set up the tables of live matches that nobody has."""

    def spawn(self, work: Coroutine[Any, Any, None]) -> None: ...


class Cluster:
    """In the event loop of its process only."""

    def __init__(self, house: House) -> None:
        self._house = house
        self.ownership = Shared(self._looked, lambda: house.tables)
        self.ownership.on_lost = self._lost
        self.ownership.on_kept = self._kept
        self.remotes: dict[str, Remote] = {}
        self._outposts: dict[tuple[str, str], Outpost] = {}
        self._admitting: dict[tuple[str, str, int], list[Up]] = {}
        self._looking: dict[str, float] = {}
        """Matches of which we find out who has them, each with the seconds to wait before."""
        self._unreadable: set[str] = set()
        """Matches of which the log says that they cannot be set up."""
        self._post = Post(self.ownership.id, self._take_bundle)
        self._known: frozenset[str] = frozenset()
        self._beats = 0
        self._is_stopping = False

    async def start(self) -> None:
        await self.ownership.start()
        self._known = self.ownership.alive
        await self._post.start()

    def stop_taking(self) -> None:
        """Take no more commands from other processes."""
        self._is_stopping = True

    async def stop(self) -> None:
        """Give all matches away, and tell the others. Nothing may be decided any more."""
        self._is_stopping = True
        for outpost in self._outposts.values():
            outpost.beat()
        await self.ownership.stop()
        self._post.send(ALL, messages.Released())
        await self._post.stop()

    # Places

    def remote(self, match: MatchInfo, owner: str, seen: int = 0) -> Remote:
        """A new place at a match that the process `owner` has; who comes there was shown the events up to `seen`."""
        remote = Remote(match, self._house.new_room(), self, seen)
        self.remotes[match.slug] = remote
        remote.attach(owner)
        return remote

    def _drop(self, remote: Remote) -> None:
        if self.remotes.get(remote.match.slug) is remote:
            del self.remotes[remote.match.slug]
        remote.is_closed = True

    def tell(self, news: News) -> None:
        """Pass on to all processes what the site tells live play."""
        self._post.send(ALL, news)

    def tell_bystanders(self, body: bytes) -> None:
        """Tell the stands of all other processes something."""
        self._post.send(ALL, messages.Bystander(body))

    # Of remote places (`games.live.relay.remote.RemoteHost`)

    def send_up(self, owner: str, message: Up) -> None:
        self._post.send(owner, message)

    def left_alone(self, remote: Remote) -> None:
        self._drop(remote)

    def look_again(self, remote: Remote, after: float = 0) -> None:
        slug = remote.match.slug
        if after:
            # Nothing is sent there meanwhile, not even again.
            remote.detach()
        if slug in self._looking:
            self._looking[slug] = max(self._looking[slug], after)
        else:
            self._looking[slug] = after
            self._house.spawn(self._look(remote))

    async def _look(self, remote: Remote) -> None:
        """Find out who has the match now: we, if nobody else does."""
        slug = remote.match.slug
        try:
            while not remote.is_closed and self.remotes.get(slug) is remote:
                if self._looking[slug]:
                    await asyncio.sleep(self._looking[slug])
                try:
                    owner = await self.ownership.claim(slug)
                    if owner is None:
                        if await self._take_over(remote):
                            return
                        self._looking[slug] = UNREADABLE
                        continue
                except (NoSuchMatch, NotSeated):
                    log.exception("a match is no more", extra={"match": slug})
                    self._drop(remote)
                    return
                except (DatabaseError, InterfaceError) as error:
                    log.warning("nobody knows who has the match: %s", error, extra={"match": slug})
                    owner = ""
                self._looking[slug] = 0
                if owner:
                    remote.attach(owner)
                # Should it say at once that it has not: not in a circle.
                await asyncio.sleep(AGAIN)
                if owner and not self._looking[slug]:
                    return
        finally:
            del self._looking[slug]

    async def _take_over(self, remote: Remote) -> bool:
        """Whether it could be done; a log that cannot be read today can perhaps be read tomorrow."""
        slug = remote.match.slug
        try:
            await self._house.take_over(remote)
        except (NoSuchMatch, NotSeated, DatabaseError, InterfaceError):
            raise
        except Exception:  # noqa: BLE001 - logged there
            self._tell_unreadable(slug)
            return False
        self._unreadable.discard(slug)
        return True

    def _tell_unreadable(self, slug: str) -> None:
        """Once: it will be tried again and again."""
        if slug not in self._unreadable:
            self._unreadable.add(slug)
            log.exception("a match cannot be set up", extra={"match": slug})

    # Signs of life

    def _looked(self, alive: frozenset[str]) -> None:
        """After each of our signs of life."""
        gone = self._known - alive
        self._known = alive
        for key, outpost in tuple(self._outposts.items()):
            if outpost.process not in alive:
                self._close_outpost(key)
        for remote in tuple(self.remotes.values()):
            if remote.owner not in alive:
                self.look_again(remote)
        if gone:
            self._house.spawn(self._sweep_soon())
        self._beats += 1
        if self._house.waiting.rooms and self._beats % 2 == 0:
            self._house.spawn(self._look_after_waiting())

    def _kept(self, slug: str, seq: int) -> None:
        """It has not, but may have had it for a while."""
        table = self._house.tables.get(slug)
        if table is not None:
            table.was_kept(seq)

    def _lost(self, slug: str) -> None:
        """While nothing was heard of this process another one has taken the match."""
        table = self._house.tables.get(slug)
        if table is not None:
            self.overtaken(table)

    def overtaken(self, table: Table) -> None:
        """The match is another's: its table goes, its sockets stay."""
        self._house.step_back(table, "")
        remote = self.remotes.get(table.match.slug)
        if remote is not None:
            self.look_again(remote)

    async def _sweep_soon(self) -> None:
        await asyncio.sleep(SWEEP_AFTER)
        await self._house.sweep()

    async def _look_after_waiting(self) -> None:
        """What was told about those who wait for an opponent may have been lost."""
        slugs = list(self._house.waiting.rooms)
        states = await database_sync_to_async(_states, thread_sensitive=False)(slugs)
        for slug in slugs:
            if slug not in states:
                self._house.waiting.withdrawn(slug)
            elif states[slug] != Match.State.OPEN:
                self._house.waiting.seated(slug)

    # Of tables

    def parted(self, table: Table) -> None:
        """The table is gone."""
        for key, outpost in tuple(self._outposts.items()):
            if outpost.table is table:
                del self._outposts[key]
                outpost.close()
        table.room.outposts.clear()

    # The post

    def _take_bundle(self, bundle: Bundle) -> None:
        for message in bundle.messages:
            try:
                self._take(bundle.sender, message)
            except Exception:
                # One match's fault is not to cost the others what comes in the same bundle.
                log.exception("a message of another process was not taken")

    def _take(self, sender: str, message: Message) -> None:
        match message:
            case Down():
                remote = self.remotes.get(message.slug)
                if remote is not None and remote.epoch == message.epoch:
                    remote.hear(sender, message)
                elif not isinstance(message.item, messages.NotHere):
                    self._post.send(sender, messages.Gone(message.slug, message.epoch))
            case Up():
                self._take_up(sender, message)
            case messages.Gone(slug, epoch):
                outpost = self._outposts.get((sender, slug))
                if outpost is not None and outpost.epoch == epoch:
                    self._close_outpost((sender, slug))
            case messages.Released():
                if sender != self.ownership.id:
                    self._released(sender)
            case messages.Told(what, slug):
                if sender != self.ownership.id:
                    self._told(what, slug)
            case messages.SessionEnded(user_id, session):
                signed_in.session_ended(user_id, session)
            case messages.PersonChanged(user_id, password):
                signed_in.person_changed(user_id, password)
            case messages.PersonDeleted(user_id):
                if sender != self.ownership.id:
                    self._house.person_deleted_elsewhere(user_id)
            case messages.PersonBarred(user_id):
                if sender != self.ownership.id:
                    self._house.person_barred_elsewhere(user_id)
            case messages.Bystander(body):
                if sender != self.ownership.id:
                    self._house.on_bystander(sender, body)
            case messages.Echo():
                pass

    def _take_up(self, sender: str, message: Up) -> None:
        if self._is_stopping:
            # Not acknowledged: it is sent again, to whoever has the match then.
            return
        slug = message.slug
        table = self._house.tables.get(slug)
        outpost = self._outposts.get((sender, slug))
        held = self._admitting.get((sender, slug, message.epoch))
        if outpost is not None and outpost.epoch == message.epoch:
            outpost.hear(message.n, message.item)
        elif held is not None:
            if len(held) < HELD:
                held.append(message)
        elif not isinstance(message.item, messages.Hello):
            self._not_here(sender, message)
        elif table is not None:
            self._admit(sender, table, message)
        else:
            self._admitting[sender, slug, message.epoch] = [message]
            self._house.spawn(self._set_up_for(sender, message))

    def _not_here(self, sender: str, message: Up, is_unreadable: bool = False) -> None:
        self._post.send(sender, Down(message.slug, message.epoch, 0, messages.NotHere(is_unreadable)))

    def _admit(self, sender: str, table: Table, message: Up) -> None:
        """Begin an outpost; in the place of an older one, whose members have not been away meanwhile."""
        key = (sender, message.slug)
        older = self._outposts.get(key)
        outpost = self._outposts[key] = Outpost(table, sender, message.slug, message.epoch, self._post.send)
        table.room.outposts.append(outpost)
        outpost.hear(message.n, message.item)
        if older is not None:
            older.table.part(older)

    async def _set_up_for(self, sender: str, message: Up) -> None:
        """Another process takes this one for the owner: the table has to be set up, if so it is."""
        key = (sender, message.slug, message.epoch)
        place: Table | Remote | None = None
        is_unreadable = False
        try:
            place = await self._house.place(message.slug)
            self._unreadable.discard(message.slug)
        except (NoSuchMatch, NotSeated, DatabaseError, InterfaceError) as error:
            log.warning("no table for another process: %s", error, extra={"match": message.slug})
        except Exception:  # noqa: BLE001 - logged there
            is_unreadable = True
            self._tell_unreadable(message.slug)
        finally:
            held = self._admitting.pop(key, [])
        if not isinstance(place, Table):
            self._not_here(sender, message, is_unreadable)
            return
        for each in held:
            self._take_up(sender, each)

    def _close_outpost(self, key: tuple[str, str]) -> None:
        outpost = self._outposts.pop(key)
        outpost.table.part(outpost)

    def _released(self, sender: str) -> None:
        """A process stops: whoever has sockets at its matches takes them over at once."""
        for key in [key for key in self._outposts if key[0] == sender]:
            self._close_outpost(key)
        for remote in tuple(self.remotes.values()):
            if remote.owner == sender:
                self.look_again(remote)
        self._house.spawn(self._sweep_soon())

    def _told(self, what: str, slug: str) -> None:
        if what == "seated":
            if slug in self._house.waiting.rooms:
                self._house.waiting.seated(slug)
        elif what == "withdrawn":
            self._house.waiting.withdrawn(slug)
        elif slug in self._house.tables or self.ownership.id == min(self.ownership.alive, default=""):
            # "break_off", from a process that plays no matches. If nobody has the table, one of us sees to it.
            self._house.spawn(self._house.break_off_here(slug))


def _states(slugs: list[str]) -> dict[str, str]:
    return dict(Match.objects.filter(slug__in=slugs).values_list("slug", "state"))
