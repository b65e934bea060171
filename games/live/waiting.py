"""The room of a match that still waits for an opponent."""

import asyncio
from collections.abc import Callable

from games.live import protocol
from games.live.hub import Member, Room, Sink
from games.live.protocol import BadMessage, Close, encode
from games.live.table import BAD_MESSAGES, Table
from games.rules.refusals import Code


class WaitingRoom:
    """Speaks as a table does, as far as there is anything to say; its visitors go on to the table when it is set up."""

    def __init__(self, room: Room, deserted: Callable[["WaitingRoom"], None]) -> None:
        self.room = room
        self._deserted = deserted
        self._loop = asyncio.get_running_loop()
        self._goes_on: dict[Sink, Callable[[Table], None]] = {}

    def join(self, sink: Sink, goes_on: Callable[[Table], None]) -> None:
        """`goes_on` is called with the table, once there is one; the sink has left by then."""
        self.room.add(sink, None, sink, True)
        self._goes_on[sink] = goes_on
        sink.send(encode(protocol.Waiting()))

    def leave(self, sink: Sink) -> None:
        if self.room.remove(sink) is not None:
            self._goes_on.pop(sink)
            if not self._goes_on:
                self._deserted(self)

    def resync(self, sink: Sink) -> None:
        sink.send(encode(protocol.Waiting()))

    def beat(self) -> None:
        for member in self.room.beat():
            member.sink.close(Close.SILENT, "no answer for too long")
            self.leave(member.sink)

    def receive(self, sink: Sink, text: str) -> None:
        member = self.room.members.get(sink)
        if member is None:
            return
        member.heard_at = self._loop.time()
        try:
            message = protocol.decode(text)
        except BadMessage as error:
            self.refuse_frame(sink, error.command_id, Code.BAD_MESSAGE)
            return
        if isinstance(message, protocol.Pong):
            self.room.pong(member, message.n)
        elif isinstance(message, protocol.Resync):
            self.resync(sink)
        else:
            sink.send(encode(protocol.Refused(message.id, Code.NOT_NOW)))

    def refuse_frame(self, sink: Sink, command_id: str | None, code: Code) -> None:
        member: Member | None = self.room.members.get(sink)
        if member is None:
            return
        sink.send(encode(protocol.Refused(command_id, code)))
        if code is Code.BAD_MESSAGE:
            member.bad += 1
            if member.bad >= BAD_MESSAGES:
                sink.close(Close.BAD_MESSAGE, "too many messages that are none")
                self.leave(sink)

    def open(self, table: Table) -> None:
        """The match is seated: send everybody on."""
        for sink, goes_on in tuple(self._goes_on.items()):
            self.leave(sink)
            goes_on(table)

    def close(self, code: Close, text: str) -> None:
        self.room.close(code, text)
