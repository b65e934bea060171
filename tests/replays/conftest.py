"""Matches that several tests look at."""

from collections.abc import Iterator

import pytest

from games.models import Event
from games.rules.setup import Options, Setup
from tests.factories import Played, make_user, play_match, store_match

SETUPS = [
    Setup("spit"),
    Setup("spit", Options(stockpiles=4, slap=False, alternate=True)),
]


@pytest.fixture(scope="session", params=SETUPS, ids=["classic", "variations"])
def played(request: pytest.FixtureRequest) -> Played:
    """A whole match in memory."""
    return play_match(request.param, seed=5, pace=(500, 560))


@pytest.fixture
def match(db: None) -> object:
    """A finished match between two persons."""
    return store_match(play_match(seed=2, pace=(400, 700)), make_user("ann"), make_user("ben"), rated=True)


@pytest.fixture
def damage(monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """`damage(match, seq, **fields)` changes a stored event behind the database's back."""
    from django.db import connection

    from games.append_only import lifted

    def change(match: object, seq: int, **fields: object) -> None:
        with lifted(connection):
            events = Event.objects.filter(match=match, seq=seq)
            assert (events.update(**fields) if fields else events.delete()[0]) == 1

    return change
