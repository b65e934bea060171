"""What the table is told of the ratings after a match, and who is told what."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from games import append_only
from games.models import End, Match
from games.ratings.services import rate_pending
from tests.factories import make_match, make_user

pytestmark = pytest.mark.django_db


def told(match: Match, reader: Any = None) -> Any:
    """The answer; the status where there is none."""
    client = Client()
    if reader is not None:
        client.force_login(reader, backend="django.contrib.auth.backends.ModelBackend")
    answer = client.get(f"/match/{match.slug}/after/")
    return answer.json()["ratings"] if answer.status_code == 200 else answer.status_code


def moved(rating: int, gain: str) -> dict[str, Any]:
    return {"rating": rating, "provisional": True, "gain": gain}


def hide(match: Match, until: datetime | None) -> None:
    """Only its players may know of its end before that; None: everybody knows."""
    with append_only.lifted(connection):
        End.objects.filter(match=match).update(withheld_until=until)


SOON = timezone.now() + timedelta(hours=1)


def test_everybody_is_told_once_it_is_counted() -> None:
    ann, ben = make_user(), make_user()
    match = make_match(ann, ben)
    assert told(match, ann) == told(match) == {"pending": True, "seats": [None, None]}
    rate_pending()
    both = {"pending": False, "seats": [moved(1520, "+20"), moved(1480, "−20")]}
    assert told(match, ann) == told(match, ben) == told(match) == both


def test_what_moves_nothing_is_not_waited_for() -> None:
    ann, ben = make_user(), make_user()
    nothing = {"pending": False, "seats": [None, None]}
    assert told(make_match(ann, ben, rated=False), ann) == nothing
    capped = [make_match(ann, ben, winner=0) for _ in range(8)][-1]
    rate_pending()
    assert told(capped, ann) == nothing


def test_of_a_live_match_there_is_nothing() -> None:
    match = Match.objects.create(game="spit", rated=True, state=Match.State.LIVE)
    assert told(match) == 404


def test_a_withheld_end_is_for_its_players_alone() -> None:
    ann, ben, eve = make_user(), make_user(), make_user()
    match = make_match(ann, ben)
    rate_pending()
    hide(match, SOON)
    both = {"pending": False, "seats": [moved(1520, "+20"), moved(1480, "−20")]}
    assert told(match, ann) == told(match, ben) == both
    assert told(match, eve) == told(match) == 404


def test_the_next_match_tells_nobody_else_of_a_withheld_one() -> None:
    ann, ben, eve = make_user(), make_user(), make_user()
    withheld = make_match(ann, ben)
    after = make_match(ann, eve)
    rate_pending()
    hide(withheld, SOON)
    hidden = {"pending": True, "seats": [None, None]}
    assert told(after) == told(after, ben) == hidden
    # Each is told the own one, as on their own pages.
    assert told(after, eve)["seats"][0] is None
    assert told(after, eve)["seats"][1]["gain"].startswith("−")
    assert told(after, ann)["seats"][0]["gain"].startswith("+")
    hide(withheld, None)
    assert None not in told(after)["seats"]
