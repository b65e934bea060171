"""A long season, written straight into an empty database: what recounting and rebuilding are measured on.

    python -m tests.scale.season MATCHES [--players 20000] [--logs]

Rated matches of two different players each, with their ends and the rating
changes and standings that follow from them (R1), in the order in which they
ended. With `--logs` they are whole matches with all their events, copies of a
few that were played by the rules.
"""

import argparse
import os
import random
import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db import connection, transaction
from django.utils import timezone

if TYPE_CHECKING:
    from games.standing import Standing
    from tests.factories import Played

CHUNK: Final = 20_000
"""Matches in memory at a time."""
KINDS: Final = 20
"""Different matches with a log."""
LETTERS: Final = "23456789abcdefghjkmnpqrstuvwxyz"


def slug(number: int) -> str:
    return "".join(LETTERS[number // len(LETTERS) ** place % len(LETTERS)] for place in range(8))


def insert(table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """The rows as the database takes them fastest."""
    names = ", ".join(columns)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            marks = ", ".join("?" for _ in columns)
            cursor.connection.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", rows)


class Season:
    """So many matches between so many players; `write` it into the database."""

    def __init__(self, matches: int, players: int, played: "Sequence[Played]") -> None:
        from games.models import Match
        from games.standing import Standing
        from spitsite.accounts.models import User
        from tests.factories import event_rows

        self.matches = matches
        self.game = played[0].setup.game if played else "spit"
        self.results = [(one.result.winner, one.result.cause.value, one.state.seq, one.state.at) for one in played]
        self.logs = [event_rows(Match(pk=0), one.events) for one in played]
        self.now = timezone.now()
        self.chance = random.Random(7)
        people = (User(username=f"player{number}", password="!") for number in range(players))
        self.people = [person.pk for person in User.objects.bulk_create(people, batch_size=2000)]
        self.standings = dict.fromkeys(self.people, Standing())
        self.last: dict[int, datetime] = {}

    def write(self) -> None:
        from games.models import RatingProgress

        size = CHUNK // 20 if self.logs else CHUNK
        for first in range(1, self.matches + 1, size):
            with transaction.atomic():
                self._write(range(first, min(first + size, self.matches + 1)))
        insert(
            "games_rating",
            ("user_id", "game", "value", "matches", "peak", "last_at"),
            (
                (who, self.game, now.value, now.matches, now.peak, self.last[who])
                for who, now in self.standings.items()
                if now.matches
            ),
        )
        RatingProgress.objects.update_or_create(pk=RatingProgress.ONLY, defaults={"last_end": self.matches})
        if connection.vendor == "postgresql":
            settle_sequences()

    def _write(self, numbers: range) -> None:
        from games.played import list_ends
        from games.ratings.elo import score_of

        columns = ("id", "slug", "game", "options", "pace", "rated", "state", "created_at", "started_at")
        insert(
            "games_match",
            columns,
            ((n, slug(n), self.game, "{}", "normal", True, "over", self._created(n), self.now) for n in numbers),
        )
        seats, ends, changes = [], [], []
        ended = {number: self._created(number) + timedelta(minutes=5) for number in numbers}
        for number in numbers:
            winner, cause, last, at = self._result(number)
            ends.append((number, number, winner, cause, False, last, at, ended[number]))
            pair = self._pair()
            rated = self._rate(pair, winner)
            for seat, (who, before, after) in enumerate(rated):
                key = 2 * number - 1 + seat
                seats.append((key, number, seat, who, ""))
                self.last[who] = ended[number]
                score = score_of(seat, winner)
                other = rated[1 - seat][1].value
                values = (before.value, after.value, after.matches, who, self.game, other, score)
                changes.append((key, key, number, *values))
        insert("games_seat", ("id", "match_id", "number", "user_id", "bot"), seats)
        if self.logs:
            columns = ("match_id", "seq", "at", "kind", "version", "seat", "command", "body")
            insert("games_event", columns, self._events(numbers))
        insert("games_end", ("id", "match_id", "winner", "cause", "void", "events", "at", "ended_at"), ends)
        columns = ("id", "seat_id", "end_id", "before", "after", "matches", "user_id", "game", "other", "score")
        insert("games_ratingchange", columns, changes)
        list_ends(numbers[0], numbers[-1])

    def _created(self, number: int) -> datetime:
        return self.now - timedelta(seconds=self.matches - number)

    def _result(self, number: int) -> tuple[int | None, str, int, int]:
        if self.results:
            return self.results[number % len(self.results)]
        return self.chance.choice((0, 0, 1, 1, None)), "out_of_cards", 1, 240_000

    def _pair(self) -> tuple[int, int]:
        count = len(self.people)
        one = self.chance.randrange(count)
        return self.people[one], self.people[(one + self.chance.randrange(1, count)) % count]

    def _rate(self, pair: tuple[int, int], winner: int | None) -> "list[tuple[int, Standing, Standing]]":
        """For each seat who it is, and the standings before and after."""
        from games.ratings.elo import after_match, score_of

        before = [self.standings[who] for who in pair]
        rated = [
            (who, before[seat], after_match(before[seat], before[1 - seat].value, score_of(seat, winner)))
            for seat, who in enumerate(pair)
        ]
        self.standings.update((who, after) for who, _, after in rated)
        return rated

    def _events(self, numbers: range) -> Iterator[tuple[Any, ...]]:
        for number in numbers:
            for row in self.logs[number % len(self.logs)]:
                yield number, row.seq, row.at, row.kind, row.version, row.seat, row.command, row.body


def settle_sequences() -> None:
    """Let PostgreSQL give the ids that come next, and know what it has."""
    with connection.cursor() as cursor:
        for table in ("match", "seat", "end", "ratingchange"):
            cursor.execute(
                f"SELECT setval(pg_get_serial_sequence('games_{table}', 'id'), (SELECT max(id) FROM games_{table}))"
            )
        cursor.execute("ANALYZE")


def main() -> None:
    parser = argparse.ArgumentParser(description="Writes a long season into an empty database.")
    parser.add_argument("matches", type=int)
    parser.add_argument("--players", type=int, default=20_000)
    parser.add_argument("--logs", action="store_true", help="whole matches of Spit with their events")
    arguments = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "spitsite.settings")
    import django

    django.setup()
    from django.core.management import call_command

    from games.models import Match
    from tests.factories import play_match

    call_command("migrate", verbosity=0)
    start = time.monotonic()
    played = [play_match(seed=seed) for seed in range(KINDS)] if arguments.logs else []
    if Match.objects.exists():
        raise SystemExit("This is for an empty database.")
    Season(arguments.matches, arguments.players, played).write()
    count = sum(len(one.events) for one in played) / max(1, len(played))
    print(f"{arguments.matches} matches, {count:.0f} events each, in {time.monotonic() - start:.1f} s")


if __name__ == "__main__":
    main()
