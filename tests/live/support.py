"""What tests of live play share: sinks that remember, and matches that go on."""

import asyncio
import json
import sqlite3
from collections.abc import Callable
from itertools import count
from typing import Any

import msgspec
import psycopg
from asgiref.sync import sync_to_async
from django.db import connection
from django.utils import timezone

from games.live.supervisor import Supervisor
from games.live.table import Table
from games.models import End, Event, Match, Seat
from games.rules.commands import Move, Play
from games.rules.events import Event as RulesEvent
from games.rules.evolve import evolve, fold
from games.rules.log import decode_event, encode_event
from games.rules.registry import book_of
from games.rules.setup import Setup
from games.rules.state import Phase, State, Status
from tests.factories import make_user

Message = dict[str, Any]
_ids = count(1)
WAIT = 30.0
"""Seconds: a machine that does much else at once is slow, and no test is about that."""
REMATCH = "/match/another1/"


class Client:
    """A sink: what a browser is to a table. Keeps every message, and answers pings."""

    def __init__(self, table: Table | None = None, seat: int | None = None, **options: Any) -> None:
        self.messages: list[Message] = []
        self.frames: list[str] = []
        self.closed: str | None = None
        self.on_message: Callable[[Message], None] | None = None
        self._news = asyncio.Event()
        self.table = table
        self.seat = seat
        if table is not None:
            table.join(self, seat, **options)

    # The sink

    def send(self, frame: str) -> None:
        message = json.loads(frame)
        self.frames.append(frame)
        self.messages.append(message)
        if self.on_message is not None:
            self.on_message(message)
        self._news.set()

    def close(self, code: str, text: str) -> None:
        self.closed = code
        self._news.set()

    # The person

    def say(self, kind: str, name: str | None = None, **fields: Any) -> str:
        """Send a command; its id."""
        name = name or f"c{next(_ids)}"
        message = {"t": kind, "id": name, **fields}
        if kind not in ("resign", "rematch"):
            message.setdefault("round", self.round)
        self.raw(json.dumps(message))
        return name

    def raw(self, text: str) -> None:
        assert self.table is not None
        self.table.receive(self, text)

    @property
    def round(self) -> int:
        for message in reversed(self.messages):
            if message["t"] == "state":
                return int(message["view"]["status"]["round"])
            if message["t"] == "events":
                for event in reversed(message["events"]):
                    if "status" in event:
                        return int(event["status"]["round"])
        return 1

    def of(self, kind: str) -> list[Message]:
        return [message for message in self.messages if message["t"] == kind]

    @property
    def events(self) -> list[Message]:
        return [event for message in self.of("events") for event in message["events"]]

    def answer(self, name: str) -> Message | None:
        """What the command was answered with: the event, the ack or the refusal."""
        for message in self.messages:
            if message.get("id") == name:
                return message
            if message["t"] == "events" and any(event.get("command") == name for event in message["events"]):
                return message
        return None

    async def until(self, true: Callable[[], Any], why: str = "") -> Any:
        """Wait until something holds; it is looked at again with every message."""
        deadline = asyncio.get_running_loop().time() + WAIT
        while not (found := true()):
            left = deadline - asyncio.get_running_loop().time()
            if left <= 0:
                raise AssertionError(f"waited too long {why}; the last messages: {self.messages[-5:]}")
            self._news.clear()
            try:
                await asyncio.wait_for(self._news.wait(), min(left, 0.05))
            except TimeoutError:
                continue
        return found

    async def message(self, kind: str, **fields: Any) -> Message:
        """The first message of that kind with these values, waited for if need be."""

        def found() -> Message | None:
            for message in self.of(kind):
                if all(message.get(name) == value for name, value in fields.items()):
                    return message
            return None

        result: Message = await self.until(found, f"for {kind} {fields}")
        return result

    async def event(self, kind: str, **fields: Any) -> Message:
        def found() -> Message | None:
            for event in self.events:
                if event["kind"] == kind and all(event.get(name) == value for name, value in fields.items()):
                    return event
            return None

        result: Message = await self.until(found, f"for event {kind} {fields}")
        return result

    def state(self, setup: Setup) -> State:
        """What this client's screen shows: the last state, and the events since."""
        return screen(self.messages, setup)


class Screen:
    """What a client shows: the fold of what it was sent, message by message, as a browser does it."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self.state: State | None = None

    def take(self, message: Message) -> None:
        """
        :raises AssertionError: it was sent a gap, or something twice.
        """
        if message["t"] == "state":
            view = message["view"]
            places = {name: tuple(cards) for name, cards in view["places"].items()}
            self.state = State(self._setup, msgspec.convert(view["status"], Status), places, view["seq"], view["at"])
        elif message["t"] == "events":
            state = self.state
            assert state is not None
            assert message["seq"] == state.seq + 1, f"a gap or a repetition: {message['seq']} after {state.seq}"
            for event in message["events"]:
                state = evolve(state, decode_event(json.dumps(event)))
            self.state = state


def screen(messages: list[Message], setup: Setup) -> State:
    """What a client shows that was sent all this.

    :raises AssertionError: it was sent a gap, or something twice.
    """
    shown = Screen(setup)
    for message in messages:
        shown.take(message)
    assert shown.state is not None
    return shown.state


class House:
    """A supervisor, and what tests ask of it and of the database."""

    def __init__(self, make: Callable[[], Supervisor]) -> None:
        self._make = make
        self.supervisor = make()

    async def restart(self) -> None:
        """Go on in a new process, the old one having been killed: nothing of it is told anybody any more."""
        old = self.supervisor
        await old.journal.flushed()
        for table in old.tables.values():
            table.room.members.clear()
            table.room.players.clear()
            table.room.watchers.clear()
        await old.stop()
        self.supervisor = self._make()
        await self.supervisor.start()

    async def restarted(self, table: Table) -> Table:
        """The same match at its table in the next process, after `restart`."""
        await self.restart()
        again = await self.supervisor.table(table.match.slug)
        assert again is not table
        return again

    def make_rematches(self) -> list[str]:
        """Let rematches begin, at `REMATCH`; of which matches, as they do."""
        made: list[str] = []

        def rematch(slug: str, begin: bool) -> str | None:
            if not begin:
                return None
            made.append(slug)
            return REMATCH

        self.supervisor.rematch_maker = rematch
        return made

    def make_match(self, pace: str = "calm", **fields: Any) -> Match:
        match = Match.objects.create(
            **{"game": "spit", "pace": pace, "state": Match.State.LIVE, "started_at": timezone.now(), **fields}
        )
        for number in (0, 1):
            Seat.objects.create(match=match, number=number, user=make_user())
        return match

    async def match(self, pace: str = "calm", **fields: Any) -> Match:
        match: Match = await sync_to_async(self.make_match)(pace, **fields)
        return match

    async def table(self, pace: str = "calm", **fields: Any) -> Table:
        match = await self.match(pace, **fields)
        return await self.supervisor.table(match.slug)

    async def log(self, table: Table) -> list[RulesEvent]:
        """The stored log; it has to be numbered from 1 without a gap."""

        def read() -> list[tuple[int, str]]:
            return list(Event.objects.filter(match_id=table.match.pk).order_by("seq").values_list("seq", "body"))

        rows = await sync_to_async(read)()
        assert [seq for seq, _ in rows] == list(range(1, len(rows) + 1))
        return [decode_event(body) for _, body in rows]

    async def ends(self, table: Table) -> list[End]:
        return await sync_to_async(lambda: list(End.objects.filter(match_id=table.match.pk)))()

    async def folded(self, table: Table) -> State:
        """The state that the stored log folds to, read at a moment at which nothing is being written."""
        book = book_of(table.match.setup.game)
        for _ in range(100):
            shown = table.shown
            state = fold(book.start(table.match.setup), await self.log(table))
            if table.shown is shown and state.seq == shown.seq:
                break
        return state

    async def insert_foreign_event(self, table: Table, event: RulesEvent, seq: int, body: str | None = None) -> None:
        """Another process, which thinks the match is its own, writes an event."""

        def insert() -> None:
            Event.objects.create(
                match_id=table.match.pk, seq=seq, at=event.at, kind=event.kind.value, seat=event.seat,
                command=event.command, body=encode_event(event) if body is None else body,
            )  # fmt: skip
            connection.close()

        await sync_to_async(insert)()


async def begin(table: Table) -> tuple[Client, Client]:
    """Two players sit down, are ready, and the starters are turned."""
    players = (Client(table, 0), Client(table, 1))
    for player in players:
        player.say("ready")
    for player in players:
        await player.event("turned")
    return players


def plays(state: State, seat: int) -> list[Play]:
    return [command for command in book_of(state.setup.game).legal(state, seat) if isinstance(command, Play)]


def moves(state: State, seat: int) -> list[Play | Move]:
    """Plays, and moves that turn up a card."""
    found: list[Play | Move] = []
    for command in book_of(state.setup.game).legal(state, seat):
        deep = any(
            pile and pile[-1] == getattr(command, "card", "") and len(pile) > 1 for pile in state.places.values()
        )
        if isinstance(command, Play) or (isinstance(command, Move) and deep):
            found.append(command)
    return found


def do(client: Client, command: Play | Move, name: str | None = None) -> str:
    return client.say("play" if isinstance(command, Play) else "move", name, card=command.card, to=command.to)


async def play_on(table: Table, players: tuple[Client, Client], until: Callable[[State], bool]) -> None:
    """Both play whatever they can until something holds of the committed state, or the match is over."""
    while not until(table.shown) and not table.shown.is_over:
        state = table.state
        seq = table.shown.seq
        match state.status.phase:
            case Phase.READY:
                for player, ready in zip(players, state.status.ready, strict=True):
                    if not ready:
                        player.say("ready")
            case Phase.PLAYING:
                for player in players:
                    possible = moves(table.state, player.seat or 0)
                    if possible and table.state.status.phase is Phase.PLAYING:
                        do(player, possible[0])
            case Phase.STUCK:
                for player in players:
                    player.say("spit")
            case Phase.SLAP:
                players[0].say("slap", pile="centre.0")
            case _:
                pass
        await players[0].until(lambda seq=seq: table.shown.seq > seq)  # type: ignore[misc]


class Program:
    """Another program on the same database, with a connection of its own. From any thread."""

    def __init__(self) -> None:
        self._is_sqlite = connection.vendor == "sqlite"
        self._connection: Any
        if self._is_sqlite:
            path = str(connection.settings_dict["NAME"])
            self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        else:
            parameters = connection.copy().get_connection_params()
            self._connection = psycopg.connect(**parameters, autocommit=True)

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        return list(self._connection.execute(query).fetchall())

    def lock(self) -> None:
        """Let nobody write an event until `unlock`."""
        if self._is_sqlite:
            self._connection.execute("BEGIN IMMEDIATE")
        else:
            self._connection.execute("BEGIN")
            self._connection.execute("LOCK TABLE games_event IN EXCLUSIVE MODE")

    def unlock(self) -> None:
        self._connection.execute("ROLLBACK")

    def close(self) -> None:
        self._connection.close()
