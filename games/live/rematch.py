"""Talk of a rematch, after the end of a match."""

import logging
from collections.abc import Callable
from typing import Protocol

from django.db import DatabaseError, InterfaceError

from games.live import frames
from games.live.hub import Member, Room
from games.live.place import refused
from games.live.protocol import Ack, RematchOffer, encode
from games.rules.refusals import Code

log = logging.getLogger(__name__)

Maker = Callable[[str, bool], str | None]
"""`(slug, begin)`: makes the rematch of the match with that slug and gives the address of its page. Without `begin` it
only looks whether there can be one; the address then, if there is one already. Runs in a thread.

:raises Gone: there can be none.
"""


class Gone(Exception):
    """Somebody who played the match is not there any more."""


class RematchHost(Protocol):
    """What the talk asks of the process (`games.live.host.Host`)."""

    async def rematch(self, slug: str, begin: bool) -> str | None: ...


class RematchTalk:
    """Who has offered a rematch, and where it begins. Both have to want it."""

    __slots__ = ("_host", "_is_beginning", "_offered_by", "_room", "_slug", "_url")

    def __init__(self, slug: str, url: str | None, room: Room, host: RematchHost) -> None:
        """`url` is the page of the rematch, if there is one already."""
        self._slug = slug
        self._room = room
        self._host = host
        self._offered_by: int | None = None
        self._url = url
        self._is_beginning = False

    @property
    def message(self) -> RematchOffer | None:
        """What somebody who comes in has to know."""
        if self._offered_by is None and self._url is None:
            return None
        return RematchOffer(self._offered_by, self._url)

    async def wish(self, member: Member, seat: int, command_id: str, seq: int) -> None:
        """Ask whether the other one is there at all, then answer (with `seq`, the last event of the match); the second
        wish begins the rematch."""
        try:
            if self._url is None and self._offered_by != seat:
                await self._host.rematch(self._slug, False)
        except Gone:
            member.sink.send(refused(command_id, Code.GONE))
            return
        except (DatabaseError, InterfaceError) as error:
            log.warning("a rematch cannot be looked for: %s", error, extra={"match": self._slug})
            member.sink.send(refused(command_id, Code.TROUBLE))
            return
        member.sink.send(encode(Ack(command_id, seq)))
        if self._accepts(seat):
            await self._begin()
        elif self._offered_by is None:
            self._offered_by = seat
            self._tell()
        elif self._url is not None:
            member.sink.send(encode(RematchOffer(self._offered_by, self._url)))

    def _accepts(self, seat: int) -> bool:
        """Whether this seat's wish is the second one, and the rematch has to be made now, once."""
        if self._is_beginning or self._url is not None or self._offered_by in (None, seat):
            return False
        self._is_beginning = True
        return True

    async def _begin(self) -> None:
        url = None
        try:
            url = await self._host.rematch(self._slug, True)
        except Gone:
            log.info("no rematch: somebody is gone", extra={"match": self._slug})
        finally:
            self._is_beginning = False
            self._url = url
            if url is None:
                # It may be wished for again.
                self._offered_by = None
            self._tell()

    def _tell(self) -> None:
        self._room.publish(frames.same_for_all(RematchOffer(self._offered_by, self._url)))
