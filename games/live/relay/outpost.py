"""An outpost: those at a table whose sockets are in another process, as the table sees them.

Frames for everybody go there once, not once for each socket.
"""

import logging
from collections.abc import Callable
from time import monotonic
from typing import Final, Protocol

from games.live import protocol
from games.live.hub import Frames, Member, Span
from games.live.protocol import BadMessage
from games.live.relay import messages
from games.live.relay.messages import Down, DownItem, UpItem, Visitor
from games.rules.view import Audience

log = logging.getLogger(__name__)

AUDIENCES: Final = tuple(Audience)


class Seen(Protocol):
    """What an outpost needs of a table (`games.live.table.Table`)."""

    @property
    def seq(self) -> int:
        """The number of the last event that may be told."""

    @property
    def spent(self) -> list[int]:
        """Milliseconds of absence used up, by seat."""

    def came(self, member: Member) -> None: ...

    def went(self, member: Member) -> None: ...

    def take(self, member: Member, message: protocol.CommandIn) -> None: ...

    def measured(self, member: Member, lag: int) -> None: ...

    def state_frame(self, seat: int | None) -> str: ...

    @property
    def after_state(self) -> str | None:
        """A frame that follows the state."""

    def break_off(self) -> None: ...

    def was_seen(self, seq: int) -> None:
        """Somebody was shown that event."""

    def part(self, outpost: "Outpost") -> None:
        """All of an outpost leave."""


class _Away:
    """A sink far away."""

    __slots__ = ("_number", "_outpost")

    def __init__(self, outpost: "Outpost", number: int) -> None:
        self._outpost = outpost
        self._number = number

    def send(self, frame: str) -> None:
        self._outpost.tell(messages.One(self._number, frame))

    def close(self, code: str, text: str) -> None:
        """Its own process looks after it."""


class Outpost:
    """The owner's end of the stream from one process about one match."""

    def __init__(self, table: Seen, process: str, slug: str, epoch: int, send: Callable[[str, Down], None]) -> None:
        self.table = table
        self.process = process
        self.slug = slug
        self.epoch = epoch
        self._send = send
        self._members: dict[int, Member] = {}
        self._there = [0 for _ in AUDIENCES]
        """How many are there, by audience."""
        self._heard = 0
        self._d = 0

    def hear(self, n: int, item: UpItem) -> None:
        """Take the next message of the stream. What is out of order is not taken, and will come again."""
        if n != self._heard + 1:
            return
        self._heard = n
        match item:
            case messages.Hello(visitors, seen):
                self.table.was_seen(seen)
                for visitor in visitors:
                    self._add(visitor)
                self.send_states([int(audience) for audience in AUDIENCES if self._has(audience)])
            case messages.Joined(visitor):
                self._send_state_to(self._add(visitor))
            case messages.Left(number):
                member = self._members.pop(number, None)
                if member is not None:
                    self._there[member.audience] -= 1
                    self.table.went(member)
            case messages.Said(number, text):
                self._said(number, text)
            case messages.Lag(number, ms):
                if (member := self._members.get(number)) is not None:
                    self.table.measured(member, ms)
            case messages.Want(audiences):
                if audiences:
                    self.send_states(audiences)
                else:
                    self.beat()
            case messages.BreakOff():
                self.table.break_off()

    def _said(self, number: int, text: str) -> None:
        member = self._members.get(number)
        try:
            message = protocol.decode(text)
        except BadMessage:
            # It was looked at where it came in: the other process is of another version.
            log.warning("a command from another process is not understood", extra={"match": self.slug})
            return
        if member is not None and isinstance(message, protocol.CommandIn):
            member.arrived = monotonic()
            self.table.take(member, message)

    def _add(self, visitor: Visitor) -> Member:
        who = visitor.who or (self.process, visitor.number)
        member = Member(_Away(self, visitor.number), visitor.seat, who, False, 0.0)
        member.lag = visitor.lag
        self._members[visitor.number] = member
        self._there[member.audience] += 1
        self.table.came(member)
        if visitor.lag is not None:
            self.table.measured(member, visitor.lag)
        return member

    def _send_state_to(self, member: Member) -> None:
        self.send_states([int(member.audience)])

    def _has(self, audience: Audience) -> bool:
        return self._there[audience] > 0

    def leave(self) -> None:
        """All of them are gone: their process is."""
        members = list(self._members.values())
        self._members.clear()
        self._there = [0 for _ in AUDIENCES]
        for member in members:
            self.table.went(member)

    # Down

    def tell(self, item: DownItem) -> None:
        self._d += 1
        self._send(self.process, Down(self.slug, self.epoch, self._d, item))

    def send_states(self, audiences: list[int]) -> None:
        """Send the state to those of these audiences that wait for it."""
        frames = [
            self.table.state_frame(None if audience is Audience.WATCHERS else int(audience))
            if audience in audiences
            else None
            for audience in AUDIENCES
        ]
        self.tell(messages.States(self.table.seq, frames, False, self.table.after_state))

    def publish(self, frames: Frames, span: Span | None) -> None:
        """A frame for everybody."""
        first, last, seat, command = span or (0, 0, None, None)
        self.tell(messages.Fan(self._wanted(frames), first, last, seat, command))

    def publish_state(self, frames: Frames, seq: int) -> None:
        """The state, for everybody."""
        each = [frames[audience] if self._has(audience) else None for audience in AUDIENCES]
        self.tell(messages.States(seq, each, True, None))

    def _wanted(self, frames: Frames) -> list[str | None]:
        if frames[0] is frames[1] is frames[2]:
            return [frames[0]]
        # A seat's frames go nowhere but where it sits.
        return [frames[audience] if self._has(audience) else None for audience in AUDIENCES]

    def beat(self) -> None:
        self._send(
            self.process,
            Down(self.slug, self.epoch, self._d, messages.Beat(self.table.seq, self._heard, self.table.spent)),
        )

    def close(self) -> None:
        """The table goes away."""
        self._send(self.process, Down(self.slug, self.epoch, self._d, messages.NotHere()))
