"""`/healthz` and `/readyz`, as a balancer or a supervisor of processes asks for them."""

import json
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from spitsite.cluster.services import PostgreSQL, Valkey
from tests.ops.http import Answer, ask
from tests.site_process import Site, copy, manage, start

StartSite = Callable[..., Site]


@pytest.fixture(scope="module")
def site(fresh_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One server for all tests that only look."""
    var = tmp_path_factory.mktemp("site")
    copy(fresh_site, var)
    site = start(var)
    yield site
    site.kill()


def until(ask_again: Callable[[], Answer], status: int, seconds: float = 20) -> Answer:
    """Ask until the answer has that status."""
    give_up = time.monotonic() + seconds
    while (answer := ask_again()).status != status:
        assert time.monotonic() < give_up, answer
    return answer


def until_faults_are(names: set[str], ready: str, seconds: float = 30) -> dict[str, str]:
    """Ask until just these parts are named: a part that comes or goes is noticed a little later than another."""
    give_up = time.monotonic() + seconds
    while set(faults := json.loads(ask(ready).text)["faults"]) != names:
        assert time.monotonic() < give_up, faults
    return dict(faults)


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
class TestAnswers:
    def test_well(self, site: Site, path: str) -> None:
        answer = ask(site.url + path)
        assert answer.status == 200
        assert answer.headers["cache-control"] == "no-store"
        assert answer.text in ("alive\n", '{"ready": true, "faults": {}}\n')

    def test_head(self, site: Site, path: str) -> None:
        answer = ask(site.url + path, "HEAD")
        assert (answer.status, answer.text) == (200, "")
        assert answer.headers["content-length"] == str(len(ask(site.url + path).text))

    def test_nothing_is_sent_there(self, site: Site, path: str) -> None:
        answer = ask(site.url + path, "POST", {})
        assert answer.status == 405
        assert answer.headers["allow"] == "GET, HEAD"

    def test_whoever_watches_asks_by_address(self, site: Site, path: str) -> None:
        assert ask(site.url + path, Host="10.1.2.3:8000").status == 200


def test_what_is_missing_has_a_name(fresh_site: Path, tmp_path: Path) -> None:
    shutil.copytree(fresh_site, tmp_path, dirs_exist_ok=True)
    with PostgreSQL(forgetful=True) as postgres, Valkey() as valkey:
        site = start(tmp_path, DATABASE_URL=postgres.url, REDIS_URL=valkey.url)
        try:
            ready = site.url + "/readyz"
            assert ask(ready).status == 200
            postgres.kill()
            valkey.kill()
            faults = until_faults_are({"database", "redis"}, ready)
            assert ask(ready).status == 503
            # What it says to anybody has no address and no user in it.
            assert "postgres" not in str(faults)
            assert ask(site.url + "/healthz").status == 200
            postgres.start()
            until_faults_are({"redis"}, ready)
            valkey.start()
            assert until(lambda: ask(ready), 200).text == '{"ready": true, "faults": {}}\n'
        finally:
            site.kill()


def test_a_database_of_an_older_version_is_not_ready(start_site: StartSite) -> None:
    """As while a new version is started beside the old one, before `migrate`."""
    site = start_site()
    code = (
        "from django.db import connection as c; from django.db.migrations.recorder import MigrationRecorder as R; "
        "R(c).migration_qs.filter(app='replays').delete()"
    )
    manage(site.var, "shell", "--no-imports", "-c", code)
    answer = ask(site.url + "/readyz")
    assert answer.status == 503
    assert json.loads(answer.text)["faults"]["migrations"].startswith("not applied: replays.0001")


def test_a_server_that_stops_says_so_before_it_turns_anybody_away(start_site: StartSite) -> None:
    site = start_site(DRAIN_SECONDS="3")
    assert ask(site.url + "/readyz").status == 200
    site.process.send_signal(signal.SIGTERM)
    answer = until(lambda: ask(site.url + "/readyz"), 503)
    assert json.loads(answer.text) == {"ready": False, "faults": {"process": "stopping"}}
    assert ask(site.url + "/accounts/login/").status == 200
    assert site.process.wait(20) == 0
