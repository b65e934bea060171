"""Matches for the tests of many processes, written to the database of the environment: a JSON line each.

`python -m tests.cluster.make COUNT`
"""

import json
import sys

import django

django.setup()

from games.models import Match, Seat  # noqa: E402
from tests.scale.matches import make  # noqa: E402

if __name__ == "__main__":
    count = int(sys.argv[1])
    for state in (Match.State.LIVE, Match.State.OPEN):
        for number, (slug, cookies) in enumerate(make(count if state == Match.State.LIVE else 2, state)):
            match = Match.objects.get(slug=slug)
            # A game of Speed is soon over.
            match.game, match.options = ("speed", {"side": 5}) if number % 4 == 3 else ("spit", {})
            # Its clock does not run before a test wants it (`Cluster.match`).
            match.state = Match.State.OPEN
            match.save()
            players = list(Seat.objects.filter(match=match).order_by("number").values_list("user_id", flat=True))
            sample = {"slug": slug, "pk": match.pk, "game": match.game, "state": state, "cookies": cookies}
            print(json.dumps({**sample, "players": players}))
    slug, cookies = make(1)[0]
    boss = Seat.objects.get(match__slug=slug, number=0).user
    boss.is_guest = False
    boss.is_staff = boss.is_superuser = True
    boss.save()
    sample = {"slug": slug, "pk": 0, "game": "spit", "state": "boss", "cookies": cookies, "players": [boss.pk]}
    print(json.dumps(sample))
