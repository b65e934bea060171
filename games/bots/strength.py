"""How strong each level is, as a rating: found by `manage.py tournament`. docs/bots.md tells how, and how exactly."""

from collections.abc import Mapping
from typing import Final

RATINGS: Final[Mapping[str, Mapping[str, int]]] = {
    "spit": {
        "deuce": 1050, "five": 1450, "eight": 1700, "jack": 2150, "queen": 2450, "king": 2700, "ace": 3050,
        "joker": 3650,
    },
    "two_deck": {
        "deuce": 1100, "five": 1350, "eight": 1600, "jack": 1950, "queen": 2250, "king": 2550, "ace": 2900,
        "joker": 3200,
    },
    "speed": {
        "deuce": 1200, "five": 1450, "eight": 1700, "jack": 2100, "queen": 2450, "king": 2850, "ace": 3250,
        "joker": 3500,
    },
    "japanese_speed": {
        "deuce": 1150, "five": 1400, "eight": 1650, "jack": 1900, "queen": 2050, "king": 2300, "ace": 2450,
        "joker": 2600,
    },
}  # fmt: skip
"""By game and level, to the next fifty."""
