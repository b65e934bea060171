"""The television of this process: one socket for many matches, a thumbnail of each.

Twice a second what has changed on any thumbnail goes out as one frame, the same
for everybody. Nothing is done per play and nothing is asked of a table but its
last state, a frozen value. Matches that other processes have are told by them, in
one message for all, while somebody wants them. A match with a delay is read from
its log (`games.live.onlook`), however near its table is.
"""

import asyncio
import logging
from typing import Any, Final

import msgspec
from channels.db import database_sync_to_async
from django.db import DatabaseError, InterfaceError
from msgspec import Struct

from games.live.onlook import shown_states
from games.live.protocol import Ping
from games.live.socket import Socket
from games.live.supervisor import get_supervisor
from games.models import Match
from games.rules.state import State
from games.stands import news
from games.stands.programme import Channel, Programme, programme
from games.stands.thumbnails import Thumbnail, thumbnail

log = logging.getLogger(__name__)

TICK: Final = 0.5
"""Seconds between two frames."""
PROGRAMME: Final = 3.0
"""Seconds between two looks at what is played."""
WANTED: Final = 2.0
"""Seconds between two requests to other processes ..."""
WANTED_FOR: Final = 6.0
"""... and how long they answer one."""
PING: Final = 2.5
SILENCE: Final = 30.0
"""Seconds without a word after which a line is dead."""


class Channels(Struct, frozen=True, tag_field="t", tag="programme"):
    """What there is to watch, the strongest first. It replaces the one before."""

    channels: tuple[Channel, ...]


class Thumbnails(Struct, frozen=True, tag_field="t", tag="thumbnails"):
    """Where matches stand, those alone that have changed."""

    of: dict[str, Thumbnail]


_encoder: Final = msgspec.json.Encoder()


def encode(message: Channels | Thumbnails | Ping) -> str:
    return _encoder.encode(message).decode()


class Television:
    """For the event loop of the process only."""

    def __init__(self) -> None:
        self._heard_at: dict[Socket, float] = {}
        """Those who watch, and when they were last heard of."""
        self._programme = Programme((), ())
        self._shown: dict[str, Thumbnail] = {}
        self._states: dict[str, State] = {}
        """What the thumbnails of matches of this process were made from."""
        self._news: dict[str, Thumbnail] = {}
        """Told by other processes since the last frame."""
        self._is_on = False
        self._has_looked = False
        """Whether the programme is known since it is on."""
        self._wanted: dict[str, tuple[float, list[str]]] = {}
        """By process: until when it wants to be told, and of which matches."""
        self._told: dict[str, Thumbnail] = {}
        self._is_telling = False

    # Those who watch

    def join(self, socket: Socket) -> None:
        self._heard_at[socket] = asyncio.get_running_loop().time()
        if self._has_looked:
            self.show_all(socket)
        elif not self._is_on:
            self._is_on = True
            get_supervisor().spawn(self._run())

    def leave(self, socket: Socket) -> None:
        """Again: nothing."""
        self._heard_at.pop(socket, None)

    def heard(self, socket: Socket) -> None:
        if socket in self._heard_at:
            self._heard_at[socket] = asyncio.get_running_loop().time()

    def show_all(self, socket: Socket) -> None:
        socket.send(encode(Channels(self._programme.channels)))
        socket.send(encode(Thumbnails(self._shown)))

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        looked_at = asked_at = pinged_at = -1e9
        try:
            while self._heard_at:
                now = loop.time()
                if now - looked_at >= PROGRAMME:
                    looked_at = now
                    await self._look()
                if now - asked_at >= WANTED:
                    asked_at = now
                    self._ask()
                    await self._read_delayed()
                self._tell(self._changed())
                if now - pinged_at >= PING:
                    pinged_at = now
                    self._ping(now)
                await asyncio.sleep(TICK)
        finally:
            self._is_on = self._has_looked = False
            self._shown.clear()
            self._states.clear()

    async def _look(self) -> None:
        """What is played now?"""
        found: Programme | None = await _in_thread(programme)
        if found is None:
            return
        is_new = found.channels != self._programme.channels or not self._has_looked
        self._has_looked = True
        self._programme = found
        slugs = {channel.slug for channel in found.channels}
        for slug in [slug for slug in self._shown if slug not in slugs]:
            del self._shown[slug]
            self._states.pop(slug, None)
        if is_new:
            self._send(encode(Channels(found.channels)))

    def _ask(self) -> None:
        """Have other processes tell of their matches."""
        tables = get_supervisor().tables
        elsewhere = [each.slug for each in self._programme.channels if not each.delay and each.slug not in tables]
        if elsewhere:
            get_supervisor().tell_bystanders(news.pack(news.Wanted(elsewhere)))

    async def _read_delayed(self) -> None:
        if self._programme.delayed:
            found: dict[str, Thumbnail] | None = await _in_thread(_delayed, self._programme.delayed)
            self._news.update(found or {})

    def _changed(self) -> dict[str, Thumbnail]:
        tables = get_supervisor().tables
        changed, self._news = self._news, {}
        for channel in self._programme.channels:
            table = tables.get(channel.slug)
            if table is None or channel.delay:
                continue
            state = table.shown
            if self._states.get(channel.slug) is not state and state.seq:
                self._states[channel.slug] = state
                changed[channel.slug] = thumbnail(state)
        slugs = {channel.slug for channel in self._programme.channels}
        return {slug: shown for slug, shown in changed.items() if slug in slugs and self._shown.get(slug) != shown}

    def _tell(self, changed: dict[str, Thumbnail]) -> None:
        if changed:
            self._shown |= changed
            self._send(encode(Thumbnails(changed)))

    def _send(self, frame: str) -> None:
        for socket in [*self._heard_at]:
            socket.send(frame)

    def _ping(self, now: float) -> None:
        for socket, heard_at in [*self._heard_at.items()]:
            if now - heard_at > SILENCE:
                self.leave(socket)
                socket.close("silent", "no answer for too long")
        self._send(encode(Ping(0)))

    # Other processes

    def hear(self, standing: news.Standing) -> None:
        """Another process tells where its matches stand."""
        if self._is_on:
            self._news.update(standing.of)

    def want(self, sender: str, slugs: list[str]) -> None:
        """Another process wants to be told of these, as far as they are here."""
        tables = get_supervisor().tables
        here = [slug for slug in slugs if slug in tables]
        if not here:
            return
        if sender not in self._wanted:
            # It knows nothing yet.
            self._told.clear()
        self._wanted[sender] = (asyncio.get_running_loop().time() + WANTED_FOR, here)
        if not self._is_telling:
            self._is_telling = True
            get_supervisor().spawn(self._tell_others())

    async def _tell_others(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._wanted:
                tables = get_supervisor().tables
                changed: dict[str, Thumbnail] = {}
                for slug in {slug for _, slugs in self._wanted.values() for slug in slugs}:
                    table = tables.get(slug)
                    # What has a delay is not told anybody at once, nor any process.
                    if table is None or table.match.delay or not table.shown.seq:
                        continue
                    shown = thumbnail(table.shown)
                    if self._told.get(slug) != shown:
                        self._told[slug] = changed[slug] = shown
                if changed:
                    get_supervisor().tell_bystanders(news.pack(news.Standing(changed)))
                await asyncio.sleep(TICK)
                now = loop.time()
                self._wanted = {sender: want for sender, want in self._wanted.items() if want[0] > now}
        finally:
            self._is_telling = False
            self._told.clear()


television = Television()
"""The one of this process."""


def _delayed(matches: tuple[Match, ...]) -> dict[str, Thumbnail]:
    states = shown_states(matches)
    return {match.slug: thumbnail(states[match.pk]) for match in matches if match.pk in states}


async def _in_thread(what: Any, *arguments: Any) -> Any:
    """What a function gives, or None while the database cannot be asked."""
    try:
        return await database_sync_to_async(what, thread_sensitive=False)(*arguments)
    except (DatabaseError, InterfaceError) as error:
        log.warning("the programme cannot be read: %s", error)
        return None
