"""Players and watchers that do not give up: what a browser does when the line or the server fails, without the page.

They connect again by themselves, send a command again under its id until it is
answered, ask for the state when they see a gap, and keep a record of all that
they were told.
"""

import asyncio
import contextlib
import random
from collections.abc import Callable
from typing import Final

import msgspec
from msgspec import Struct

from games.rules.book import CENTRES
from games.rules.commands import Move, Play
from games.rules.events import Event
from games.rules.evolve import evolve
from games.rules.registry import book_of
from games.rules.setup import Setup
from games.rules.state import Phase, State
from tests.scale.frames import EventsFrame, StateFrame
from tests.scale.wire import Wire, connect

SILENCE: Final = 6.0
"""Seconds without a frame after which a page gives the line up."""
AGAIN: Final = 2.0
"""Seconds after which an unanswered command is sent again."""
HALF_OPEN: Final = 30.0
"""Seconds that a line which swallows everything stays open."""
ONCE_MORE: Final = 0.1
"""How often, of all commands, one is sent twice at once."""


class _Ack(Struct, tag_field="t", tag="ack"):
    id: str


class _Refused(Struct, tag_field="t", tag="refused"):
    id: str | None
    code: str


class _Ping(Struct, tag_field="t", tag="ping"):
    n: int


_decoder: Final = msgspec.json.Decoder(StateFrame | EventsFrame | _Ack | _Refused | _Ping)
_TOLD: Final = {b"sta", b"eve", b"ack", b"ref", b"pin"}

Shown = tuple[int, str, str | None]
"""Of an event that somebody was shown: the time, the kind, the command id."""


class Record:
    """What all clients together were told of one match."""

    def __init__(self, slug: str, setup: Setup) -> None:
        self.slug = slug
        self.setup = setup
        self.shown: dict[int, Shown] = {}
        """By number."""
        self.contradictions: list[str] = []
        self.acknowledged: set[tuple[int, str]] = set()
        """Seat and command id."""
        self.last = 0
        self.is_over = False

    def show(self, seq: int, event: Event) -> None:
        shown = (event.at, event.kind.value, event.command)
        if self.shown.setdefault(seq, shown) != shown:
            self.contradictions.append(f"{self.slug}: event {seq} was {self.shown[seq]} and {shown}")
        self.last = max(self.last, seq)


class Client:
    """One socket of a seat (0 or 1) or a watcher (None), kept up for as long as `run` runs."""

    def __init__(self, record: Record, port: Callable[[], int], seat: int | None, cookie: str | None) -> None:
        """`port` is asked before each attempt to connect."""
        self.record = record
        self.seat = seat
        self._port = port
        self._cookie = cookie
        self._wire: Wire | None = None
        self._heard_at = 0.0
        self._deaf = False
        self._is_new = False
        """Whether nothing has come on this line yet."""
        self.state: State | None = None
        self.reconnects = 0
        self.answers: list[float] = []
        """Seconds from the first sending of each command to its answer: what a failure of anything costs a player."""
        self._loop = asyncio.get_running_loop()
        self._outstanding: tuple[str, bytes] | None = None
        self._first_sent_at = self._sent_at = 0.0
        self._count = 0
        self._stopped = False

    # The line

    async def run(self) -> None:
        """Connect, and connect again, until `stop`."""
        wait = 0.1
        while not self._stopped:
            wire = None
            with contextlib.suppress(OSError):
                self._is_new = True
                async with asyncio.timeout(5):
                    path = f"/ws/match/{self.record.slug}/"
                    wire = await connect("127.0.0.1", self._port(), path, self._heard, self._cookie)
            if wire is None:
                await asyncio.sleep(wait * random.uniform(0.5, 1))
                wait = min(1.0, wait * 2)
                continue
            wait = 0.1
            self._wire, self._heard_at = wire, self._loop.time()
            await self._keep(wire)
            if not self._stopped:
                self.reconnects += 1

    async def _keep(self, wire: Wire) -> None:
        while wire.is_open and not self._stopped:
            if self._loop.time() - self._heard_at > SILENCE:
                break
            await asyncio.sleep(0.05)
        if self._deaf:
            # The old line stays half open, as when a network is gone: the server has to notice by itself.
            self._loop.call_later(HALF_OPEN, wire.abort)
        else:
            wire.close()
        self._wire = None
        self._deaf = False

    @property
    def is_connected(self) -> bool:
        """Whether its line is up and not deaf."""
        return self._wire is not None and self._wire.is_open and not self._deaf

    def stop(self) -> None:
        self._stopped = True

    def cut(self) -> None:
        """The line breaks: no goodbye."""
        if self._wire is not None:
            self._wire.abort()

    def swallow(self) -> None:
        """From here on nothing gets through on this line, in either direction, and nobody is told."""
        if self._wire is not None:
            self._deaf = True
            self._wire.freeze()

    # What is told

    def _heard(self, frame: bytes) -> None:
        if self._deaf:
            return
        self._heard_at = self._loop.time()
        if frame[6:9] not in _TOLD:
            return
        message = _decoder.decode(frame)
        if isinstance(message, EventsFrame):
            self._follow(message)
        elif isinstance(message, StateFrame):
            view = message.view
            if self.state is not None and view.seq < self.state.seq:
                back = f"{self.record.slug}: the state went back from {self.state.seq} to {view.seq}"
                self.record.contradictions.append(back)
            self.state = view.as_state(self.record.setup)
            self.record.is_over = self.record.is_over or view.status.phase is Phase.OVER
            self.record.last = max(self.record.last, view.seq)
            if self._is_new:
                self._is_new = False
                # What was not answered goes out again at once.
                self._send_again()
        elif isinstance(message, _Ack):
            self._answered(message.id, accepted=True)
        elif isinstance(message, _Refused):
            if message.code != "trouble":
                self._answered(message.id, accepted=False)
        else:
            self._send(b'{"t":"pong","n":%d}' % message.n)

    def _follow(self, message: EventsFrame) -> None:
        state = self.state
        if state is None:
            return
        if message.seq != state.seq + 1:
            self._send(b'{"t":"resync"}')
            return
        for seq, event in enumerate(message.events, message.seq):
            self.record.show(seq, event)
            state = evolve(state, event)
            if event.command is not None and event.seat == self.seat and self.seat is not None:
                self._answered(event.command, accepted=event.kind.value != "missed")
        self.state = state
        self.record.is_over = self.record.is_over or state.is_over

    def _answered(self, name: str | None, *, accepted: bool) -> None:
        if accepted and name is not None and self.seat is not None:
            self.record.acknowledged.add((self.seat, name))
        if self._outstanding is not None and self._outstanding[0] == name:
            self.answers.append(self._loop.time() - self._first_sent_at)
            self._outstanding = None

    # What is played

    def _send(self, text: bytes) -> None:
        if self._wire is not None and not self._deaf:
            self._wire.send(text)

    def _send_again(self) -> None:
        if self._outstanding is not None:
            self._sent_at = self._loop.time()
            self._send(self._outstanding[1])

    def act(self) -> None:
        """Do something legal if there is anything; first of all, get an answer to what was done last."""
        if self._outstanding is not None:
            if self._loop.time() - self._sent_at > AGAIN:
                self._send_again()
            return
        command = self._choice()
        if command is None or self.state is None:
            return
        self._count += 1
        name = f"c{self.seat}-{self._count}"
        text = f'{{"t":"{command[0]}","id":"{name}","round":{self.state.status.round}{command[1]}}}'.encode()
        self._outstanding = (name, text)
        self._first_sent_at = self._sent_at = self._loop.time()
        self._send(text)
        if random.random() < ONCE_MORE:
            self._send(text)

    def _choice(self) -> tuple[str, str] | None:
        state, seat = self.state, self.seat
        if state is None or seat is None:
            return None
        status = state.status
        if status.phase is Phase.READY:
            return None if status.ready[seat] else ("ready", "")
        if status.phase is Phase.SLAP:
            return "slap", f',"pile":"{random.choice(CENTRES)}"'
        if status.phase is Phase.STUCK:
            return None if status.ready[seat] else ("spit", "")
        if status.phase is not Phase.PLAYING:
            return None
        moves: list[Move] = []
        for command in book_of(state.setup.game).legal(state, seat):
            if isinstance(command, Play):
                return "play", f',"card":"{command.card}","to":"{command.to}"'
            if isinstance(command, Move) and any(
                name[0] == str(seat) and len(pile) > 1 and pile[-1] == command.card
                for name, pile in state.places.items()
            ):
                moves.append(command)
        if not moves:
            return None
        move = random.choice(moves)
        return "move", f',"card":"{move.card}","to":"{move.to}"'
