"""A referee in memory: a match between two computer players without tables, journal or database.

It speaks the frames of docs/protocol.md to the players, on a clock that jumps
from one thing to do to the next.
"""

import random
from collections import Counter

import msgspec

from games.bots.levels import Level
from games.bots.player import Player
from games.bots.sight import read_frame
from games.rules.book import Book, Decision
from games.rules.commands import Command, Deal, Elapse, PlayerCommand
from games.rules.events import Event
from games.rules.log import encode_event
from games.rules.refusals import Code, Refusal
from games.rules.registry import book_of
from games.rules.setup import PACES, Setup
from games.rules.state import SEATS, Phase, Result, State
from games.rules.view import Audience, view_event, view_state
from games.shuffling import RandomDealer


class Referee:
    """Plays one match. `frames` are those that each seat was sent, `refusals` what was refused."""

    def __init__(self, setup: Setup, levels: tuple[Level, Level], seed: int = 0) -> None:
        self.book: Book = book_of(setup.game)
        self.state: State = self.book.start(setup)
        self.events: list[Event] = []
        self.frames: tuple[list[str], list[str]] = ([], [])
        self.refusals: Counter[Code] = Counter()
        self.now = 0
        self._dealer = RandomDealer(seed)
        self.players = [Player(level, seat, random.Random(f"{seed}/{seat}")) for seat, level in enumerate(levels)]
        for seat in SEATS:
            self._tell(seat, self.state_frame(seat))
        self._deal()

    def replace(self, seat: int, player: Player) -> None:
        """Another player takes over, as after a restart: it is shown the state."""
        self.players[seat] = player
        self._tell(seat, self.state_frame(seat))

    def state_frame(self, seat: int) -> str:
        setup = self.state.setup
        match = {
            "game": setup.game,
            "options": msgspec.to_builtins(setup.options),
            "pace": msgspec.to_builtins(PACES[setup.pace]),
        }
        view = msgspec.to_builtins(view_state(self.state, Audience(seat)))
        return _json({"t": "state", "seq": self.state.seq, "now": self.now, "you": seat, "match": match, "view": view})

    @property
    def result(self) -> Result:
        assert self.state.status.result is not None
        return self.state.status.result

    def play(self) -> "Referee":
        """To the end of the match."""
        while not self.state.is_over:
            self.step()
        return self

    def step(self) -> None:
        """The next thing that is due: a player's act, or the match's own time."""
        due = self.book.next_due(self.state)
        assert due is not None
        at, seat = min(
            ((player.next_at, seat) for seat, player in enumerate(self.players) if player.next_at is not None),
            default=(due + 1, -1),
        )
        if due <= at:
            self.now = max(self.now, due)
            self._judge(Elapse(), None, None)
            return
        self.now = max(self.now, at)
        for message in self.players[seat].act(self.now):
            self.receive(seat, message)

    def receive(self, seat: int, message: str) -> None:
        raw = msgspec.json.decode(message)
        command_id = raw.pop("id")
        self._judge(msgspec.convert(raw, PlayerCommand), seat, command_id)

    def _tell(self, seat: int, frame: str) -> None:
        self.frames[seat].append(frame)
        read = read_frame(frame)
        assert read is not None
        assert self.players[seat].hear(read, self.now) == []

    def _judge(self, command: Command, seat: int | None, command_id: str | None) -> None:
        decision = self.book.decide(self.state, command, at=self.now, seat=seat, command_id=command_id)
        refusal = decision if isinstance(decision, Refusal) else decision.refusal
        if isinstance(decision, Decision) and decision.events:
            first = self.state.seq + 1
            self.state = decision.state
            self.events += decision.events
            self._publish(first, decision.events)
        if refusal is not None:
            assert seat is not None
            self.refusals[refusal.code] += 1
            self._tell(seat, _json({"t": "refused", "id": command_id, **msgspec.to_builtins(refusal)}))
        self._deal()

    def _deal(self) -> None:
        if self.state.status.phase is Phase.DEALING:
            self._judge(Deal(self._dealer.shuffle(self.book.to_shuffle(self.state))), None, None)

    def _publish(self, first: int, events: tuple[Event, ...]) -> None:
        for seat in SEATS:
            bodies = ",".join(encode_event(view_event(event, Audience(seat))) for event in events)
            self._tell(seat, f'{{"t":"events","seq":{first},"now":{self.now},"events":[{bodies}]}}')


def _json(message: dict[str, object]) -> str:
    return msgspec.json.encode(message).decode()
