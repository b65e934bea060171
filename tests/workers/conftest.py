"""Workers for tests. They need the shape of many processes: `python -m spitsite.cluster.services pytest …`"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from spitsite.celery import app
from spitsite.cluster.services import Valkey
from tests import databases
from tests.workers.support import Celery

StartCelery = Callable[..., Celery]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if not databases.IS_POSTGRESQL:
        for item in items:
            if Path(__file__).parent in item.path.parents:
                item.add_marker(pytest.mark.skip("workers need PostgreSQL: python -m spitsite.cluster.services …"))


@pytest.fixture
def broker(transactional_db: None) -> Iterator[Valkey]:
    """A broker of the test's own, to which this process sends its tasks."""
    before = {"task_always_eager": app.conf.task_always_eager, "broker_url": app.conf.broker_url}
    with Valkey() as valkey:
        app.conf.update(task_always_eager=False, broker_url=valkey.url)
        app._after_fork()  # Forget the connections to another broker.
        yield valkey
        app.pool.force_close_all()
        app._after_fork()
        app.conf.update(before)


@pytest.fixture
def start_celery(broker: Valkey, tmp_path: Path) -> Iterator[StartCelery]:
    """`start_celery("worker", …)`; what it starts ends with the test."""
    started: list[Celery] = []

    def start(*arguments: str, visibility: int = 600) -> Celery:
        more = {"REDIS_URL": broker.url, "VISIBILITY_TIMEOUT": str(visibility)}
        started.append(Celery(tmp_path, *arguments, "--loglevel", "INFO", **more))
        return started[-1]

    yield start
    for process in started:
        process.kill()


@pytest.fixture
def start_worker(start_celery: StartCelery) -> StartCelery:
    """A worker that is ready: `start_worker(processes=2, visibility=600)`."""

    def start(processes: int = 2, visibility: int = 600) -> Celery:
        worker = start_celery("worker", "--concurrency", str(processes), visibility=visibility)
        worker.wait_for(" ready.")
        return worker

    return start
