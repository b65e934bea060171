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
from django.db import connection
from django.test import TransactionTestCase

from games import append_only
from spitsite.accounts.models import User
from tests.site_process import Site, start

PASSWORD = "correct horse battery"


def pytest_configure() -> None:
    teardown: Callable[[Any], None] = TransactionTestCase._fixture_teardown  # type: ignore[attr-defined]

    def with_triggers_lifted(self: Any) -> None:
        with append_only.lifted(connection):
            teardown(self)

    TransactionTestCase._fixture_teardown = with_triggers_lifted  # type: ignore[attr-defined]


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
def fresh_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `var` directory of a site that was started once: empty database, collected static files."""
    var = tmp_path_factory.mktemp("var")
    start(var).stop()
    return var


@pytest.fixture
def start_site(tmp_path: Path, fresh_site: Path) -> Iterator[Callable[..., Site]]:
    """Starts real servers, each a process of its own: `start_site(**environment)`; they end with the test.

    All of one test share a database, so a second one is the first one restarted (after `kill()` or `stop()`).
    """
    sites: list[Site] = []
    shutil.copytree(fresh_site, tmp_path, dirs_exist_ok=True)

    def starter(**options: Any) -> Site:
        site = start(tmp_path, **options)
        sites.append(site)
        return site

    yield starter
    for site in sites:
        site.kill()
