"""`manage.py tournament`: the computer's levels play against each other, and their ratings are fitted."""

import json
import secrets
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.management import tournament
from games.management.arena import TOGETHER, Arena
from games.management.tournament import Meeting
from games.models import End
from games.rules.registry import BOOKS
from games.rules.setup import Setup


class Command(BaseCommand):
    help = (
        "Lets each level of the computer play against those next to it and against a model of a person, whole matches "
        "of each game as it usually is, and fits Elo ratings to the results. The matches are kept, so run it on a "
        "database of its own (VAR_DIR). The last line is JSON. A run with the same seed can be repeated."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--game", choices=sorted(BOOKS), action="append", help="may be repeated; default: all")
        parser.add_argument("--matches", type=int, default=16, metavar="N", help="of each two that meet (default: 16)")
        parser.add_argument("--seed", type=int, metavar="S", help="default: a new one, which the output names")
        parser.add_argument("--together", type=int, default=TOGETHER, metavar="N", help="matches at a time")

    def handle(self, *args: Any, **options: Any) -> None:
        seed: int = secrets.randbelow(1 << 32) if options["seed"] is None else options["seed"]
        games = options["game"] or list(BOOKS)
        begun = time.perf_counter()
        ratings: dict[str, dict[str, int]] = {}
        for game in games:
            meetings = self._play(game, max(1, options["matches"]), seed, max(1, options["together"]))
            fitted = tournament.fit(meetings)
            ratings[game] = {key: tournament.rounded(value) for key, value in fitted.items()}
            for meeting in meetings:
                self.stdout.write(f"{game}: {meeting.one} – {meeting.other}: {meeting.score:g} of {meeting.matches}")
        played = len(games) * max(1, options["matches"]) * len(list(tournament.pairs()))
        seconds = round(time.perf_counter() - begun, 1)
        self.stdout.write(json.dumps({"ratings": ratings, "matches": played, "seconds": seconds, "seed": seed}))

    def _play(self, game: str, matches: int, seed: int, together: int) -> list[Meeting]:
        planned = tournament.pairings(Setup(game, BOOKS[game].defaults), matches, seed)
        played = Arena(tournament.known).play([pairing for _pair, pairing in planned], together)
        ends = {end.match_id: end for end in End.objects.filter(match__in=played)}
        scores: dict[tuple[str, str], float] = dict.fromkeys(tournament.pairs(), 0.0)
        counts: dict[tuple[str, str], int] = dict.fromkeys(tournament.pairs(), 0)
        for (pair, pairing), match in zip(planned, played, strict=True):
            end = ends[match]
            if end.void:
                continue
            counts[pair] += 1
            scores[pair] += 0.5 if end.winner is None else float(pairing.levels[end.winner] == pair[0])
        return [Meeting(*pair, scores[pair], counts[pair]) for pair in scores]
