"""The stands of a match with a delay: those of this process who only watch, and learn of everything that much later.

They sit at a place of their own. One sink of it, the feed, sits at the match (at
its table, or at the way to it in another process) as a watcher does, and what it
is sent goes into a queue and comes out `MatchInfo.delay` seconds later. So a delay
costs a match without one nothing, and a play nothing at all; it does not matter
where the table is, and when another process takes the match over, what waits
here goes on waiting. What lies before the feed came is read from the log.

Each watcher is at the match as well, without hearing anything of it, so that
everybody there is counted at one place and at once: how many watch is no secret.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Final, Protocol

import msgspec
from channels.db import database_sync_to_async
from django.db import DatabaseError, InterfaceError
from msgspec import Raw, Struct

from games.clock import loop_ms
from games.live import frames, protocol
from games.live.alarm import Alarm
from games.live.hub import FEED, Member, Room, Sink
from games.live.match_info import MatchInfo
from games.live.past import Past, read_past
from games.live.place import Place, refused
from games.live.protocol import Close, PresenceBody, SeatPresence
from games.rules.cards import Pile
from games.rules.evolve import evolve
from games.rules.log import decode_event, encode_event
from games.rules.refusals import Code
from games.rules.state import SEATS, State, Status
from games.rules.view import Audience, redacted, view_event

log = logging.getLogger(__name__)

AGAIN: Final = 0.5
"""Seconds after which the log is read again that could not be read."""


class Source(Protocol):
    """A match, or the way to it (`games.live.table.Table`, `games.live.relay.remote.Remote`)."""

    @property
    def match(self) -> MatchInfo: ...

    def join(
        self,
        sink: Any,
        seat: int | None,
        *,
        who: Any = None,
        wire: bool = True,
        goes_on: Callable[[Any], None] | None = None,
    ) -> None: ...

    def leave(self, sink: Sink) -> None: ...

    def resync(self, sink: Sink) -> None: ...


class _Seen(Struct):
    """The view in a frame of the state."""

    seq: int
    at: int
    places: dict[str, Pile]
    status: Status
    warned: int | None = None


class _Heard(Struct):
    """What the feed reads of a frame; what is not here is passed on as it is."""

    t: str
    seq: int = 0
    now: int = 0
    events: list[Raw] = []
    view: _Seen | None = None
    presence: PresenceBody | None = None
    seats: tuple[SeatPresence, ...] = ()
    watchers: int = 0
    named: tuple[str, ...] = ()


_decoder: Final = msgspec.json.Decoder(_Heard)
_NOBODY_YET: Final = tuple(SeatPresence(True, None, None) for _ in SEATS)


class _Held(Struct):
    """A frame that waits."""

    due: float
    """On the event loop's clock, in seconds."""
    frame: str
    heard: _Heard


class _Silent:
    """A watcher as the match has it: counted, and told nothing."""

    __slots__ = ("sink",)

    def __init__(self, sink: Sink) -> None:
        self.sink = sink

    def send(self, frame: str) -> None:
        """It is told by the stands, later."""

    def close(self, code: str, text: str) -> None:
        """The stands see to it."""


class Stands(Place):
    """Takes the frames of a source and hands them on later. The watchers `join` here."""

    def __init__(
        self,
        source: Source,
        room: Room,
        spawn: Callable[[Coroutine[Any, Any, None]], None],
        on_left: "Callable[[Stands], None]",
    ) -> None:
        super().__init__(room)
        self.match = source.match
        room.slug = self.match.slug
        self._source = source
        self._delay = float(self.match.delay)
        self._spawn = spawn
        self._on_left = on_left
        self._silent: dict[Sink, _Silent] = {}
        self._held: deque[_Held] = deque()
        self._alarm = Alarm(self._release)
        self._state: State | None = None
        """What the watchers may know; None while that is being found out."""
        self._seats: tuple[SeatPresence, ...] = _NOBODY_YET
        self._counted: tuple[int, tuple[str, ...]] = (0, ())
        self._extra: str | None = None
        self._zero = 0.0
        """What to take from the loop's milliseconds for the match's clock as it is shown here."""
        self._is_read = False
        self._last_words: tuple[Close, str] | None = None
        self._is_closed = False
        self._feed = _Feed(self)
        source.join(self._feed, None, who=FEED, wire=False, goes_on=self._move)

    def _move(self, source: Source) -> None:
        """The match is played elsewhere from now on."""
        self._source = source
        source.join(self._feed, None, who=FEED, wire=False, goes_on=self._move)

    # The watchers

    def join(self, sink: Sink, seat: None, *, who: Any = None, goes_on: Callable[[Any], None] | None = None) -> None:
        """Add a watcher. The state is sent at once, or as soon as it is known."""
        member = self.room.add(sink, None, sink if who is None else who, True, goes_on)
        silent = self._silent[sink] = _Silent(sink)
        self._count(silent, who, self._source)
        self._send_state(member)

    def _count(self, silent: _Silent, who: Any, source: Source) -> None:
        source.join(silent, None, who=who, wire=False, goes_on=partial(self._count_again, silent, who))

    def _count_again(self, silent: _Silent, who: Any, source: Source) -> None:
        if self._silent.get(silent.sink) is silent:
            self._count(silent, who, source)

    def leave(self, sink: Sink) -> None:
        if self.room.remove(sink) is None:
            return
        self._source.leave(self._silent.pop(sink))
        if not self.room.members:
            self._end()

    def _end(self) -> None:
        """Nobody is here any more."""
        if not self._is_closed:
            self._is_closed = True
            self._alarm.set(None)
            self._held.clear()
            self._on_left(self)
            self._source.leave(self._feed)

    def close(self, code: Close, text: str) -> None:
        super().close(code, text)
        self._alarm.set(None)

    def resync(self, sink: Sink) -> None:
        member = self.room.members.get(sink)
        if member is not None:
            self._send_state(member)

    def _take(self, member: Member, message: protocol.CommandIn) -> None:
        member.sink.send(refused(message.id, Code.NOT_SEATED))

    def _send_state(self, member: Member) -> None:
        if self._state is None:
            return
        self.room.up_to_date(member)
        member.sink.send(self._state_frame())
        if self._extra is not None:
            member.sink.send(self._extra)

    def _send_state_to_all(self) -> None:
        if self._state is not None:
            frame = self._state_frame()
            self.room.publish_state((frame, frame, frame), self._state.seq)

    def _state_frame(self) -> str:
        if self._state is None:
            raise RuntimeError("nothing may be shown yet")
        presence = PresenceBody(self._seats, *self._counted)
        now = max(self._state.at, round(loop_ms(self._loop) - self._zero))
        return frames.state_frame(self.match, self._state, None, presence, now)

    # What comes in

    def hear(self, frame: str) -> None:
        """A frame of the match, as a watcher without a delay is sent it."""
        heard = _decoder.decode(frame)
        presence = heard.presence
        if heard.t == "presence" or presence is not None:
            counted = (presence.watchers, presence.named) if presence is not None else (heard.watchers, heard.named)
            if counted != self._counted:
                self._counted = counted
                self._tell_presence()
        if heard.t in ("ping", "ack", "refused", "chat", "waiting"):
            return
        if heard.view is not None and not self._is_read:
            self._is_read = True
            self._spawn(self._read(heard, self._loop.time()))
            return
        self._held.append(_Held(self._loop.time() + self._delay, frame, heard))
        self._set_alarm()

    def parted(self, code: str, text: str) -> None:
        """The match sends everybody away."""
        if code != Close.OVER:
            for sink in [*self.room.members]:
                sink.close(code, text)
                self.leave(sink)
            return
        # Its table is cleared away, and what happened last has not been seen here yet.
        self._last_words = (Close(code), text)
        if not self._held:
            self._say_goodbye()

    def _say_goodbye(self) -> None:
        if self._last_words is not None:
            code, text = self._last_words
            for sink in [*self.room.members]:
                sink.close(code, text)
                self.leave(sink)

    async def _read(self, heard: _Heard, came_at: float) -> None:
        """What the log holds up to the first frame: what of it may be shown, and what has to wait."""
        if heard.view is None:
            return
        while not self._is_closed:
            try:
                past: Past = await database_sync_to_async(read_past, thread_sensitive=False)(self.match, heard.view.seq)
            except (DatabaseError, InterfaceError) as error:
                log.warning("the log cannot be read: %s", error, extra={"match": self.match.slug})
                await asyncio.sleep(AGAIN)
                continue
            break
        else:
            return
        # On the match's clock: when the frame came, or now, if the match was over long ago.
        now, read_at = heard.now, came_at
        if past.over_for is not None:
            now, read_at = past.states[-1].at + past.over_for, self._loop.time()
        horizon = now - self.match.delay * 1000
        self._zero = read_at * 1000 - horizon
        state = past.start
        waiting: deque[_Held] = deque()
        for seq, (event, after) in enumerate(zip(past.events, past.states, strict=True), 1):
            if event.at <= horizon:
                state = after
            else:
                seen = view_event(event, Audience.WATCHERS)
                waiting.append(_held_event(seq, seen, read_at + (event.at - horizon) / 1000))
        if past.states and past.states[-1].is_over and waiting:
            waiting.append(_held_state(past.states[-1], waiting[-1].due, self._seats))
        self._state = redacted(state, Audience.WATCHERS)
        self._held.extendleft(reversed(waiting))
        self._send_state_to_all()
        self._set_alarm()

    def _set_alarm(self) -> None:
        if self._state is not None and not self._is_closed:
            self._alarm.set(self._held[0].due if self._held else None)

    # What goes out

    def _release(self) -> None:
        now = self._loop.time()
        while self._held and self._held[0].due <= now:
            held = self._held.popleft()
            try:
                self._show(held)
            except Exception:
                # What it was cannot be told from here: it is asked for anew.
                log.exception("a frame cannot be shown later", extra={"match": self.match.slug})
                self._source.resync(self._feed)
        if not self._held:
            self._say_goodbye()
        self._set_alarm()

    def _show(self, held: _Held) -> None:
        heard = held.heard
        state = self._state
        if heard.t == "events" and state is not None:
            if heard.seq + len(heard.events) - 1 <= state.seq:
                return
            if heard.seq != state.seq + 1:
                self._source.resync(self._feed)
                return
            for raw in heard.events:
                state = evolve(state, decode_event(bytes(raw)))
            self._state = state
            self._zero = held.due * 1000 - heard.now
            self.room.publish((held.frame,) * 3, (heard.seq, state.seq, None, None))
        elif heard.view is not None:
            view = heard.view
            if state is not None and view.seq < state.seq:
                return
            self._state = State(
                self.match.setup, view.status, view.places, view.seq, view.at, view.at, warned=view.warned
            )
            self._extra = None
            if heard.now:
                self._zero = held.due * 1000 - heard.now
            if heard.presence is not None:
                self._seats = heard.presence.seats
            self._send_state_to_all()
        elif heard.t == "presence":
            self._seats = heard.seats
            self._tell_presence()
        else:
            self._extra = held.frame
            self.room.publish((held.frame,) * 3)

    def _tell_presence(self) -> None:
        if self._state is not None:
            self.room.publish(frames.same_for_all(protocol.Presence(self._seats, *self._counted)))


class _Feed:
    """The sink that hears for all."""

    __slots__ = ("_stands",)

    def __init__(self, stands: Stands) -> None:
        self._stands = stands

    def send(self, frame: str) -> None:
        self._stands.hear(frame)

    def close(self, code: str, text: str) -> None:
        self._stands.parted(code, text)


def _held_event(seq: int, event: Any, due: float) -> _Held:
    body = encode_event(event)
    frame = protocol.events_frame(seq, event.at, [body])
    return _Held(due, frame, _decoder.decode(frame))


def _held_state(state: State, due: float, seats: tuple[SeatPresence, ...]) -> _Held:
    """The state after the end, in which every card lies open (G9)."""
    view = _Seen(state.seq, state.at, dict(state.places), state.status, state.warned)
    return _Held(due, "", _Heard("state", view=view, presence=PresenceBody(seats, 0)))
