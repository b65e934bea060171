"""The one door for time.

Live play measures in whole milliseconds of the event loop's own clock, so that
a loop with another clock (self-play runs on one that jumps) moves all of it.
"""

import asyncio
from datetime import datetime

from django.utils import timezone


def loop_ms(loop: asyncio.AbstractEventLoop | None = None) -> int:
    """Milliseconds of the event loop's clock, the running one's if none is given; only differences mean something."""
    return int((loop or asyncio.get_running_loop()).time() * 1000)


def wall() -> datetime:
    """The time of day, aware."""
    return timezone.now()
