"""Positions by hand: a table written as text, and commands tried on it.

    table = Position('''
        0.stockpile: Kh | -3c 7h | | |
        1.stockpile: 4d | | | |
        centre: Ac | 9d
    ''')
    assert table.play(0, "Kh", "centre.0") is None
    assert table.play(1, "4d", "centre.1") is Code.NOT_ADJACENT

A line names places by seat and role; their piles follow, from the bottom up,
with a bar between one place and the next. What is not named is empty.
"""

from collections.abc import Mapping
from typing import Any

from games.rules import commands
from games.rules.book import Book, Decision
from games.rules.cards import PACK, Pile
from games.rules.commands import Command
from games.rules.events import Event, Kind
from games.rules.refusals import Code, Refusal
from games.rules.registry import book_of
from games.rules.setup import Options, Setup
from games.rules.state import SEATS, Phase, Result, State, Status

BOTH_START = ("centre.0", "centre.1")


def piles(text: str, book: Book, setup: Setup) -> dict[str, Pile]:
    """The piles that a text names."""
    places: dict[str, Pile] = {place.name: () for place in book.places(setup)}
    for line in filter(None, map(str.strip, text.splitlines())):
        name, _, rest = line.partition(":")
        found = [tuple(pile.split()) for pile in rest.split("|")]
        names = [known for known in places if known == name or known.startswith(f"{name}.")]
        assert len(found) <= len(names), line
        places.update(zip(names, found, strict=False))
    return places


class Position:
    """A match set up in the middle, on a clock of its own.

    `of` is the game. Keywords that are fields of `Options` choose the options, `pace` the speed class, the
    others are fields of `Status`.
    """

    def __init__(self, text: str = "", of: str = "spit", phase: Phase = Phase.PLAYING, **fields: Any) -> None:
        options = {name: fields.pop(name) for name in Options.__struct_fields__ if name in fields}
        self.book = book_of(of)
        self.setup = Setup(of, Options(**options), fields.pop("pace", "normal"))
        assert not self.book.validate(self.setup.options)
        self.now = 10_000
        self.events: tuple[Event, ...] = ()
        """What the last accepted command brought about."""
        self.state: State
        if text:
            if of != "speed":
                fields.setdefault("starts", BOTH_START)
            status = Status(phase, since=self.now, **fields)
            places = piles(text, self.book, self.setup)
            self.state = State(self.setup, status, places, at=self.now, moved_at=self.now, played=(1, 1))
        else:
            self.state = self.book.start(self.setup)

    # Trying commands. Each returns the refusal's code, or None.

    def do(self, command: Command, seat: int | None = None) -> Code | None:
        outcome = self.book.decide(self.state, command, at=self.now, seat=seat)
        if isinstance(outcome, Refusal):
            return outcome.code
        self.events = outcome.events
        self.state = outcome.state
        return outcome.refusal.code if outcome.refusal else None

    def judge(self, command: Command, seat: int | None = None) -> Decision | Refusal:
        """The bare outcome; the position stays as it is."""
        return self.book.decide(self.state, command, at=self.now, seat=seat)

    def play(self, seat: int, card: str, to: str, number: int | None = None) -> Code | None:
        return self.do(commands.Play(self._round(number), card, to), seat)

    def move(self, seat: int, card: str, to: str) -> Code | None:
        return self.do(commands.Move(self.round, card, to), seat)

    def flip(self, seat: int, place: str) -> Code | None:
        return self.do(commands.Flip(self.round, place), seat)

    def refill(self, seat: int, place: str) -> Code | None:
        return self.do(commands.Refill(self.round, place), seat)

    def ready(self, *seats: int) -> Code | None:
        return [self.do(commands.Ready(self.round), seat) for seat in seats][-1]

    def spit(self, *seats: int) -> Code | None:
        return [self.do(commands.Spit(self.round), seat) for seat in seats][-1]

    def slap(self, seat: int, pile: str, number: int | None = None) -> Code | None:
        return self.do(commands.Slap(self._round(number), pile), seat)

    def choose(self, seat: int, pile: str) -> Code | None:
        return self.do(commands.Choose(self.round, pile), seat)

    def resign(self, seat: int) -> Code | None:
        return self.do(commands.Resign(), seat)

    def deal(self, *packs: str, **orders: Pile) -> None:
        """The dealer deals: the cards in the order they lie in, or as told."""
        asked = self.book.to_shuffle(self.state)
        named: Mapping[str, Pile] = dict(zip(asked, (tuple(pack.split()) for pack in packs), strict=False))
        assert self.do(commands.Deal({**asked, **named, **orders})) is None

    def wait(self, ms: int) -> None:
        """Let time pass; nothing looks at the clock."""
        self.now += ms

    def elapse(self, ms: int = 0) -> None:
        """Let time pass, then do what is due."""
        self.now += ms
        self.events = ()
        assert self.do(commands.Elapse()) is None

    def fall_due(self) -> None:
        """Go to the moment when something may be due, and do it."""
        due = self.book.next_due(self.state)
        assert due is not None
        self.elapse(max(0, due - self.now))

    # Looking at it

    @property
    def phase(self) -> Phase:
        return self.state.status.phase

    @property
    def round(self) -> int:
        return self.state.status.round

    @property
    def result(self) -> Result | None:
        return self.state.status.result

    @property
    def kinds(self) -> list[Kind]:
        """What the last command brought about, in order."""
        return [event.kind for event in self.events]

    @property
    def due_in(self) -> int | None:
        due = self.state.status.due
        return None if due is None else due - self.now

    def pile(self, name: str) -> Pile:
        return self.state.places[name]

    def top(self, name: str) -> str:
        return self.state.places[name][-1]

    def count(self, *names: str) -> int:
        """The cards in these places and those below them ("0.stockpile": all five)."""
        return sum(
            len(pile)
            for place, pile in self.state.places.items()
            if any(place == name or place.startswith(f"{name}.") for name in names)
        )

    def left(self) -> tuple[int, int]:
        return self.book.cards_left(self.state, SEATS[0]), self.book.cards_left(self.state, SEATS[1])

    def is_stuck(self) -> bool:
        return self.book.is_stuck(self.state)

    def _round(self, number: int | None) -> int:
        return self.round if number is None else number


def dealt(of: str = "spit", **options: Any) -> Position:
    """A match that has just been dealt, its seats not ready yet; the cards as they came from the printer."""
    table = Position(of=of, **options)
    table.deal()
    return table


def backs(count: int, *without: str) -> str:
    """So many face-down cards, as text, none of them among those named."""
    return " ".join(f"-{card}" for card in [card for card in PACK if card not in without][:count])
