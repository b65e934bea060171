"""`Book`: what all games share. A rule book adds what is legal in its game and what follows."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from games.rules.cards import BACK, FOLLOWERS, Card, Pile, face_down, identities
from games.rules.commands import (
    Choose,
    Command,
    Deal,
    Elapse,
    Flip,
    Move,
    Play,
    PlayerCommand,
    Ready,
    Refill,
    Resign,
    RoundCommand,
    Slap,
    Spit,
)
from games.rules.draft import Draft
from games.rules.events import CardMove, Event, Kind
from games.rules.evolve import evolve
from games.rules.places import Place, Role
from games.rules.refusals import Code, Refusal
from games.rules.series import is_decided, leader, next_game, scored
from games.rules.setup import Handling, Options, Problem, Setup
from games.rules.state import SEATS, Cause, Phase, Result, State

CENTRES = ("centre.0", "centre.1")


class Decision(Struct, frozen=True):
    """An accepted command: what happened, and the state after it.

    `state` is the fold of `events` over the state the command was judged
    against, handed out so that nobody has to fold twice.
    """

    events: tuple[Event, ...]
    state: State
    refusal: Refusal | None = None
    """Set when the command was refused but leaves a trace in the log: a lost race (G4, `Kind.MISSED`)."""


class Book(ABC):
    """The rules of one game. Stateless; one instance per game, in `games.rules.registry`."""

    key: ClassVar[str]
    """The game's name in URLs, logs and settings."""
    choices: ClassVar[Mapping[str, tuple[object, ...]]]
    """The fields of `Options` that this game has, each with the values it may take."""
    defaults: ClassVar[Options] = Options()
    """What is played when nobody chooses."""

    # What a game says of itself

    @property
    def options(self) -> frozenset[str]:
        """The fields of `Options` that this game has."""
        return frozenset(self.choices)

    def validate(self, options: Options) -> tuple[Problem, ...]:
        """What is wrong with these options for this game; nothing, when it can be played so."""
        problems = []
        for name in Options.__struct_fields__:
            value = getattr(options, name)
            if name not in self.choices:
                if value != getattr(Options(), name):
                    problems.append(Problem(name, "unknown"))
            elif value not in self.choices[name]:
                problems.append(Problem(name, "value"))
        if options.target and options.best_of > 1:
            problems.append(Problem("target", "clash"))
        return tuple(problems)

    @abstractmethod
    def places(self, setup: Setup) -> tuple[Place, ...]:
        """All places of the table, in the order in which they are listed to readers."""

    @abstractmethod
    def start(self, setup: Setup) -> State:
        """The state before the first event: all cards in their first places, waiting for the dealer."""

    @abstractmethod
    def legal(self, state: State, seat: int) -> Iterator[PlayerCommand]:
        """Every play, move, flip and refill that the seat could make now with what is face up to it."""

    @abstractmethod
    def plays(self, state: State, seat: int) -> set[tuple[Card, str]]:
        """The plays among those, as card and centre pile. Cheaper than `legal` for who needs no more."""

    @abstractmethod
    def is_able(self, state: State, seat: int) -> bool:
        """Whether the seat has a legal play or a free action that turns up a card (G5)."""

    @abstractmethod
    def cards_left(self, state: State, seat: int) -> int:
        """The cards that the seat has yet to get rid of."""

    @abstractmethod
    def to_shuffle(self, state: State) -> Mapping[str, Pile]:
        """In phase DEALING: the places whose cards the dealer has to shuffle, with those cards."""

    # What follows from commands, game by game

    @abstractmethod
    def _deal(self, draft: Draft, orders: Mapping[str, Pile]) -> None: ...

    @abstractmethod
    def _turn(self, draft: Draft) -> None:
        """Make the turn (G6) and settle."""

    @abstractmethod
    def _play(self, draft: Draft, seat: int, command: Play) -> Refusal | None: ...

    @abstractmethod
    def _can_turn(self, state: State) -> bool:
        """Whether there is anything to turn."""

    @abstractmethod
    def _blocked(self, draft: Draft) -> None:
        """Nobody can act (G5): a turn is due, or the round or the game ends."""

    def _move(self, draft: Draft, seat: int, command: Move) -> Refusal | None:
        return Refusal(Code.NOT_IN_THIS_MATCH)

    def _flip(self, draft: Draft, seat: int, command: Flip) -> Refusal | None:
        return Refusal(Code.NOT_IN_THIS_MATCH)

    def _refill(self, draft: Draft, seat: int, command: Refill) -> Refusal | None:
        return Refusal(Code.NOT_IN_THIS_MATCH)

    def _choose(self, draft: Draft, seat: int, command: Choose) -> Refusal | None:
        return Refusal(Code.NOT_IN_THIS_MATCH)

    def _slap(self, draft: Draft, seat: int, command: Slap) -> Refusal | None:
        return Refusal(Code.NOT_IN_THIS_MATCH)

    def _fall_due(self, draft: Draft) -> None:
        """A countdown ran out."""
        self._turn(draft)

    # Judging

    def decide(
        self, state: State, command: Command, *, at: int, seat: int | None = None, command_id: str | None = None
    ) -> Decision | Refusal:
        """Judge a command against the state as it is now (G1).

        `at` is milliseconds since the start of the match, `seat` the sender
        (None for the server's own commands). A decision without events means
        that nothing was to be done, which only `Elapse` can bring about.

        :raises ValueError: the server's own command does not belong to the state, or a seat's has no seat.
        """
        phase = state.status.phase
        if phase is Phase.OVER:
            return Refusal(Code.GAME_OVER)
        draft = Draft(state, at, command_id)
        refusal: Refusal | None = None
        if isinstance(command, RoundCommand):
            if seat is None:
                raise ValueError("a seat's command without a seat")
            if command.round != state.status.round or phase is Phase.DEALING:
                return Refusal(Code.OLD_ROUND if command.round < state.status.round else Code.NOT_NOW)
            match command:
                case Play():
                    refusal = self._play(draft, seat, command)
                case Move():
                    refusal = self._move(draft, seat, command)
                case Spit():
                    refusal = self._spit(draft, seat)
                case Ready():
                    refusal = self._ready(draft, seat)
                case Slap():
                    refusal = self._slap(draft, seat, command)
                case Choose():
                    refusal = self._choose(draft, seat, command)
                case Flip():
                    refusal = self._flip(draft, seat, command)
                case _:
                    refusal = self._refill(draft, seat, command)
        else:
            match command:
                case Elapse():
                    self._elapse(draft)
                case Deal():
                    self._check_orders(state, command)
                    self._deal(draft, command.orders)
                case Resign():
                    self._end_from_outside(draft, Cause.RESIGNED, seat)
                case _:
                    self._end_from_outside(draft, command.cause, command.loser)
        if refusal is not None and not draft.events:
            return refusal
        return Decision(tuple(draft.events), draft.state, refusal)

    # Plays (G2 to G4)

    def followers(self, state: State) -> Mapping[Card, frozenset[Card]]:
        """For each top of a centre pile, the face-up cards that may go on it (G2)."""
        return FOLLOWERS

    def fits(self, state: State, card: Card, top: Card) -> bool:
        """Whether a face-up card may go on a centre pile with that top (G2)."""
        return card in self.followers(state)[top]

    def _fit_refusal(self, draft: Draft, seat: int, card: Card, source: str, target: str) -> Refusal:
        """Why a card does not fit. A lost race (G4) is kept in the log, with who was faster by how much."""
        state = draft.state
        pile = state.places[target]
        covers = reversed(state.touched.get(target, ()))
        for touch, covered in zip(covers, reversed(pile[:-1]), strict=False):
            late = draft.at - touch.at
            if late > state.pace.contest:
                break
            if touch.seat != seat and self.fits(state, card, covered):
                draft.add(Kind.MISSED, seat=seat, pile=target, card=card, by=touch.seat, late=late, place=source)
                return Refusal(Code.PILE_CHANGED, by=touch.seat, late=late)
        return Refusal(Code.NOT_ADJACENT)

    def _put(self, draft: Draft, seat: int, card: Card, source: str, target: str, *more: CardMove) -> None:
        draft.add(Kind.PLAYED, seat=seat, moves=(CardMove(card, source, target), *more))

    # Ready, spit, stuck (G5 to G7)

    def _ready(self, draft: Draft, seat: int) -> Refusal | None:
        status = draft.state.status
        if status.phase is not Phase.READY:
            return Refusal(Code.ALREADY if status.phase is Phase.COUNTDOWN else Code.NOT_NOW)
        if status.ready[seat]:
            return Refusal(Code.ALREADY)
        ready = (True, status.ready[1]) if seat == 0 else (status.ready[0], True)
        if all(ready):
            due = draft.at + draft.state.pace.countdown
            status = replace(status, phase=Phase.COUNTDOWN, since=draft.at, due=due, ready=ready)
        else:
            status = replace(status, since=draft.at, ready=ready)
        draft.add(Kind.READIED, seat=seat, status=status)
        return None

    def _spit(self, draft: Draft, seat: int) -> Refusal | None:
        state = draft.state
        status = state.status
        if status.phase not in (Phase.PLAYING, Phase.STUCK):
            return Refusal(Code.NOT_NOW)
        if status.ready[seat]:
            return Refusal(Code.ALREADY)
        if not self._can_turn(state):
            return Refusal(Code.NOTHING_THERE)
        ready = (True, status.ready[1]) if seat == 0 else (status.ready[0], True)
        # Where the turn waits for both, the other seat's time begins now (G8).
        since = draft.at if self._waits_for_both(state) else status.since
        draft.add(Kind.CALLED, seat=seat, status=replace(status, since=since, ready=ready))
        if all(ready):
            self._turn(draft)
        return None

    @staticmethod
    def _waits_for_both(state: State) -> bool:
        """Whether the match is stuck until both seats have asked for the turn (G6)."""
        return state.pace.asks and state.status.phase is Phase.STUCK

    def is_stuck(self, state: State) -> bool:
        return not (self.is_able(state, 0) or self.is_able(state, 1))

    def _make_turn(self, draft: Draft, moves: tuple[CardMove, ...], alone: int | None = None) -> None:
        """Turn these cards, all in one event; if that helps nobody, go on from there (G7)."""
        status = replace(
            draft.state.status,
            phase=Phase.PLAYING,
            since=draft.at,
            due=None,
            ready=(False, False),
            turns=0,
            alone=alone,
        )
        event = Event(Kind.TURNED, draft.at, moves=moves, status=status)
        stuck = self.is_stuck(evolve(draft.state, event))
        if stuck:
            status = replace(status, turns=draft.state.status.turns + 1)
        draft.add(Kind.TURNED, moves=moves, status=status)
        if stuck:
            self._blocked(draft)

    def _say_stuck(self, draft: Draft) -> None:
        state = draft.state
        pace = state.pace
        wait = pace.still_stuck if state.status.turns else pace.stuck
        due = None if pace.asks else draft.at + wait
        status = replace(state.status, phase=Phase.STUCK, since=draft.at, due=due)
        draft.add(Kind.STUCK, status=status)

    # Time (G8, G11)

    def next_due(self, state: State) -> int | None:
        """When `Elapse` may next have something to do, in ms since the start; None once the match is over."""
        status = state.status
        if status.phase is Phase.OVER or status.phase is Phase.DEALING:
            return None
        pace = state.pace
        cap = status.began + pace.cap
        if status.due is not None:
            return min(status.due, cap)
        idle_since, slow = self._idle(state)
        if slow is None:
            wait = pace.abandoned
        else:
            wait = pace.inactive if state.warned == slow else pace.warning
        return min(idle_since + wait, cap)

    def _idle(self, state: State) -> tuple[int, int | None]:
        """Since when nobody has acted, and the one seat that could, if it is only one (G8)."""
        status = state.status
        if status.phase is Phase.READY or self._waits_for_both(state):
            waiting = [seat for seat in SEATS if not status.ready[seat]]
            return status.since, waiting[0] if len(waiting) == 1 else None
        able = [seat for seat in SEATS if self.is_able(state, seat)]
        return state.moved_at, able[0] if len(able) == 1 else None

    def _elapse(self, draft: Draft) -> None:
        state = draft.state
        status = state.status
        pace = state.pace
        if status.phase is Phase.DEALING:
            return
        if status.due is not None and draft.at >= status.due:
            self._fall_due(draft)
            return
        if draft.at >= status.began + pace.cap:
            self._end_by_count(draft, Cause.CAP)
            return
        if status.due is not None:
            return
        idle_since, slow = self._idle(state)
        idle = draft.at - idle_since
        if slow is None:
            if idle >= pace.abandoned:
                self._end_from_outside(draft, Cause.ABANDONED, None)
        elif idle >= pace.inactive:
            self._end_from_outside(draft, Cause.INACTIVE, slow)
        elif idle >= pace.warning and state.warned != slow:
            draft.add(Kind.WARNED, seat=slow)

    # The end (G10, M1, M2)

    def _end_game(self, draft: Draft, winner: int | None, cause: Cause) -> None:
        """A game is over by its rules: the match too, or its next game is due (M1)."""
        state = draft.state
        options = state.setup.options
        if not options.is_series:
            self._end(draft, winner, cause)
            return
        cards = 0 if winner is None else self.cards_left(state, 1 - winner)
        status = scored(options, state.status, Result(winner, cause), cards)
        if is_decided(options, status):
            draft.add(Kind.FINISHED, seat=winner, status=status)
            self._end(draft, leader(status), cause)
        else:
            moves = tuple(self._gather(state))
            draft.add(Kind.FINISHED, seat=winner, moves=moves, status=next_game(status, draft.at))

    def _gather(self, state: State) -> Iterator[CardMove]:
        """All cards back, face down, to where the first deal found them."""
        for source, pile in state.places.items():
            for card in reversed(pile):
                home = self._home(card)
                if source != home:
                    yield CardMove(face_down(card), source, home)

    def _home(self, card: Card) -> str:
        """The place in which the first deal finds a card."""
        return Role.PACK.value

    def _end(self, draft: Draft, winner: int | None, cause: Cause) -> None:
        status = replace(
            draft.state.status, phase=Phase.OVER, since=draft.at, due=None, chooser=None, result=Result(winner, cause)
        )
        draft.add(Kind.ENDED, seat=winner, status=status)

    def _end_by_count(self, draft: Draft, cause: Cause) -> None:
        """Fewer cards win, equal is a draw (G11)."""
        left = [self.cards_left(draft.state, seat) for seat in SEATS]
        self._end_game(draft, None if left[0] == left[1] else left.index(min(left)), cause)

    def _end_from_outside(self, draft: Draft, cause: Cause, loser: int | None) -> None:
        """Somebody left, gave up or slept; without a card played the match is aborted (M2)."""
        if cause is not Cause.BROKEN_OFF and draft.state.played == (0, 0):
            self._end(draft, None, Cause.ABORTED)
        else:
            self._end(draft, None if loser is None else 1 - loser, cause)

    # Dealing

    def _check_orders(self, state: State, command: Deal) -> None:
        if state.status.phase is not Phase.DEALING:
            raise ValueError("nothing waits for the dealer")
        wanted = self.to_shuffle(state)
        if wanted.keys() != command.orders.keys():
            raise ValueError("the dealer shuffled other places than asked")
        for name, pile in command.orders.items():
            if sorted(identities(pile)) != sorted(identities(wanted[name])):
                raise ValueError(f"the dealer changed the cards of {name}")
            if any(card[0] != BACK for card in pile):
                raise ValueError("shuffled cards lie face down")

    @staticmethod
    def _by_hand(state: State) -> bool:
        return state.setup.options.handling is Handling.BY_HAND
