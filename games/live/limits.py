"""How much one socket may ask for."""

from typing import Final

RATE: Final = 30.0
"""Messages a second that a socket may send for long: nobody means more."""
BURST: Final = 60.0
"""... and at once."""
PATIENCE: Final = 60
"""Refused messages after which the socket is closed."""


class Bucket:
    """A token bucket; times in seconds."""

    __slots__ = ("_at", "_left", "overdrawn")

    def __init__(self, now: float) -> None:
        self._left = BURST
        self._at = now
        self.overdrawn = 0
        """Messages refused since there was last room."""

    def take(self, now: float) -> bool:
        """Whether one more message is within the limit."""
        left = self._left + (now - self._at) * RATE
        self._at = now
        if left < 1.0:
            self._left = left
            self.overdrawn += 1
            return False
        if left > BURST:
            left = BURST
            self.overdrawn = 0
        self._left = left - 1.0
        return True

    @property
    def is_exhausted(self) -> bool:
        return self.overdrawn > PATIENCE
