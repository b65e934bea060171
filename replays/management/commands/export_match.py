"""`manage.py export_match SLUG`: a finished match as one JSON document."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.models import Match
from replays.documents import NotOver, document


class Command(BaseCommand):
    help = "Writes a finished match to standard output as one JSON document (docs/replay-format.md)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("match", help="the match's public id, as in its address")

    def handle(self, *args: Any, match: str, **options: Any) -> None:
        found = Match.objects.filter(slug=match).first()
        if found is None:
            raise CommandError(f"there is no match {match}")
        try:
            self.stdout.write(document(found).decode())
        except NotOver:
            raise CommandError(f"match {match} is not over; until then its cards are secret") from None
