"""Starts anew what has died, and takes its time if it dies again and again."""

import time
from collections.abc import Callable, Iterable
from typing import Final, Protocol

FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 30.0
"""Seconds between a death and the new start; doubled from death to death."""
SETTLED: Final = 60.0
"""Seconds of life after which earlier deaths are forgotten."""


class Watched(Protocol):
    """A child, or a service."""

    @property
    def is_running(self) -> bool: ...


class Watch:
    """Looks after programs that are meant to run."""

    def __init__(self, say: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._say = say
        self._clock = clock
        self._pauses: dict[str, float] = {}
        self._due: dict[str, float] = {}
        self._began: dict[str, float] = {}

    def look(self, programs: Iterable[tuple[str, Watched, Callable[[], None]]]) -> None:
        """One look at all of them: `(name, program, start)`. Call it again and again."""
        now = self._clock()
        for name, program, start in programs:
            if program.is_running:
                self._due.pop(name, None)
                if now - self._began.setdefault(name, now) >= SETTLED:
                    self._pauses.pop(name, None)
                continue
            if name not in self._due:
                pause = self._pauses.get(name, FIRST_PAUSE)
                self._pauses[name] = min(2 * pause, LONGEST_PAUSE)
                self._due[name] = now + pause
                self._say(f"{name} has ended; it is started again in {pause:g} s")
            if now >= self._due[name]:
                del self._due[name]
                self._began[name] = now
                start()
                self._say(f"{name} was started again")
