"""The claim on a database where one process plays its matches, on a PostgreSQL that cuts it off."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from spitsite.cluster.services import PostgreSQL
from tests.site_process import Site, copy, start

CLAIM = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = 21271 AND granted"
TAKE = "SELECT pg_try_advisory_lock(21271)"


@pytest.fixture
def postgres() -> Iterator[PostgreSQL]:
    with PostgreSQL(forgetful=True) as server:
        yield server


@pytest.fixture
def site(postgres: PostgreSQL, fresh_site: Path, tmp_path: Path) -> Iterator[Site]:
    copy(fresh_site, tmp_path)
    running = start(tmp_path, DATABASE_URL=postgres.url)
    yield running
    running.kill()


def cut_off(other: "psycopg.Connection[tuple[int]]") -> int:
    """End the connection that the claim hangs on, as a restart of the database does; which one it was."""
    (found,) = other.execute(CLAIM).fetchall()
    other.execute("SELECT pg_terminate_backend(%s, 5000)", found)
    return found[0]


def test_it_is_taken_again(site: Site, postgres: PostgreSQL) -> None:
    with psycopg.connect(postgres.url, autocommit=True) as other:
        before = cut_off(other)
        site.wait_for("the claim on the database was taken again")
        (after,) = other.execute(CLAIM).fetchall()
    assert after[0] != before
    assert site.process.poll() is None


def test_whoever_was_faster_has_it(site: Site, postgres: PostgreSQL) -> None:
    """Two that both think they are the only one would each take the other's players for away."""
    with psycopg.connect(postgres.url, autocommit=True) as other:
        cut_off(other)
        assert other.execute(TAKE).fetchone() == (True,)
        assert site.process.wait(30) == 1
    site.wait_for("Another server has taken the matches of this database.")
