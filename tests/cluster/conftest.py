"""Many real servers on one real PostgreSQL and one real Valkey."""

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest

from spitsite.cluster.services import PostgreSQL, Valkey
from tests.cluster.support import Browser
from tests.site_process import ROOT, Site, begin, environment


class Sample(NamedTuple):
    """A match in the database."""

    slug: str
    pk: int
    game: str
    state: str
    cookies: list[str]
    players: list[int]


class Services(NamedTuple):
    """What lives as long as the tests."""

    postgres: PostgreSQL
    valkey: Valkey
    var: Path
    matches: list[Sample]
    sites: list[Site]


class Cluster:
    """The services, and the servers of one test."""

    def __init__(self, services: Services) -> None:
        self.postgres = services.postgres
        self.valkey = services.valkey
        self.sites: list[Site] = []
        self._var = services.var
        self._matches = services.matches
        self.boss = next(match for match in services.matches if match.state == "boss").cookies[0]
        """The session of an administrator."""

    @property
    def environment(self) -> dict[str, str]:
        return {"DATABASE_URL": self.postgres.url, "REDIS_URL": self.valkey.url}

    def start(self, number: int) -> list[Site]:
        """So many servers more."""
        sites = [begin(self._var, **self.environment) for _ in range(number)]
        self.sites += sites
        return [site.wait() for site in sites]

    def match(self, state: str = "live", game: str = "spit") -> Sample:
        """A match that nobody has touched."""
        found = next(match for match in self._matches if (match.state, match.game) == (state, game))
        self._matches.remove(found)
        if state == "live":
            with psycopg.connect(self.postgres.url) as connection:
                connection.execute(
                    "UPDATE games_match SET state = 'live', started_at = now() WHERE id = %s", (found.pk,)
                )
        return found

    def ask(self, question: str, *values: Any) -> list[Any]:
        with psycopg.connect(self.postgres.url) as connection:
            return connection.execute(question, values).fetchall()

    def log(self, match: Sample) -> list[int]:
        """The numbers in a match's log."""
        return [row[0] for row in self.ask("SELECT seq FROM games_event WHERE match_id = %s ORDER BY seq", match.pk)]

    def end(self, match: Sample) -> Any:
        """Cause and number of the last event, None while it is played."""
        rows = self.ask("SELECT cause, events FROM games_end WHERE match_id = %s", match.pk)
        return rows[0] if rows else None

    def run(self, code: str) -> str:
        """Run a piece of Python as an administrator does, in a shell of the site."""
        done = subprocess.run(
            [sys.executable, "manage.py", "shell", "--no-imports", "-c", code],
            cwd=ROOT, env=environment(self._var, **self.environment), capture_output=True, text=True, check=True,
        )  # fmt: skip
        return done.stdout


@pytest.fixture(scope="session")
def services(fresh_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    var = tmp_path_factory.mktemp("cluster")
    shutil.copytree(fresh_site, var, dirs_exist_ok=True)
    with PostgreSQL(forgetful=True) as postgres, Valkey() as valkey:
        urls = {"DATABASE_URL": postgres.url, "REDIS_URL": valkey.url}
        # The first server makes the tables.
        site = begin(var, **urls).wait()
        made = subprocess.run(
            [sys.executable, "-m", "tests.cluster.make", "24"],
            cwd=ROOT, env=environment(var, DJANGO_SETTINGS_MODULE="spitsite.settings", **urls),
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        more = [begin(var, **urls) for _ in range(2)]
        sites = [site, *(other.wait() for other in more)]
        yield Services(postgres, valkey, var, [Sample(**json.loads(line)) for line in made.stdout.splitlines()], sites)
        for site in sites:
            site.kill()


@pytest.fixture
async def cluster(services: Services) -> AsyncIterator[Cluster]:
    """No server yet: `cluster.start(2)`. They end with the test."""
    found = Cluster(services)
    yield found
    for browser in Browser.opened:
        browser.close()
    Browser.opened.clear()
    for site in found.sites:
        site.process.send_signal(signal.SIGCONT)
        site.kill()
    if not found.valkey.is_running:
        found.valkey.start()


@pytest.fixture
def sites(services: Services, cluster: Cluster) -> list[Site]:
    """Three servers that all tests share which do them no harm."""
    return services.sites
