"""A place at a match whose table is in another process: that of the sockets which are here.

To its sockets it is the table. Pings and silence are looked after here;
commands go to the owner, and its frames are handed to everybody here. The way
in between may lose anything: what goes up is numbered, acknowledged by the
owner's beat, and sent again; a gap in what comes down is answered by asking
for the state.
"""

import logging
import random
import sys
from collections import deque
from collections.abc import Callable
from typing import Any, Final, Protocol

import msgspec

from games.live import protocol
from games.live.hub import Member, Room, Sink
from games.live.match_info import MatchInfo
from games.live.place import Place, refused
from games.live.presence import LAG_STEP
from games.live.relay import messages
from games.live.relay.messages import Down, Up, UpItem, Visitor, Who
from games.rules.refusals import Code

log = logging.getLogger(__name__)

RESEND: Final = 1.5
"""Seconds after which what was not acknowledged is sent again. The owner's beat comes every second."""
TROUBLE: Final = 2.5
"""Seconds without a word from the owner after which commands are refused with `trouble`."""
PATIENCE: Final = 10.0
"""Seconds after which a command that nobody answered is refused with `trouble`, too."""
UNREADABLE: Final = 10.0
"""Seconds after which an owner is asked again that cannot read the match."""
UNHEARD: Final = 1_000
"""The most messages that wait for acknowledgement. More, and a new stream is begun."""
UNANSWERED: Final = 200
"""The most commands that wait for an answer."""
_NEVER: Final = sys.maxsize
"""`Member.since` of those who wait for the state: no frame is for them yet."""


class _Command:
    """A command that waits for its answer."""

    __slots__ = ("is_doubtful", "n", "since", "text")

    def __init__(self, since: float, text: str) -> None:
        self.since = since
        self.text = text
        self.n = 0
        """The number of the message that last carried it."""
        self.is_doubtful = False
        """Whether its answer may have been lost."""


class RemoteHost(Protocol):
    """What a remote place asks of its process (`games.live.relay.cluster`)."""

    def send_up(self, owner: str, message: Up) -> None: ...

    def look_again(self, remote: "Remote", after: float = 0) -> None:
        """The owner says that it is none. `after`: seconds to wait before, for it would be no other one."""

    def left_alone(self, remote: "Remote") -> None:
        """Nobody is here any more, and the owner knows."""


class Remote(Place):
    """`attach` it to the owner; it may be attached again, to another one."""

    def __init__(self, match: MatchInfo, room: Room, host: RemoteHost, seen: int = 0) -> None:
        """`seen`: the last event that those who come here were shown."""
        super().__init__(room)
        room.slug = match.slug
        self.match = match
        self.owner = ""
        self.epoch = 0
        self.spent: list[int] | None = None
        """Milliseconds of absence used up, by seat, as far as the owner has told."""
        self.is_closed = False
        self._host = host
        self._numbers = 0
        self._members: dict[int, Member] = {}
        self._n = 0
        self._unheard: deque[tuple[float, Up]] = deque()
        self._heard = 0
        """Up to which number the owner has heard the stream."""
        self._wanted = 0
        """The number of the message that last asked for the state of everybody."""
        self._unanswered: dict[tuple[int, str], _Command] = {}
        """Commands by member and id."""
        self._d = 0
        self._seq: int | None = None
        """The last event that was handed on; None: only a state can tell where things stand."""
        self._seen = seen
        """The last event that was ever handed on: no screen steps back behind it."""
        self._heard_at = self._loop.time()

    # The owner

    def attach(self, owner: str) -> None:
        """Begin a stream with that process: who is here, and which commands were not answered."""
        self.owner = owner
        self._heard_at = self._loop.time()
        self._begin_stream()

    def detach(self) -> None:
        """Hear nobody, until it is attached again."""
        self.owner = ""

    def _begin_stream(self) -> None:
        self.epoch = random.getrandbits(48)
        self._n = self._d = self._heard = 0
        self._seq = None
        self._unheard.clear()
        self._put(messages.Hello([self._visitor(member) for member in self._members.values()], self._seen))
        self._wanted = self._n
        for (number, _), command in self._unanswered.items():
            self._put(messages.Said(number, command.text))
            command.n = self._n

    def _say(self, item: UpItem) -> None:
        if len(self._unheard) >= UNHEARD:
            # It says all that matters of what waits.
            self._begin_stream()
        else:
            self._put(item)

    def _put(self, item: UpItem) -> None:
        self._n += 1
        message = Up(self.match.slug, self.epoch, self._n, item)
        self._unheard.append((self._loop.time(), message))
        if self.owner:
            self._host.send_up(self.owner, message)

    @property
    def in_trouble(self) -> bool:
        """Whether the owner has not been heard of for too long."""
        return self._loop.time() - self._heard_at > TROUBLE

    def break_off(self) -> None:
        """Have the owner end the match without a result."""
        self._say(messages.BreakOff())

    # Sinks

    def join(
        self,
        sink: Sink,
        seat: int | None,
        *,
        who: Who | None = None,
        wire: bool = True,
        goes_on: Callable[[Any], None] | None = None,
    ) -> None:
        """As at a table; the state is sent when the owner has sent it here."""
        member = self.room.add(sink, seat, sink if who is None else who, wire, goes_on)
        member.since = _NEVER
        self._numbers += 1
        member.number = self._numbers
        self._members[member.number] = member
        self._say(messages.Joined(self._visitor(member)))

    @staticmethod
    def _visitor(member: Member) -> Visitor:
        who = member.who
        return Visitor(member.number, member.seat, who if isinstance(who, tuple) else None, member.lag)

    def retire(self) -> tuple[list[Member], list[tuple[Sink, str]]]:
        """The table is here from now on: who goes on there, and the commands that nobody has answered, in order."""
        self.is_closed = True
        commands = [(self._members[number].sink, command.text) for (number, _), command in self._unanswered.items()]
        self._members.clear()
        self._unanswered.clear()
        return self.room.clear(), commands

    def leave(self, sink: Sink) -> None:
        member = self.room.remove(sink)
        if member is None:
            return
        del self._members[member.number]
        for key in [key for key in self._unanswered if key[0] == member.number]:
            del self._unanswered[key]
        self._say(messages.Left(member.number))

    def resync(self, sink: Sink) -> None:
        member = self.room.members.get(sink)
        if member is not None and member.since != _NEVER:
            member.since = _NEVER
            self._say(messages.Want([int(member.audience)]))

    def _take(self, member: Member, message: protocol.CommandIn) -> None:
        key = (member.number, message.id)
        if member.seat is None:
            member.sink.send(refused(message.id, Code.NOT_SEATED))
        elif key in self._unanswered:
            return
        elif self.in_trouble or len(self._unanswered) >= UNANSWERED:
            member.sink.send(refused(message.id, Code.TROUBLE))
        else:
            text = msgspec.json.encode(message).decode()
            command = self._unanswered[key] = _Command(self._loop.time(), text)
            self._say(messages.Said(member.number, text))
            command.n = self._n

    def _pong(self, member: Member, n: int) -> None:
        before = member.lag
        if self.room.pong(member, n) and member.seat is not None and member.lag is not None:
            if before is None or abs(member.lag - before) >= LAG_STEP:
                self._say(messages.Lag(member.number, member.lag))
            else:
                member.lag = before

    def beat(self) -> None:
        if not self.in_trouble:
            # Else nobody is pinged: a page that hears nothing says so, and tries another connection.
            super().beat()
        now = self._loop.time()
        if self._unheard and now - self._unheard[0][0] > RESEND:
            again = [message for _, message in self._unheard]
            self._unheard = deque((now, message) for message in again)
            for message in again if self.owner else ():
                self._host.send_up(self.owner, message)
        elif self.in_trouble and not self._unheard:
            self._say(messages.Want([]))
        for (number, command_id), command in tuple(self._unanswered.items()):
            if now - command.since > PATIENCE:
                del self._unanswered[number, command_id]
                self._members[number].sink.send(refused(command_id, Code.TROUBLE))
        if not self._members and not self._unheard:
            self._host.left_alone(self)

    # What the owner says

    def hear(self, owner: str, message: Down) -> None:
        """Take a message of the owner. One of an older stream is none."""
        if message.epoch != self.epoch or owner != self.owner:
            return
        now = self._loop.time()
        if self.in_trouble:
            # Nobody was pinged, so nobody had reason to say anything.
            for member in self._members.values():
                member.heard_at = now
        self._heard_at = now
        item = message.item
        if isinstance(item, messages.NotHere):
            self._host.look_again(self, UNREADABLE if item.is_unreadable else 0)
            return
        if isinstance(item, messages.Beat):
            while self._unheard and self._unheard[0][1].n <= item.heard:
                self._unheard.popleft()
            self._heard = item.heard
            self.spent = item.spent
            if message.d != self._d or item.seq != self._seq:
                # Or the state was asked for, and was lost in its turn.
                self._d = message.d
                self._lost()
            self._ask_again()
            return
        if message.d <= self._d:
            return
        if message.d != self._d + 1:
            self._lost()
        self._d = message.d
        match item:
            case messages.Fan():
                self._fan(item)
            case messages.States():
                self._states(item)
            case messages.One(number, frame):
                self._one(number, frame)

    def _lost(self) -> None:
        """Something did not arrive: an event, an answer. Ask for all of it."""
        if self._seq is not None:
            log.info("a message from the owner was lost", extra={"match": self.match.slug})
        self._seq = None
        if self._members and self._wanted <= self._heard:
            self._say(messages.Want(sorted({int(member.audience) for member in self._members.values()})))
            self._wanted = self._n
        for command in self._unanswered.values():
            command.is_doubtful = True

    def _ask_again(self) -> None:
        """Send again what was heard, and whose answer may have been lost."""
        for (number, _), command in tuple(self._unanswered.items()):
            if command.is_doubtful and command.n <= self._heard:
                self._say(messages.Said(number, command.text))
                command.n = self._n
                command.is_doubtful = False

    def _fan(self, item: messages.Fan) -> None:
        if self._seq is None:
            self._answered(item, is_shown=False)
            return
        if item.last:
            if item.first != self._seq + 1:
                self._lost()
                return
            self._seq = self._seen = item.last
            self._answered(item, is_shown=True)
        self._publish(item.frames)

    def _answered(self, item: messages.Fan, is_shown: bool) -> None:
        """These events answer a command. If nobody here is shown them, it has to be answered once more."""
        for (number, command_id), command in tuple(self._unanswered.items()):
            if command_id == item.command and self._members[number].seat == item.seat:
                if is_shown:
                    del self._unanswered[number, command_id]
                else:
                    command.is_doubtful = True

    def _publish(self, frames: list[str | None]) -> None:
        first, second, watchers = frames * 3 if len(frames) == 1 else frames
        # Where there is no frame there is nobody, or who is there waits for the state.
        self.room.publish((first or "", second or "", watchers or ""))

    def _states(self, item: messages.States) -> None:
        if item.seq < self._seen:
            # The owner has not read yet what another one wrote in its last moment. It knows by now, and reads it.
            self._seq = None
            return
        everybody = item.to_all or self._seq is None
        if not everybody and item.seq != self._seq:
            self._lost()
            return
        self._seq = self._seen = item.seq
        left_out = set()
        for member in [*self.room.players.values(), *self.room.watchers.values()]:
            frame = item.frames[member.audience]
            if frame is None:
                if everybody:
                    # Came while this was on its way.
                    member.since = _NEVER
                    left_out.add(int(member.audience))
            elif everybody or member.since == _NEVER:
                self.room.up_to_date(member)
                if not everybody:
                    self._hand(member, frame, item.extra)
        if everybody:
            self._publish(item.frames)
            if item.extra is not None:
                self._publish([item.extra])
            if left_out:
                self._say(messages.Want(sorted(left_out)))

    @staticmethod
    def _hand(member: Member, frame: str, extra: str | None) -> None:
        member.sink.send(frame)
        if extra is not None:
            member.sink.send(extra)

    def _one(self, number: int, frame: str) -> None:
        member = self._members.get(number)
        command_id = protocol.id_of(frame)
        if command_id is not None:
            self._unanswered.pop((number, command_id), None)
        if member is not None:
            member.sink.send(frame)
