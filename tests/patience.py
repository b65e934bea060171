"""How long tests wait for what is promised in seconds."""

import os
import time
from functools import cache
from typing import Final

USUAL: Final = 0.010
"""Seconds that the work of `_slowness` takes on a usual machine."""


def within(seconds: float) -> float:
    """The seconds that are promised; more where the machine is slower, or more than two want each of its processors."""
    waiting = os.getloadavg()[0] / (2 * (os.cpu_count() or 1))
    return seconds * _slowness() * max(1.0, waiting)


@cache
def _slowness() -> float:
    """How many times slower this machine is than a usual one, at its best; 1 if it is not."""
    return max(1.0, min(_work() for _ in range(5)) / USUAL)


def _work() -> float:
    began = time.perf_counter()
    total = 0
    for number in range(200_000):
        total += number * number % 7
    return time.perf_counter() - began
