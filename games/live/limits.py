"""How much somebody may ask for."""

from typing import Final
from weakref import WeakValueDictionary

RATE: Final = 30.0
"""Messages a second that may be sent for long: nobody means more."""
BURST: Final = 60.0
"""... and at once."""
PATIENCE: Final = 60
"""Refused messages after which a socket is closed."""


class Bucket:
    """A token bucket; times in seconds."""

    __slots__ = ("__weakref__", "_at", "_left")

    def __init__(self, now: float) -> None:
        self._left = BURST
        self._at = now

    @property
    def is_full(self) -> bool:
        """Whether nothing was missing when something was last taken."""
        return self._left >= BURST - 1.0

    def take(self, now: float) -> bool:
        """Whether there is one more."""
        self._left = min(BURST, self._left + (now - self._at) * RATE)
        self._at = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True


_shared: WeakValueDictionary[tuple[str, int], Bucket] = WeakValueDictionary()


def bucket_of(slug: str, user_id: int, now: float) -> Bucket:
    """The bucket that all sockets of a person to a match draw from in this process: more tabs are no more hands."""
    return _shared.setdefault((slug, user_id), Bucket(now))


class Limit:
    """What one socket may send, out of a bucket of its own or one that it shares."""

    __slots__ = ("_bucket", "_overdrawn")

    def __init__(self, bucket: Bucket) -> None:
        self._bucket = bucket
        self._overdrawn = 0
        """Messages refused since the bucket was last full."""

    def allows(self, now: float) -> bool:
        """Whether one more message is within the limit."""
        if not self._bucket.take(now):
            self._overdrawn += 1
            return False
        if self._overdrawn and self._bucket.is_full:
            self._overdrawn = 0
        return True

    @property
    def is_exhausted(self) -> bool:
        """Whether so much was refused that nothing more is to be heard."""
        return self._overdrawn > PATIENCE
