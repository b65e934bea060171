"""Sample people and matches, for all tests.

Matches are played through the real rule book, in memory, by two simple
players, and stored as the journal stores them.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import timedelta
from importlib import import_module
from itertools import count
from typing import Any

import msgspec
from django.apps import apps
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.db import transaction
from django.utils import timezone

from games.end_order import begin_end
from games.models import End, Event, Match, Seat
from games.rules import commands, events
from games.rules.book import CENTRES, Book, Decision
from games.rules.log import encode_event
from games.rules.registry import book_of
from games.rules.setup import Setup
from games.rules.state import SEATS, Cause, Phase, Result, State
from games.shuffling import RandomDealer

SPIT = Setup("spit")
_numbers = count(1)


class Played(msgspec.Struct, frozen=True):
    """A match in memory: its setup, its log and the state after it."""

    setup: Setup
    events: tuple[events.Event, ...]
    state: State

    @property
    def result(self) -> Result:
        assert self.state.status.result is not None
        return self.state.status.result


class Player:
    """Plays a match in memory, one command after the other, on a clock of its own.

    ``pace`` gives each seat's mean time for an action in milliseconds: the
    faster seat nearly always wins.
    """

    def __init__(self, setup: Setup = SPIT, seed: int = 0, pace: tuple[int, int] = (500, 900)) -> None:
        self.book: Book = book_of(setup.game)
        self.setup = setup
        self.state = self.book.start(setup)
        self.events: list[events.Event] = []
        self.now = 0
        self._dealer = RandomDealer(seed)
        self._random = random.Random(seed)
        self._pace = pace
        self._ids = count(1)

    def do(self, command: commands.Command, seat: int | None = None, after: int = 0) -> bool:
        """Judge a command ``after`` milliseconds from now; whether it was accepted."""
        self.now += after
        decision = self.book.decide(
            self.state, command, at=self.now, seat=seat, command_id=None if seat is None else f"c{next(self._ids)}"
        )
        if not isinstance(decision, Decision):
            return False
        self.events += decision.events
        self.state = decision.state
        return decision.refusal is None

    def step(self) -> None:
        """Do the next thing that somebody would do."""
        status = self.state.status
        number = status.round
        match status.phase:
            case Phase.DEALING:
                self.do(commands.Deal(self._dealer.shuffle(self.book.to_shuffle(self.state))))
            case Phase.READY:
                for seat in SEATS:
                    self.do(commands.Ready(number), seat, self._random.randrange(100, 900))
            case Phase.COUNTDOWN | Phase.STUCK:
                assert status.due is not None
                if status.phase is Phase.STUCK and self._random.random() < 0.3:
                    for seat in SEATS:
                        self.do(commands.Spit(number), seat, 100)
                else:
                    self.do(commands.Elapse(), after=max(0, status.due - self.now))
            case Phase.SLAP:
                seat = self._random.choice(SEATS) if status.chooser is None else status.chooser
                sizes = [len(self.state.places[name]) for name in CENTRES]
                pile = CENTRES[sizes.index(min(sizes))]
                command = commands.Slap(number, pile) if status.chooser is None else commands.Choose(number, pile)
                self.do(command, seat, self._random.randrange(150, 700))
            case Phase.PLAYING:
                self._act()
            case Phase.OVER:
                raise ValueError("the match is over")

    def _wishes(self, seat: int) -> list[commands.PlayerCommand]:
        wishes = []
        for command in self.book.legal(self.state, seat):
            if isinstance(command, commands.Move):
                source = next(name for name, pile in self.state.places.items() if pile and pile[-1] == command.card)
                if len(self.state.places[source]) < 2:
                    continue
            wishes.append(command)
        plays = [command for command in wishes if isinstance(command, commands.Play)]
        return list(plays or wishes)

    def _act(self) -> None:
        """Both seats look at the same table; the faster one acts, the other one perhaps a moment too late (G4)."""
        plans = []
        for seat in SEATS:
            wishes = self._wishes(seat)
            if wishes:
                mean = self._pace[seat]
                plans.append((self._random.randrange(mean // 2, mean * 3 // 2), seat, self._random.choice(wishes)))
        plans.sort(key=lambda plan: plan[0])
        (wait, seat, command), *late = plans
        self.do(command, seat, wait)
        for later, other, wish in late:
            if self.state.status.phase is Phase.PLAYING and later - wait < 150:
                self.do(wish, other, later - wait)

    def play(self, until: int | None = None) -> Played:
        """Play to the end, or until there are at least that many events."""
        while not self.state.is_over and (until is None or len(self.events) < until):
            self.step()
        return self.played()

    def played(self) -> Played:
        return Played(self.setup, tuple(self.events), self.state)


def play_match(setup: Setup = SPIT, seed: int = 0, pace: tuple[int, int] = (500, 900)) -> Played:
    """A whole match, to its end by the rules."""
    return Player(setup, seed, pace).play()


def play_short(winner: int | None = 0, setup: Setup = SPIT, seed: int = 0, cause: Cause | None = None) -> Played:
    """A match of a few events with the result asked for: resigned, abandoned (a draw), or by another ``cause``."""
    player = Player(setup, seed)
    while player.state.played == (0, 0):
        player.step()
    if cause is not None:
        player.do(commands.End(cause, None if winner is None else 1 - winner), after=100)
    elif winner is None:
        player.do(commands.End(Cause.ABANDONED), after=60_000)
    else:
        player.do(commands.Resign(), 1 - winner, 100)
    return player.played()


def make_user(name: str | None = None, **fields: Any) -> Any:
    """A person with an account; ``is_guest=True`` for a guest."""
    name = name or f"player{next(_numbers)}"
    return get_user_model().objects.create_user(username=name, **fields)


def event_rows(match: Match, log: Sequence[events.Event], first: int = 1) -> list[Event]:
    """The rows of these events, as the journal writes them."""
    return [
        Event(
            match=match,
            seq=seq,
            at=event.at,
            kind=event.kind.value,
            version=events.VERSIONS[event.kind],
            seat=event.seat,
            command=event.command,
            body=encode_event(event),
        )
        for seq, event in enumerate(log, first)
    ]


def store_match(
    played: Played,
    *players: Any,
    rated: bool = False,
    recorded: State | None = None,
    misplays: tuple[int, int] | None = None,
    **fields: Any,
) -> Match:
    """Store a match in memory, finished or not.

    ``players`` are the two seats: a user, the key of a bot level, or None for a
    deleted player. None given: two new persons. ``recorded`` is the state whose
    result is written down instead of the true one, ``misplays`` what a table would have counted.
    """
    seats = players or (make_user(), make_user())
    setup = played.setup
    fields = {"started_at": timezone.now() - timedelta(milliseconds=played.state.at), **fields}
    match = Match.objects.create(
        game=setup.game,
        options=msgspec.to_builtins(setup.options),
        pace=setup.pace,
        rated=rated,
        state=Match.State.OVER if played.state.is_over else Match.State.LIVE,
        **fields,
    )
    Seat.objects.bulk_create(
        Seat(match=match, number=number, bot=player)
        if isinstance(player, str)
        else Seat(match=match, number=number, user=player)
        for number, player in enumerate(seats)
    )
    Event.objects.bulk_create(event_rows(match, played.events))
    if played.state.is_over:
        store_end(match, played if recorded is None else msgspec.structs.replace(played, state=recorded), misplays)
    return match


def store_end(match: Match, played: Played, misplays: tuple[int, int] | None = None) -> End:
    result = played.result
    first, second = misplays or (None, None)
    with transaction.atomic():
        begin_end()
        return End.objects.create(
            match=match,
            winner=result.winner,
            cause=result.cause.value,
            void=result.is_void,
            events=played.state.seq,
            at=played.state.at,
            misplays_0=first,
            misplays_1=second,
        )


def make_match(*players: Any, winner: int | None = 0, rated: bool = True, **fields: Any) -> Match:
    """A stored, finished, short match with that winner (None: a draw)."""
    return store_match(play_short(winner), *players, rated=rated, **fields)


def moderators() -> Group:
    """The group of moderators with its rights, as the migrations make it; tests with real commits empty the tables."""
    for name, function in (
        ("0005_moderators", "make"),
        ("0006_moderators_decide", "give"),
        ("0008_moderators_look_at_flags", "give"),
    ):
        getattr(import_module(f"spitsite.accounts.migrations.{name}"), function)(apps, None)
    return Group.objects.get(name="Moderators")
