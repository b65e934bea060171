"""A place that shows its match to everybody, knows who is there, and tells."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, Final

from games.live import frames, protocol
from games.live.alarm import Alarm
from games.live.host import Leaving
from games.live.hub import Member, Room, Sink
from games.live.match_clock import MatchClock
from games.live.match_info import Loaded
from games.live.place import Place
from games.live.presence import LAG_STEP, Attendance
from games.rules.state import SEATS, State

PRESENCE_EVERY: Final = 1.0
"""Seconds between two presence frames: watchers come and go ..."""
SEATS_TOLD_AFTER: Final = 0.1
"""... but a seat that comes or goes is told sooner."""
LAG_TOLD_AFTER: Final = 10.0
"""... and a lag that has changed a little later."""


class Attended(Place):
    """The part of a table that is about who is there, and what they are shown."""

    def __init__(self, loaded: Loaded, room: Room) -> None:
        super().__init__(room)
        room.slug = loaded.match.slug
        self.match = loaded.match
        self.clock = MatchClock(loaded.state.at)
        self.shown: State = loaded.state
        """What is in the database, and may be told."""
        self.is_closed = False
        self.attendance = Attendance(loaded.state.pace, self.now())
        self._presence_alarm = Alarm(self._send_presence)
        self._presence_at = 0.0

    def now(self) -> int:
        """The match's clock, in milliseconds since its start. It stands still while the table is stalled."""
        return self.clock.now()

    @property
    def is_live(self) -> bool:
        """Whether the match is not over, as far as anybody was told."""
        return not self.shown.is_over

    @property
    def seq(self) -> int:
        """The number of the last event that may be told."""
        return self.shown.seq

    @property
    @abstractmethod
    def after_state(self) -> str | None:
        """A frame that who comes in is sent after the state."""

    @abstractmethod
    def _set_alarm(self) -> None:
        """When a seat that is away loses may have changed."""

    @abstractmethod
    def _deserted(self) -> None:
        """The last socket has left."""

    # Sinks

    def join(
        self,
        sink: Sink,
        seat: int | None,
        *,
        who: object = None,
        wire: bool = True,
        goes_on: Callable[[Any], None] | None = None,
    ) -> None:
        """Add a sink in that seat, or as a watcher, and send it the state.

        `who` is what watchers are counted by, the same for all tabs of a
        person. `wire` is False for a sink without a network in between.
        `goes_on` leads the sink to the place that may come after this one.
        """
        member = self.room.add(sink, seat, sink if who is None else who, wire, goes_on)
        self._attend(member)
        self._send_state(member)
        self._tell_came_or_went(member)

    def leave(self, sink: Sink) -> None:
        member = self.room.remove(sink)
        if member is not None:
            self.went(member)
            self._look_for_wires()

    def part(self, outpost: Leaving) -> None:
        """Nobody of that other process is at the match any more."""
        if outpost in self.room.outposts:
            self.room.outposts.remove(outpost)
        outpost.leave()
        self._look_for_wires()

    def _look_for_wires(self) -> None:
        if not self.is_closed and not self.room.has_wires:
            self._deserted()

    def beat(self) -> None:
        super().beat()
        for outpost in self.room.outposts:
            outpost.beat()

    # What they are shown

    def resync(self, sink: Sink) -> None:
        member = self.room.members.get(sink)
        if member is not None:
            self._send_state(member)

    def _send_state(self, member: Member) -> None:
        self.room.up_to_date(member)
        member.sink.send(self.state_frame(member.seat))
        if (extra := self.after_state) is not None:
            member.sink.send(extra)

    def state_frame(self, seat: int | None) -> str:
        """Where things stand, as that seat may see it (None: a watcher)."""
        presence = self.attendance.body(live=self.is_live)
        return frames.state_frame(self.match, self.shown, seat, presence, self.now())

    def _send_state_to_all(self) -> None:
        first, second, watchers = (self.state_frame(seat) for seat in (*SEATS, None))
        self.room.publish_state((first, second, watchers), self.shown.seq)

    # Who is there

    def came(self, member: Member) -> None:
        """Somebody is at the match whose socket is elsewhere."""
        self._attend(member)
        self._tell_came_or_went(member)

    def went(self, member: Member) -> None:
        """Somebody is at the match no more."""
        if self.attendance.went(member, self.now()):
            self._set_alarm()
        self._tell_came_or_went(member)

    def _attend(self, member: Member) -> None:
        if self.attendance.came(member, self.now()):
            self._set_alarm()

    def _tell_came_or_went(self, member: Member) -> None:
        self._tell_presence(PRESENCE_EVERY if member.seat is None else SEATS_TOLD_AFTER)

    @property
    def spent(self) -> list[int]:
        """Milliseconds of absence that were used up, by seat."""
        return self.attendance.spent

    def _pong(self, member: Member, n: int) -> None:
        if self.room.pong(member, n) and member.lag is not None:
            self.measured(member, member.lag)

    def measured(self, member: Member, lag: int) -> None:
        """The lag of a socket was measured."""
        member.lag = lag
        if member.seat is None:
            return
        attendance = self.attendance.seats[member.seat]
        if attendance.lag is None or abs(lag - attendance.lag) >= LAG_STEP:
            first = attendance.lag is None
            attendance.lag = lag
            self._tell_presence(PRESENCE_EVERY if first else LAG_TOLD_AFTER)

    def _tell_presence(self, pause: float) -> None:
        """Tell everybody who is there, at least so many seconds after it was last told: nobody can read it faster."""
        at = max(self._loop.time(), self._presence_at + pause)
        if not self.is_closed and (self._presence_alarm.at is None or at < self._presence_alarm.at):
            self._presence_alarm.set(at)

    def _send_presence(self) -> None:
        self._presence_at = self._loop.time()
        body = self.attendance.body(live=self.is_live)
        self.room.publish(frames.same_for_all(protocol.Presence(body.seats, body.watchers, body.named)))
