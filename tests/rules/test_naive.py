"""The engine against the naive generator; the whole comparison is in `make rules`."""

import pytest

from games.rules.commands import Command
from games.rules.setup import Setup
from games.rules.state import SEATS
from tests.rules.matches import SETUPS, RandomPlayers, label
from tests.rules.naive import disagreement, lies_next_to


def test_the_naive_reading_of_g2() -> None:
    assert lies_next_to("K", "A")
    assert lies_next_to("A", "2")
    assert not lies_next_to("7", "7")
    assert not lies_next_to("K", "2")


@pytest.mark.parametrize("setup", SETUPS, ids=label)
def test_they_agree(setup: Setup) -> None:
    players = RandomPlayers(setup, seed=11)
    for compared, _ in enumerate(players.steps()):
        assert disagreement(players) is None
        if compared > 150:
            break


def test_a_disagreement_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    players = RandomPlayers(Setup("spit"), seed=11)
    for _ in players.steps():
        if any(list(players.book.legal(players.state, seat)) for seat in SEATS):
            break
    assert disagreement(players) is None

    def nothing(*_: object) -> list[Command]:
        return []

    monkeypatch.setattr(players.book, "legal", nothing)
    assert disagreement(players) is not None
