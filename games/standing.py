"""Where a player stands in one game (R1). Pure; how a match moves it is in `games.ratings.elo`."""

from typing import Final, NamedTuple

START: Final = 1500.0
PROVISIONAL: Final = 30
"""The number of rated matches from which a rating is established."""


class Standing(NamedTuple):
    """The rating, after how many rated matches, the highest it ever was."""

    value: float = START
    matches: int = 0
    peak: float = START

    @property
    def is_provisional(self) -> bool:
        return self.matches < PROVISIONAL
