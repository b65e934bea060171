"""The table: one live match, its state, its clock, its inbox and who is there.

Everything happens in the event loop, synchronously, in the order of arrival.
`state` runs ahead of `shown`: a command is judged against all that was decided
before it, but nobody is told of anything, not even of a refusal that rests on
it, before it is in the database.
"""

import asyncio
import logging
from collections import OrderedDict, deque
from typing import Final

from games.live import frames, protocol
from games.live.alarm import Alarm
from games.live.attended import Attended
from games.live.host import Host
from games.live.hub import Member, Room
from games.live.inbox import Inbox
from games.live.journal import Entry, Fault, Journal, Reply, Stream
from games.live.match_info import Answer, Loaded, answer_key, answer_of
from games.live.place import refused
from games.live.protocol import Close, encode
from games.live.recovery import RETRY, Recovery
from games.live.rematch import RematchTalk
from games.live.rows import EndRow, event_rows
from games.live.tasks import Tasks
from games.rules.book import Decision
from games.rules.commands import Deal, Elapse, End
from games.rules.log import encode_event
from games.rules.misplays import is_misplay
from games.rules.refusals import Code, Refusal
from games.rules.registry import book_of
from games.rules.state import Cause, Phase, State
from games.shuffling import Dealer

log = logging.getLogger(__name__)

REFUSALS_KEPT: Final = 256
"""How many refused commands of a match are remembered, to refuse them alike when they come again."""


class Table(Attended):
    """One match. `join`, `leave` and `receive` never wait, and never raise for anything that a sink does or sends."""

    def __init__(self, loaded: Loaded, *, journal: Journal, room: Room, dealer: Dealer, host: Host) -> None:
        super().__init__(loaded, room)
        slug = loaded.match.slug
        self._journal = journal
        self._dealer = dealer
        self._host = host
        self.book = book_of(loaded.match.setup.game)
        self.inbox: Inbox[tuple[Member, protocol.RulesIn]] = Inbox(self._judge)
        self.state: State = loaded.state
        """What the next command is judged against; part of it may not be in the database yet."""
        self._answers: dict[str, Answer] = loaded.answers
        self._refused: OrderedDict[str, Refusal] = OrderedDict()
        self._misplays: list[int] | None = None if loaded.state.seq else [0, 0]
        """By seat; what comes again and is remembered counts once. None: another table may have judged some."""
        self._stream = Stream(loaded.match.pk, self, slug)
        self._pending: deque[Entry] = deque()
        self._recovery = Recovery(self, host, slug)
        self._is_in_trouble = False
        """Whether everybody was told that nothing can be written."""
        self._due: int | None = None
        """When the alarm rings, on the match's clock; never later than anything falls due."""
        self._alarm = Alarm(self._ring)
        self._rematch = RematchTalk(slug, loaded.match.rematch_url, room, host)
        self._tasks = Tasks("table", slug)
        self._opened: asyncio.Future[None] = self._loop.create_future()
        self._begin()

    async def opened(self) -> None:
        """Until there is something to show: the first deal is in the database."""
        await asyncio.shield(self._opened)

    # Judging

    def take(self, member: Member, message: protocol.CommandIn) -> None:
        """Take a command of somebody whose socket is elsewhere."""
        self._take(member, message)

    def _take(self, member: Member, message: protocol.CommandIn) -> None:
        if member.seat is None:
            member.sink.send(refused(message.id, Code.NOT_SEATED))
        elif isinstance(message, protocol.Rematch):
            self._wish_rematch(member, member.seat, message.id)
        else:
            self.inbox.put((member, message))

    def _judge(self, item: tuple[Member, protocol.RulesIn]) -> None:
        member, message = item
        seat = member.seat
        if seat is None:
            return
        key = answer_key(seat, message.id)
        if self._recovery.unanswered and self._recovery.is_unanswered(member, key, message.id):
            return
        answer = self._answers.get(key) or self._refused.get(key)
        if answer is not None:
            self._answer(member, message.id, answer)
            return
        if self._is_in_trouble:
            self._look_for_trouble()
        if not self._can_decide:
            member.sink.send(_refusal_frame(message.id, Refusal(Code.TROUBLE)))
            return
        now = self.now()
        if self._due is not None and now >= self._due:
            # What fell due before this arrived comes before it, even if its timer was not called yet.
            self._tick(now)
        decision = self.book.decide(self.state, message, at=now, seat=seat, command_id=message.id)
        if isinstance(decision, Refusal):
            self._refused[key] = decision
            if len(self._refused) > REFUSALS_KEPT:
                self._refused.popitem(last=False)
            if self._misplays is not None:
                came_at = self.attendance.seats[seat].came_at
                self._misplays[seat] += is_misplay(self.book, self.state, message, decision, at=now, came_at=came_at)
            self._answer(member, message.id, decision)
            return
        self._answers[key] = answer_of(decision.events[0], self.state.seq + 1)
        refusal = decision.refusal
        frame = None if refusal is None else _refusal_frame(message.id, refusal)
        self._accept(decision, now, (member, message.id, frame))

    @property
    def _can_decide(self) -> bool:
        """False while it could not be written, may be another's to decide, or only the database knows the state."""
        return self.clock.stands_at is None and not self._journal.in_trouble and self._host.is_sure

    def _answer(self, member: Member, command_id: str, answer: Answer) -> None:
        """Answer now, or, if the answer may rest on what is not in the database yet, once it is."""
        if isinstance(answer, Refusal):
            frame = _refusal_frame(command_id, answer)
        else:
            frame = encode(protocol.Ack(command_id, answer))
        if self._pending:
            self._pending[-1].answers.append((member, command_id, frame))
        else:
            member.sink.send(frame)

    def _accept(self, decision: Decision, now: int, sender: Reply | None = None) -> None:
        """Take over a decision, deal if a deal is due, and hand all of it to the journal."""
        first = self.state.seq + 1
        events = decision.events
        state = decision.state
        while state.status.phase is Phase.DEALING:
            deal = self.book.decide(state, Deal(self._dealer.shuffle(self.book.to_shuffle(state))), at=now)
            if isinstance(deal, Refusal):
                raise RuntimeError(f"the dealer was refused: {deal.code}")
            events += deal.events
            state = deal.state
        bodies = [encode_event(event) for event in events]
        rows = event_rows(self.match.pk, first, events, bodies)
        entry = Entry(self._stream, first, events, bodies, rows, state, sender)
        if sender is not None:
            entry.arrived = sender[0].arrived
        result = state.status.result
        if result is not None:
            entry.end = EndRow(
                match_id=self.match.pk,
                winner=result.winner,
                cause=result.cause.value,
                void=result.is_void,
                events=state.seq,
                at=now,
                delay=self.match.delay,
                misplays=None if self._misplays is None else (self._misplays[0], self._misplays[1]),
            )
        self.state = state
        self._pending.append(entry)
        self._journal.append(entry)
        self._set_alarm_after(state, now)

    def break_off(self) -> None:
        """The site ends the match without a result."""
        self._end_soon(End(Cause.BROKEN_OFF))

    def left(self, seat: int) -> None:
        """Whoever had that seat cannot come back."""
        self._end_soon(End(Cause.LEFT, seat))

    def _end_soon(self, command: End) -> None:
        """Now, or as soon as anything can be decided."""
        if self.is_closed:
            return
        if self._can_decide:
            self._end(command)
        else:
            self._loop.call_later(RETRY / 1000, self._end_soon, command)

    def forget(self, user_id: int) -> None:
        """Somebody's account is deleted: the name goes from the table at once, the seat is away (B29)."""
        match = self.match.without(user_id)
        if match is not self.match:
            self.match = match
            self._send_state_to_all()

    def _end(self, command: End) -> None:
        now = self.now()
        decision = self.book.decide(self.state, command, at=now)
        if isinstance(decision, Decision):
            self._accept(decision, now)

    # Time

    def _begin(self) -> None:
        """After loading: deal if that is what the match waits for, and start the clock."""
        if self.state.status.phase is Phase.DEALING:
            self._accept(Decision((), self.state), self.now())
        else:
            self._set_alarm()
            self._open()

    def _open(self) -> None:
        if not self._opened.done():
            self._opened.set_result(None)

    def _set_alarm(self) -> None:
        """Set the alarm to the next thing that falls due, by the rules or because a seat is away."""
        due = None
        if not self.state.is_over and self.clock.stands_at is None:
            due = self.book.next_due(self.state)
            away = self.attendance.next_due
            if away is not None and (due is None or away < due):
                due = away
        self._set_due(due)

    def _set_due(self, due: int | None) -> None:
        self._due = due
        self._alarm.set(None if due is None or self.is_closed else self.clock.seconds(due))

    def _set_alarm_after(self, state: State, now: int) -> None:
        """The same after events, without working it all out after every play.

        A card that moved has put off everything that inactivity brings about
        by at least `Pace.warning`: it is enough that the alarm rings by then,
        finds nothing due, and is set exactly.
        """
        if state.is_over or state.status.due is not None or state.moved_at != now:
            self._set_alarm()
            return
        by = now + state.pace.warning
        if self._due is None or self._due > by:
            away = self.attendance.next_due
            self._set_due(by if away is None else min(by, away))

    def _ring(self) -> None:
        if self.clock.stands_at is not None:
            return
        now = self.now()
        if not self._can_decide:
            self._set_due(now + RETRY)
        else:
            self._tick(now)

    def _tick(self, now: int) -> None:
        """Do what is due by now."""
        due = self.book.next_due(self.state)
        if due is not None and now >= due:
            decision = self.book.decide(self.state, Elapse(), at=now)
            if isinstance(decision, Decision) and decision.events:
                self._accept(decision, now)
        gone = self.attendance.gone(now)
        if gone and not self.state.is_over:
            # Both, as after a restart that neither came back from: nobody is to blame.
            self._end(End(Cause.LEFT, gone[0]) if len(gone) == 1 else End(Cause.ABANDONED))
        self._set_alarm()

    # The journal's word

    def committed(self, entry: Entry) -> None:
        """The entry is in the database: tell everybody."""
        self._pending.popleft()
        self.shown = entry.state
        self._open()
        if entry.sender is not None:
            member, _, frame = entry.sender
            if frame is not None:
                member.sink.send(frame)
        seat, command = (None, None) if entry.sender is None else (entry.sender[0].seat, entry.sender[1])
        made = frames.events_frames(entry.first, entry.events, entry.bodies, self.now())
        self.room.publish(made, (entry.first, entry.state.seq, seat, command))
        if entry.state.is_over:
            # From here on everything is open (G9).
            self._send_state_to_all()
        for member, _, frame in entry.answers:
            if frame is not None:
                member.sink.send(frame)
        if entry.end is not None:
            self._host.over(self)

    def was_seen(self, seq: int) -> None:
        """That event is known to be in the log. If it is news, another owner wrote it."""
        # With something under way the journal finds out by itself.
        if seq > self.shown.seq and not (self._pending or self._recovery.is_under_way or self.is_closed):
            self._start_over("an event was missed")

    def was_kept(self, seq: int) -> None:
        """Another process may have had the match for a while; its log ends at that event."""
        self._misplays = None
        self.was_seen(seq)

    def broken(self, fault: Fault) -> None:
        """What was not committed never was."""
        self._start_over(fault)

    def _start_over(self, why: str) -> None:
        """Start anew from what the database holds."""
        # Nothing is judged until then: only the database knows the true state.
        self.clock.stop()
        self._set_due(None)
        self.state = self.shown
        # Refusals that are remembered may rest on what was not written, and nobody was told of those.
        self._refused.clear()
        self._misplays = None
        self._recovery.begin(why, self._pending)
        self._pending.clear()
        self._tasks.spawn(self._recovery.read())

    def unreadable(self) -> None:
        self._host.lost(self)

    def read_anew(self, loaded: Loaded, is_ours: bool) -> None:
        """Go on from what was read; answer what was left open; show everybody where things stand."""
        self._answers = loaded.answers
        if not is_ours:
            self._recovery.answer_all(self._answer_late)
            self._host.overtaken(self)
            return
        # Nobody is charged for the time in which nothing could be done.
        self.clock.go_on(loaded.state.at)
        if self._is_in_trouble:
            self.clock.stop()
        self.state = self.shown = loaded.state
        self._stream = Stream(self.match.pk, self, self.match.slug)
        self._recovery.answer_all(self._answer_late)
        self._send_state_to_all()
        if loaded.state.is_over:
            self._host.over(self)
        self._begin()
        self._look_for_trouble()

    def _answer_late(self, member: Member, command_id: str) -> None:
        answer = self._answers.get(answer_key(member.seat, command_id)) if member.seat is not None else None
        self._answer(member, command_id, answer or Refusal(Code.TROUBLE))

    def beat(self) -> None:
        super().beat()
        self._look_for_trouble()

    def _look_for_trouble(self) -> None:
        """While nothing can be written everybody is told so, and the clock stands still: nobody can be charged."""
        is_hindered = self._recovery.is_under_way or self._journal.in_trouble or not self._host.is_sure
        is_in_trouble = self.is_live and is_hindered
        if is_in_trouble == self._is_in_trouble or self.is_closed:
            return
        self._is_in_trouble = is_in_trouble
        self.room.publish(frames.same_for_all(protocol.Trouble(is_in_trouble)))
        if is_in_trouble and self.clock.stands_at is None:
            self.clock.stop()
            self._set_due(None)
        elif not is_in_trouble and self.clock.stands_at is not None:
            self.clock.go_on()
            self._set_alarm()
            # With the clock as it goes on.
            self._send_state_to_all()

    @property
    def after_state(self) -> str | None:
        if self._is_in_trouble:
            return encode(protocol.Trouble(True))
        return None if self._rematch.message is None else encode(self._rematch.message)

    # After the end

    def _wish_rematch(self, member: Member, seat: int, command_id: str) -> None:
        if not self.shown.is_over:
            member.sink.send(refused(command_id, Code.NOT_NOW))
            return
        self._tasks.spawn(self._rematch.wish(member, seat, command_id, self.shown.seq))

    def _deserted(self) -> None:
        self._host.deserted(self)

    def close(self, code: Close, text: str) -> None:
        """Send everybody away and stop the clock. What was decided is still written."""
        self.stand_still()
        super().close(code, text)

    def stand_still(self) -> None:
        """Decide nothing any more. What was decided is still written, and told."""
        self.is_closed = True
        self.clock.stop()
        self._set_due(None)
        self._presence_alarm.set(None)

    def retire(self) -> list[Member]:
        """The match is played elsewhere: who goes on there. The others, bots, are done."""
        self.stand_still()
        members = self.room.clear()
        for member in members:
            if member.goes_on is None:
                member.sink.close(Close.RESTART, "the match is played elsewhere")
        return [member for member in members if member.goes_on is not None]


def _refusal_frame(command_id: str, refusal: Refusal) -> str:
    return refused(command_id, refusal.code, refusal.by, refusal.late)
