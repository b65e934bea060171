"""Quick pairing: who of those that wait plays whom.

People are paired within a pool, a game rated or just for fun, by rating, within a range that widens with the time that
they wait. Both have to be in the other's range. Whoever waits longest chooses first, and gets the nearest.

Guests have no rating. They are never rated, so they meet in the pools without a rating only; there they are taken to
stand where everybody begins, and anybody is in their range from the start. People with a rating who play just for fun
are compared by it with each other.
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from games.standing import START

RANGE: Final = 150.0
"""Points to either side that somebody with an established rating is content with at first ..."""
PROVISIONAL_RANGE: Final = 350.0
"""... and somebody whose rating says little yet."""
WIDENS: Final = 30.0
"""Points by which it grows each second."""
PATIENCE: Final = 30.0
"""Seconds after which anybody will do."""


class Waiter(NamedTuple):
    """Somebody who waits in a pool."""

    key: int
    """Of the seek."""
    user: int
    rating: float | None
    """None: a guest."""
    is_provisional: bool
    waited: float
    """Seconds."""

    @property
    def place(self) -> float:
        """The rating that they are compared by."""
        return START if self.rating is None else self.rating

    @property
    def range(self) -> float:
        """The points to either side that they are content with by now."""
        if self.rating is None or self.waited >= PATIENCE:
            return math.inf
        return (PROVISIONAL_RANGE if self.is_provisional else RANGE) + WIDENS * max(0.0, self.waited)


def pairs(pool: Sequence[Waiter], apart: set[frozenset[int]]) -> list[tuple[int, int]]:
    """Bring together whom one can; pairs of `Waiter.key`, each key at most once.

    :param pool: everybody who waits for the same thing.
    :param apart: those who are not to meet (`games.ties.blocked_pairs`).
    """
    waiting = sorted(pool, key=lambda waiter: (-waiter.waited, waiter.key))
    found: list[tuple[int, int]] = []
    while waiting:
        one = waiting.pop(0)
        able = [
            other
            for other in waiting
            if other.user != one.user
            and abs(other.place - one.place) <= min(one.range, other.range)
            and frozenset((one.user, other.user)) not in apart
        ]
        if able:
            # Of those equally near the one who waits longest, for so they are ordered.
            other = min(able, key=lambda each: abs(each.place - one.place))
            waiting.remove(other)
            found.append((one.key, other.key))
    return found
