"""Browsers without a picture, at real servers."""

import asyncio
import json
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, ClassVar

import msgspec

from games.rules.commands import Move, Play
from games.rules.evolve import evolve
from games.rules.log import decode_event
from games.rules.registry import book_of
from games.rules.setup import Options, Setup
from games.rules.state import Phase, State, Status
from tests.scale.wire import Wire, connect
from tests.site_process import Site

Message = dict[str, Any]
WAIT = 60.0
"""Seconds: what nothing is promised about may take long on a machine that does much else."""
_ids = count(1)


class Said:
    """What servers say from now on. Tests that share them may have made them say something before."""

    def __init__(self, sites: Sequence[Site]) -> None:
        self._before = [(site, len(site.output)) for site in sites]

    @property
    def text(self) -> str:
        return "".join(site.output[length:] for site, length in self._before)


class Browser:
    """One tab at one match. It behaves as the page does: folds what it is sent, asks for the state when it sees a gap,
    and after a state sends again what was not answered."""

    opened: ClassVar[list["Browser"]] = []

    def __init__(self, slug: str, cookie: str | None = None) -> None:
        self.slug = slug
        self.cookie = cookie
        self.wire: Wire | None = None
        self.site: Site | None = None
        self.messages: list[Message] = []
        self.table: State | None = None
        self.you: int | None = None
        self.watchers = 0
        self.seats: list[Message] = []
        self.is_live = True
        self.pending: dict[str, str] = {}
        self.seen: list[int] = []
        """The numbers of the events as they were shown, and of each state."""
        self.gaps = 0
        self.news = asyncio.Event()

    async def open(self, site: Site) -> "Browser":
        """Connect, or connect anew, and wait for the state."""
        self.opened.append(self)
        before = len(self.of("state"))
        self.site = site
        self.wire = await connect("127.0.0.1", site.port, f"/ws/match/{self.slug}/", self._heard, self.cookie)
        await self.until(lambda: len(self.of("state")) > before or self.of("waiting"), "for the state")
        return self

    def close(self) -> None:
        if self.wire is not None:
            self.wire.close()

    def _heard(self, frame: bytes) -> None:
        message: Message = json.loads(frame)
        kind = message["t"]
        if kind == "ping":
            self._send(json.dumps({"t": "pong", "n": message["n"]}))
            return
        self.messages.append(message)
        if kind == "state":
            view = message["view"]
            places = {name: tuple(cards) for name, cards in view["places"].items()}
            match = message["match"]
            setup = Setup(match["game"], msgspec.convert(match["options"], Options))
            self.table = State(setup, msgspec.convert(view["status"], Status), places, view["seq"], view["at"])
            self.you = message["you"]
            self.is_live = message["match"]["live"]
            self._presence(message["presence"])
            self.seen.append(self.table.seq)
            for text in tuple(self.pending.values()):
                self._send(text)
        elif kind == "events":
            self._events(message)
        elif kind == "presence":
            self._presence(message)
        elif kind in ("ack", "refused"):
            self.pending.pop(message["id"], None)
        self.news.set()

    def _events(self, message: Message) -> None:
        assert self.table is not None, "events before the state"
        if message["seq"] != self.table.seq + 1:
            self.gaps += 1
            self._send('{"t":"resync"}')
            return
        for event in message["events"]:
            self.pending.pop(event.get("command"), None)
            self.table = evolve(self.table, decode_event(json.dumps(event)))
        self.seen.append(self.table.seq)

    def _presence(self, message: Message) -> None:
        self.watchers = message["watchers"]
        self.seats = message["seats"]

    def _send(self, text: str) -> None:
        if self.wire is not None and self.wire.is_open:
            self.wire.send(text.encode())

    def say(self, kind: str, **fields: Any) -> str:
        name = f"c{next(_ids)}"
        message = {"t": kind, "id": name, **fields}
        if kind not in ("resign", "rematch"):
            assert self.table is not None
            message.setdefault("round", self.table.status.round)
        self.pending[name] = json.dumps(message)
        self._send(self.pending[name])
        return name

    def of(self, kind: str) -> list[Message]:
        return [message for message in self.messages if message["t"] == kind]

    @property
    def seq(self) -> int:
        return 0 if self.table is None else self.table.seq

    @property
    def is_over(self) -> bool:
        return self.table is not None and self.table.is_over

    @property
    def is_connected(self) -> bool:
        return self.wire is not None and self.wire.is_open and not self.wire.closed_by_peer

    def act(self) -> bool:
        """Do something that is possible now, unless an answer is being waited for. Whether anything was done."""
        table, seat = self.table, self.you
        if self.pending or table is None or seat is None or not self.is_connected:
            return False
        status = table.status
        if status.phase is Phase.READY and not status.ready[seat]:
            self.say("ready")
        elif status.phase is Phase.STUCK and not status.ready[seat]:
            self.say("spit")
        elif status.phase is Phase.SLAP:
            self.say("slap", pile=f"centre.{seat}")
        elif status.phase is Phase.PLAYING:
            wish = self._wish(table, seat)
            if wish is None:
                return False
            self.say("play" if isinstance(wish, Play) else "move", card=wish.card, to=wish.to)
        else:
            return False
        return True

    @staticmethod
    def _wish(table: State, seat: int) -> Play | Move | None:
        best: Play | Move | None = None
        for command in book_of(table.setup.game).legal(table, seat):
            if isinstance(command, Play):
                return command
            if isinstance(command, Move) and any(
                len(pile) > 1 and pile[-1] == command.card for pile in table.places.values()
            ):
                best = command
        return best

    async def until(self, true: Callable[[], Any], why: str = "", seconds: float = WAIT) -> Any:
        """Wait until something holds."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        while not (found := true()):
            if loop.time() > deadline:
                raise AssertionError(f"waited too long {why}; the last messages: {self.messages[-3:]}")
            self.news.clear()
            try:
                await asyncio.wait_for(self.news.wait(), 0.05)
            except TimeoutError:
                continue
        return found


async def play(players: Sequence[Browser], until: Callable[[], bool], seconds: float = WAIT) -> None:
    """Both players do what they can, until something holds."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    while not until():
        assert loop.time() < deadline, (
            f"play stands still at {[p.seq for p in players]}, {players[0].messages[-3:]}, {players[1].messages[-3:]}"
        )
        for player in players:
            player.act()
        # Both answer on what they see, at most some fifty times a second.
        await asyncio.sleep(0.02)


async def play_some(players: Sequence[Browser], events: int, seconds: float = WAIT) -> None:
    """So many events more, and each player has answers to all that was asked."""
    goal = max(player.seq for player in players) + events
    await play(players, lambda: any(p.is_over for p in players) or all(p.seq >= goal for p in players), seconds)
    for player in players:
        await player.until(lambda player=player: not player.pending, "for answers")  # type: ignore[misc]


async def agree(*browsers: Browser) -> None:
    """All see the same number, soon, and what all may see is the same."""
    for browser in browsers:
        await browser.until(lambda: len({b.seq for b in browsers}) == 1, f"to agree: {[b.seq for b in browsers]}")
    first = browsers[0].table
    assert first is not None
    for browser in browsers[1:]:
        assert browser.table is not None
        assert browser.table.status == first.status
        for name, pile in first.places.items():
            if name.startswith("centre"):
                assert browser.table.places[name] == pile
