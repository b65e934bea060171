"""The site in many processes on one machine: by one command, and as a test takes it apart."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from spitsite.cluster.child import Child, NotStarted
from spitsite.cluster.cluster import Cluster, Running
from spitsite.cluster.services import PostgreSQL
from spitsite.cluster.watch import FIRST_PAUSE, LONGEST_PAUSE, SETTLED, Watch
from tests.ops.http import ask
from tests.site_process import ROOT, copy, environment

OWN = {"DATABASE_URL": "", "REDIS_URL": ""}
"""Let the cluster start its own, whatever the tests are run on."""


@pytest.fixture
def directory() -> Iterator[Path]:
    """One that PostgreSQL's user may enter too; pytest's own are for nobody else."""
    made = Path(tempfile.mkdtemp(prefix="spit-test-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


def is_alive(pid: int | None) -> bool:
    try:
        os.kill(pid or 0, 0)
    except ProcessLookupError:
        return False
    return True


def until(true: Callable[[], object], seconds: float = 30) -> None:
    give_up = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < give_up
        time.sleep(0.05)


def test_it_serves_is_taken_apart_and_leaves_nothing_behind(fresh_site: Path, tmp_path: Path) -> None:
    copy(fresh_site, tmp_path)
    said: list[str] = []
    with Cluster(port=0, processes=1, workers=1, environment=environment(tmp_path, **OWN), say=said.append) as cluster:
        assert [name for name, _ in cluster.parts] == ["postgres", "redis", "asgi-1", "worker-1", "beat"]
        pids = {name: part.pid for name, part in cluster.parts}
        assert all(is_alive(pid) for pid in pids.values())
        # By the address of the site, and by its own.
        page = "/accounts/login/"
        assert ask(cluster.url + page).status == 200
        assert ask(f"http://127.0.0.1:{cluster.ports[0]}/readyz").status == 200
        assert "spit_queue_tasks" in ask(cluster.url + "/metrics").text

        # What is stopped stays so; what dies is started again.
        cluster.workers[0].stop()
        cluster.asgi[0].kill()
        assert not is_alive(pids["asgi-1"])
        cluster.watch()
        assert cluster.asgi[0].pid is None
        cluster.asgi[0].start()
        os.kill(cluster.asgi[0].pid or 0, signal.SIGKILL)
        until(lambda: (cluster.watch(), "asgi-1 was started again" in said)[1])
        # Nobody is turned away meanwhile: the connection waits.
        assert ask(cluster.url + page).status == 200
        assert cluster.workers[0].pid is None
        cluster.workers[0].start()

        # The services too, each with what it promises: the database keeps, at the same address.
        assert cluster.postgres is not None
        cluster.postgres.kill()
        cluster.postgres.start()
        until(lambda: ask(cluster.url + "/readyz").status == 200)
        pids = {name: part.pid for name, part in cluster.parts}
        kept = cluster.directory
    assert not any(is_alive(pid) for pid in pids.values())
    assert not kept.exists()


def test_the_command(fresh_site: Path, directory: Path) -> None:
    var = directory / "var"
    copy(fresh_site, var)
    var.chmod(0o755)
    command = [sys.executable, "manage.py", "cluster", "--port", "0", "--processes", "1", "--workers", "1"]
    surroundings = environment(var, **OWN)
    process = subprocess.Popen(command, cwd=ROOT, env=surroundings, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    said = ""
    for line in process.stdout:
        said += line
        if "Ctrl-C" in line:
            break
    try:
        found = re.search(r"served at \S*(http://127\.0\.0\.1:\d+)/", said)
        assert found
        assert ask(found[1] + "/accounts/login/").status == 200
        pids = [int(pid) for pid in re.findall(r"pid (\d+)", said)]
        assert len(pids) == 5
        # The line about an administrator does what it says, in the cluster's own database.
        line = re.search(r"DATABASE_URL=.* createsuperuser$", said, re.MULTILINE)
        assert line
        made = subprocess.run(
            f"{line[0]} --noinput --username boss --email boss@example.org",
            shell=True,
            cwd=ROOT,
            env=environment(var, **OWN, DJANGO_SUPERUSER_PASSWORD="qk8-Lorry-tulip"),
            capture_output=True,
            text=True,
            check=False,
        )
        assert "created" in made.stdout, made.stderr
        assert all(map(is_alive, pids))
        again = subprocess.run(
            command, cwd=ROOT, env=environment(var, **OWN), capture_output=True, text=True, check=False
        )
        assert again.returncode == 1
        assert "A cluster runs already on" in again.stderr
        assert "Traceback" not in again.stderr
    finally:
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "Stopped." in rest
    assert not any(map(is_alive, pids))
    assert (var / "cluster/postgres/PG_VERSION").exists()


def test_postgresql_keeps_its_data_from_one_start_to_the_next(directory: Path) -> None:
    with PostgreSQL(directory / "data") as first, psycopg.connect(first.url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
    orphan = PostgreSQL(directory / "data")
    orphan.start()
    # Whoever started it is killed, and looks after it no more.
    with PostgreSQL(directory / "data") as second, psycopg.connect(second.url) as connection:
        assert connection.execute("SELECT number FROM kept").fetchone() == (7,)
        assert not orphan.is_running
    orphan.close()


def test_two_clusters_do_not_share_a_directory(directory: Path) -> None:
    cluster = Cluster(port=0, directory=directory, environment={})
    with pytest.raises(Running):
        Cluster(port=0, directory=directory, environment={})
    cluster.stop()
    Cluster(port=0, directory=directory, environment={}).stop()


class TestChild:
    def test_one_that_ends_at_once_tells_why(self, tmp_path: Path) -> None:
        child = Child(
            "asgi-1",
            [sys.executable, "-c", "print('another server plays'); exit(1)"],
            {},
            tmp_path / "log",
            is_ready=lambda: False,
        )
        with pytest.raises(NotStarted, match=r"(?s)asgi-1 ended before it was ready.*another server plays"):
            child.start()

    def test_one_that_does_not_want_to_stop_is_killed(self, tmp_path: Path) -> None:
        code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True)\n"
        log = tmp_path / "log"
        child = Child(
            "stubborn", [sys.executable, "-c", code + "time.sleep(60)"], {}, log,
            is_ready=lambda: b"up" in log.read_bytes(), grace=0.1,
        )  # fmt: skip
        child.start()
        pid = child.pid
        child.stop()
        assert not is_alive(pid)
        assert child.pid is None


class Program:
    is_running = True


class TestWatch:
    """With a clock of its own."""

    def setup_method(self) -> None:
        self.now = 0.0
        self.starts: list[float] = []
        self.program = Program()
        self.watch = Watch(lambda _: None, lambda: self.now)

    def look(self, at: float) -> None:
        self.now = at
        self.watch.look([("it", self.program, lambda: self.starts.append(at))])

    def test_what_dies_again_and_again_is_started_ever_less_often(self) -> None:
        self.program.is_running = False
        for tenth in range(2_000):
            self.look(tenth / 10)
        pauses = [later - sooner for sooner, later in zip(self.starts, self.starts[1:], strict=False)]
        assert self.starts[0] == pytest.approx(FIRST_PAUSE)
        assert pauses[0] == pytest.approx(2 * FIRST_PAUSE, abs=0.2)
        assert max(pauses) == pytest.approx(LONGEST_PAUSE, abs=0.2)
        assert pauses == sorted(pauses) or pauses[-1] == pytest.approx(pauses[-2], abs=0.2)

    def test_what_has_lived_for_long_is_started_soon(self) -> None:
        self.program.is_running = False
        for second in range(30):
            self.look(second)
        self.program.is_running = True
        self.look(40)
        self.look(40 + SETTLED)
        self.program.is_running = False
        self.starts.clear()
        self.look(200)
        self.look(200 + FIRST_PAUSE)
        assert self.starts == [200 + FIRST_PAUSE]
