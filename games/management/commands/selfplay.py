"""`manage.py selfplay`: bots play whole matches, and every log is judged again."""

import hashlib
import json
import secrets
import time
from argparse import ArgumentTypeError
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, cycle, islice, pairwise
from typing import Any, Final

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser
from msgspec import Struct

from games.bots.levels import LEVELS, level_of
from games.management.arena import TOGETHER, Arena, Pairing
from games.management.variations import title, variations
from games.models import Event, Match
from games.rules.registry import BOOKS, book_of
from games.rules.setup import PACES, Options, Setup
from games.rules.state import Cause, Result
from games.verification import verify

ALL: Final = "all"
_KEYS = [level.key for level in LEVELS]


class Outcome(Struct, frozen=True):
    """What came of the matches of one variation."""

    results: list[Result | None]
    events: int
    faults: int

    @property
    def ends(self) -> Counter[str]:
        return Counter(result.cause.value for result in self.results if result is not None)


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
        parser.add_argument(
            "--game", choices=[*sorted(BOOKS), ALL], default="spit", help=f"{ALL}: every game in all its variations"
        )
        parser.add_argument(
            "--matches", type=_positive, metavar="N", help=f"default: 20; with `--game {ALL}` 100 of each variation"
        )
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
        setups = _setups(options["game"], options["option"], options["pace"])
        several = options["game"] == ALL
        if options["matches"] is None:
            options["matches"] = 100 if several else 20
        seed: int = secrets.randbelow(1 << 32) if options["seed"] is None else options["seed"]
        digest = hashlib.sha256()
        pairings = {setup: list(_pairings(setup, options, seed)) for setup in setups}
        start = time.perf_counter()
        # All in one go: the more matches are played at a time, the more of them one commit serves.
        matches = iter(Arena().play(list(chain.from_iterable(pairings.values())), options["together"]))
        seconds = time.perf_counter() - start
        outcomes: dict[str, Outcome] = {}
        for setup, played in pairings.items():
            name = title(book_of(setup.game), setup.options)
            outcome = outcomes[name] = self._judge(list(islice(matches, len(played))), digest)
            ends = ", ".join(f"{cause} {count}" for cause, count in outcome.ends.most_common())
            self.stdout.write(f"{name}: {len(played)} matches, {outcome.events} events; ended by {ends}")
            if not several:
                for line in _wins(played, outcome.results):
                    self.stdout.write(line)
        figures = _figures(outcomes, seconds)
        self.stdout.write(json.dumps({**figures, "seed": seed, "digest": digest.hexdigest()[:16]}))
        if figures["faults"]:
            raise CommandError(f"{figures['faults']} faults", returncode=1)

    def _judge(self, matches: Sequence[int], digest: "hashlib._Hash") -> Outcome:
        """Judge the logs of these matches, and add them to the digest."""
        results: list[Result | None] = []
        events = faults = 0
        for pk in matches:
            match = Match.objects.get(pk=pk)
            finding = verify(match)
            result = None if finding.state is None else finding.state.status.result
            results.append(result)
            problems = [str(fault) for fault in finding.faults]
            if result is None:
                problems.append("the match did not end")
            for problem in problems:
                self.stderr.write(f"{match.slug}: {problem}")
            events += finding.events
            faults += len(problems)
            for body in Event.objects.filter(match=match).order_by("seq").values_list("body", flat=True):
                digest.update(body.encode())
        return Outcome(results, events, faults)


def _figures(outcomes: Mapping[str, Outcome], seconds: float) -> dict[str, Any]:
    ends: Counter[str] = Counter()
    for outcome in outcomes.values():
        ends += outcome.ends
    events = sum(outcome.events for outcome in outcomes.values())
    return {
        "matches": sum(len(outcome.results) for outcome in outcomes.values()),
        "events": events,
        "faults": sum(outcome.faults for outcome in outcomes.values()),
        "events_per_s": round(events / seconds),
        "seconds": round(seconds, 3),
        "caps": ends[Cause.CAP.value],
        "ends": dict(ends.most_common()),
        "variations": {
            name: {
                "matches": len(outcome.results),
                "events": outcome.events,
                "ends": dict(outcome.ends.most_common()),
            }
            for name, outcome in outcomes.items()
        },
    }


def _setups(game: str, texts: Sequence[str], pace: str) -> list[Setup]:
    """What is to be played.

    :raises CommandError: as `_setup`.
    """
    if game != ALL:
        return [_setup(game, texts, pace)]
    if texts:
        raise CommandError(f"--game {ALL} chooses the options itself")
    return [Setup(book.key, options, pace) for book in BOOKS.values() for options in variations(book)]


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
