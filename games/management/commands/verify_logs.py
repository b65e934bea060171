"""`manage.py verify_logs`: every stored log, judged again."""

import json
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.models import Match
from games.verification import verify


class Command(BaseCommand):
    help = (
        "Judges stored logs again, from the first event to the last: every event has to be what the rules yield, the "
        "numbers without a gap, each card in one place, the end as recorded. What is wrong goes to the error output; "
        "the last line is JSON."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        which = parser.add_mutually_exclusive_group()
        which.add_argument("--match", metavar="SLUG", help="only that match")
        which.add_argument("--all", action="store_true", help="all matches; so it is without --match, too")

    def handle(self, *args: Any, match: str | None, **options: Any) -> None:
        matches = Match.objects.order_by("id")
        if match is not None:
            matches = matches.filter(slug=match)
            if not matches.exists():
                raise CommandError(f"no match {match}")
        start = time.monotonic()
        count = events = faults = 0
        for one in matches.iterator(chunk_size=500):
            finding = verify(one)
            count += 1
            events += finding.events
            faults += len(finding.faults)
            for fault in finding.faults:
                self.stderr.write(f"{one.slug}: {fault}")
        seconds = time.monotonic() - start
        figures = {
            "matches": count,
            "events": events,
            "faults": faults,
            "seconds": round(seconds, 3),
            "events_per_s": round(events / seconds) if seconds else 0,
        }
        self.stdout.write(json.dumps(figures))
        if faults:
            raise CommandError(f"{faults} faults", returncode=1)
