"""Who hears the chat of which match in this process. The lines themselves are in the database.

What is said is written first. Then every process that has listeners at the match
is told that there is something new, and reads it: so what everybody is shown is
what is kept, in one order.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from channels.db import database_sync_to_async
from django.db import DatabaseError, InterfaceError

from games.live.hub import SLICE
from games.live.protocol import Chat, ChatEntry, Say, encode
from games.live.supervisor import get_supervisor
from games.models import Match
from games.stands import chat, news
from games.stands.chat import Line, May

log = logging.getLogger(__name__)


class Listener(Protocol):
    def send(self, frame: str) -> None: ...


class Hall:
    """For the event loop of the process only."""

    def __init__(self) -> None:
        self._listeners: dict[str, dict[Listener, int | None]] = {}
        """By match: who listens, with the ids of those who are known: by each line it is decided who hears it."""
        self._last: dict[str, int] = {}
        """The number of the last line that the listeners at a match were sent."""
        self._reading: dict[str, bool] = {}
        """Where something is being read; True: and there is more by now."""

    async def listen(self, slug: str, user_id: int | None, listener: Listener, is_there: Callable[[], bool]) -> None:
        """Send the last lines, and from now on what is new; nothing to who plays the match."""
        found = await _in_thread(_look, slug, user_id)
        if found is None or not is_there():
            return
        lines, may = found
        if may in (May.PLAYING, May.OFF):
            listener.send(encode(Chat((), may=may)))
            return
        self._listeners.setdefault(slug, {})[listener] = user_id
        last = lines[-1].entry.n if lines else 0
        if last > self._last.setdefault(slug, last):
            # Said while this was read: the others are to have it, too.
            self.nudge(slug)
        listener.send(encode(Chat(_heard(lines, user_id), may=may)))

    def leave(self, slug: str, listener: Listener) -> None:
        """Again: nothing."""
        there = self._listeners.get(slug)
        if there is None:
            return
        there.pop(listener, None)
        if not there:
            del self._listeners[slug]
            self._last.pop(slug, None)

    async def say(self, slug: str, user_id: int | None, message: Say, listener: Listener) -> None:
        """Keep what somebody says, and tell everybody who listens; or tell the one why not."""
        may = await _in_thread(_say, slug, user_id, message.text)
        if may is None:
            return
        if may is not May.YES:
            listener.send(encode(Chat((), may=may)))
            return
        self.nudge(slug)
        get_supervisor().tell_bystanders(news.pack(news.Chatted(slug)))

    def nudge(self, slug: str) -> None:
        """Something was said at that match."""
        if slug not in self._listeners:
            return
        if slug in self._reading:
            self._reading[slug] = True
        else:
            self._reading[slug] = False
            get_supervisor().spawn(self._read(slug))

    async def _read(self, slug: str) -> None:
        try:
            while slug in self._listeners:
                self._reading[slug] = False
                lines = await _in_thread(_after, slug, self._last.get(slug, 0))
                if lines:
                    self._last[slug] = lines[-1].entry.n
                    await self._tell(slug, lines)
                elif not self._reading[slug]:
                    return
        finally:
            self._reading.pop(slug, None)

    def hidden(self, slug: str, numbers: list[int]) -> None:
        """These lines were taken away."""
        frame = encode(Chat((), gone=tuple(numbers)))
        for listener in [*self._listeners.get(slug, ())]:
            listener.send(frame)

    def hide(self, slug: str, numbers: list[int]) -> None:
        """These lines were taken away by somebody in this process."""
        self.hidden(slug, numbers)
        get_supervisor().tell_bystanders(news.pack(news.Hidden(slug, numbers)))

    async def _tell(self, slug: str, lines: Sequence[Line]) -> None:
        """A crowd is told in slices: nobody's play waits for all of it."""
        frame = encode(Chat(tuple(line.entry for line in lines)))
        for number, (listener, user_id) in enumerate([*self._listeners.get(slug, {}).items()], 1):
            heard = _heard(lines, user_id)
            if listener in self._listeners.get(slug, ()):
                if len(heard) == len(lines):
                    listener.send(frame)
                elif heard:
                    listener.send(encode(Chat(heard)))
            if number % SLICE == 0:
                await asyncio.sleep(0)


hall = Hall()
"""The one of this process."""


def _heard(lines: Sequence[Line], user_id: int | None) -> tuple[ChatEntry, ...]:
    return tuple(line.entry for line in lines if user_id not in line.unheard_by)


def _look(slug: str, user_id: int | None) -> tuple[list[Line], May] | None:
    match = chat.find(slug)
    if match is None:
        return None
    return chat.lines(match), chat.may_write(match, user_id)


def _say(slug: str, user_id: int | None, text: str) -> May | None:
    match = chat.find(slug)
    return None if match is None else chat.say(match, user_id, text)


def _after(slug: str, number: int) -> list[Line]:
    match: Match | None = chat.find(slug)
    return [] if match is None else chat.lines(match, after=number)


async def _in_thread(what: Callable[..., Any], *arguments: Any) -> Any:
    """What a function gives, or None while the database cannot be asked."""
    try:
        return await database_sync_to_async(what, thread_sensitive=False)(*arguments)
    except (DatabaseError, InterfaceError) as error:
        log.warning("the chat cannot be read or written: %s", error)
        return None
