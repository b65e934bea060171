"""What live play counts about itself, and what its readiness makes of it."""

import asyncio
from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from games.live.figures import Histogram
from spitsite.monitoring import figures as shown
from spitsite.monitoring import readiness as ready
from tests.live.support import Client, House, Program, begin, do, moves, play_on, plays


@pytest.fixture
def scrape(house: House, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A sample's value as Prometheus would get it now, of this house: `scrape("spit_sockets", role="player")`."""
    monkeypatch.setattr(shown, "get_supervisor", lambda: house.supervisor)
    registry = CollectorRegistry()
    registry.register(shown.LivePlay())

    def value(name: str, **labels: str) -> float:
        found = registry.get_sample_value(name, labels)
        assert found is not None, (name, labels)
        return found

    return value


async def test_a_match_is_counted(house: House, scrape: Any) -> None:
    names = ("spit_plays_total", "spit_events_written_total", "spit_publish_seconds_count", "spit_refusals_total")
    labels = ({"game": "spit"}, {}, {}, {"code": "not_your_card"})
    before = [scrape(name, **label) for name, label in zip(names, labels, strict=True)]
    table = await house.table()
    players = await begin(table)
    watcher = Client(table)
    await play_on(table, players, lambda state: bool(plays(state, 0)))
    played = do(players[0], plays(table.state, 0)[0])
    await players[0].until(lambda: players[0].answer(played))
    refused = players[1].say("play", card="Xx", to="centre.0")
    await players[1].message("refused", id=refused)
    await watcher.until(lambda: watcher.events)
    log = await house.log(table)
    after = [scrape(name, **label) for name, label in zip(names, labels, strict=True)]
    gained = [later - sooner for sooner, later in zip(before, after, strict=True)]
    commands = sum(event.command is not None for event in log)
    assert gained == [sum(event.kind == "played" for event in log), len(log), commands, 1]
    assert scrape("spit_matches_live") == 1
    assert scrape("spit_sockets", role="player") == 2
    assert scrape("spit_sockets", role="watcher") == 1
    assert scrape("spit_journal_batch_entries_sum") >= scrape("spit_journal_batch_entries_count") > 0
    # A sum of true durations: above nothing, below what the test took.
    assert 0 < scrape("spit_journal_commit_seconds_sum") / scrape("spit_journal_commit_seconds_count") < 5


async def test_a_database_that_cannot_be_written_is_seen(
    house: House, scrape: Any, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ready, "get_supervisor", lambda: house.supervisor)
    readiness = ready.Readiness()
    assert await readiness.faults() == {}
    table = await house.table()
    players = await begin(table)
    await play_on(table, players, lambda state: bool(moves(state, 0)))
    program.lock()
    do(players[0], moves(table.state, 0)[0])
    # Decided, and nobody is told of it; after a while it is given up, and the trouble stays.
    assert scrape("spit_journal_pending") >= 1
    await players[0].until(lambda: house.supervisor.journal.in_trouble)
    assert scrape("spit_journal_trouble") == 1
    assert (await readiness.faults())["journal"].startswith("cannot write")
    program.unlock()
    await players[0].until(lambda: not house.supervisor.journal.in_trouble)
    assert await readiness.faults() == {}


async def test_looks_at_the_same_time_are_one(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks a thousand times makes no thousand queries."""
    monkeypatch.setattr(ready, "get_supervisor", lambda: house.supervisor)
    readiness = ready.Readiness()
    looks = 0
    database = readiness._database

    def counted() -> ready.Faults:
        nonlocal looks
        looks += 1
        return database()

    monkeypatch.setattr(readiness, "_database", counted)
    answers = await asyncio.gather(*(readiness.faults() for _ in range(1000)))
    assert answers == [{}] * 1000
    assert looks == 1
    await readiness.faults()
    assert looks == 2


def test_a_histogram_counts_into_the_bucket_whose_bound_is_not_exceeded() -> None:
    histogram = Histogram((1.0, 2.0))
    for value in (0.5, 1.0, 1.5, 2.0, 9.0):
        histogram.add(value)
    assert histogram.counts == [2, 2, 1]
    assert histogram.total == 14.0
