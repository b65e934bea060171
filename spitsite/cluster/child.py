"""A program of the site as a child process, with its output in a file."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent.parent
TAIL: Final = 2_000
"""Bytes of its output that are shown when it fails."""


class NotStarted(Exception):
    """A child ended, or took too long, before it was ready. The text says which, and what it said last."""


class Child:
    """`start` it, `stop` it as an operator would, `kill` it as a crash would; then `start` it again.

    It has a session of its own: Ctrl-C in the terminal reaches the parent
    alone, which ends its children in their order.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        environment: Mapping[str, str],
        log: Path,
        *,
        is_ready: Callable[[], bool] = lambda: True,
        pass_fds: Sequence[int] = (),
        patience: float = 60.0,
        grace: float = 25.0,
    ) -> None:
        """
        :param patience: seconds that it may take to be ready.
        :param grace: seconds that it may take to stop; then it is killed.
        """
        self.name = name
        self.log = log
        self._command = command
        self._environment = dict(environment)
        self._is_ready = is_ready
        self._pass_fds = pass_fds
        self._patience = patience
        self._grace = grace
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *, wait: bool = True) -> None:
        """
        :raises NotStarted: only with `wait`.
        """
        self.stop()
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                cwd=ROOT,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=self._pass_fds,
                start_new_session=True,
            )
        if wait:
            self.wait()

    def wait(self) -> None:
        """Until it is ready.

        :raises NotStarted: it ended, or took too long.
        """
        give_up = time.monotonic() + self._patience
        while not self._is_ready():
            if not self.is_running:
                raise NotStarted(f"{self.name} ended before it was ready:\n{self.last_words}")
            if time.monotonic() > give_up:
                raise NotStarted(f"{self.name} is not ready after {self._patience:.0f} seconds:\n{self.last_words}")
            time.sleep(0.05)

    def stop(self) -> None:
        """End it well. Nothing, if it does not run."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """`kill -9`, with all that it started."""
        self._end(signal.SIGKILL)

    @property
    def pid(self) -> int | None:
        """None: it was never started, or was ended by us."""
        return None if self._process is None else self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def last_words(self) -> str:
        """The end of its output."""
        try:
            return self.log.read_bytes()[-TAIL:].decode(errors="replace").strip()
        except FileNotFoundError:
            return ""

    def _end(self, how: signal.Signals) -> None:
        process = self._process
        if process is None:
            return
        if process.poll() is None:
            if how is signal.SIGKILL:
                os.killpg(process.pid, how)
            else:
                process.send_signal(how)
            try:
                process.wait(self._grace)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        self._process = None
