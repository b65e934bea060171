"""A place that knows who is at its match, and tells everybody."""

from abc import abstractmethod
from typing import Final

from games.live import frames, protocol
from games.live.alarm import Alarm
from games.live.hub import Member, Room
from games.live.place import Place
from games.live.presence import LAG_STEP, Attendance

PRESENCE_EVERY: Final = 1.0
"""Seconds between two presence frames: watchers come and go ..."""
SEATS_TOLD_AFTER: Final = 0.1
"""... but a seat that comes or goes is told sooner."""
LAG_TOLD_AFTER: Final = 10.0
"""... and a lag that has changed a little later."""


class Attended(Place):
    """The part of a table that is about who is there. The table sets `attendance`."""

    attendance: Attendance

    def __init__(self, room: Room) -> None:
        super().__init__(room)
        self.is_closed = False
        self._presence_alarm = Alarm(self._send_presence)
        self._presence_at = 0.0

    @abstractmethod
    def now(self) -> int:
        """The match's clock, in milliseconds."""

    @property
    @abstractmethod
    def is_live(self) -> bool:
        """Whether the match is not over, as far as anybody was told."""

    @abstractmethod
    def _set_alarm(self) -> None:
        """When a seat that is away loses may have changed."""

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
