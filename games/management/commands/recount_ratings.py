"""`manage.py recount_ratings`: all ratings from all matches, from nothing."""

import json
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.ratings.recount import recount
from games.ratings.services import rate_pending


class Command(BaseCommand):
    help = (
        "Counts all ratings from all matches, from nothing, and compares them with what stands. What differs is put "
        "right, and is reported by a non-zero exit. The last line is JSON."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="only compare; write nothing")

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        start = time.monotonic()
        rated_now = 0 if check else rate_pending()
        found = recount(repair=not check)
        for example in found.examples:
            self.stderr.write(example)
        figures = {
            "matches": found.matches,
            "players": found.players,
            "changes": found.changes,
            "rated_now": rated_now,
            "differences": found.differences,
            "repaired": 0 if check else found.differences,
            "seconds": round(time.monotonic() - start, 3),
        }
        self.stdout.write(json.dumps(figures))
        if not found.is_equal:
            raise CommandError(f"{found.differences} differences from what stood", returncode=1)
