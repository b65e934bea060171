"""`manage.py selfplay`: bots play whole matches, and every log is judged again."""

import hashlib
import json
import secrets
import time
from argparse import ArgumentTypeError
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, cycle, islice, pairwise
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.bots.levels import LEVELS, level_of
from games.management.arena import TOGETHER, Arena, Pairing
from games.models import Event, Match
from games.rules.registry import BOOKS, book_of
from games.rules.setup import PACES, Options, Setup
from games.rules.state import Cause, Result
from games.verification import verify

_KEYS = [level.key for level in LEVELS]


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ArgumentTypeError("at least 1")
    return number


class Command(BaseCommand):
    help = (
        "Lets bots play whole matches through tables, journal and database, as fast as they can; then judges every log "
        "again from its events. Ratings stay as they are. The last line is JSON; any fault makes it exit non-zero. "
        "With a seed, a run can be repeated: the same logs, the same `digest`."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--game", choices=sorted(BOOKS), default="spit")
        parser.add_argument("--matches", type=_positive, default=20, metavar="N")
        parser.add_argument("--seed", type=int, metavar="S", help="default: a new one, which the output names")
        parser.add_argument("--level-a", choices=_KEYS, metavar="LEVEL", help=f"one of {', '.join(_KEYS)}")
        parser.add_argument("--level-b", choices=_KEYS, metavar="LEVEL", help="default: as A; without A, all of them")
        parser.add_argument("--ladder", action="store_true", help="N matches of each level against the next one")
        parser.add_argument(
            "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game; may be repeated"
        )
        parser.add_argument("--pace", choices=sorted(PACES), default="normal")
        parser.add_argument("--together", type=_positive, default=TOGETHER, metavar="N", help="matches at a time")

    def handle(self, *args: Any, **options: Any) -> None:
        setup = _setup(options["game"], options["option"], options["pace"])
        seed: int = secrets.randbelow(1 << 32) if options["seed"] is None else options["seed"]
        pairings = list(_pairings(setup, options, seed))
        start = time.perf_counter()
        matches = Arena().play(pairings, options["together"])
        seconds = time.perf_counter() - start
        results, faults, digest = self._judge(matches)
        events = Event.objects.filter(match__in=matches).count()
        for line in _wins(pairings, results):
            self.stdout.write(line)
        ends = Counter(result.cause.value for result in results if result is not None)
        for cause, count in ends.most_common():
            self.stdout.write(f"ended by {cause}: {count}")
        figures = {
            "matches": len(matches),
            "events": events,
            "faults": faults,
            "events_per_s": round(events / seconds),
            "seconds": round(seconds, 3),
            "caps": ends[Cause.CAP.value],
            "ends": dict(ends.most_common()),
            "seed": seed,
            "digest": digest,
        }
        self.stdout.write(json.dumps(figures))
        if faults:
            raise CommandError(f"{faults} faults", returncode=1)

    def _judge(self, matches: Sequence[int]) -> tuple[list[Result | None], int, str]:
        """How each match ended, how many faults there are in all, and a digest of all logs."""
        results: list[Result | None] = []
        faults = 0
        digest = hashlib.sha256()
        for pk in matches:
            match = Match.objects.get(pk=pk)
            finding = verify(match)
            result = finding.state.status.result
            results.append(result)
            problems = [str(fault) for fault in finding.faults]
            if result is None:
                problems.append("the match did not end")
            for problem in problems:
                self.stderr.write(f"{match.slug}: {problem}")
            faults += len(problems)
            for body in Event.objects.filter(match=match).order_by("seq").values_list("body", flat=True):
                digest.update(body.encode())
        return results, faults, digest.hexdigest()[:16]


def _setup(game: str, texts: Sequence[str], pace: str) -> Setup:
    """The setup that the arguments describe.

    :raises CommandError: an option that the game does not have, or a value that it cannot have.
    """
    values = msgspec.to_builtins(book_of(game).defaults)
    for text in texts:
        name, _, value = text.partition("=")
        values[name] = value
    try:
        options = msgspec.convert(values, Options, strict=False)
    except msgspec.ValidationError as error:
        raise CommandError(str(error)) from error
    for problem in book_of(game).validate(options):
        raise CommandError(f"{game} cannot be played with {problem.option}={getattr(options, problem.option)}")
    return Setup(game, options, pace)


def _pairings(setup: Setup, options: dict[str, Any], seed: int) -> Iterator[Pairing]:
    """The matches to be played. Who sits where alternates."""
    count: int = options["matches"]
    if options["ladder"]:
        pairs = [pair for pair in pairwise(_KEYS) for _ in range(count)]
    elif options["level_a"] or options["level_b"]:
        one = options["level_a"] or options["level_b"]
        pairs = [(one, options["level_b"] or one)] * count
    else:
        # Every level against every other, but for the two slowest: they may need longer than the rules allow (G11).
        meet = [pair for pair in combinations(_KEYS, 2) if pair != (_KEYS[0], _KEYS[1])]
        pairs = list(islice(cycle(meet), count))
    for index, (one, two) in enumerate(pairs):
        yield Pairing(setup, (two, one) if index % 2 else (one, two), f"{seed}/{index}")


def _wins(pairings: Sequence[Pairing], results: Sequence[Result | None]) -> Iterator[str]:
    """A line for each two levels that met: how often each of them won."""
    met: dict[tuple[str, str], Counter[str | None]] = {}
    for pairing, result in zip(pairings, results, strict=True):
        one, two = sorted(pairing.levels, key=lambda key: _KEYS.index(key))
        if one != two and result is not None:
            winner = None if result.winner is None else pairing.levels[result.winner]
            met.setdefault((one, two), Counter())[winner] += 1
    for (one, two), won in sorted(met.items(), key=lambda item: [_KEYS.index(key) for key in item[0]]):
        total = won.total()
        names = level_of(one).name, level_of(two).name
        yield f"{names[0]} – {names[1]}: {won[one]} – {won[two]} of {total}, {won[None]} drawn ({won[two] / total:.0%})"
