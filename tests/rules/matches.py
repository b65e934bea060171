"""Whole matches at random, played by two players who do anything at all.

They play what is legal most of the time, and now and then something else:
a card that is not theirs, a command for an old round, a slap too early, or
nothing until a clock runs out. `Script` keeps what was asked, so that the
mirrored match can be played too.
"""

import random
from collections.abc import Iterator
from functools import lru_cache
from itertools import product

import msgspec
from msgspec import Struct

from games.rules.book import CENTRES, Book, Decision
from games.rules.cards import PACK, SECOND
from games.rules.commands import (
    Choose,
    Command,
    Deal,
    Elapse,
    End,
    Flip,
    Move,
    Play,
    PlayerCommand,
    Ready,
    Refill,
    Resign,
    Slap,
    Spit,
)
from games.rules.events import Event
from games.rules.refusals import Refusal
from games.rules.registry import BOOKS, book_of
from games.rules.setup import Options, Setup
from games.rules.state import SEATS, Cause, Phase, State


def all_setups() -> Iterator[Setup]:
    """Every combination of options of every game."""
    for book in BOOKS.values():
        for values in product(*book.choices.values()):
            options = Options(**dict(zip(book.choices, values, strict=True)))  # type: ignore[arg-type]
            if not book.validate(options):
                yield Setup(book.key, options)


PACED = tuple(Setup(book.key, book.defaults, "paced") for book in BOOKS.values())
"""Each game as it is usually played, with turns that wait for both (G6)."""

SETUPS = (*all_setups(), *PACED)


def label(setup: Setup) -> str:
    """A short name of a setup, for the names of tests."""
    chosen = msgspec.to_builtins(setup.options)
    pace = [] if setup.pace == "normal" else [setup.pace]
    return "-".join([setup.game, *pace, *(f"{name}_{value}".lower() for name, value in chosen.items())])


class Step(Struct, frozen=True):
    """A command, and what came of it."""

    before: State
    command: Command
    seat: int | None
    at: int
    outcome: Decision | Refusal


class Match(Struct, frozen=True):
    """A whole match, step by step."""

    setup: Setup
    seed: int
    steps: tuple[Step, ...]
    events: tuple[Event, ...]
    final: State

    @property
    def book(self) -> Book:
        return book_of(self.setup.game)

    def __repr__(self) -> str:
        return f"random_match({self.setup!r}, {self.seed})"


@lru_cache(maxsize=64)
def random_match(setup: Setup, seed: int, most: int = 20_000) -> Match:
    """A match to its end.

    :raises AssertionError: it does not end within `most` commands.
    """
    steps = []
    events: list[Event] = []
    player = RandomPlayers(setup, seed)
    for step in player.steps():
        steps.append(step)
        if isinstance(step.outcome, Decision):
            events += step.outcome.events
        assert len(steps) < most, "the match does not end"
    return Match(setup, seed, tuple(steps), tuple(events), player.state)


class RandomPlayers:
    """Both seats, the dealer and the clock."""

    def __init__(self, setup: Setup, seed: int) -> None:
        self.setup = setup
        self.book = book_of(setup.game)
        self.state = self.book.start(setup)
        self.now = 0
        self.random = random.Random(seed)
        self.folly = self.random.choice((0.0, 0.05, 0.3))
        """How often they do something that makes no sense."""
        self.haste = self.random.choice((0.0, 0.02, 0.2))
        """How often they call spit while there is something to play."""
        self.sleep = self.random.choice((0.0, 0.0, 0.0, 0.002))
        """How often nothing happens until a clock runs out."""
        self.cards = [*PACK, *(card + SECOND for card in PACK)]
        self.places = [*self.state.places, "centre.2", ""]

    def steps(self) -> Iterator[Step]:
        while not self.state.is_over:
            command, seat = self.next_command()
            outcome = self.book.decide(self.state, command, at=self.now, seat=seat)
            yield Step(self.state, command, seat, self.now, outcome)
            if isinstance(outcome, Decision):
                self.state = outcome.state

    def next_command(self) -> tuple[Command, int | None]:
        chance = self.random.random
        phase = self.state.status.phase
        number = self.state.status.round
        if phase is Phase.DEALING:
            asked = self.book.to_shuffle(self.state)
            return Deal({name: tuple(self.random.sample(pile, len(pile))) for name, pile in asked.items()}), None
        self.now += self.random.randrange(400)
        seat = self.random.choice(SEATS)
        if chance() < self.folly:
            return self.foolish(seat), seat
        if chance() < 0.0001:
            return self.random.choice([(Resign(), seat), (End(Cause.LEFT, seat), None), (End(Cause.BROKEN_OFF), None)])
        if phase is Phase.READY and chance() > self.sleep:
            return Ready(number), seat
        if phase is Phase.STUCK and (chance() < 0.3 or (self.state.pace.asks and chance() > self.sleep)):
            return self.random.choice([Spit(number), Choose(number, self.random.choice(CENTRES))]), seat
        if phase is Phase.SLAP and chance() < 0.8:
            pile = self.random.choice(CENTRES)
            return (Slap(number, pile), seat) if self.state.status.chooser is None else (Choose(number, pile), seat)
        if phase is Phase.PLAYING and chance() > self.sleep:
            if chance() < self.haste:
                return Spit(number), seat
            legal = list(self.book.legal(self.state, seat)) or list(self.book.legal(self.state, 1 - seat))
            plays = [command for command in legal if not isinstance(command, Move)]
            if plays and chance() < 0.9:
                legal = plays
            command = self.random.choice(legal)
            return command, seat if command in self.book.legal(self.state, seat) else 1 - seat
        due = self.book.next_due(self.state)
        assert due is not None, "nothing will ever happen again"
        self.now = max(self.now, due)
        return Elapse(), None

    def foolish(self, seat: int) -> PlayerCommand:
        """Something that makes no sense, most of the time."""
        choose = self.random.choice
        number = self.state.status.round + choose((0, 0, 0, 0, -1, 1))
        place = choose(self.places)
        mine = [pile[-1] for name, pile in self.state.places.items() if pile and name[0] == str(seat)]
        card = choose([choose(self.cards), *mine])
        return choose(
            [
                Ready(number),
                Spit(number),
                Play(number, card, choose((*CENTRES, place))),
                Play(number, card, choose(CENTRES)),
                Move(number, card, place),
                Flip(number, place),
                Refill(number, place),
                Choose(number, place),
                Slap(number, choose((*CENTRES, place))),
            ]
        )
