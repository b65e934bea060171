"""How fast a player was, match by match: measured where replays are built, brought to players' pages through here."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Final

from msgspec import Struct


class Speed(Struct, frozen=True):
    """A player's speed in one match."""

    slug: str
    ended_at: datetime
    per_minute: float
    """Cards for each minute of play."""
    reaction: int | None
    """Milliseconds from a turn to the first play after it, the median; None without any."""


SOURCES: Final[list[Callable[[Any, str, int], Sequence[Speed]]]] = []
"""`(user, game, limit)`: the latest matches of a player, the earliest of them first. The replays put theirs in here."""


def speeds_of(user: Any, game: str, limit: int) -> list[Speed]:
    """The player's speed in their latest matches of a game, the earliest of them first."""
    return [speed for source in SOURCES for speed in source(user, game, limit)]
