"""Two people with a history, for the browser tests of players' pages: forty rated matches, the last with its log."""

from __future__ import annotations

import random
from datetime import timedelta
from pathlib import Path
from typing import Final

from django.utils import timezone

from games.models import End, Match, Seat
from games.ratings.services import rate_pending
from replays.build import build
from tests.factories import make_user, play_match, store_match
from tests.site_process import manage

ONE: Final = "Liv"
OTHER: Final = "Wolfeschlegelsteinhausen"
MATCHES: Final = 40
LAST: Final = "season22"


def fill() -> None:
    """Store them all in the database of this process."""
    chance = random.Random(4)
    people = [make_user(ONE), make_user(OTHER)]
    for number in range(MATCHES - 1):
        match = Match.objects.create(game="spit", rated=True, state=Match.State.OVER)
        for seat, user in enumerate(people):
            Seat.objects.create(match=match, number=seat, user=user)
        ended = timezone.now() - timedelta(days=MATCHES - number)
        winner = chance.choice((0, 0, 0, 1, 1, None))
        End.objects.create(match=match, winner=winner, cause="out_of_cards", events=9, at=240_000, ended_at=ended)
    build(store_match(play_match(seed=3), *people, rated=True, slug=LAST))
    build(store_match(play_match(seed=5), *people))
    rate_pending()


def fill_in_server(var: Path, **environment: str) -> None:
    """Store them in the database of the server with that `var` directory."""
    manage(var, "shell", "-v", "0", "-c", "from tests.browser.stored_season import fill; fill()", **environment)
