"""`manage.py replay_schema`: the JSON Schema of the replay document, as in docs/replay-format.schema.json."""

import json
from typing import Any

from django.core.management.base import BaseCommand

from replays.format import schema


class Command(BaseCommand):
    help = "Writes the JSON Schema of the replay document to standard output."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(json.dumps(schema(), indent=2, ensure_ascii=False))
