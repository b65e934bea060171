"""The variations of a game that are worth playing through: found from what its rule book offers."""

from collections.abc import Iterator
from itertools import combinations, product

import msgspec
from msgspec import structs

from games.rules.book import Book
from games.rules.setup import Options


def variations(book: Book) -> list[Options]:
    """The game as it usually is, then every value of every option, then every two of them together.

    Of the ways to play a value, the one nearest to the usual game is taken. Of
    the ways to bring two values together, those that bring many together: what
    goes wrong with options nearly always does so with one of them or with two,
    and so all pairs are met in far fewer games than there are combinations.
    """
    changes = {options: tuple(_changes(book, options)) for options in _combinations(book)}
    by_distance = sorted(changes, key=lambda options: len(changes[options]))
    chosen = [book.defaults]
    for name, values in book.choices.items():
        for value in values:
            nearest = next(options for options in by_distance if getattr(options, name) == value)
            if nearest not in chosen:
                chosen.append(nearest)
    pairs = {options: set(combinations(changed, 2)) for options, changed in changes.items()}
    missing = set().union(*pairs.values()).difference(*(pairs[options] for options in chosen))
    while missing:
        most = max(by_distance, key=lambda options: len(pairs[options] & missing))
        missing -= pairs[most]
        chosen.append(most)
    return chosen


def title(book: Book, options: Options) -> str:
    """The game with what is not usual about it: `spit`, `spit stockpiles=4 slap=false`."""
    values = (f"{name}={msgspec.json.encode(value).decode().strip(chr(34))}" for name, value in _changes(book, options))
    return " ".join((book.key, *values))


def _changes(book: Book, options: Options) -> Iterator[tuple[str, object]]:
    """The options that are not as usual, with their values."""
    for name in book.choices:
        value = getattr(options, name)
        if value != getattr(book.defaults, name):
            yield name, value


def _combinations(book: Book) -> Iterator[Options]:
    """Everything that the game can be played with."""
    for values in product(*book.choices.values()):
        options = structs.replace(book.defaults, **dict(zip(book.choices, values, strict=True)))
        if not book.validate(options):
            yield options
