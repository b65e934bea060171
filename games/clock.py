"""The one door for time.

Live play measures in whole milliseconds of the event loop's own clock, so that
a loop with another clock (self-play runs on one that jumps) moves all of it.
"""

import asyncio
from datetime import datetime

from django.utils import timezone


def loop_ms() -> int:
    """Milliseconds of the running event loop's clock; only differences mean something."""
    return int(asyncio.get_running_loop().time() * 1000)


def wall() -> datetime:
    """The time of day, aware."""
    return timezone.now()
