"""The clock of a match."""

import asyncio

from games.clock import loop_ms


class MatchClock:
    """Milliseconds since the start of the match. It stands still while no server runs the match, and when told to."""

    __slots__ = ("_loop", "stands_at", "zero")

    def __init__(self, at: int) -> None:
        """It goes on from `at`, that of the last event."""
        self._loop = asyncio.get_running_loop()
        self.zero = loop_ms(self._loop) - at
        """When it showed 0, in milliseconds of the event loop's clock."""
        self.stands_at: int | None = None
        """What it shows while it stands; None: it goes."""

    def now(self) -> int:
        return loop_ms(self._loop) - self.zero if self.stands_at is None else self.stands_at

    def stop(self) -> None:
        """Stand still. Again: nothing."""
        self.stands_at = self.now()

    def go_on(self, least: int = 0) -> None:
        """Go on from where it stands; from `least`, if that is later."""
        self.zero = loop_ms(self._loop) - max(self.stands_at or 0, least)
        self.stands_at = None

    def seconds(self, at: int) -> float:
        """The event loop's time at which it shows `at`."""
        return (self.zero + at) / 1000
