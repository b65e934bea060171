"""The servers that are measured, each shape with a fresh database, all on the cores they are given."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final, Self

from spitsite.cluster.services import PostgreSQL, Valkey

ROOT: Final = Path(__file__).resolve().parent.parent.parent
_TICKS: Final = os.sysconf("SC_CLK_TCK")


def cpu_s(pid: int) -> float:
    """Seconds of processor time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def rss_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


class Server:
    """A server process; `start` returns when it says the word."""

    def __init__(self, command: list[str], ready: str, environment: dict[str, str], cores: set[int]) -> None:
        self._process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            preexec_fn=lambda: os.sched_setaffinity(0, cores),
        )
        assert self._process.stdout is not None
        said = []
        for line in self._process.stdout:
            said.append(line)
            if ready in line:
                break
        else:
            raise SystemExit("the server did not start:\n" + "".join(said))
        # What it says from here on is a warning: it is passed on.
        self._sink = subprocess.Popen(["cat"], stdin=self._process.stdout, stdout=2)

    @property
    def pid(self) -> int:
        return self._process.pid

    def stop(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._sink.wait()


class Servers:
    """What is measured: some server processes and what they stand on. A context manager.

    `environment` is that of the site, for whoever makes its matches.
    """

    def __init__(self, directory: Path, port: int, cores: set[int]) -> None:
        self.environment = {
            **os.environ,
            "VAR_DIR": str(directory),
            "DJANGO_SETTINGS_MODULE": "spitsite.settings",
            "LOG_LEVEL": "WARNING",
            "PYTHONUNBUFFERED": "1",
        }
        self.ports: list[int] = [port]
        self._cores = cores
        self._servers: list[Server] = []
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with self._stack:
            self._start()
            self._stack = self._stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        for server in self._servers:
            server.stop()
        self._stack.close()

    def _start(self) -> None:
        raise NotImplementedError

    def _serve(self, command: Iterable[str], ready: str) -> None:
        self._servers.append(Server([sys.executable, *command], ready, self.environment, self._cores))

    def _serve_site(self) -> None:
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=self.environment, check=True)
        for port in self.ports:
            self._serve(["manage.py", "serve", "--port", str(port)], "Ctrl-C")

    def cpu_s(self) -> float:
        """Seconds of processor time of the server processes together, so far."""
        return sum(cpu_s(server.pid) for server in self._servers)

    def database_cpu_s(self) -> float:
        return 0.0

    def rss_mb(self) -> float:
        return sum(rss_mb(server.pid) for server in self._servers)


class Floor(Servers):
    """A bare ASGI application on the same web server: `tests.scale.floor`."""

    def _start(self) -> None:
        self._serve(["-m", "tests.scale.floor", str(self.ports[0])], "The floor is there")


class OneOnSQLite(Servers):
    name = "one process, SQLite"

    def __init__(self, directory: Path, port: int, cores: set[int]) -> None:
        super().__init__(directory, port, cores)
        self._path = directory / "bench.sqlite3"
        self.environment["DATABASE_URL"] = f"sqlite:///{self._path}"

    def _start(self) -> None:
        for path in self._path.parent.glob("bench.sqlite3*"):
            # No match of another run is there to be resumed.
            path.unlink()
        self._serve_site()


class OneOnPostgreSQL(Servers):
    name = "one process, PostgreSQL"

    def _start(self) -> None:
        self._database = self._stack.enter_context(PostgreSQL())
        self._pin(self._database.pid)
        self.environment["DATABASE_URL"] = self._database.url
        self._serve_site()

    def _pin(self, pid: int | None) -> None:
        """To the servers' cores, with all that it starts from here on."""
        assert pid is not None
        for process in (pid, *_descendants(pid)):
            with suppress(ProcessLookupError):  # One of PostgreSQL's short-lived ones.
                os.sched_setaffinity(process, self._cores)

    def database_cpu_s(self) -> float:
        assert self._database.pid is not None
        return sum(map(cpu_s, _descendants(self._database.pid)))


class TwoOnPostgreSQL(OneOnPostgreSQL):
    """With Valkey between them; each match is played through both."""

    name = "two processes, PostgreSQL"

    def __init__(self, directory: Path, port: int, cores: set[int]) -> None:
        super().__init__(directory, port, cores)
        self.ports = [port, port + 1]

    def _start(self) -> None:
        redis = self._stack.enter_context(Valkey())
        self._pin(redis.pid)
        self.environment["REDIS_URL"] = redis.url
        super()._start()


def _descendants(pid: int) -> list[int]:
    """The processes that this one started and that still run."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


SHAPES: Final = {"sqlite": OneOnSQLite, "postgres": OneOnPostgreSQL, "two": TwoOnPostgreSQL}
