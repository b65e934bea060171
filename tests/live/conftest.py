"""A live process in miniature: a supervisor with its journal, on a real database with real commits."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from django.urls import get_resolver

from games.live.journal import Journal
from games.live.relay import cluster as cluster_module
from games.live.supervisor import Supervisor
from games.moderation.standing import banned_among
from games.rules import setup
from games.rules.setup import Pace
from games.shuffling import RandomDealer
from tests.live.processes import LocalPost, start_process
from tests.live.support import House, Program
from tests.site_process import Site, copy, start

QUICK = Pace(
    "quick",
    countdown=20,
    stuck=60,
    still_stuck=40,
    slap=400,
    warning=400,
    inactive=800,
    abandoned=1_500,
    grace=600,
    away_budget=2_000,
)
"""A speed class in which a test need not wait long for anything to fall due."""
CALM = Pace(
    "calm",
    countdown=20,
    stuck=60_000,
    still_stuck=60_000,
    slap=60_000,
    warning=600_000,
    inactive=600_000,
    abandoned=600_000,
    grace=600_000,
    away_budget=600_000,
)
"""One in which nothing falls due by itself, however long a busy machine takes for a test."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> Pace:
    # The pages' forms list the speed classes: they are made first, this one is not for people.
    assert get_resolver().url_patterns
    for pace in (QUICK, CALM):
        monkeypatch.setitem(setup.PACES, pace.key, pace)  # type: ignore[arg-type]
    monkeypatch.setattr("games.live.presence.RELOAD", 100)
    return QUICK


@pytest.fixture(scope="module")
def site(fresh_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A real server for the tests of a module, which do not stop it."""
    var = tmp_path_factory.mktemp("site")
    copy(fresh_site, var)
    running = start(var)
    yield running
    running.kill()
    assert "Traceback" not in running.output


@pytest.fixture
async def house(transactional_db: None) -> AsyncIterator[House]:
    """Tables for the test; `house.restart()` is what a new process after `kill -9` is."""

    def make() -> Supervisor:
        supervisor = Supervisor(journal=Journal(hold=0.8), dealer=RandomDealer(7))
        supervisor.barred_among = banned_among
        return supervisor

    house = House(make)
    await house.supervisor.start()
    yield house
    await house.supervisor.stop()


@pytest.fixture
async def another(house: House, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Callable[[], Awaitable[Supervisor]]]:
    """Start a process that shares the matches. (`house` makes them, and looks into the log.)"""
    monkeypatch.setattr(cluster_module, "Post", LocalPost)
    LocalPost.posts.clear()
    LocalPost.sent.clear()
    started: list[Supervisor] = []

    async def start() -> Supervisor:
        started.append(await start_process())
        return started[-1]

    yield start
    for process in started:
        await process.stop()


@pytest.fixture
def program(transactional_db: None) -> Iterator[Program]:
    """Another program on the same database."""
    program = Program()
    yield program
    program.close()
