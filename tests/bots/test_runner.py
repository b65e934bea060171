"""Bots at live tables, as the server seats them."""

import asyncio
import json
import random
from collections.abc import Callable

import pytest

from games.bots.jumping import JumpingLoop
from games.bots.levels import level_of
from games.bots.runner import Bot, attach_bots
from games.live.supervisor import Supervisor, get_supervisor
from games.live.table import Table
from games.models import Match, Seat
from games.verification import verify
from tests.factories import make_user

pytestmark = pytest.mark.django_db(transaction=True)


class Person(Bot):
    """Plays like a bot, over a wire, in the seat of a person; keeps what it was sent."""

    def __init__(self, table: Table, seat: int) -> None:
        # The ids of commands come from it: not the same ones again after a restart.
        super().__init__(table, seat, level_of("jack"), random.Random(f"{seat}/{table.shown.seq}"))
        self.frames: list[dict] = []

    def send(self, frame: str) -> None:
        self.frames.append(json.loads(frame))
        super().send(frame)


def make_match(*bots: str) -> Match:
    """A live match; an empty text is a person's seat."""
    match = Match.objects.create(game="spit", state=Match.State.LIVE)
    for number, bot in enumerate(bots):
        Seat.objects.create(match=match, number=number, bot=bot, user=None if bot else make_user())
    return match


def serve(work: Callable[[Supervisor], object], **options: object) -> None:
    """Run a server's supervisor, for as long as `work` takes, on a clock that jumps."""

    async def run() -> None:
        supervisor = Supervisor(on_table=[attach_bots], **options)
        loop.hold_while.append(lambda: supervisor.journal.pending > 0)
        await supervisor.start()
        try:
            await work(supervisor)
        finally:
            await supervisor.stop()
            await loop.shutdown_default_executor()

    loop = JumpingLoop()
    try:
        loop.run_until_complete(run())
    finally:
        loop.close()


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(40 * 60):
        while not condition():  # noqa: ASYNC110  (a clock that jumps: nothing is waited for)
            await asyncio.sleep(0.1)


def test_the_site_seats_bots() -> None:
    assert attach_bots in get_supervisor().on_table


def test_a_person_plays_a_bot_to_the_end() -> None:
    match = make_match("", "five")

    async def work(supervisor: Supervisor) -> None:
        table = await supervisor.table(match.slug)
        person = Person(table, 0)
        table.join(person, 0)
        await until(lambda: table.shown.is_over)
        assert {frame["t"] for frame in person.frames} >= {"state", "events", "ping"}

    serve(work)
    match.refresh_from_db()
    assert match.state == Match.State.OVER
    assert verify(match).faults == []
    assert match.end.cause == "out_of_cards"


def test_bots_go_on_after_a_restart() -> None:
    match = make_match("", "king")

    async def begin(supervisor: Supervisor) -> None:
        table = await supervisor.table(match.slug)
        table.join(Person(table, 0), 0)
        await until(lambda: table.shown.seq >= 60)

    async def go_on(supervisor: Supervisor) -> None:
        # Nobody asks for the table: the supervisor resumes it, and the bot is there when the person comes back.
        table = supervisor.tables[match.slug]
        table.join(Person(table, 0), 0)
        await until(lambda: table.shown.is_over)

    serve(begin)
    assert Match.objects.get(pk=match.pk).state == Match.State.LIVE
    assert 60 <= match.events.count() < 250
    serve(go_on)
    match.refresh_from_db()
    assert verify(match).faults == []
    assert match.end.cause == "out_of_cards"


def test_matches_of_bots_alone_are_left_to_whoever_plays_them() -> None:
    """Self-play beside a server keeps its matches to itself."""
    match = make_match("queen", "king")

    async def look(supervisor: Supervisor) -> None:
        assert match.slug not in supervisor.tables

    serve(look)


def test_a_bot_accepts_a_rematch() -> None:
    match = make_match("", "joker")
    asked: list[str] = []

    def rematch(slug: str, begin: bool) -> str | None:
        if not begin:
            return None
        asked.append(slug)
        return "/match/next/"

    async def work(supervisor: Supervisor) -> None:
        table = await supervisor.table(match.slug)
        person = Person(table, 0)
        table.join(person, 0)
        table.receive(person, '{"t":"resign","id":"enough"}')
        await until(lambda: table.shown.is_over)
        table.receive(person, '{"t":"rematch","id":"again"}')
        await until(lambda: person.frames[-1].get("url"))
        assert person.frames[-1] == {"t": "rematch", "offered_by": 0, "url": "/match/next/"}

    serve(work, rematch=rematch)
    assert asked == [match.slug]


def test_a_level_that_is_no_more_leaves_its_seat_empty(caplog) -> None:
    match = make_match("emperor", "ace")

    async def work(supervisor: Supervisor) -> None:
        table = await supervisor.table(match.slug)
        assert [member.seat for member in table.room.members.values()] == [1]
        await until(lambda: table.shown.is_over)

    serve(work)
    assert "nobody plays at the level 'emperor'" in caplog.text
    # Nobody came: it ends by the grace, before any card was played.
    assert match.end.cause == "aborted"


def test_what_a_bot_does_not_understand_stays_with_the_bot(caplog) -> None:
    match = make_match("ace", "ace")

    async def work(supervisor: Supervisor) -> None:
        table = await supervisor.table(match.slug)
        for sink in table.room.members:
            sink.send('{"t":"events"}')
        await until(lambda: table.shown.is_over)

    serve(work)
    assert caplog.text.count("a bot does not understand") == 2
    assert match.end.cause == "out_of_cards"


def test_a_closed_bot_is_still() -> None:
    match = make_match("ace", "ace")

    async def work(supervisor: Supervisor) -> None:
        table = await supervisor.table(match.slug)
        await until(lambda: table.shown.seq >= 40)
        for sink in tuple(table.room.members):
            sink.close("restart", "")
        played = table.state.played
        await asyncio.sleep(5)
        assert table.state.played == played

    serve(work)
