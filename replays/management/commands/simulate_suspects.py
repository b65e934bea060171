"""`manage.py simulate_suspects`: how often honest players, and programs, are pointed at."""

import json
import zlib
from argparse import ArgumentTypeError
from collections import Counter
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandParser
from msgspec.structs import replace

from games.bots.levels import LEVELS, Level, Spread, level_of
from games.management.arena import Arena, Pairing
from games.models import Match
from games.rules.setup import Setup
from replays.build import make
from replays.format import decode_course
from replays.suspects import Habits

ACE: Final = level_of("ace")
OTHERS: Final = ("queen", "king", "ace")
"""Whom they play against, in turn, unless others are chosen."""

SHOWN: Final = ("quick", "even", "flawless", "two", "slips")

PROFILES: Final = {
    "quick-human": replace(
        ACE, key="quick-human", reaction=Spread(215, 0.24, 130), hand=Spread(140, 0.22, 85), misfit=0.012,
        wrong_pile=0.008, sway=0.06, tires=0.05,
    ),
    "script": replace(
        ACE, key="script", reaction=Spread(10, 0.05, 5), hand=Spread(25, 0.02, 20), refresh=Spread(10, 0.05, 5),
        attention=1.0, overview=1.0, foresight=1.0, misfit=0.0, wrong_pile=0.0, wrong_slap=0.0, sway=0.0, tires=0.0,
    ),
    "steady-script": replace(
        ACE, key="steady-script", reaction=Spread(150, 0.02, 140), hand=Spread(150, 0.02, 140),
        refresh=Spread(60, 0.02, 50), attention=1.0, overview=1.0, foresight=1.0, misfit=0.0, wrong_pile=0.0,
        wrong_slap=0.0, sway=0.0, tires=0.0,
    ),
}  # fmt: skip
"""`quick-human`: as fast as the best hands, with their unevenness and errors. `script`: plays what it sees at once.
`steady-script`: a program slowed down to human times, with an even hand."""


def _find(key: str) -> Level:
    return PROFILES[key] if key in PROFILES else level_of(key)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ArgumentTypeError("at least 1")
    return number


class Command(BaseCommand):
    help = (
        "Lets simulated players of several kinds play against the computer, and reads their replays as the page of "
        "suspects does. The matches are stored: use an empty database. The last line is JSON: for each kind the share "
        "of people with each sign, with two of them, and whom their slips alone would call flawless (`slips`)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--people", type=_positive, default=20, help="of each kind")
        parser.add_argument("--matches", type=_positive, default=10, help="of each of them")
        parser.add_argument(
            "--against", nargs="+", choices=[level.key for level in LEVELS], default=OTHERS, help="levels, in turn"
        )
        parser.add_argument("--game", default="spit")
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        people, matches, others = options["people"], options["matches"], options["against"]
        kinds = [*(level.key for level in LEVELS[4:]), *PROFILES]
        setup = Setup(options["game"])
        pairings = [
            Pairing(setup, (kind, others[nth % len(others)]), f"{options['seed']}/{kind}/{person}/{nth}")
            for kind in kinds
            for person in range(people)
            for nth in range(matches)
        ]
        played = iter(Arena(_find).play(pairings))
        figures = {}
        for kind in kinds:
            signs: Counter[str] = Counter()
            habits = [self._read([next(played) for _ in range(matches)]) for _ in range(people)]
            for one in habits:
                signs.update(one.signs)
                signs["two"] += len(one.signs) > 1
                signs["slips"] += replace(one, watched=0).is_flawless
            figures[kind] = {sign: round(signs[sign] / people, 3) for sign in SHOWN}
            quick = [one.quick for one in habits if one.quick is not None]
            spread = [one.spread for one in habits if one.spread is not None]
            slips = [one.slips_per_card for one in habits if one.slips_per_card is not None]
            misplays = [one.misplays_per_card for one in habits if one.misplays_per_card is not None]
            contests = [float(one.contests) for one in habits]
            self.stdout.write(
                f"{kind:14} quick {_range(quick)}  spread {_range(spread)}  slips {_range(slips)}  "
                f"misplays {_range(misplays)}  contests {_range(contests)}  {figures[kind]}"
            )
        self.stdout.write(json.dumps({"people": people, "matches": matches, "game": setup.game, "kinds": figures}))

    @staticmethod
    def _read(matches: list[int]) -> Habits:
        habits = Habits()
        for match in Match.objects.select_related("end").filter(pk__in=matches):
            habits.add(decode_course(zlib.decompress(make(match).course)), 0, match.end.misplays)
        return habits


def _range(values: list[float]) -> str:
    if not values:
        return "too few"
    values = sorted(values)
    return f"{values[0]:.4f} / {values[len(values) // 2]:.4f} / {values[-1]:.4f}"
