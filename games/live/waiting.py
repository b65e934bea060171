"""The rooms of matches that still wait for an opponent."""

from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from games.live import protocol
from games.live.hub import Member, Room, Sink
from games.live.match_info import NoSuchMatch, NotSeated
from games.live.place import Place, refused
from games.live.protocol import Close, encode
from games.live.relay.remote import Remote
from games.live.table import Table
from games.rules.refusals import Code

GoesOn = Callable[[Table | Remote], None]
"""Called with the place that comes after a waiting room, once there is one; the sink has left by then."""


class WaitingRoom(Place):
    """Speaks as a table does, as far as there is anything to say; its visitors go on to the table when it is set up."""

    def __init__(self, room: Room, deserted: Callable[["WaitingRoom"], None]) -> None:
        super().__init__(room)
        self._deserted = deserted
        self._goes_on: dict[Sink, GoesOn] = {}

    def join(self, sink: Sink, goes_on: GoesOn) -> None:
        self.room.add(sink, None, sink, True)
        self._goes_on[sink] = goes_on
        self.resync(sink)

    def leave(self, sink: Sink) -> None:
        if self.room.remove(sink) is not None:
            del self._goes_on[sink]
            if not self._goes_on:
                self._deserted(self)

    def resync(self, sink: Sink) -> None:
        sink.send(encode(protocol.Waiting()))

    def _take(self, member: Member, message: protocol.CommandIn) -> None:
        member.sink.send(refused(message.id, Code.NOT_NOW))

    def open(self, place: Table | Remote) -> None:
        """The match is seated: send everybody on."""
        for sink, goes_on in tuple(self._goes_on.items()):
            self.leave(sink)
            goes_on(place)


class Seating(Protocol):
    """What the waiting rooms ask of their process (`games.live.supervisor`)."""

    def new_room(self) -> Room: ...

    async def place(self, slug: str) -> Table | Remote:
        """:raises NoSuchMatch, NotSeated: there is nothing to play."""

    def spawn(self, work: Coroutine[Any, Any, None]) -> None: ...


class WaitingRooms:
    """Those of one process."""

    def __init__(self, house: Seating) -> None:
        self._house = house
        self.rooms: dict[str, WaitingRoom] = {}
        """By the slug of the match."""

    def enter(self, slug: str, sink: Sink, goes_on: GoesOn) -> WaitingRoom:
        room = self.rooms.get(slug)
        if room is None:
            room = self.rooms[slug] = WaitingRoom(self._house.new_room(), lambda room: self._close(slug, room))
        room.join(sink, goes_on)
        # It may have been seated while we looked.
        self._house.spawn(self._open(slug))
        return room

    def _close(self, slug: str, room: WaitingRoom) -> None:
        if self.rooms.get(slug) is room:
            del self.rooms[slug]

    def seated(self, slug: str) -> None:
        """Both seats are taken: set the table up and send those who wait on to it."""
        self._house.spawn(self._open(slug))

    async def _open(self, slug: str) -> None:
        try:
            place = await self._house.place(slug)
        except (NoSuchMatch, NotSeated):
            return
        room = self.rooms.pop(slug, None)
        if room is not None:
            room.open(place)

    def withdrawn(self, slug: str) -> None:
        """The invitation was taken back, or lapsed: nobody need wait any more."""
        room = self.rooms.pop(slug, None)
        if room is not None:
            room.close(Close.NO_SUCH_MATCH, "the invitation was taken back")
