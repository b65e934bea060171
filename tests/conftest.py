"""What all tests share.

Tests with real commits (`transaction=True`, `live_server`) empty the tables afterwards; the triggers that keep the log
append-only would refuse that. So the emptying, and nothing else, is done with the triggers lifted
(`games.append_only.lifted`): tests need not know.
"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import TransactionTestCase
from pytest_django import DjangoDbBlocker

from games import append_only
from games.moderation import append_only as measures_append_only
from spitsite.accounts.models import User
from tests import databases
from tests.shared import once
from tests.site_process import Site, copy, manage, start

PASSWORD = "correct horse battery"
HERE = Path(__file__).parent


REAL = ("browser", "cluster", "live", "lobby", "ops", "workers")
"""Folders of tests with real servers, browsers, workers and clocks."""
HEAVY = ("cluster", "workers", "browser", "ops")
"""Folders whose tests start several processes each, by how long their files take."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let those try once more: on a machine that stands still for seconds, what they wait for may come too late.

    Each second try is listed at the end of the run. One that shows up again is a fault to be found.
    """
    for item in items:
        if _folder(item) in REAL:
            item.add_marker(pytest.mark.flaky(reruns=1))
    _mix(items)


def _mix(items: list[pytest.Item]) -> None:
    """Put files that start many processes and files that do not by turns, the longest first.

    So the processes that share the work (`--no-loadscope-reorder`) hardly do the former all at once, which would be
    slower than one after the other, and end together.
    """
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    heavy = [file for file, (first, *_) in files.items() if _folder(first) in HEAVY]
    heavy.sort(key=lambda file: HEAVY.index(_folder(files[file][0])))
    light = [file for file in files if file not in set(heavy)]
    light.sort(key=lambda file: _folder(files[file][0]) not in REAL)
    order = {file: (number + 0.5) / len(heavy) for number, file in enumerate(heavy)}
    order |= {file: (number + 0.6) / len(light) for number, file in enumerate(light)}
    items.sort(key=lambda item: order[item.path])


def _folder(item: pytest.Item) -> str:
    return item.path.relative_to(HERE).parts[0] if item.path.is_relative_to(HERE) else ""


def pytest_configure() -> None:
    teardown: Callable[[Any], None] = TransactionTestCase._fixture_teardown  # type: ignore[attr-defined]

    def with_triggers_lifted(self: Any) -> None:
        with append_only.lifted(connection), measures_append_only.lifted(connection):
            teardown(self)

    TransactionTestCase._fixture_teardown = with_triggers_lifted  # type: ignore[attr-defined]


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None, request: pytest.FixtureRequest) -> None:
    """Where many processes run tests, their databases are copies of one: to migrate takes seconds."""
    if not hasattr(request.config, "workerinput"):
        return
    test = settings.DATABASES["default"]["TEST"]
    if databases.IS_POSTGRESQL:
        test["TEMPLATE"] = databases.name_of(_migrated())
    else:
        shutil.copy(_migrated() / "spit.sqlite3", test["NAME"])


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_keepdb: bool, request: pytest.FixtureRequest) -> bool:
    # A file that is there is to be taken. It goes with the process's directory.
    return django_db_keepdb or (hasattr(request.config, "workerinput") and not databases.IS_POSTGRESQL)


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The test database. PostgreSQL throws none away to which one of this process's threads is still connected."""
    yield
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


@pytest.fixture
def ann(db: None) -> User:
    """Somebody with an account; signs in with `PASSWORD`."""
    return User.objects.create_user("Ann", "ann@example.org", PASSWORD)


@pytest.fixture
def bob(db: None) -> User:
    """Somebody else with an account."""
    return User.objects.create_user("Bob", "bob@example.org", PASSWORD)


@pytest.fixture
def guest(db: None) -> User:
    """Somebody who plays without an account."""
    from spitsite.accounts.guests import create_guest

    return create_guest()


@pytest.fixture
def boss(db: None) -> User:
    """An administrator."""
    return User.objects.create_superuser("boss", "boss@example.org", PASSWORD)


@pytest.fixture(scope="session")
def fresh_site() -> Path:
    """The `var` directory of a site that was started once: empty database, collected static files.

    All processes that run tests share it: start nothing on it but on a copy (`site_process.copy`).
    """

    def make(var: Path) -> None:
        copy(_migrated(), var)
        start(var).stop()

    return once("site", make)


def _migrated() -> Path:
    """A `var` directory with an empty database."""

    def make(var: Path) -> None:
        manage(var, "migrate", "-v", "0")

    return once("database", make)


@pytest.fixture
def start_site(tmp_path: Path, fresh_site: Path) -> Iterator[Callable[..., Site]]:
    """Starts real servers, each a process of its own: `start_site(**environment)`; they end with the test.

    All of one test share a database, so a second one is the first one restarted (after `kill()` or `stop()`).
    """
    sites: list[Site] = []
    copy(fresh_site, tmp_path)

    def starter(**options: Any) -> Site:
        site = start(tmp_path, **options)
        sites.append(site)
        return site

    yield starter
    for site in sites:
        site.kill()
    databases.drop(tmp_path)
