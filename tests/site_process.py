"""A real server in a process of its own, as `make run` starts it."""

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

from tests import databases

ROOT = Path(__file__).resolve().parent.parent


class NotStarted(Exception):
    """The server ended before it was ready; what it had said by then."""


class Program:
    """A process that says what it does, line by line."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.lines: list[str] = []
        self._news = threading.Condition()
        self._has_ended = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout:
            for line in self.process.stdout:
                with self._news:
                    self.lines.append(line)
                    self._news.notify_all()
        with self._news:
            self._has_ended = True
            self._news.notify_all()

    def wait_for(self, text: str, seconds: float = 30, times: int = 1) -> None:
        """Until it has said that, so often.

        :raises TimeoutError: it did not.
        """
        with self._news:
            if not self._news.wait_for(lambda: self.output.count(text) >= times, seconds):
                raise TimeoutError(f"not said: {text!r}; said: {self.output}")

    @property
    def output(self) -> str:
        """Everything it has printed and logged so far."""
        return "".join(self.lines)

    def stop(self, with_signal: int = signal.SIGTERM, seconds: float = 20) -> int:
        """End it as an operator would; its exit code."""
        self.process.send_signal(with_signal)
        code = self.process.wait(seconds)
        self._reader.join(seconds)
        return code

    def kill(self) -> None:
        """End it with -9, if it still runs."""
        if self.process.poll() is None:
            self._kill()
        self.process.wait()
        self._reader.join(10)

    def _kill(self) -> None:
        self.process.kill()


class Site(Program):
    """A running server. Its `var` directory, with the database in it, outlives it."""

    def __init__(self, var: Path, process: "subprocess.Popen[str]") -> None:
        self.var = var
        super().__init__(process)

    @property
    def url(self) -> str:
        """`http://127.0.0.1:<port>`, no slash at the end; empty until it is ready."""
        found = re.search(r"served at \S*(http://[^\s\x1b]+)/", self.output)
        return found[1] if found else ""

    def wait(self, seconds: float = 180) -> "Site":
        """Until it is ready.

        :raises NotStarted: it ended, or took longer.
        """
        with self._news:
            self._news.wait_for(lambda: self.url or self._has_ended, seconds)
        if not self.url:
            self.kill()
            raise NotStarted(self.output)
        return self

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])


def environment(var: Path, **more: str) -> dict[str, str]:
    """The environment of this process without what it says about the site, with a `VAR_DIR` of its own.

    In the shape of many processes with a PostgreSQL database of its own, too; it is one process all the same: no
    `REDIS_URL` unless told.
    """
    kept = {
        key: value
        for key, value in os.environ.items()
        if key
        not in ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "DJANGO_SETTINGS_MODULE", "DJANGO_DEBUG", "ALLOWED_HOSTS")
    }
    if "DATABASE_URL" not in more and databases.IS_POSTGRESQL:
        more["DATABASE_URL"] = databases.url_of(var)
    # All of a test's people come from one address.
    limits = dict.fromkeys(("GUESTS_PER_ADDRESS", "MATCHES_PER_ADDRESS", "MATCHES_PER_PERSON"), "0")
    return {**kept, "VAR_DIR": str(var), "PYTHONUNBUFFERED": "1", **limits, **more}


def start(var: Path, *, port: int = 0, host: str = "127.0.0.1", **more: str) -> Site:
    """Start a server, on a free port unless told otherwise, and wait until it is ready."""
    return begin(var, port=port, host=host, **more).wait()


def begin(var: Path, *, port: int = 0, host: str = "127.0.0.1", **more: str) -> Site:
    """Start a server, and do not wait."""
    process = subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--host", host, "--port", str(port)],
        cwd=ROOT,
        env=environment(var, **more),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return Site(var, process)


def copy(source: Path, target: Path) -> None:
    """Make the `var` directory `target`, with its database, what `source` is. No server may run on that one."""
    shutil.copytree(source, target, dirs_exist_ok=True)
    databases.copy(source, target)


def manage(var: Path, *arguments: str, check: bool = True, **more: str) -> "subprocess.CompletedProcess[str]":
    """Run a command of `manage.py` on the same database."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment(var, **more),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=check,
    )
