"""What the pages of a player with very many matches cost, and the list of all matches.

    python -m tests.scale.profiles [MATCHES]

Into an empty database: one player with so many rated matches (100,000) against 2,000 others, and a few that are rare
in one respect each, for the filters that find next to nothing. Then each page, as often as it takes for a median; the
results of a player are counted from the first match on once a day, and the first page is measured without that, too.
Server time without the network: Django's test client.
"""

import argparse
import os
import time
from pathlib import Path
from statistics import median
from typing import Any, Final

TIMES: Final = 10
HEAVY: Final = "player0"
COLD: Final = "first page, nothing remembered"


def season(matches: int) -> None:
    from tests.scale.season import Season

    class OneOfThem(Season):
        """Everybody plays the first player."""

        def _pair(self) -> tuple[int, int]:
            return self.people[0], self.people[self.chance.randrange(1, len(self.people))]

    OneOfThem(matches, 2_001, []).write()


def make_rare() -> None:
    """Three matches each that a filter has to find among all the others."""
    from games.models import ListedMatch, PlayerMatch

    own = PlayerMatch.objects.filter(user__username=HEAVY).order_by("end")
    ids = list(own.values_list("pk", flat=True)[1000:1009])
    own.filter(pk__in=ids[:3]).update(rated=False)
    ListedMatch.objects.filter(end__listed__in=ids[:3]).update(rated=False)
    own.filter(pk__in=ids[3:6]).update(bot="king", opponent=None)
    own.filter(pk__in=ids[6:]).update(verdict="void")


def server_process() -> Path | None:
    """Where Linux tells about the database's process that serves this connection; None where it does not."""
    from django.db import connection

    if connection.vendor != "postgresql":
        return None
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        path = Path(f"/proc/{cursor.fetchone()[0]}/stat")
    return path if path.exists() else None


def processor(server: Path | None) -> float:
    """The processor time of this process and of the database's, in seconds."""
    theirs = 0
    if server is not None:
        fields = server.read_text().rpartition(")")[2].split()
        theirs = int(fields[11]) + int(fields[12])
    return time.process_time() + theirs / os.sysconf("SC_CLK_TCK")


def measure(client: Any, address: str, *, cold: bool) -> tuple[float, float, float, int]:
    """Milliseconds: best and median of `TIMES`, and the mean of the processor time; and the number of queries."""
    from django.core.cache import cache
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    taken = []
    client.get(address)  # Templates are read, plans made.
    server = server_process()
    began = processor(server)
    for _number in range(TIMES):
        if cold:
            cache.clear()
        start = time.perf_counter()
        answer = client.get(address)
        taken.append((time.perf_counter() - start) * 1000)
        assert answer.status_code == 200, (address, answer.status_code)
    spent = (processor(server) - began) * 1000 / TIMES
    with CaptureQueriesContext(connection) as queries:
        client.get(address)
    return min(taken), median(taken), spent, len(queries)


def addresses(matches: int) -> dict[str, str]:
    page = f"/player/{HEAVY}/"
    return {
        "a page of words, to compare with": "/about/",
        COLD: page,
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
        "all matches": "/replays/",
        "all matches, the last page": "/replays/?before=21",
        "all rated ones of a game": "/replays/?game=spit&rated=yes",
        "all unrated ones (3 matches)": "/replays/?rated=no",
        "all of a player, unrated (3 matches)": f"/replays/?player={HEAVY}&rated=no",
        "all of a game never played": "/replays/?game=speed",
        "leaderboard": "/ratings/spit/",
        "all leaderboards": "/ratings/",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures the pages of a player with very many matches.")
    parser.add_argument("matches", type=int, nargs="?", default=100_000)
    arguments = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
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
    print(f"{'page':40} {'best':>9} {'median':>9} {'processor':>9}  queries")
    for name, address in addresses(arguments.matches).items():
        best, middle, spent, queries = measure(client, address, cold=name == COLD)
        print(f"{name:40} {best:6.1f} ms {middle:6.1f} ms {spent:6.1f} ms  {queries}", flush=True)


if __name__ == "__main__":
    main()
