"""The table: one live match, its state, its timer, its inbox and who is there.

Everything happens in the event loop, synchronously, in the order of arrival.
`state` runs ahead of `shown`: a command is judged against all that was decided
before it, but nobody is told of anything, not even of a refusal that rests on
it, before it is in the database.
"""

import asyncio
import logging
from collections import OrderedDict, deque
from collections.abc import Coroutine
from typing import Final, Protocol

from django.db import DatabaseError, InterfaceError

from games.clock import loop_ms
from games.live import protocol
from games.live.hub import Frames, Member, Room, Sink
from games.live.inbox import Inbox
from games.live.journal import Entry, Fault, Journal, Reply, Stream
from games.live.match_info import Answer, Loaded, answer_of
from games.live.presence import Attendance
from games.live.protocol import BadMessage, Close, encode
from games.live.rows import EndRow
from games.rules.book import Decision
from games.rules.commands import Deal, Elapse, End
from games.rules.events import VERSIONS
from games.rules.log import encode_event
from games.rules.refusals import Code, Refusal
from games.rules.registry import book_of
from games.rules.state import Cause, Phase, State
from games.rules.view import Audience, view_event, view_state
from games.shuffling import Dealer

log = logging.getLogger(__name__)

REFUSALS_KEPT: Final = 256
"""How many refused commands of a match are remembered, to refuse them alike when they come again."""
BAD_MESSAGES: Final = 5
"""So many messages that are none, and the socket is closed."""
PRESENCE_EVERY: Final = 1.0
"""Seconds between two presence frames ..."""
SEATS_TOLD_AFTER: Final = 0.1
"""... but a seat that comes or goes is told sooner."""
LAG_STEP: Final = 15
"""Milliseconds by which a lag has to change to be told at once to everybody."""
RELOAD_PAUSE: Final = 0.5
"""Seconds between two tries to read a match from a database in trouble."""


class Host(Protocol):
    """What a table asks of its process (`games.live.supervisor`)."""

    async def reload(self, slug: str) -> Loaded:
        """The match as the database has it."""

    async def rematch(self, slug: str) -> str:
        """Begin the rematch of a match that is over; the address of its page."""

    def over(self, table: "Table") -> None:
        """The match is over, and the database knows."""

    def deserted(self, table: "Table") -> None:
        """The last socket has left."""


class Table:
    """One match. `join`, `leave` and `receive` never wait and never raise for anything that a sink does or sends."""

    def __init__(self, loaded: Loaded, *, journal: Journal, room: Room, dealer: Dealer, host: Host) -> None:
        self._loop = asyncio.get_running_loop()
        self._journal = journal
        self._dealer = dealer
        self._host = host
        self.match = loaded.match
        self.room = room
        self.book = book_of(loaded.match.setup.game)
        self.inbox: Inbox[tuple[Member, protocol.SeatMessage]] = Inbox(self._judge)
        self.state: State = loaded.state
        """What the next command is judged against; part of it may not be in the database yet."""
        self.shown: State = loaded.state
        """What is in the database, and may be told."""
        self._answers: dict[tuple[int, str], Answer] = loaded.answers
        self._refused: OrderedDict[tuple[int, str], Refusal] = OrderedDict()
        self._stream = Stream(loaded.match.pk, self)
        self._pending: deque[Entry] = deque()
        # The clock of a match stands still while no server runs it: it goes on from the last event.
        self._zero = loop_ms() - loaded.state.at
        self._stalled_at: int | None = None
        """Set while the database has the only true state, and it cannot be read yet."""
        self._timer: asyncio.TimerHandle | None = None
        self._due: int | None = None
        """When the timer fires; not after anything falls due."""
        self.attendance = Attendance(loaded.state.pace, self.now())
        self._presence_timer: asyncio.TimerHandle | None = None
        self._presence_due = 0.0
        self._presence_at = 0.0
        self._offered_by: int | None = None
        self._rematch_url = loaded.match.rematch_url
        self._tasks: set[asyncio.Task[None]] = set()
        self._rematch_begins = False
        self.is_closed = False
        self._opened: asyncio.Future[None] = self._loop.create_future()
        self._begin()

    async def opened(self) -> None:
        """Until there is something to show: the first deal is in the database."""
        await asyncio.shield(self._opened)

    def now(self) -> int:
        """The match's clock, in milliseconds since its start."""
        return loop_ms() - self._zero

    # Sinks

    def join(self, sink: Sink, seat: int | None, *, who: object = None, wire: bool = True) -> None:
        """Add a sink in that seat, or as a watcher, and send it the state.

        `who` is what watchers are counted by, the same for all tabs of a
        session. `wire` is False for a sink without a network in between.
        """
        member = self.room.add(sink, seat, sink if who is None else who, wire)
        if self.attendance.came(member, self.now()):
            self._arm()
        self._send_state(member)
        self._tell_presence(soon=seat is not None)

    def leave(self, sink: Sink) -> None:
        member = self.room.remove(sink)
        if member is None:
            return
        if self.attendance.went(member, self.now()):
            self._arm()
        self._tell_presence(soon=member.seat is not None)
        if not any(other.wire for other in self.room.members.values()):
            self._host.deserted(self)

    def resync(self, sink: Sink) -> None:
        """Send the sink the state afresh."""
        member = self.room.members.get(sink)
        if member is not None:
            self._send_state(member)

    def beat(self) -> None:
        """Ping the sockets that are due, and part from those that are silent."""
        for member in self.room.beat():
            member.sink.close(Close.SILENT, "no answer for too long")
            self.leave(member.sink)

    def receive(self, sink: Sink, text: str) -> None:
        """Take a frame from a sink."""
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
            self._pong(member, message.n)
        elif isinstance(message, protocol.Resync):
            self._send_state(member)
        elif isinstance(message, protocol.Rematch):
            self._rematch(member, message.id)
        else:
            self.inbox.put((member, message))

    def refuse_frame(self, sink: Sink, command_id: str | None, code: Code) -> None:
        """Refuse a frame that was not even looked at. Again and again: the socket is closed."""
        member = self.room.members.get(sink)
        if member is None:
            return
        sink.send(encode(protocol.Refused(command_id, code)))
        if code is Code.BAD_MESSAGE:
            member.bad += 1
            if member.bad >= BAD_MESSAGES:
                sink.close(Close.BAD_MESSAGE, "too many messages that are none")
                self.leave(sink)

    # Judging

    def _judge(self, item: tuple[Member, protocol.SeatMessage]) -> None:
        member, message = item
        seat = member.seat
        if seat is None:
            member.sink.send(encode(protocol.Refused(message.id, Code.NOT_SEATED)))
            return
        key = (seat, message.id)
        answer = self._answers.get(key) or self._refused.get(key)
        if answer:
            self._answer(member, message.id, answer)
            return
        if self._stalled_at is not None or self._journal.in_trouble:
            member.sink.send(encode(protocol.Refused(message.id, Code.TROUBLE)))
            return
        now = self.now()
        if self._due is not None and now >= self._due:
            # What fell due before this arrived comes before it, even if its timer has not been called yet.
            self._tick(now)
        decision = self.book.decide(self.state, message, at=now, seat=seat, command_id=message.id)
        if isinstance(decision, Refusal):
            self._refused[key] = decision
            if len(self._refused) > REFUSALS_KEPT:
                self._refused.popitem(last=False)
            self._answer(member, message.id, decision)
            return
        self._answers[key] = answer_of(decision.events[0], self.state.seq + 1)
        entry = self._accept(decision, now)
        refusal = decision.refusal
        entry.before.append((member, message.id, None if refusal is None else self._refusal_frame(message.id, refusal)))

    def _answer(self, member: Member, command_id: str, answer: Answer) -> None:
        """Answer now, or, if the answer may rest on what is not in the database yet, once it is."""
        frame = (
            self._refusal_frame(command_id, answer)
            if isinstance(answer, Refusal)
            else encode(protocol.Ack(command_id, answer))
        )
        if self._pending:
            self._pending[-1].after.append((member, command_id, frame))
        else:
            member.sink.send(frame)

    @staticmethod
    def _refusal_frame(command_id: str, refusal: Refusal) -> str:
        return encode(protocol.Refused(command_id, refusal.code, refusal.by, refusal.late))

    def _accept(self, decision: Decision, now: int) -> Entry:
        """Take over a decision, deal if a deal is due, and hand all of it to the journal."""
        first = self.state.seq + 1
        events = decision.events
        state = decision.state
        while state.status.phase is Phase.DEALING:
            deal = self.book.decide(state, Deal(self._dealer.shuffle(self.book.to_shuffle(state))), at=now)
            assert isinstance(deal, Decision)
            events += deal.events
            state = deal.state
        bodies = [encode_event(event) for event in events]
        match_id = self.match.pk
        entry = Entry(
            self._stream,
            first,
            events,
            bodies,
            [
                (match_id, seq, event.at, event.kind.value, VERSIONS[event.kind], event.seat, event.command, body)
                for seq, (event, body) in enumerate(zip(events, bodies, strict=True), first)
            ],
            state,
        )
        result = state.status.result
        if result is not None:
            entry.end = EndRow(match_id, result.winner, result.cause.value, result.is_void, state.seq, now)
        self.state = state
        self._pending.append(entry)
        self._journal.append(entry)
        self._arm_after(state, now)
        return entry

    def break_off(self) -> None:
        """The site ends the match without a result."""
        self._end(End(Cause.BROKEN_OFF))

    def _end(self, command: End) -> None:
        now = self.now()
        decision = self.book.decide(self.state, command, at=now)
        if isinstance(decision, Decision):
            self._accept(decision, now)

    # Time

    def _begin(self) -> None:
        """After loading: deal if that is what the match waits for, and start the timer."""
        if self.state.status.phase is Phase.DEALING:
            now = self.now()
            self._accept(Decision((), self.state), now)
            return
        self._arm()
        self._open()

    def _open(self) -> None:
        if not self._opened.done():
            self._opened.set_result(None)

    def _next_due(self) -> int | None:
        """When something falls due, by the rules or because a seat is away; None once the match is over."""
        if self.state.is_over:
            return None
        due = self.book.next_due(self.state)
        away = self.attendance.next_due()
        return away if due is None else due if away is None else min(due, away)

    def _arm(self) -> None:
        """Set the timer to the next thing that falls due."""
        self._set_timer(self._next_due())

    def _arm_after(self, state: State, now: int) -> None:
        """The same after events, without working it all out after every play.

        A card that moved has put off everything that inactivity brings about
        by at least `Pace.warning`: until then a timer that is set may stay. It
        finds nothing due when it fires, and is set anew.
        """
        put_off = not state.is_over and state.status.due is None and state.moved_at == now
        if not put_off or self._due is None or self._due > now + state.pace.warning:
            self._arm()

    def _set_timer(self, due: int | None) -> None:
        if due == self._due and self._timer is not None:
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._due = due
        if due is not None and not self.is_closed:
            self._timer = self._loop.call_at((self._zero + due) / 1000, self._fire)

    def _fire(self) -> None:
        self._timer = None
        if self._stalled_at is not None:
            return
        if self._journal.in_trouble:
            # Nothing is decided while it cannot be written; the clock goes on being looked at.
            self._due = None
            self._set_timer(self.now() + round(RELOAD_PAUSE * 1000))
            return
        self._tick(self.now())

    def _tick(self, now: int) -> None:
        """Do what is due by now."""
        due = self.book.next_due(self.state)
        if due is not None and now >= due:
            decision = self.book.decide(self.state, Elapse(), at=now)
            if isinstance(decision, Decision) and decision.events:
                self._accept(decision, now)
        gone = self.attendance.gone(now)
        if gone and not self.state.is_over:
            # Both at the same moment, as after a restart that neither came back from: nobody is to blame.
            self._end(End(Cause.LEFT, gone[0]) if len(gone) == 1 else End(Cause.ABANDONED))
        self._arm()

    # The journal's word

    def committed(self, entry: Entry) -> None:
        """The entry is in the database: tell everybody."""
        self._pending.popleft()
        self.shown = entry.state
        self._open()
        for member, _, frame in entry.before:
            if frame is not None:
                member.sink.send(frame)
        self.room.publish(self._frames(entry))
        if entry.state.is_over:
            # From here on everything is open (G9).
            self._send_state_to_all()
        for member, _, frame in entry.after:
            if frame is not None:
                member.sink.send(frame)
        if entry.end is not None:
            self._host.over(self)

    def _frames(self, entry: Entry) -> Frames:
        """The events as each audience may see them. What is the same for all is encoded only once."""
        now = self.now()
        made: list[tuple[list[str], str]] = []
        frames: list[str] = []
        for audience in Audience:
            bodies = [
                body if (view := view_event(event, audience)) is event else encode_event(view)
                for event, body in zip(entry.events, entry.bodies, strict=True)
            ]
            frame = next((frame for known, frame in made if known == bodies), None)
            if frame is None:
                frame = protocol.events_frame(entry.first, now, bodies)
                made.append((bodies, frame))
            frames.append(frame)
        return (frames[0], frames[1], frames[2])

    def broken(self, fault: Fault) -> None:
        """What was not committed never was. Start anew from what the database holds."""
        log.warning("the table starts anew: %s", fault, extra={"match": self.match.slug})
        self._stalled_at = self.now()
        self._set_timer(None)
        self.state = self.shown
        unanswered = [reply for entry in self._pending for reply in (*entry.before, *entry.after)]
        self._pending.clear()
        self._spawn(self._start_anew(unanswered))

    async def _start_anew(self, unanswered: list[Reply]) -> None:
        while not self.is_closed:
            try:
                loaded = await self._host.reload(self.match.slug)
            except (DatabaseError, InterfaceError) as error:
                log.warning("the match cannot be read: %s", error, extra={"match": self.match.slug})
                await asyncio.sleep(RELOAD_PAUSE)
            else:
                self._take_over(loaded, unanswered)
                return

    def _take_over(self, loaded: Loaded, unanswered: list[Reply]) -> None:
        """Go on from what was read; answer what was left open; show everybody where things stand."""
        assert self._stalled_at is not None
        # Nobody is charged for the time in which nothing could be done.
        now = max(self._stalled_at, loaded.state.at)
        self._zero = loop_ms() - now
        self._stalled_at = None
        self.state = self.shown = loaded.state
        self._answers = loaded.answers
        self._refused.clear()
        self._stream = Stream(self.match.pk, self)
        for member, command_id, _ in unanswered:
            answer = self._answers.get((member.seat, command_id)) if member.seat is not None else None
            if isinstance(answer, int):
                member.sink.send(encode(protocol.Ack(command_id, answer)))
            else:
                member.sink.send(self._refusal_frame(command_id, answer or Refusal(Code.TROUBLE)))
        self._send_state_to_all()
        if loaded.state.is_over:
            self._host.over(self)
        self._begin()

    # What is told besides the events

    def _send_state(self, member: Member) -> None:
        now = self.now()
        shown = self.shown
        live = not shown.is_over
        frame = protocol.State(
            seq=shown.seq,
            at=shown.at,
            now=now,
            you=member.seat,
            match=self.match.card(live),
            view=view_state(shown, member.audience),
            presence=self.attendance.body(live),
        )
        self.room.up_to_date(member)
        member.sink.send(encode(frame))
        if not live and (self._rematch_url is not None or self._offered_by is not None):
            member.sink.send(encode(protocol.RematchOffer(self._offered_by, self._rematch_url)))

    def _send_state_to_all(self) -> None:
        for member in tuple(self.room.members.values()):
            self._send_state(member)

    def _pong(self, member: Member, n: int) -> None:
        if not self.room.pong(member, n) or member.seat is None:
            return
        attendance = self.attendance.seats[member.seat]
        told = attendance.lag
        if told is None or member.lag is None or abs(member.lag - told) >= LAG_STEP:
            attendance.lag = member.lag
            self._tell_presence(soon=False)

    def _tell_presence(self, *, soon: bool) -> None:
        """Tell everybody who is there, but not more often than anybody can read."""
        at = max(self._loop.time(), self._presence_at + (SEATS_TOLD_AFTER if soon else PRESENCE_EVERY))
        if self._presence_timer is not None:
            if self._presence_due <= at:
                return
            self._presence_timer.cancel()
        self._presence_due = at
        self._presence_timer = self._loop.call_at(at, self._send_presence)

    def _send_presence(self) -> None:
        self._presence_timer = None
        self._presence_at = self._loop.time()
        body = self.attendance.body(not self.shown.is_over)
        frame = encode(protocol.Presence(body.seats, body.watchers))
        self.room.publish((frame, frame, frame))

    # After the end

    def _rematch(self, member: Member, command_id: str) -> None:
        if member.seat is None:
            member.sink.send(encode(protocol.Refused(command_id, Code.NOT_SEATED)))
            return
        if not self.shown.is_over:
            member.sink.send(encode(protocol.Refused(command_id, Code.NOT_NOW)))
            return
        member.sink.send(encode(protocol.Ack(command_id, self.shown.seq)))
        if self._rematch_url is not None:
            member.sink.send(encode(protocol.RematchOffer(self._offered_by, self._rematch_url)))
        elif self._offered_by is None:
            self._offered_by = member.seat
            self._tell_rematch()
        elif self._offered_by != member.seat and not self._rematch_begins:
            self._rematch_begins = True
            self._spawn(self._begin_rematch())

    async def _begin_rematch(self) -> None:
        try:
            self._rematch_url = await self._host.rematch(self.match.slug)
        finally:
            self._rematch_begins = False
        self._tell_rematch()

    def _tell_rematch(self) -> None:
        frame = encode(protocol.RematchOffer(self._offered_by, self._rematch_url))
        self.room.publish((frame, frame, frame))

    def close(self, code: Close, text: str) -> None:
        """Send everybody away and stop all timers. What was decided is still written."""
        self.is_closed = True
        self._set_timer(None)
        if self._presence_timer is not None:
            self._presence_timer.cancel()
        self.room.close(code, text)

    def _spawn(self, work: Coroutine[object, object, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a task of the table failed", exc_info=error, extra={"match": self.match.slug})
