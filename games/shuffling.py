"""The one door for randomness that decides cards.

Today the system's own randomness; a verifiable shuffle will sit here.
"""

import random
from collections.abc import Mapping
from typing import Protocol

from games.rules.cards import Pile


class Dealer(Protocol):
    """Shuffles what a rule book asks to be shuffled (`Book.to_shuffle`)."""

    def shuffle(self, piles: Mapping[str, Pile]) -> dict[str, Pile]: ...


class RandomDealer:
    """A fair shuffle. Without a seed it draws on the system's secure randomness; a seed is for tests and self-play."""

    def __init__(self, seed: int | None = None) -> None:
        self._random: random.Random = random.SystemRandom() if seed is None else random.Random(seed)

    def shuffle(self, piles: Mapping[str, Pile]) -> dict[str, Pile]:
        shuffled = {}
        for name in sorted(piles):
            cards = sorted(piles[name])
            self._random.shuffle(cards)
            shuffled[name] = tuple(cards)
        return shuffled
