"""How long the lists of the admin site take, of a season that `tests.scale.season` has written.

    python -m spitsite.cluster.services --without-redis sh -c \\
        'python -m tests.scale.season 100000 && python -m tests.scale.admin_lists'

Each page is asked for a few times; the last line is JSON: for each the median in milliseconds and its queries.
"""

import argparse
import json
import os
import statistics
import time
from typing import Any, Final

TIMES: Final = 7
LIMIT: Final = 300
"""Milliseconds that no list is to take."""


def pages(slug: str) -> dict[str, str]:
    return {
        "front page": "/admin/",
        "matches": "/admin/games/match/",
        "matches, page 500": "/admin/games/match/?p=500",
        "matches, one game": "/admin/games/match/?game=spit",
        "matches, rated": "/admin/games/match/?rated__exact=1",
        "matches, by cause": "/admin/games/match/?cause=resigned",
        "matches since a day": "/admin/games/match/?created_at__gte=2020-01-01+00%3A00%3A00%2B00%3A00",
        "matches of a person": "/admin/games/match/?q=player777",
        "matches of many": "/admin/games/match/?q=player1",
        "a match by its id": f"/admin/games/match/?q={slug}",
        "users": "/admin/accounts/user/",
        "users, page 100": "/admin/accounts/user/?p=100",
        "users by name": "/admin/accounts/user/?q=player777",
        "users, guests": "/admin/accounts/user/?is_guest__exact=1",
        "ratings": "/admin/games/rating/",
        "rating changes": "/admin/games/ratingchange/",
        "rating changes of a person": "/admin/games/ratingchange/?q=player777",
        "replays": "/admin/replays/replay/",
        "reports": "/admin/moderation/report/",
        "queue of reports": "/admin/moderation/report/queue/",
        "log of measures": "/admin/moderation/measure/",
    }


def some_moderation(reports: int, measures: int) -> None:
    """Reports of many people, most of which were looked at."""
    from games.moderation.models import Kind, Measure, Report
    from spitsite.accounts.models import User

    people = list(User.objects.values_list("pk", flat=True)[:5000])
    Measure.objects.bulk_create(
        Measure(about_id=people[n % len(people)], kind=Kind.DISMISS, reason="x") for n in range(measures)
    )
    last = Measure.objects.values_list("pk", flat=True)[0]
    Report.objects.bulk_create(
        Report(
            reporter_id=people[-1 - n % len(people)], about_id=people[n % 997], place="profile", reason="cheating",
            measure_id=None if n < reports // 10 else last,
        )
        for n in range(reports)
    )  # fmt: skip


def measure(client: Any, address: str) -> tuple[float, int]:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    taken = []
    for _ in range(TIMES):
        start = time.perf_counter()
        response = client.get(address)
        taken.append(1000 * (time.perf_counter() - start))
        assert response.status_code == 200, (address, response.status_code)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        client.get(address)
    slowest = max(queries.captured_queries, key=lambda query: float(query["time"]), default={"time": 0, "sql": ""})
    if float(slowest["time"]) > 0.03:
        print("   ", slowest["time"], slowest["sql"][:1500])
    return statistics.median(taken), len(queries)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--reports", type=int, default=10_000)
    arguments = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    from django.test import Client

    from games.models import Match
    from games.moderation.models import Report
    from spitsite.accounts.models import User

    boss, _is_new = User.objects.get_or_create(username="boss", defaults={"is_staff": True, "is_superuser": True})
    if not Report.objects.exists():
        some_moderation(arguments.reports, arguments.reports)
    client = Client(headers={"host": "localhost"})
    client.force_login(boss, backend="django.contrib.auth.backends.ModelBackend")
    client.get("/admin/")
    found = {}
    for name, address in pages(Match.objects.values_list("slug", flat=True)[Match.objects.count() // 2]).items():
        ms, queries = measure(client, address)
        found[name] = [round(ms), queries]
        print(f"{name:28} {ms:7.0f} ms {queries:4} queries{'' if ms < LIMIT else '   TOO SLOW'}")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
