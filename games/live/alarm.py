"""A timer of which there is at most one."""

import asyncio
from collections.abc import Callable


class Alarm:
    """Rings once, at a time on the event loop's clock (seconds), unless it is set anew before."""

    __slots__ = ("_handle", "_loop", "_ring", "at")

    def __init__(self, ring: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._ring = ring
        self._handle: asyncio.Handle | None = None
        self.at: float | None = None
        """When it rings; None: it is not set."""

    def set(self, at: float | None) -> None:
        if at == self.at:
            return
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        self.at = at
        if at is not None:
            self._handle = self._loop.call_at(at, self._fire)

    def _fire(self) -> None:
        self._handle = None
        self.at = None
        self._ring()
