"""What the pages of a player with very many matches cost.

    python -m tests.scale.profiles [MATCHES]

Into an empty database: one player with so many rated matches (100,000) against 2,000 others, and a few that are rare
in one respect each, for the filters that find next to nothing. Then each page, as often as it takes for a median, with
nothing kept from before. Server time without the network: Django's test client.
"""

import argparse
import os
import time
from statistics import median
from typing import Any, Final

TIMES: Final = 7
HEAVY: Final = "player0"


def season(matches: int) -> None:
    from tests.scale.season import Season

    class OneOfThem(Season):
        """Everybody plays the first player."""

        def _pair(self) -> tuple[int, int]:
            return self.people[0], self.people[self.chance.randrange(1, len(self.people))]

    OneOfThem(matches, 2_001, []).write()


def make_rare() -> None:
    """Three matches each that a filter has to find among all the others."""
    from games.models import PlayerMatch

    own = PlayerMatch.objects.filter(user__username=HEAVY).order_by("end")
    ids = list(own.values_list("pk", flat=True)[1000:1009])
    own.filter(pk__in=ids[:3]).update(rated=False)
    own.filter(pk__in=ids[3:6]).update(bot="king", opponent=None)
    own.filter(pk__in=ids[6:]).update(verdict="void")


def measure(client: Any, address: str) -> tuple[float, float, int]:
    """Best and median of `TIMES`, in milliseconds, and the number of queries."""
    from django.core.cache import cache
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    taken = []
    client.get(address)  # Templates are read, plans made.
    for _number in range(TIMES):
        cache.clear()
        start = time.perf_counter()
        answer = client.get(address)
        taken.append((time.perf_counter() - start) * 1000)
        assert answer.status_code == 200, (address, answer.status_code)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        client.get(address)
    return min(taken), median(taken), len(queries)


def addresses(matches: int) -> dict[str, str]:
    page = f"/player/{HEAVY}/"
    return {
        "first page": page,
        "the middle": f"{page}?before={matches // 2}",
        "the last page": f"{page}?before=21",
        "a result": f"{page}?verdict=drawn",
        "an opponent": f"{page}?opponent=player7",
        "a day in the past": f"{page}?until=2020-01-01",
        "game, result, rated": f"{page}?game=spit&verdict=won&rated=yes",
        "unrated (3 matches)": f"{page}?rated=no",
        "the computer (3 matches)": f"{page}?against=computer",
        "no result (3 matches)": f"{page}?verdict=void",
        "a game never played": f"{page}?game=speed",
        "won and unrated (3 matches or fewer)": f"{page}?verdict=won&rated=no",
        "head to head": f"/player/{HEAVY}/against/player7/",
        "leaderboard": "/ratings/spit/",
        "all leaderboards": "/ratings/",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures the pages of a player with very many matches.")
    parser.add_argument("matches", type=int, nargs="?", default=100_000)
    arguments = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection
    from django.test import Client

    settings.ALLOWED_HOSTS = ["testserver"]
    call_command("migrate", verbosity=0)
    season(arguments.matches)
    make_rare()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    client = Client()
    print(f"{'page':40} {'best':>8} {'median':>8}  queries")
    for name, address in addresses(arguments.matches).items():
        best, middle, queries = measure(client, address)
        print(f"{name:40} {best:6.1f} ms {middle:5.1f} ms  {queries}")


if __name__ == "__main__":
    main()
