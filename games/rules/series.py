"""A match as a series of games (M1): best of so many, or a race to a target score (P6)."""

from msgspec.structs import replace

from games.rules.setup import Options
from games.rules.state import Phase, Result, Status

MOST_GAMES = 100
"""The most games of a race to a target score: drawn games score nothing, so that it needs an end of its own."""


def scored(options: Options, status: Status, result: Result, cards: int) -> Status:
    """The status with one more game counted.

    In a best-of the winner gets one point, in a race one for each of the
    `cards` that the other seat still holds (P6). A draw, half a point to each,
    leaves the difference as it was and is not counted.
    """
    score = status.score
    points = cards if options.target else 1
    if result.winner is not None:
        score = (score[0] + points, score[1]) if result.winner == 0 else (score[0], score[1] + points)
    return replace(status, score=score, last=result)


def is_decided(options: Options, status: Status) -> bool:
    """Whether the match is over after the games counted in `status`."""
    high, low = max(status.score), min(status.score)
    if options.target:
        return high >= options.target or status.game >= MOST_GAMES
    still_to_come = options.best_of - status.game
    return still_to_come == 0 or high - low > still_to_come


def leader(status: Status) -> int | None:
    """The seat with the higher score; None when equal."""
    score = status.score
    return None if score[0] == score[1] else score.index(max(score))


def next_game(status: Status, at: int) -> Status:
    """The status in which the next game waits for the dealer."""
    number = status.round + 1
    status = status.afresh(Phase.DEALING, at, number)
    return replace(status, game=status.game + 1, first_round=number, began=at, reshuffles=0)
