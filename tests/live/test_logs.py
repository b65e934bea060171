"""What live play writes into the logs: always which match, and never a card that lies face down."""

import asyncio
import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from asgiref.sync import sync_to_async
from django.db import connection

from games.bots.jumping import JumpingLoop
from games.bots.runner import attach_bots
from games.live.supervisor import Supervisor
from games.live.table import Table
from games.models import Event, Match, Seat
from games.rules.cards import BACK
from games.rules.state import State
from spitsite import logs

pytestmark = pytest.mark.django_db(transaction=True)


def hidden(state: State) -> set[str]:
    """The faces that not everybody sees."""
    return {
        card.removeprefix(BACK)
        for name, pile in state.places.items()
        for card in pile
        if card[0] == BACK or ".hand" in name
    }


class Watching(logging.Handler):
    """Formats every line as the site does, and looks at once for what lies face down at that moment."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        form = logs.config("DEBUG", "json")["formatters"]["console"]
        self.setFormatter(form.pop("()")(**form))
        self.table: Table | None = None
        self.lines: list[dict[str, object]] = []
        self.leaks: list[tuple[str, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        line = self.format(record)
        self.lines.append(json.loads(line))
        if self.table is not None and not self.table.shown.is_over:
            for face in hidden(self.table.shown):
                if re.search(rf"(?<![0-9A-Za-z]){face}(?![0-9A-Za-z])", line):
                    self.leaks.append((face, line))


@contextmanager
def watching() -> Iterator[Watching]:
    root = logging.getLogger()
    watch = Watching()
    level = root.level
    root.addHandler(watch)
    root.setLevel(logging.DEBUG)
    try:
        yield watch
    finally:
        root.removeHandler(watch)
        root.setLevel(level)


class Faulty:
    """A sink that raises now and then, with the frame in its hands."""

    def __init__(self) -> None:
        self.frames = 0

    def send(self, frame: str) -> None:
        self.frames += 1
        if self.frames % 10 == 0:
            raise RuntimeError("this sink is broken")

    def close(self, code: str, text: str) -> None:
        pass


def overtake(table: Table) -> None:
    """Somebody else writes the next event."""
    state = table.state
    body = '{"kind":"called","at":0,"seat":1,"command":"foreign"}'
    Event.objects.create(match_id=table.match.pk, seq=state.seq + 1, at=state.at, kind="called", seat=1, body=body)
    connection.close()


@pytest.mark.parametrize("game", ["spit", "speed"])
def test_no_line_of_a_whole_match_has_a_card_that_lies_face_down(game: str) -> None:
    match = Match.objects.create(game=game, state=Match.State.LIVE)
    for number, bot in enumerate(("king", "jack")):
        Seat.objects.create(match=match, number=number, bot=bot)

    async def play(watch: Watching) -> None:
        supervisor = Supervisor(on_table=[attach_bots])
        overtaking = False
        # Nobody plays while the database is at work.
        loop.hold_while.append(lambda: overtaking or supervisor.journal.pending > 0)
        await supervisor.start()
        table = watch.table = await supervisor.table(match.slug)
        table.join(Faulty(), None)
        was_overtaken = False
        async with asyncio.timeout(60 * 60):
            while not table.shown.is_over:
                await asyncio.sleep(0.1)
                if table.shown.seq > 12 and not was_overtaken:
                    was_overtaken = overtaking = True
                    await supervisor.journal.flushed()
                    await sync_to_async(overtake)(table)
                    overtaking = False
                    for sink in tuple(table.room.players):
                        sink.send('{"t":"events","seq":"what?"}')
        await supervisor.stop()
        await loop.shutdown_default_executor()

    loop = JumpingLoop()
    with watching() as watch:
        try:
            loop.run_until_complete(play(watch))
        finally:
            loop.close()

    assert watch.leaks == []
    said = {str(line["message"]): line for line in watch.lines}
    # There was something to see, in each part of live play; and the match is always named.
    for text in ("a sink failed", "a bot does not understand", "streams broken", "the table starts anew"):
        line = next((line for message, line in said.items() if text in message), None)
        assert line is not None, (text, list(said))
        assert match.slug in (line.get("match"), *line.get("matches", ())), line
    assert "Traceback" in str(said["a sink failed"]["exception"])


def test_a_card_in_a_line_would_be_found() -> None:
    """The test above can fail."""
    with watching() as watch:

        class Shown:
            is_over = False
            places = {"0.stock": ("-7h", "-")}  # noqa: RUF012

        watch.table = type("T", (), {"shown": Shown})  # type: ignore[assignment]
        logging.getLogger("games.live.table").info("dealt %s", ["-7h", "2c"], extra={"match": "slug"})
    assert [face for face, _ in watch.leaks if face] == ["7h"]


def test_statements_with_their_values_are_not_logged_at_any_level() -> None:
    """They hold the events, and those the cards."""
    assert logs.config("DEBUG")["loggers"]["django.db.backends"]["level"] == "INFO"


def test_what_is_named_like_a_secret_is_not_written() -> None:
    event = {"event": "x", "session_key": "abc", "Cookie": "def", "match": "slug", "request": object()}
    assert logs.without_secrets(None, "info", event) == {
        "event": "x", "session_key": "(not written)", "Cookie": "(not written)", "match": "slug"
    }  # fmt: skip
