"""The whole site on one machine: PostgreSQL, Valkey, server processes, Celery workers, beat.

`manage.py cluster` is the command; a test uses the class itself and does to the
parts what happens to them in life: `cluster.asgi[0].kill()`,
`cluster.redis.stop()`, `cluster.workers[1].start()`.
"""

import contextlib
import fcntl
import http.client
import os
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

from spitsite import server
from spitsite.cluster.child import Child, NotStarted
from spitsite.cluster.services import PostgreSQL, Service, Valkey
from spitsite.cluster.watch import Watch

_PYTHON: Final = (sys.executable, "-u")


class Running(Exception):
    """Another cluster uses this directory."""


class Cluster:
    """Use it as a context manager. A database or a Redis that the environment names is used, and left alone."""

    def __init__(
        self,
        *,
        port: int = 8000,
        processes: int = 2,
        workers: int = 2,
        host: str = "127.0.0.1",
        directory: Path | None = None,
        environment: dict[str, str] | None = None,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        """
        :param port: of the site; 0: a free one.
        :param directory: where PostgreSQL's data and the output of all parts are kept; None: a temporary one.
        :param environment: of all parts; None: that of this process.
        :param say: takes a line for people.
        :raises Running: the directory is in use.
        :raises OSError, ValueError: as `spitsite.server.listen`.
        """
        self._say = say
        self._host = host
        self._number = (processes, workers)
        # All server processes accept from this one socket: whoever is free takes the next connection, and while one
        # is started anew nobody is turned away.
        self._socket = server.listen(host, port)
        self.is_temporary = directory is None
        self.directory = directory or Path(tempfile.mkdtemp(prefix="spit-cluster-"))
        self.directory.mkdir(parents=True, exist_ok=True)
        self._lock: IO[str] = self._locked()
        self._environment = dict(os.environ if environment is None else environment)
        self.postgres: PostgreSQL | None = None
        self.redis: Valkey | None = None
        self.asgi: list[Child] = []
        self.ports: list[int] = []
        """The port of each server process's own, on 127.0.0.1."""
        self.workers: list[Child] = []
        self.beat: Child | None = None
        self._wanted: set[str] = set()
        self._watch = Watch(say)

    def _locked(self) -> IO[str]:
        lock = (self.directory / "lock").open("w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            self._socket.close()
            raise Running(self.directory) from None
        return lock

    @property
    def url(self) -> str:
        """Of the site, without a slash at the end."""
        name = "127.0.0.1" if self._host in ("", "0.0.0.0", "::") else self._host  # noqa: S104  (compared)
        return f"http://{f'[{name}]' if ':' in name else name}:{self._socket.getsockname()[1]}"

    @property
    def parts(self) -> Iterator[tuple[str, Child | Service]]:
        """All parts by name, in the order in which they are started."""
        if self.postgres is not None:
            yield "postgres", self.postgres
        if self.redis is not None:
            yield "redis", self.redis
        for child in (*self.asgi, *self.workers, *([self.beat] if self.beat else [])):
            yield child.name, child

    # Beginning and end

    def start(self) -> None:
        """Start everything; when it returns, pages are served.

        :raises NotStarted, RuntimeError: something does not start. What did is for `stop`.
        """
        self._start_services()
        self._make_children()
        # The first brings the database and the static files up to date; the others find that done.
        for child in self.asgi:
            self._say(f"starting {child.name} …")
            child.start()
        for child in (*self.workers, *([self.beat] if self.beat else [])):
            child.start()
        for child in self.workers:
            child.wait()
        if _status(self._socket.getsockname()[1], "/accounts/login/") != 200:
            raise NotStarted(f"no page is served at {self.url}")
        self._wanted = {name for name, _ in self.parts}

    def _start_services(self) -> None:
        if not self._environment.get("DATABASE_URL"):
            self._say("starting PostgreSQL …")
            self.postgres = PostgreSQL(None if self.is_temporary else self.directory / "postgres")
            self.postgres.start()
            self._environment["DATABASE_URL"] = self.postgres.url
        if not self._environment.get("REDIS_URL"):
            self._say("starting Valkey …")
            self.redis = Valkey()
            self.redis.start()
            self._environment["REDIS_URL"] = self.redis.url

    def _make_children(self) -> None:
        processes, workers = self._number
        fd = self._socket.fileno()
        for number in range(1, processes + 1):
            port = _free_port()
            self.ports.append(port)
            command = [*_PYTHON, "manage.py", "serve", "--port", str(port), "--fd", str(fd)]
            self.asgi.append(self._child(f"asgi-{number}", command, _serves(port), pass_fds=(fd,)))
        celery = [*_PYTHON, "-m", "celery", "-A", "spitsite"]
        for number in range(1, workers + 1):
            name = f"worker-{number}"
            command = [
                *celery,
                "worker",
                "--loglevel=INFO",
                "--pool=solo",
                "--without-gossip",
                "--without-mingle",
                "-n",
                f"{name}@%h",
            ]
            self.workers.append(self._child(name, command, self._said(f"{name}@", " ready.")))
        command = [*celery, "beat", "--schedule", str(self.directory / "beat"), "--pidfile="]
        self.beat = self._child("beat", command)

    def _child(
        self,
        name: str,
        command: list[str],
        is_ready: Callable[[], bool] = lambda: True,
        *,
        pass_fds: tuple[int, ...] = (),
        **environment: str,
    ) -> Child:
        log = self.directory / f"{name}.log"
        log.unlink(missing_ok=True)
        return Child(name, command, {**self._environment, **environment}, log, is_ready=is_ready, pass_fds=pass_fds)

    def _said(self, name: str, words: str) -> Callable[[], bool]:
        """Whether the worker's output has a line with the name and the words."""
        log = self.directory / f"{name.rstrip('@')}.log"
        return lambda: log.exists() and any(name in line and words in line for line in log.read_text().splitlines())

    def watch(self) -> None:
        """Start anew, after a pause, what has died by itself; not what `stop` or `kill` has ended. Call it often."""
        self._watch.look(
            (name, part, lambda part=part: _start_anew(part, self._say))  # type: ignore[misc]
            for name, part in self.parts
            if name in self._wanted and part.pid is not None
        )

    def stop(self) -> None:
        """End everything: first those who take visitors, then those who work, at last what they stand on."""
        self._wanted.clear()
        self._socket.close()
        for part in (*([self.beat] if self.beat else []), *self.asgi, *self.workers):
            part.stop()
        for service in (self.redis, self.postgres):
            if service is not None:
                service.close()
        self._lock.close()
        if self.is_temporary:
            shutil.rmtree(self.directory, ignore_errors=True)

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()


def _start_anew(part: Child | Service, say: Callable[[str], None]) -> None:
    try:
        if isinstance(part, Child):
            # Whether it gets ready is seen in its own time.
            part.start(wait=False)
        else:
            part.start()
    except (OSError, RuntimeError) as error:
        say(f"that failed: {error}")


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _status(port: int, path: str) -> int | None:
    """The status of a page; None: no answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    with contextlib.closing(connection), contextlib.suppress(OSError, http.client.HTTPException):
        connection.request("GET", path, headers={"Host": "localhost"})
        return connection.getresponse().status
    return None


def _serves(port: int) -> Callable[[], bool]:
    return lambda: _status(port, "/readyz") == 200


def status_of(part: Child | Service) -> str:
    """One word for people."""
    return f"pid {part.pid}" if part.is_running else "not running"


def wait_and_watch(cluster: Cluster, pause: float = 0.2) -> None:
    """Until Ctrl-C (`KeyboardInterrupt`) or `SystemExit`."""
    while True:
        cluster.watch()
        time.sleep(pause)
