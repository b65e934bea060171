"""The room of a match that still waits for an opponent."""

from collections.abc import Callable

from games.live import protocol
from games.live.hub import Member, Room, Sink
from games.live.place import Place, refused
from games.live.protocol import encode
from games.live.relay.remote import Remote
from games.live.table import Table
from games.rules.refusals import Code


class WaitingRoom(Place):
    """Speaks as a table does, as far as there is anything to say; its visitors go on to the table when it is set up."""

    def __init__(self, room: Room, deserted: Callable[["WaitingRoom"], None]) -> None:
        super().__init__(room)
        self._deserted = deserted
        self._goes_on: dict[Sink, Callable[[Table | Remote], None]] = {}

    def join(self, sink: Sink, goes_on: Callable[[Table | Remote], None]) -> None:
        """`goes_on` is called with the table, once there is one; the sink has left by then."""
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
