"""How strong the levels are, found by playing."""

import json
import re
from pathlib import Path

import pytest
from django.core.management import call_command

from games.bots.levels import LEVELS
from games.bots.strength import RATINGS
from games.management.tournament import PERSON, Meeting, fit, pairs
from games.models import End, Match
from games.ratings.elo import expected
from games.rules.registry import BOOKS
from games.words import GAMES

DOCUMENT = (Path(__file__).parents[2] / "docs" / "bots.md").read_text()


def test_ratings_are_found_again_from_what_they_let_expect() -> None:
    true = {"a": 1200.0, "b": 1500.0, "c": 1580.0, "d": 1900.0}
    played = 100_000  # So many that the draw that is added says nothing.
    meetings = [
        Meeting(one, other, expected(true[one], true[other]) * played, played)
        for one, other in [("a", "b"), ("b", "c"), ("a", "c"), ("c", "d")]
    ]
    assert fit(meetings, anchor="b", at=1500) == pytest.approx(true, abs=1)


def test_whoever_won_every_match_is_not_infinitely_stronger() -> None:
    found = fit([Meeting("a", PERSON.key, 0, 24)])
    assert found[PERSON.key] == 1500
    assert 700 < found["a"] < 900


def test_everybody_is_connected_to_the_anchor() -> None:
    names = {name for pair in pairs() for name in pair}
    assert names == {PERSON.key, *(level.key for level in LEVELS)}
    assert len(list(pairs())) == 2 * len(names) - 3


@pytest.mark.parametrize("game", BOOKS)
def test_each_level_is_stronger_than_the_one_before_and_the_document_says_so(game: str) -> None:
    ratings = [RATINGS[game][level.key] for level in LEVELS]
    assert ratings == sorted(set(ratings))
    name = re.escape(str(GAMES[game]))
    row = re.search(
        rf"^\| {name} \| (\d{{4}}) \| (\d{{4}}) \| \*1500\* \|(.*)\|$", DOCUMENT, re.MULTILINE | re.IGNORECASE
    )
    assert row
    assert ratings == [int(row[1]), int(row[2]), *map(int, re.findall(r"\d+", row[3]))]


@pytest.mark.django_db(transaction=True)
def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("tournament", game=["speed"], matches=1, seed=3)
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert found["matches"] == 15
    assert Match.objects.filter(state=Match.State.OVER).count() == End.objects.count() == 15
    ratings = found["ratings"]["speed"]
    assert ratings["person"] == 1500
    assert ratings["deuce"] < ratings["joker"]
