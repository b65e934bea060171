"""The sockets of this process: who is at which match, and one frame for all of them."""

import logging
import random
from collections.abc import Callable, Iterator
from typing import Any, Final, Protocol

from games.live.protocol import Close, Ping, encode
from games.rules.view import Audience

log = logging.getLogger(__name__)

IDLE_PING: Final = 2.5
"""Seconds without a frame to a room after which its sockets are pinged."""
SEAT_PING: Final = 5.0
"""Seconds between two pings of a player in a busy room; each measures the lag."""
WATCHER_PING: Final = 12.5
"""The same for a watcher."""
SEAT_SILENCE: Final = 9.0
"""Seconds without a word after which a player's socket is dead (B06)."""
WATCHER_SILENCE: Final = 30.0
SLICE: Final = 100
"""How many watchers are served in one go before others get their turn."""


FEED: Final = ("feed", 0)
"""`Member.who` of a sink that is nobody, but passes on to others what it is sent (`games.live.stands`): not counted."""


class Sink(Protocol):
    """Where frames go: a socket, or a bot. Neither method waits, and neither raises."""

    def send(self, frame: str) -> None: ...

    def close(self, code: str, text: str) -> None: ...


Frames = tuple[str, str, str]
"""One frame for each audience; the same object where they do not differ."""

Span = tuple[int, int, int | None, str | None]
"""What a frame of events holds: the numbers of its first and last event, the seat and the id of their command."""


class Elsewhere(Protocol):
    """Those at the match whose sockets are in another process: they get each frame once."""

    def publish(self, frames: Frames, span: Span | None) -> None: ...

    def publish_state(self, frames: Frames, seq: int) -> None: ...

    def beat(self) -> None:
        """A second has passed."""


class Member:
    """One sink at a match."""

    __slots__ = (
        "arrived", "audience", "bad", "goes_on", "heard_at", "lag", "number", "ping", "pinged_at", "seat", "since",
        "sink", "who", "wire",
    )  # fmt: skip

    def __init__(
        self,
        sink: Sink,
        seat: int | None,
        who: object,
        wire: bool,
        now: float,
        goes_on: Callable[[Any], None] | None = None,
    ) -> None:
        self.sink = sink
        self.seat = seat
        self.audience = Audience.WATCHERS if seat is None else Audience(seat)
        self.who = who
        """What watchers are counted by: the same for all tabs of one person."""
        self.wire = wire
        """Whether there is a network in between: it is pinged, and may fall silent."""
        self.goes_on = goes_on
        """Leads the sink to the place that comes after this one; None: it ends with this one."""
        self.number = 0
        """Its number among those of this process (`games.live.relay`)."""
        self.bad = 0
        """Messages that were none."""
        self.since = 0
        """The number of the last frame of the room that it need not get: it was sent the state after it."""
        self.heard_at = now
        self.arrived = 0.0
        """When its last message arrived, by `time.monotonic`; for the figures."""
        self.pinged_at = now
        self.ping: int | None = None
        """The ping that waits for its pong."""
        self.lag: int | None = None


class Room:
    """The sinks of one match in this process."""

    __slots__ = (
        "_backlog", "_call_soon", "_clock", "_frames", "_sent_at", "members", "outposts", "players", "slug", "watchers",
    )  # fmt: skip

    def __init__(self, clock: Callable[[], float], call_soon: Callable[..., object]) -> None:
        self.members: dict[Sink, Member] = {}
        self.players: dict[Sink, Member] = {}
        self.watchers: dict[Sink, Member] = {}
        self.outposts: list[Elsewhere] = []
        self._clock = clock
        self._call_soon = call_soon
        self._sent_at = clock()
        self._frames = 0
        self._backlog: list[tuple[int, str, Iterator[Member]]] = []
        self.slug = ""
        """Of the match, for the logs; empty while it waits for an opponent."""

    def add(
        self, sink: Sink, seat: int | None, who: object, wire: bool, goes_on: Callable[[Any], None] | None = None
    ) -> Member:
        member = Member(sink, seat, who, wire, self._clock(), goes_on)
        member.since = self._frames
        self.members[sink] = member
        (self.watchers if seat is None else self.players)[sink] = member
        return member

    def remove(self, sink: Sink) -> Member | None:
        member = self.members.pop(sink, None)
        if member is not None:
            (self.watchers if member.seat is None else self.players).pop(sink)
        return member

    @property
    def has_wires(self) -> bool:
        """Whether any socket is at the match, not only bots."""
        return bool(self.outposts) or any(member.wire or member.who == FEED for member in self.members.values())

    def publish(self, frames: Frames, span: Span | None = None) -> None:
        """Send each audience its frame, players first. With `span` when it is one of events."""
        for outpost in self.outposts:
            outpost.publish(frames, span)
        self._publish_here(frames)

    def publish_state(self, frames: Frames, seq: int) -> None:
        """Send everybody the state after event `seq`."""
        for outpost in self.outposts:
            outpost.publish_state(frames, seq)
        self._publish_here(frames)

    def _publish_here(self, frames: Frames) -> None:
        self._sent_at = self._clock()
        self._frames += 1
        # Copies: a sink may answer in the same breath by leaving.
        for member in [*self.players.values()]:
            try:
                if member.since < self._frames:
                    member.sink.send(frames[member.audience])
            except Exception:  # noqa: BLE001 - logged there
                self._failed(member)
        if self.watchers:
            waiting = iter([*self.watchers.values()])
            frame = frames[Audience.WATCHERS]
            if self._backlog or not self._serve(self._frames, frame, waiting):
                # A crowd is served in slices: nobody else's play waits for all of it.
                self._backlog.append((self._frames, frame, waiting))
                if len(self._backlog) == 1:
                    self._call_soon(self._go_on)

    def _serve(self, number: int, frame: str, waiting: Iterator[Member]) -> bool:
        """Send the frame to some more watchers. Whether that was all of them."""
        for served, member in enumerate(waiting, 1):
            if member.since < number and member.sink in self.watchers:
                try:
                    member.sink.send(frame)
                except Exception:  # noqa: BLE001 - logged there
                    self._failed(member)
            if served == SLICE:
                return False
        return True

    def _go_on(self) -> None:
        if self._serve(*self._backlog[0]):
            self._backlog.pop(0)
        if self._backlog:
            self._call_soon(self._go_on)

    def _failed(self, member: Member) -> None:
        """A sink raised, which it should not: that is not to cost the others their frame."""
        log.exception("a sink failed", extra={"match": self.slug, "seat": member.seat})

    def clear(self) -> list[Member]:
        """Nobody is here any more; who was, players first."""
        members = [*self.players.values(), *self.watchers.values()]
        self.members.clear()
        self.players.clear()
        self.watchers.clear()
        return members

    def up_to_date(self, member: Member) -> None:
        """The member is sent the state now: frames still under way to the crowd are not for it."""
        member.since = self._frames

    def beat(self) -> list[Member]:
        """Ping whoever is due; the members whose line is dead."""
        now = self._clock()
        idle = now - self._sent_at >= IDLE_PING
        dead = []
        for member in tuple(self.members.values()):
            if not member.wire:
                continue
            watching = member.seat is None
            if now - member.heard_at > (WATCHER_SILENCE if watching else SEAT_SILENCE):
                dead.append(member)
                continue
            if now - member.pinged_at >= (IDLE_PING if idle else WATCHER_PING if watching else SEAT_PING):
                member.pinged_at = now
                # Not to be guessed: who answers before the ping is out would look faster than the wire.
                member.ping = random.getrandbits(31)
                member.sink.send(encode(Ping(member.ping)))
        return dead

    def pong(self, member: Member, n: int) -> bool:
        """A pong came. Whether it measured the lag."""
        if n != member.ping:
            return False
        member.ping = None
        member.lag = max(0, round((self._clock() - member.pinged_at) * 1000))
        return True

    def close(self, code: Close, text: str) -> None:
        for member in tuple(self.members.values()):
            member.sink.close(code, text)
