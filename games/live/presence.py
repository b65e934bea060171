"""Who is there: the seats, and how many watch.

A seat is here while any socket of it lives. When the last one goes, a
countdown begins that both sides see; who is back in time has only used up some
of the budget that a match allows for absences (`Pace.grace`,
`Pace.away_budget`).
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from games.live.hub import FEED, Member
from games.live.protocol import PresenceBody, SeatPresence
from games.rules.setup import Pace
from games.rules.state import SEATS

RELOAD: Final = 3_000
"""Milliseconds that a reload may take: so long an absence costs nothing, and nobody loses sooner (B22)."""
LAG_STEP: Final = 15
"""Milliseconds by which a seat's lag has to change before it is told again."""


NAMED: Final = 50
"""The most watchers whose names are told."""


class SeatAttendance:
    __slots__ = ("away_since", "came_at", "lag", "sockets", "spent")

    def __init__(self) -> None:
        self.sockets = 0
        self.came_at: int | None = None
        """When its last socket came: what was pressed while a line was broken comes right after that."""
        self.away_since: int | None = 0
        self.spent = 0
        """Milliseconds of absence so far that count."""
        self.lag: int | None = None


class Attendance:
    """Presence at one match. Times are milliseconds on the match's clock."""

    def __init__(self, pace: Pace, now: int) -> None:
        self._pace = pace
        self.seats = tuple(SeatAttendance() for _ in SEATS)
        for seat in self.seats:
            seat.away_since = now
        self._watchers: Counter[object] = Counter()
        self._names: dict[object, str] = {}
        """Of those watchers who allow it."""
        self.next_due: int | None = None
        """When the first of the absent seats loses; None while both are here."""
        self._look()

    @property
    def spent(self) -> list[int]:
        """Milliseconds of absence that count, by seat."""
        return [seat.spent for seat in self.seats]

    def spend(self, spent: Sequence[int]) -> None:
        """Take over what was spent before."""
        for seat, milliseconds in zip(self.seats, spent, strict=True):
            seat.spent = max(seat.spent, milliseconds)
        self._look()

    def _look(self) -> None:
        dues = [due for due in map(self.away_due, SEATS) if due is not None]
        self.next_due = min(dues, default=None)

    def came(self, member: Member, now: int) -> bool:
        """Somebody connected. Whether that brings a seat back."""
        if member.seat is None:
            if member.who != FEED:
                key, name = _key_and_name(member.who)
                self._watchers[key] += 1
                if name is not None:
                    self._names[key] = name
            return False
        seat = self.seats[member.seat]
        seat.sockets += 1
        seat.came_at = now
        if seat.away_since is None:
            return False
        away = now - seat.away_since
        seat.away_since = None
        if away > RELOAD:
            seat.spent += away
        self._look()
        return True

    def went(self, member: Member, now: int) -> bool:
        """Somebody's socket is gone. Whether that leaves a seat empty."""
        if member.seat is None:
            if member.who != FEED:
                key, _ = _key_and_name(member.who)
                self._watchers[key] -= 1
                if not self._watchers[key]:
                    del self._watchers[key]
                    self._names.pop(key, None)
            return False
        seat = self.seats[member.seat]
        seat.sockets -= 1
        if seat.sockets:
            return False
        seat.away_since = now
        seat.lag = None
        self._look()
        return True

    def away_due(self, seat: int) -> int | None:
        """When that seat loses for being away; None while it is here."""
        attendance = self.seats[seat]
        if attendance.away_since is None:
            return None
        left = self._pace.away_budget - attendance.spent
        return attendance.away_since + max(RELOAD, min(self._pace.grace, left))

    def gone(self, now: int) -> list[int]:
        """The seats that left: whose time is up, and then the other too, if it is away for longer than a reload.

        Whoever is not there to play on has not won by staying a little longer.
        """
        if self.next_due is None or now < self.next_due:
            return []
        return [
            seat
            for seat, attendance in enumerate(self.seats)
            if attendance.away_since is not None and now - attendance.away_since >= RELOAD
        ]

    @property
    def watchers(self) -> int:
        return len(self._watchers)

    def body(self, live: bool) -> PresenceBody:
        return PresenceBody(
            tuple(
                SeatPresence(attendance.away_since is None, attendance.lag, self.away_due(seat) if live else None)
                for seat, attendance in enumerate(self.seats)
            ),
            self.watchers,
            tuple(sorted(self._names.values(), key=str.casefold)[:NAMED]),
        )


def _key_and_name(who: object) -> tuple[object, str | None]:
    """What somebody is counted by, and the name if it may be told: the third part of who they are."""
    if isinstance(who, tuple) and len(who) == 3:
        return who[:2], str(who[2])
    return who, None
