"""Elo, by R1. Pure arithmetic."""

from typing import Final

from games.standing import Standing

MASTER: Final = 2400.0
"""Who ever reached this moves slowly from then on."""

WIN: Final = 1.0
DRAW: Final = 0.5
LOSS: Final = 0.0


def expected(own: float, other: float) -> float:
    """The score to expect against that opponent, from 0 to 1."""
    return float(1.0 / (1.0 + 10.0 ** ((other - own) / 400.0)))


def k_factor(standing: Standing) -> int:
    """How many points a match can move: 40 for the first 30 rated matches, then 20, 10 once 2400 was reached."""
    if standing.is_provisional:
        return 40
    return 10 if standing.peak >= MASTER else 20


def score_of(seat: int, winner: int | None) -> float:
    """The score of a seat in a match with that winner; None is a draw (G10)."""
    if winner is None:
        return DRAW
    return WIN if seat == winner else LOSS


def after_match(own: Standing, other: float, score: float) -> Standing:
    """The standing after a match against a rating of `other`."""
    value = own.value + k_factor(own) * (score - expected(own.value, other))
    return Standing(value, own.matches + 1, max(own.peak, value))
