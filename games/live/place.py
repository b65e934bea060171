"""Where sinks come together: what the table of a match and the waiting room before it have in common."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from time import monotonic
from typing import Final, Protocol, runtime_checkable

from games.live import protocol
from games.live.figures import figures
from games.live.hub import Member, Room, Sink
from games.live.protocol import BadMessage, Close, encode
from games.rules.refusals import Code

BAD_MESSAGES: Final = 5
"""So many messages that are none, and the socket is closed."""


@runtime_checkable
class Talker(Protocol):
    """A sink of somebody who may talk."""

    @property
    def on_talk(self) -> Callable[[protocol.Talk], None]: ...


class Place(ABC):
    """Takes the frames of its sinks. Nothing that a sink does or sends makes it raise, or wait."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self._loop = asyncio.get_running_loop()

    @abstractmethod
    def leave(self, sink: Sink) -> None:
        """The sink is gone, or goes. Again: nothing."""

    @abstractmethod
    def resync(self, sink: Sink) -> None:
        """Send the sink afresh where things stand."""

    @abstractmethod
    def _take(self, member: Member, message: protocol.CommandIn) -> None:
        """A command has arrived."""

    def _pong(self, member: Member, n: int) -> None:
        self.room.pong(member, n)

    def receive(self, sink: Sink, text: str) -> None:
        """Take a frame from a sink."""
        member = self.room.members.get(sink)
        if member is None:
            return
        member.heard_at = self._loop.time()
        member.arrived = monotonic()
        try:
            message = protocol.decode(text)
        except BadMessage as error:
            self.refuse_frame(sink, error.command_id, Code.BAD_MESSAGE)
            return
        if isinstance(message, protocol.Pong):
            self._pong(member, message.n)
        elif isinstance(message, protocol.Resync):
            self.resync(sink)
        elif isinstance(message, (protocol.Say, protocol.Listen)):
            # Not the match's affair: whoever opened the socket sees to it.
            if isinstance(sink, Talker):
                sink.on_talk(message)
        else:
            self._take(member, message)

    def refuse_frame(self, sink: Sink, command_id: str | None, code: Code) -> None:
        """Refuse a frame for what it is. Again and again something that is no message: the socket is closed."""
        member = self.room.members.get(sink)
        if member is None:
            return
        sink.send(refused(command_id, code))
        if code is Code.BAD_MESSAGE:
            member.bad += 1
            if member.bad >= BAD_MESSAGES:
                sink.close(Close.BAD_MESSAGE, "too many messages that are none")
                self.leave(sink)

    def beat(self) -> None:
        """Ping the sockets that are due, and part from those that are silent."""
        for member in self.room.beat():
            member.sink.close(Close.SILENT, "no answer for too long")
            self.leave(member.sink)

    def close(self, code: Close, text: str) -> None:
        """Send everybody away."""
        self.room.close(code, text)


def refused(command_id: str | None, code: Code, by: int | None = None, late: int | None = None) -> str:
    """The frame of a refusal."""
    figures.refusals[code] += 1
    return encode(protocol.Refused(command_id, code, by, late))
