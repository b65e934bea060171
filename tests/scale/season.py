"""A long season, written straight into an empty database: what recounting and rebuilding are measured on.

    python -m tests.scale.season MATCHES [--players 20000] [--logs]

Rated matches of two different players each, with their ends and the rating
changes and standings that follow from them (R1), in the order in which they
ended. With `--logs` they are whole matches with all their events, copies of a
few that were played by the rules.
"""

import argparse
import json
import os
import random
import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
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
    from django.db import connection

    names = ", ".join(columns)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            marks = ", ".join("?" for _ in columns)
            cursor.connection.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", rows)


def season(matches: int, players: int, played: "Sequence[Played]") -> None:
    from django.db import connection, transaction
    from django.utils import timezone

    from games.models import Match, RatingProgress
    from games.ratings.elo import after_match, score_of
    from games.rules.log import encode_event
    from games.standing import Standing
    from spitsite.accounts.models import User
    from tests.factories import event_rows

    if Match.objects.exists():
        raise SystemExit("This is for an empty database.")
    chance = random.Random(7)
    now = timezone.now()
    people = [
        person.pk
        for person in User.objects.bulk_create(
            (User(username=f"player{number}", password="!") for number in range(players)), batch_size=2000
        )
    ]
    standings = {person: Standing() for person in people}
    logs = [event_rows(Match(pk=0), one.events) for one in played]
    assert all(encode_event(event) == row.body for one, log in zip(played, logs) for event, row in zip(one.events, log))

    def chunk(first: int, last: int) -> None:
        seats, ends, changes, kinds = [], [], [], []
        for number in range(first, last):
            one, two = people[chance.randrange(players)], people[chance.randrange(players)]
            while two == one:
                two = people[chance.randrange(players)]
            kind = number % len(played) if played else 0
            winner = played[kind].result.winner if played else chance.choice((0, 0, 1, 1, None))
            state = played[kind].state if played else None
            kinds.append(kind)
            cause = state.status.result.cause.value if state and state.status.result else "out_of_cards"
            ends.append((number, number, winner, cause, False, state.seq if state else 1, state.at if state else 1, now))
            before = standings[one], standings[two]
            for place, person in enumerate((one, two)):
                seat = 2 * number - 1 + place
                seats.append((seat, number, place, person, ""))
                own, other = before[place], before[1 - place]
                new = standings[person] = after_match(own, other.value, score_of(place, winner))
                changes.append((seat, seat, number, own.value, new.value, new.matches))
        game = played[0].setup.game if played else "spit"
        with transaction.atomic():
            insert(
                "games_match",
                ("id", "slug", "game", "options", "pace", "rated", "state", "created_at", "started_at"),
                (
                    (n, slug(n), game, json.dumps({}), "normal", True, "over", now - timedelta(seconds=matches - n), now)
                    for n in range(first, last)
                ),
            )
            insert("games_seat", ("id", "match_id", "number", "user_id", "bot"), seats)
            if played:
                columns = ("match_id", "seq", "at", "kind", "version", "seat", "command", "body")
                insert("games_event", columns, events(range(first, last), kinds))
            insert("games_end", ("id", "match_id", "winner", "cause", "void", "events", "at", "ended_at"), ends)
            insert("games_ratingchange", ("id", "seat_id", "end_id", "before", "after", "matches"), changes)

    def events(numbers: Iterable[int], kinds: Iterable[int]) -> Iterator[tuple[Any, ...]]:
        for number, kind in zip(numbers, kinds):
            for row in logs[kind]:
                yield number, row.seq, row.at, row.kind, row.version, row.seat, row.command, row.body

    size = 1000 if played else CHUNK
    for first in range(1, matches + 1, size):
        chunk(first, min(first + size, matches + 1))
    insert(
        "games_rating",
        ("user_id", "game", "value", "matches", "peak"),
        (
            (person, played[0].setup.game if played else "spit", standing.value, standing.matches, standing.peak)
            for person, standing in standings.items()
            if standing.matches
        ),
    )
    RatingProgress.objects.update_or_create(pk=RatingProgress.ONLY, defaults={"last_end": matches})
    if connection.vendor == "postgresql":
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

    from tests.factories import play_match

    call_command("migrate", verbosity=0)
    start = time.monotonic()
    played = [play_match(seed=seed) for seed in range(KINDS)] if arguments.logs else []
    season(arguments.matches, arguments.players, played)
    count = sum(len(one.events) for one in played) / max(1, len(played))
    print(f"{arguments.matches} matches, {count:.0f} events each, in {time.monotonic() - start:.1f} s")


if __name__ == "__main__":
    main()
