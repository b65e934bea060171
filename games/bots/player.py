"""A computer player: frames in, messages out, as a browser's, and a clock that somebody else reads.

The player does no input or output and knows no event loop. Whoever runs it
hands it each frame (`hear`), asks when it next wants to do something
(`next_at`), and collects what it then sends (`act`). All times are whole
milliseconds of one clock, whichever.

It plays as a hand and an eye do. A change on the table is seen after a reaction
time; a glance takes in a part of the table; the hand then needs its time, and
what changes meanwhile is noticed only if there is time to: else the card goes
down where it no longer fits, as it does to people.
"""

import random
from collections.abc import Iterable

import msgspec
from msgspec import Struct

from games.bots.choice import (
    SEARCHES,
    Action,
    choose_action,
    glance,
    pile_to_spit_on,
    pile_to_take,
)
from games.bots.levels import Level, Spread
from games.bots.sight import AckFrame, EventsFrame, Frame, PingFrame, RefusedFrame, RematchFrame, Sight, StateFrame
from games.rules.commands import Choose, Flip, Play, PlayerCommand, Ready, Slap, Spit
from games.rules.events import Event, Kind
from games.rules.state import Phase, State

PATIENCE = 2_000
"""How long it waits for the answer to a command before it looks again."""
READY = Spread(900, 0.35, 400)
"""From a new layout to being ready: time enough for a person to see it."""
REMATCH = Spread(1_400, 0.3, 700)
"""From the offer of a rematch to accepting it."""
MOOD_STAYS = 0.9
"""How much of its drift from the usual tempo it keeps from one action to the next."""
TEN_MINUTES = 600_000


class Intent(Struct, frozen=True):
    """A card on its way."""

    action: Action
    top: str | None
    """The top of the pile it is meant for, as it was when it was picked up."""


class Player:
    """One seat's player. `chance` decides everything that is not on the table, so a seeded one can be repeated."""

    def __init__(self, level: Level, seat: int, chance: random.Random) -> None:
        self.level = level
        self.seat = seat
        self.sight = Sight()
        self.next_at: int | None = None
        """When it wants to act; None: only when it hears something."""
        self._chance = chance
        # Never used twice in a match, not even by the same seat after a restart.
        self._name = f"bot{chance.getrandbits(64):016x}"
        self._sent = 0
        self._last_id = ""
        self._waits_for: str | None = None
        self._intent: Intent | None = None
        self._effort = 0
        self._fresh: set[str] = set()
        self._changed_at: dict[str, int] = {}
        self._moment: tuple[object, ...] = ()
        self._mood = 0.0
        self._offered = False
        self._accepted = False

    # Hearing

    def hear(self, frame: Frame, now: int) -> list[str]:
        """Take in a frame that came at `now`; the messages to answer with at once."""
        match frame:
            case StateFrame():
                self.sight.look(frame)
                self._moment = ()
                self._waits_for = self._intent = None
                self._consider(now)
            case EventsFrame():
                new = self.sight.follow(frame)
                if new is None:
                    return ['{"t":"resync"}']
                self._follow(new, now)
            case RefusedFrame(id=str() as refused) | AckFrame(id=refused):
                if refused == self._waits_for:
                    # Surprised: it takes a moment longer than usual to look again.
                    self._answered(now, 1.3 if isinstance(frame, RefusedFrame) else 1.0)
            case RematchFrame():
                self._offered = frame.offered_by == 1 - self.seat and frame.url is None
                if self._offered and not self._accepted and self.sight.state.is_over:
                    self.next_at = now + REMATCH.draw(self._chance)
            case PingFrame():
                return [f'{{"t":"pong","n":{frame.n}}}']
        return []

    def _follow(self, events: Iterable[Event], now: int) -> None:
        mine = False
        for event in events:
            if event.moves:
                self._effort = 0
            for move in event.moves:
                self._fresh.add(move.target)
                self._changed_at[move.target] = now
            mine = mine or (event.command is not None and event.command == self._waits_for)
            if event.kind is Kind.WARNED and event.seat == self.seat:
                self._effort = SEARCHES
                self._look_by(now + self._time(self.level.reaction))
        if mine:
            self._answered(now)
        self._consider(now)

    def _answered(self, now: int, slower: float = 1.0) -> None:
        self._waits_for = None
        if self.sight.state.status.phase is Phase.PLAYING:
            self.next_at = now + self._time(self.level.reaction, slower)

    def _consider(self, now: int) -> None:
        """Something has changed: is it time to do something, or to look again?"""
        state = self.sight.state
        status = state.status
        phase = status.phase
        moment = (phase, status.round, status.since)
        if moment != self._moment:
            self._moment = moment
            self._intent = self._waits_for = None
            self._effort = 0
            self.next_at = self._first_at(state, now)
        elif phase is Phase.PLAYING and self._intent is None and self._waits_for is None:
            self._look_by(now + self._time(self.level.reaction))

    def _first_at(self, state: State, now: int) -> int | None:
        """When to act in a phase that has just begun; None: it has nothing to do in it."""
        level = self.level
        status = state.status
        match status.phase:
            case Phase.READY if not status.ready[self.seat]:
                return now + self._time(READY)
            case Phase.PLAYING | Phase.STUCK:
                return now + self._time(level.reaction)
            case Phase.SLAP if status.chooser in (None, self.seat):
                return now + self._time(level.slap)
        return None

    # Acting

    def act(self, now: int) -> list[str]:
        """The messages to send at `now`, when `next_at` has come."""
        self.next_at = None
        state = self.sight.state
        match state.status.phase:
            case Phase.READY:
                return [self._say(Ready(state.status.round))]
            case Phase.PLAYING:
                return self._play(state, now)
            case Phase.STUCK:
                return self._stuck(state, now)
            case Phase.SLAP:
                pile = pile_to_take(state, self.level, self._chance)
                by_slap = state.status.chooser is None
                return [self._say((Slap if by_slap else Choose)(state.status.round, pile))]
            case Phase.OVER if self._offered and not self._accepted:
                self._accepted = True
                return [f'{{"t":"rematch","id":"{self._new_id()}"}}']
        return []

    def _play(self, state: State, now: int) -> list[str]:
        self._waits_for = None
        if self._intent is not None:
            return self._let_go(self._intent, state, now)
        seen = glance(state, self.seat, self.level, self._chance, effort=self._effort, fresh=self._fresh)
        self._fresh.clear()
        action = choose_action(state, self.sight.book, self.seat, seen, self.level, self._chance)
        if action is not None:
            self._effort = 0
            self._intent = Intent(action, self._top(state, action))
            quick = 0.6 if isinstance(action, Flip) else 1.0
            self.next_at = now + self._time(self.level.hand, quick)
        elif self._effort < SEARCHES:
            self._effort += 1
            self.next_at = now + self._time(self.level.refresh)
        elif state.status.ready[1 - self.seat] and not state.status.ready[self.seat]:
            # It has looked everywhere: it agrees to what the other has called for (G6).
            return [self._say(Spit(state.status.round))]
        return []

    def _let_go(self, intent: Intent, state: State, now: int) -> list[str]:
        """The card has arrived where it was meant to go."""
        self._intent = None
        action = intent.action
        top = self._top(state, action)
        if isinstance(action, Play) and top != intent.top:
            # Taken in time? Then the hand stops, unless the card fits all the same.
            since = now - self._changed_at.get(action.to, now)
            if since >= self._time(self.level.reaction) and not (top and self.sight.book.fits(state, action.card, top)):
                self.next_at = now + self._time(self.level.reaction, 0.5)
                return []
        self.next_at = now + PATIENCE
        message = self._say(action)
        self._waits_for = self._last_id
        return [message]

    def _stuck(self, state: State, now: int) -> list[str]:
        choice = pile_to_spit_on(state, self.sight.book, self.seat)
        if choice is not None:
            self.next_at = now + self._time(self.level.hand)
            return [self._say(choice)]
        if state.status.ready[self.seat]:
            return []
        # Where the turn waits for both, it always asks.
        if not state.pace.asks and self._chance.random() >= self.level.calls:
            return []
        return [self._say(Spit(state.status.round))]

    @staticmethod
    def _top(state: State, action: Action) -> str | None:
        pile = state.places[action.to] if isinstance(action, Play) else ()
        return pile[-1] if pile else None

    def _say(self, command: PlayerCommand) -> str:
        self._last_id = self._new_id()
        return msgspec.json.encode({**msgspec.to_builtins(command), "id": self._last_id}).decode()

    def _new_id(self) -> str:
        self._sent += 1
        return f"{self._name}-{self._sent}"

    # Time

    def _time(self, spread: Spread, tempo: float = 1.0) -> int:
        """How long it takes this time. The tempo drifts a little, and gets slower as the match gets longer."""
        self._mood = MOOD_STAYS * self._mood + self.level.sway * self._chance.gauss(0.0, 1.0)
        tired = 1.0 + self.level.tires * min(1.0, self.sight.state.at / TEN_MINUTES)
        return spread.draw(self._chance, tempo * (1.0 + self._mood) * tired)

    def _look_by(self, at: int) -> None:
        if self.next_at is None or at < self.next_at:
            self.next_at = at
