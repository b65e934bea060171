"""An event loop whose clock jumps: when nothing is left to do, it is the next timer's time at once.

Bots think on the loop's clock, tables count down on it; on this one a match of
five minutes is over as soon as the processor has played it. While work is under
way outside the loop (a commit, a read of the database) the clock stands still,
so that no such work takes any of the loop's time, and a run with the same seed
goes the same way.
"""

import asyncio
import math
import selectors
from collections.abc import Callable
from typing import Any

WAKE = 1.0
"""Real seconds after which a loop that waits for work outside looks again, should nobody wake it."""


class _Selector(selectors.DefaultSelector):
    """Waits for the loop: not at all, or for the work outside."""

    loop: "JumpingLoop"

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            return super().select(None)
        if timeout <= 0:
            return super().select(0)
        if self.loop.is_busy:
            return super().select(WAKE)
        ready = super().select(0)
        if not ready:
            self.loop.jump(timeout)
        return ready


class JumpingLoop(asyncio.SelectorEventLoop):
    """Its clock goes in steps of `step` milliseconds, from zero.

    All that falls due within one step is done together, in the order in which
    it fell due; so the work outside that it leads to can be done together too.

    `hold_while`: functions that say whether work is under way outside; what
    runs in executors is known without.
    """

    def __init__(self, step: int = 1) -> None:
        selector = _Selector()
        selector.loop = self
        self._step = step
        self._ms = 0
        self._in_executors = 0
        self.hold_while: list[Callable[[], bool]] = []
        super().__init__(selector)

    def time(self) -> float:
        # A quarter of a millisecond late, so that a sum of times that rounding made a little smaller or larger is
        # still in the millisecond that is meant.
        return (self._ms + 0.25) / 1000

    @property
    def is_busy(self) -> bool:
        return self._in_executors > 0 or any(is_held() for is_held in self.hold_while)

    def jump(self, seconds: float) -> None:
        """Go on to the first step at which a timer is due that would be called in so many seconds."""
        due = math.ceil((self.time() + seconds) * 1000 - 0.5)
        steps = -(-(due - self._ms) // self._step)
        self._ms += max(1, steps) * self._step

    def run_in_executor(  # type: ignore[override]  # the stub's type variables cannot be said in 3.11
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> "asyncio.Future[Any]":
        self._in_executors += 1
        future = super().run_in_executor(executor, func, *args)
        future.add_done_callback(self._returned)
        return future

    def _returned(self, future: "asyncio.Future[Any]") -> None:
        self._in_executors -= 1
