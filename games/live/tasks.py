"""Tasks that nobody waits for: they are kept from being collected, and their failure is logged."""

import asyncio
import logging
from collections.abc import Coroutine, Iterator
from typing import Any

log = logging.getLogger(__name__)


class Tasks:
    """Of one owner, in its event loop."""

    def __init__(self, owner: str, slug: str = "") -> None:
        """`owner` and the match's `slug` are for the log."""
        self._owner = owner
        self._slug = slug
        self._tasks: set[asyncio.Task[None]] = set()

    def __iter__(self) -> Iterator[asyncio.Task[None]]:
        """Those under way."""
        return iter(tuple(self._tasks))

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def cancel(self) -> None:
        for task in tuple(self._tasks):
            task.cancel()

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            extra = {"match": self._slug} if self._slug else None
            log.error("a task of the %s failed", self._owner, exc_info=error, extra=extra)
