"""The judge: a whole log, re-derived from its first event by the rules.

Folding a log only shows where its events lead. The judge shows that each of
them had to be so: it reads off what was asked of the match (`asked`), asks the
rule book the same again, and demands the very events that are recorded.

    verdict = judge(setup, events)
    verdict.faults     # [] for a sound log, else [Fault(seq, text), ...]
    verdict.course     # the states before the first event and after each one
    verdict.state      # the last of them
    verdict.decisions  # how many commands the log is the outcome of

It needs nothing but the setup and the events, with their full faces, of a
finished match or of one that is still played.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from games.rules.book import Book, Decision
from games.rules.cards import Card, face_up, identities
from games.rules.commands import (
    Choose,
    Command,
    Deal,
    Elapse,
    End,
    Flip,
    Move,
    Play,
    Ready,
    Refill,
    Resign,
    SeatCommand,
    Slap,
    Spit,
)
from games.rules.events import Event, Kind, senders
from games.rules.evolve import evolve
from games.rules.registry import book_of
from games.rules.setup import Setup
from games.rules.state import SEATS, Cause, State


class Fault(Struct, frozen=True):
    """What is wrong with a log. `seq` is the number of the event, from 1; 0 for the log as a whole."""

    seq: int
    text: str

    def __str__(self) -> str:
        return f"event {self.seq}: {self.text}" if self.seq else self.text


class Verdict(Struct, frozen=True):
    """What the judge found."""

    faults: list[Fault]
    course: list[State]
    """The states before the first event and after each one, as far as the judge could follow. It is the fold of the
    log, handed out so that nobody has to fold it again."""
    decisions: int = 0

    @property
    def is_sound(self) -> bool:
        return not self.faults

    @property
    def state(self) -> State:
        """The state after the last event that the judge could follow."""
        return self.course[-1]


def judge(setup: Setup, events: Sequence[Event]) -> Verdict:
    """Judge a log again, from the cards in their first places to its last event.

    Never raises on a bad log: what is wrong comes back as faults. After a
    fault the recorded event is believed and the judging goes on behind it,
    as long as the events can be applied at all.

    :raises KeyError: no such game.
    """
    book = book_of(setup.game)
    state = book.start(setup)
    course = [state]
    table = _Table(state)
    faults: list[Fault] = []
    # A command's id is its sender's: that the other seat used it too (it can see it) is no fault.
    seen: set[tuple[int, str]] = set()
    index = decisions = 0
    while index < len(events):
        seq = index + 1
        event = events[index]
        if event.at < state.at:
            faults.append(Fault(seq, f"time runs backwards, from {state.at} to {event.at} ms"))
        if event.command is not None:
            sent = {(seat, event.command) for seat in senders(event)}
            if sent <= seen:
                faults.append(Fault(seq, f"command {event.command} had its effect before"))
            seen |= sent
        decision = _derive(book, state, events, index)
        if decision is not None:
            decisions += 1
            happened = decision.events
            for follower in happened[:-1]:
                course.append(evolve(course[-1], follower))
            state = decision.state
        else:
            faults.append(Fault(seq, f"the rules do not yield this {event.kind}"))
            try:
                state = evolve(state, event)
            except (IndexError, KeyError, ValueError):
                faults.append(Fault(seq, f"this {event.kind} does not belong to the table before it"))
                break
            happened = (event,)
        course.append(state)
        index += len(happened)
        if not table.follow(happened, state):
            faults.append(Fault(seq, "a card is missing, doubled or foreign"))
            break
    return Verdict(faults, course, decisions)


def asked(state: State, event: Event) -> Iterator[tuple[Command, int | None]]:
    """The commands, with their senders, of which `event` may have been the first outcome in that state.

    Nothing for a kind of event that only ever follows from another.
    """
    number = state.status.round
    seat = event.seat
    moved = event.moves[0] if event.moves else None
    match event.kind:
        case Kind.PLAYED if moved:
            yield Play(number, moved.card, moved.target), seat
        case Kind.SHUFFLED:
            yield Deal(event.orders or {}), None
        case Kind.READIED:
            yield Ready(number), seat
        case Kind.CALLED:
            yield Spit(number), seat
        case Kind.CHOSE:
            yield Choose(number, event.pile or ""), seat
        case Kind.MISSED:
            yield Play(number, event.card or "", event.pile or ""), seat
        case Kind.MOVED if moved:
            yield Move(number, moved.card, moved.target), seat
        case Kind.FLIPPED if moved:
            yield Flip(number, moved.target), seat
        case Kind.REFILLED if moved:
            yield Refill(number, moved.target), seat
        case Kind.SLAPPED if seat is not None:
            pile = event.pile or ""
            yield Slap(number, pile) if state.status.chooser is None else Choose(number, pile), seat
        case Kind.TURNED | Kind.SLAPPED | Kind.WARNED | Kind.GATHERED | Kind.FINISHED:
            yield Elapse(), None
        case Kind.ENDED:
            yield from _asked_for_the_end(event)


def _asked_for_the_end(event: Event) -> Iterator[tuple[Command, int | None]]:
    result = event.status.result if event.status else None
    if result is None:
        return
    loser = None if result.winner is None else 1 - result.winner
    match result.cause:
        case Cause.RESIGNED:
            yield Resign(), loser
        case Cause.ABORTED if event.command is not None:
            # Before a card was played it is not recorded who gave up; it made no difference (M2).
            yield Resign(), SEATS[0]
        case Cause.ABORTED:
            yield Elapse(), None
            yield End(Cause.LEFT), None
        case Cause.ABANDONED:
            yield Elapse(), None
            yield End(Cause.ABANDONED), None
        case Cause.LEFT | Cause.BROKEN_OFF:
            yield End(result.cause, loser), None
        case _:
            yield Elapse(), None


def _derive(book: Book, state: State, events: Sequence[Event], index: int) -> Decision | None:
    """The decision whose events are those recorded from `index` on; None when the rules do not yield them."""
    event = events[index]
    for command, seat in asked(state, event):
        sender_id = None
        if isinstance(command, SeatCommand):
            if seat not in SEATS:
                continue
            sender_id = event.command
        try:
            decision = book.decide(state, command, at=event.at, seat=seat, command_id=sender_id)
        except (ValueError, KeyError, IndexError):
            continue
        if isinstance(decision, Decision) and decision.events:
            length = len(decision.events)
            if decision.events == tuple(events[index : index + length]):
                return decision
    return None


class _Table:
    """The cards as the events move them, beside the states: each card is in exactly one place after every event.

    It begins with all cards, and each move has to take the very card that lies
    on top of its source. That costs what the moves cost. After a deal and at
    the end the whole table is compared with the state, and counted.
    """

    def __init__(self, state: State) -> None:
        self._piles = {name: list(pile) for name, pile in state.places.items()}
        self._cards = self._count()

    def follow(self, events: Sequence[Event], state: State) -> bool:
        """Make these moves, which lead to `state`. False when a card would be lost, doubled or exchanged."""
        piles = self._piles
        is_due = state.is_over
        for event in events:
            if event.orders is not None:
                is_due = True
                for name, order in event.orders.items():
                    if sorted(identities(order)) != sorted(identities(piles.get(name, ()))):
                        return False
                    piles[name] = list(order)
            for card, source, target in event.moves:
                taken = piles[source].pop() if piles[source] else None
                if taken is None or (taken != card and face_up(taken) != face_up(card)):
                    return False
                piles[target].append(card)
        return not is_due or self._shows(state)

    def _shows(self, state: State) -> bool:
        places = {name: tuple(pile) for name, pile in self._piles.items()}
        return places == state.places and self._count() == self._cards

    def _count(self) -> list[Card]:
        return sorted(card for pile in self._piles.values() for card in identities(pile))
