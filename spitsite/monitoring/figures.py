"""The figures of this process, for Prometheus. Looked up when they are asked for; nothing is counted here."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import accumulate
from typing import Any, Final

from django.conf import settings
from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
    SummaryMetricFamily,
)
from prometheus_client.registry import Collector

from games.live.figures import Histogram, figures
from games.live.journal import Fault
from games.live.supervisor import get_supervisor
from games.rules.refusals import Code
from games.rules.registry import BOOKS
from spitsite.monitoring.backlog import Backlogs
from spitsite.monitoring.requests import request_figures

PATIENCE: Final = 2.0
"""Seconds that the figures of this process wait for those from the database and Redis."""


class LivePlay(Collector):
    """Tables, sockets, the journal. Labels are from short lists: games, codes, faults."""

    def collect(self) -> Iterator[Metric]:
        supervisor = get_supervisor()
        # Copies: the event loop goes on meanwhile.
        tables = tuple(supervisor.tables.values())
        live = sum(not table.shown.is_over for table in tables)
        yield GaugeMetricFamily("spit_matches_live", "Matches that are played in this process.", live)
        waiting = tuple(supervisor.waiting.rooms.values())
        yield GaugeMetricFamily("spit_matches_waiting", "Matches whose page waits for an opponent.", len(waiting))
        sockets = GaugeMetricFamily("spit_sockets", "Open sockets of matches, by role.", labels=["role"])
        players = watchers = 0
        for place in (*tables, *supervisor.remotes.copy().values(), *waiting):
            wires = [member.seat is None for member in tuple(place.room.members.values()) if member.wire]
            watchers += sum(wires)
            players += len(wires) - sum(wires)
        sockets.add_metric(["player"], players)
        sockets.add_metric(["watcher"], watchers)
        yield sockets
        yield _counts("spit_plays", "Cards played, by game.", "game", figures.plays, BOOKS)
        yield _counts("spit_refusals", "Refusals told, by code.", "code", figures.refusals, Code)
        yield _histogram(
            "spit_publish_seconds", "From a command's arrival until the frames of its batch are out.", figures.publish
        )
        yield CounterMetricFamily(
            "spit_readers_behind", "How often a slow reader was sent the state instead of its backlog.", figures.behind
        )
        yield from self._journal()

    @staticmethod
    def _journal() -> Iterator[Metric]:
        journal = get_supervisor().journal
        yield CounterMetricFamily("spit_events_written", "Events in the database.", figures.events)
        yield _histogram("spit_journal_batch_entries", "Decisions that one transaction wrote.", figures.batch)
        yield _histogram("spit_journal_commit_seconds", "How long a transaction took.", figures.commit)
        yield GaugeMetricFamily("spit_journal_pending", "Decisions that nobody was told of yet.", journal.pending)
        yield GaugeMetricFamily("spit_journal_trouble", "1: commands are refused, writing fails.", journal.in_trouble)
        yield CounterMetricFamily("spit_journal_failures", "Attempts to write that failed.", figures.failures)
        yield _counts(
            "spit_streams_broken", "Matches that started anew from the log, by fault.", "fault", figures.broken, Fault
        )


class Requests(Collector):
    """Pages, by the names of their views, of which there is a fixed number."""

    def collect(self) -> Iterator[Metric]:
        requests = CounterMetricFamily(
            "spit_http_requests", "Requests of pages and files.", labels=["view", "method", "status"]
        )
        for labels, number in tuple(request_figures.counts.items()):
            requests.add_metric(labels, number)
        yield requests
        seconds = SummaryMetricFamily("spit_http_request_seconds", "How long they took.", labels=["view"])
        for view, (number, total) in tuple(request_figures.seconds.items()):
            seconds.add_metric([view], number, total)
        yield seconds


class Work(Collector):
    """What is left to do for tasks. Every process of the site says the same about it."""

    def __init__(self) -> None:
        self._backlogs = Backlogs()
        self._thread = ThreadPoolExecutor(1, "backlog")
        self._late: Future[Any] | None = None

    def _in_time(self, look: Callable[[], Any]) -> Any:
        """None: no answer in time, as when the last look still waits for one."""
        if self._late is not None and not self._late.done():
            return None
        self._late = self._thread.submit(look)
        try:
            return self._late.result(PATIENCE)
        except TimeoutError:
            return None

    def collect(self) -> Iterator[Metric]:
        backlog = self._in_time(self._backlogs.database)
        yield GaugeMetricFamily("spit_database_up", "1: the database was read just now.", backlog is not None)
        if backlog is not None:
            yield GaugeMetricFamily(
                "spit_replay_lag_seconds", "Age of the oldest finished match without a replay.", backlog.replay_lag
            )
            yield GaugeMetricFamily(
                "spit_rating_lag_seconds", "Age of the oldest finished match not looked at by ratings.",
                backlog.rating_lag,
            )  # fmt: skip
            yield GaugeMetricFamily("spit_replays_flagged", "Replays that the rules do not confirm.", backlog.flagged)
        if settings.REDIS_URL:
            waiting = self._in_time(self._backlogs.queue)
            yield GaugeMetricFamily("spit_redis_up", "1: Redis was read just now.", waiting is not None)
            if waiting is not None:
                yield GaugeMetricFamily("spit_queue_tasks", "Tasks that wait for a worker.", waiting)


def _counts(name: str, text: str, label: str, counts: dict[str, int], known: Iterable[str]) -> Metric:
    """With a 0 for what was not seen yet: a rate needs a beginning."""
    metric = CounterMetricFamily(name, text, labels=[label])
    for key in known:
        metric.add_metric([str(key)], counts.get(key, 0))
    return metric


def _histogram(name: str, text: str, histogram: Histogram) -> Metric:
    cumulated = list(accumulate(histogram.counts))
    bounds = [*map(str, histogram.bounds), "+Inf"]
    return HistogramMetricFamily(
        name, text, buckets=list(zip(bounds, cumulated, strict=True)), sum_value=histogram.total
    )


registry = CollectorRegistry(auto_describe=False)
for _collector in (LivePlay(), Requests(), Work()):
    registry.register(_collector)
ProcessCollector(registry=registry)
