"""`make bench-rules`: what judging and applying a play costs, side by side with python-chess.

A play is a `Play` that is accepted: `Book.decide`, and `evolve` for each of its
events once more, as a reader of the log does it. A move of python-chess is
`Board.is_legal` and `Board.push`. Both are positions of random play, measured in
turns in this one process, in its processor time; the best of the rounds counts,
since everything else on the machine only ever adds. `fold` is one event of a whole
log of the game, `fold_10000` one of a log of ten thousand. The last line is JSON.
"""

import argparse
import gc
import json
import random
import time
from collections.abc import Callable, Iterator
from itertools import count
from typing import NamedTuple

import chess

from games.rules.book import Book, Decision
from games.rules.commands import Play
from games.rules.events import Event
from games.rules.evolve import evolve, fold
from games.rules.registry import BOOKS
from games.rules.setup import Setup
from games.rules.state import State
from tests.rules.matches import RandomPlayers, random_match

TARGET = 3.0
"""A play may cost so many moves of chess."""


class Sample(NamedTuple):
    state: State
    command: Play
    seat: int
    at: int


def plays(setup: Setup, number: int) -> list[Sample]:
    """Accepted plays of random matches."""
    found: list[Sample] = []
    for seed in count():
        for step in RandomPlayers(setup, seed).steps():
            if isinstance(step.command, Play) and isinstance(step.outcome, Decision) and step.seat is not None:
                found.append(Sample(step.before, step.command, step.seat, step.at))
        if len(found) >= number:
            return found[:number]
    raise AssertionError  # count() never ends


def judge_and_apply(book: Book, samples: list[Sample]) -> None:
    for state, command, seat, at in samples:
        decision = book.decide(state, command, at=at, seat=seat, command_id="c1")
        assert isinstance(decision, Decision)
        for event in decision.events:
            state = evolve(state, event)


def chess_games(number: int) -> list[list[chess.Move]]:
    chance = random.Random(1)
    games = []
    for _ in range(number):
        board = chess.Board()
        moves = []
        while len(moves) < 80 and not board.is_game_over():
            move = chance.choice(list(board.legal_moves))
            board.push(move)
            moves.append(move)
        games.append(moves)
    return games


def play_chess(games: list[list[chess.Move]]) -> None:
    for moves in games:
        board = chess.Board()
        for move in moves:
            assert board.is_legal(move)
            board.push(move)


def long_log(setup: Setup, number: int) -> tuple[State, list[Event]]:
    """A start and events that can be folded over it: whole matches, each from its own start.

    What the fold costs must not grow with what came before: so the matches
    follow on one another in one state, put back to its first places between them.
    """
    events: list[Event] = []
    start = BOOKS[setup.game].start(setup)
    for seed in count():
        match = random_match(setup, seed)
        events += match.events
        if len(events) >= number:
            return start, events[:number]
        # An event of its own takes all cards home, as the next game of a series does.
        events.append(_home(match.final, start))
    raise AssertionError  # count() never ends


def _home(final: State, start: State) -> Event:
    from games.rules.events import Kind

    return Event(Kind.SHUFFLED, final.at, status=start.status, orders=start.places)


def timed(work: Callable[[], object]) -> float:
    """Processor seconds."""
    began = time.process_time()
    work()
    return time.process_time() - began


def best(rounds: int, *works: Callable[[], object]) -> Iterator[float]:
    """The least time of each, measured in turns."""
    times = [[timed(work) for work in works] for _ in range(rounds)]
    return (min(column) for column in zip(*times, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--plays", type=int, default=3_000)
    arguments = parser.parse_args()
    games = chess_games(30)
    moves = sum(map(len, games))
    figures: dict[str, dict[str, float]] = {}
    print(f"{'game':16}{'µs a play':>10}{'µs chess':>10}{'ratio':>8}{'µs fold':>10}{'µs fold of 10,000':>20}")
    for key, book in BOOKS.items():
        setup = Setup(key, book.defaults)
        samples = plays(setup, arguments.plays)
        start, events = long_log(setup, 10_000)
        short = events[:500]
        gc.collect()
        gc.disable()
        ours, theirs, folded, folded_long = best(
            arguments.rounds,
            lambda book=book, samples=samples: judge_and_apply(book, samples),  # type: ignore[misc]
            lambda: play_chess(games),
            lambda start=start, short=short: [fold(start, short) for _ in range(4)],  # type: ignore[misc]
            lambda start=start, events=events: fold(start, events),  # type: ignore[misc]
        )
        gc.enable()
        us, chess_us = ours / len(samples) * 1e6, theirs / moves * 1e6
        fold_us, long_us = folded / len(short) / 4 * 1e6, folded_long / len(events) * 1e6
        print(f"{key:16}{us:10.1f}{chess_us:10.1f}{us / chess_us:8.2f}{fold_us:10.2f}{long_us:20.2f}")
        figures[key] = {
            "us": round(us, 2),
            "ratio": round(us / chess_us, 2),
            "fold_us": round(fold_us, 2),
            "fold_10000_us": round(long_us, 2),
        }
    slow = [key for key, figure in figures.items() if figure["ratio"] > TARGET]
    print(f"over {TARGET} times a move of chess: {', '.join(slow)}" if slow else f"all within {TARGET} moves of chess")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
