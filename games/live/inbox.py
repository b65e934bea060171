"""The order of a match's commands."""

from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Inbox(Generic[T]):
    """Hands commands to the judge in the order in which they arrived (G1), one after the other.

    A command is judged at once, in the call that brings it; one that arrives
    while another is being judged (a bot that answers a frame in the same
    breath) waits until that is done. Any other order, such as one that makes up
    for measured lag, would be made here and nowhere else.
    """

    __slots__ = ("_busy", "_judge", "_waiting")

    def __init__(self, judge: Callable[[T], None]) -> None:
        self._judge = judge
        self._waiting: deque[T] = deque()
        self._busy = False

    def put(self, command: T) -> None:
        if self._busy:
            self._waiting.append(command)
            return
        self._busy = True
        try:
            self._judge(command)
            while self._waiting:
                self._judge(self._waiting.popleft())
        finally:
            self._busy = False
