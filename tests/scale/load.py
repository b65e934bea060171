"""The load: matches of two scripted players and watchers, and what they measure.

Each player means to act twice a second. It folds the frames it is sent and
plays what is legal, with the full rules; what it cannot do at once, because a
countdown runs or nothing fits, it catches up with a little later.
"""

import asyncio
import random
import time
from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Final

import msgspec

from games.rules.book import CENTRES
from games.rules.commands import Move, Play
from games.rules.evolve import evolve
from games.rules.registry import book_of
from games.rules.setup import Setup
from games.rules.state import Phase, State
from tests.scale.frames import EventsFrame, StateFrame
from tests.scale.wire import Wire, connect

RATE: Final = 2.0
"""Actions a second that each player means."""
TICK: Final = 0.0625
CREDIT: Final = 4.0
"""How many actions a player may be behind and still catch up."""


class Samples:
    """Milliseconds from sending to arriving."""

    def __init__(self) -> None:
        self.own: list[float] = []
        self.other: list[float] = []
        self.watcher: list[float] = []
        self.sent = 0
        self.refused = 0

    def take(self) -> "Samples":
        """What has come together; begin anew."""
        taken = Samples()
        taken.__dict__.update(self.__dict__)
        self.__init__()  # type: ignore[misc]
        return taken


_decoder: Final = msgspec.json.Decoder(StateFrame | EventsFrame)
_ID: Final = b'"command":"'


class Seat:
    """One player's connection."""

    def __init__(self, game: "Game", number: int) -> None:
        self.game = game
        self.number = number
        self.wire: Wire | None = None
        self.credit = random.random()
        self.waits = False

    def heard(self, frame: bytes) -> None:
        game = self.game
        kind = frame[6:9]
        if kind == b"eve":
            found = frame.find(_ID)
            if found >= 0:
                start = found + len(_ID)
                sent = game.sent_at.get(frame[start : start + 10])
                if sent is not None:
                    took = (time.perf_counter() - sent[0]) * 1000
                    if sent[1] == self.number:
                        game.samples.own.append(took)
                        self.waits = False
                    else:
                        game.samples.other.append(took)
            if self.number == 0:
                game.follow(_decoder.decode(frame))
        elif kind == b"sta" and self.number == 0:
            game.follow(_decoder.decode(frame))
        elif kind == b"pin":
            number = int(frame[frame.rfind(b":") + 1 : -1])
            if self.wire is not None:
                self.wire.send(b'{"t":"pong","n":%d}' % number)
        elif kind == b"ref":
            game.samples.refused += 1
            self.waits = False


class Game:
    """One match: two players, its watchers, and the table as a player may see it."""

    def __init__(self, slug: str, samples: Samples) -> None:
        self.slug = slug
        self.samples = samples
        self.book = book_of("spit")
        self.state: State | None = None
        self.seats = (Seat(self, 0), Seat(self, 1))
        self.watchers: list[Wire] = []
        self.sent_at: dict[bytes, tuple[float, int]] = {}
        self._count = random.randrange(1_000_000_000)
        self._turn = 0

    def follow(self, message: StateFrame | EventsFrame) -> None:
        if isinstance(message, StateFrame):
            view = message.view
            self.state = view.as_state(Setup("spit"))
        elif self.state is not None:
            state = self.state
            for event in message.events:
                state = evolve(state, event)
            self.state = state

    def watcher_heard(self, frame: bytes) -> None:
        if frame[6:9] == b"eve":
            found = frame.find(_ID)
            if found >= 0:
                start = found + len(_ID)
                sent = self.sent_at.get(frame[start : start + 10])
                if sent is not None:
                    self.samples.watcher.append((time.perf_counter() - sent[0]) * 1000)

    async def open(self, ports: Sequence[int], cookies: Sequence[str], watchers: int) -> None:
        """Connect its sockets to the servers at these ports, by turns."""
        path = f"/ws/match/{self.slug}/"
        turns = cycle(ports)
        for seat, cookie in zip(self.seats, cookies, strict=True):
            seat.wire = await connect("127.0.0.1", next(turns), path, seat.heard, cookie)
        for _ in range(watchers):
            await self.watch(next(turns))

    async def watch(self, port: int) -> None:
        """Let one more watcher in."""
        holder: list[Wire] = []

        def heard(frame: bytes) -> None:
            if frame[6:9] == b"pin" and holder:
                holder[0].send(b'{"t":"pong","n":%d}' % int(frame[frame.rfind(b":") + 1 : -1]))
            else:
                self.watcher_heard(frame)

        wire = await connect("127.0.0.1", port, f"/ws/match/{self.slug}/", heard)
        holder.append(wire)
        self.watchers.append(wire)

    def act(self, seat: Seat) -> bool:
        """Do something legal, if there is anything. Whether a command was sent."""
        state = self.state
        if state is None or seat.waits or seat.wire is None:
            return False
        status = state.status
        number = status.round
        if status.phase is Phase.PLAYING:
            best: Play | Move | None = None
            for command in self.book.legal(state, seat.number):
                if isinstance(command, Play):
                    best = command
                    break
                if isinstance(command, Move) and best is None and self._has_depth(state, seat.number, command.card):
                    best = command
            if best is None:
                return False
            kind = "play" if isinstance(best, Play) else "move"
            rest = f'"card":"{best.card}","to":"{best.to}"'
        elif status.phase is Phase.SLAP:
            kind, rest = "slap", f'"pile":"{CENTRES[seat.number]}"'
        elif status.phase is Phase.READY and not status.ready[seat.number]:
            kind, rest = "ready", ""
        elif status.phase is Phase.STUCK and not status.ready[seat.number]:
            kind, rest = "spit", ""
        else:
            return False
        self._count += 1
        name = b"%010d" % self._count
        if len(self.sent_at) > 64:
            del self.sent_at[next(iter(self.sent_at))]
        self.sent_at[name] = (time.perf_counter(), seat.number)
        comma = "," if rest else ""
        seat.waits = True
        self.samples.sent += 1
        seat.wire.send(f'{{"t":"{kind}","id":"{name.decode()}","round":{number}{comma}{rest}}}'.encode())
        return True

    @staticmethod
    def _has_depth(state: State, seat: int, card: str) -> bool:
        prefix = f"{seat}."
        return any(
            pile and pile[-1] == card and len(pile) > 1 for name, pile in state.places.items() if name[:2] == prefix
        )

    def step(self) -> None:
        """One seat's tick, then the other's: they do not act on the very same moment of the table."""
        self._turn ^= 1
        seat = self.seats[self._turn]
        seat.credit = min(CREDIT, seat.credit + RATE * TICK * 2)
        if seat.credit >= 1 and self.act(seat):
            seat.credit -= 1

    @property
    def wires(self) -> list[Wire]:
        return [wire for wire in (*(seat.wire for seat in self.seats), *self.watchers) if wire is not None]

    def close(self) -> None:
        for wire in self.wires:
            wire.close()


class Echo:
    """A room of the floor: the same sockets and as many messages, as large as the real ones."""

    def __init__(self, name: str, samples: Samples, rate: float) -> None:
        """`rate` is messages a second."""
        self.name = name
        self.samples = samples
        self.wires: list[Wire] = []
        self.sent_at: dict[bytes, tuple[float, int]] = {}
        self.credit = random.random() * 2
        self._count = random.randrange(1_000_000_000)
        self._turn = 0
        self.rate = rate

    async def open(self, ports: Sequence[int], cookies: Sequence[str], watchers: int) -> None:
        for index in range(2 + watchers):
            self.wires.append(await connect("127.0.0.1", ports[0], f"/{self.name}", self._listener(index)))

    def _listener(self, index: int):  # type: ignore[no-untyped-def]
        def heard(frame: bytes) -> None:
            start = frame.find(_ID) + len(_ID)
            sent = self.sent_at.get(frame[start : start + 10])
            if sent is None:
                return
            took = (time.perf_counter() - sent[0]) * 1000
            samples = self.samples
            (samples.watcher if index > 1 else samples.own if sent[1] == index else samples.other).append(took)

        return heard

    def step(self) -> None:
        self.credit += self.rate * TICK
        while self.credit >= 1:
            self.credit -= 1
            self._turn ^= 1
            self._count += 1
            name = b"%010d" % self._count
            if len(self.sent_at) > 64:
                del self.sent_at[next(iter(self.sent_at))]
            self.sent_at[name] = (time.perf_counter(), self._turn)
            self.samples.sent += 1
            self.wires[self._turn].send(
                b'{"t":"events","seq":101,"now":123456,"events":[{"kind":"played","at":123455,"seat":1,'
                b'"moves":[["7h","1.stockpile.3","centre.0"],["8d","1.stockpile.3","1.stockpile.3"]],'
                b'"command":"' + name + b'"}]}'
            )

    def close(self) -> None:
        for wire in self.wires:
            wire.close()


async def drive(games: "list[Game] | list[Echo]", stop: asyncio.Event) -> None:
    """Let all matches go on, spread evenly over time."""
    loop = asyncio.get_running_loop()
    slices = 13
    begin = loop.time()
    turn = 0
    while not stop.is_set():
        turn += 1
        wait = begin + turn * TICK / slices - loop.time()
        if wait > 0:
            await asyncio.sleep(wait)
        for game in games[turn % slices :: slices]:
            game.step()


def percentile(values: list[float], share: float) -> float:
    if not values:
        return float("nan")
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def chunks(total: int, size: int) -> Iterator[int]:
    while total > 0:
        yield min(size, total)
        total -= size
