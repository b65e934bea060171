"""The levels: data that gets better from one to the next, and plays better too."""

import random
import statistics
from itertools import pairwise

import pytest

from games.bots.levels import DEFAULT, LEVELS, Spread, level_of
from games.rules.setup import Setup
from tests.bots.referee import Referee

SPIT = Setup("spit")


def test_keys_name_levels_once() -> None:
    assert len({level.key for level in LEVELS}) == len(LEVELS) >= 6
    assert all(level_of(level.key) is level for level in LEVELS)
    assert level_of(DEFAULT).name
    with pytest.raises(KeyError):
        level_of("emperor")


def test_people_can_tell_them_apart() -> None:
    assert len({str(level.name) for level in LEVELS}) == len(LEVELS)
    assert all(str(level.description).endswith(".") for level in LEVELS)


@pytest.mark.parametrize(("lower", "higher"), list(pairwise(LEVELS)), ids=lambda level: level.key)
def test_each_level_is_faster_and_surer_than_the_one_before(lower, higher) -> None:
    for name in ("reaction", "hand", "refresh", "slap"):
        assert getattr(higher, name).median < getattr(lower, name).median
    for name in ("attention", "overview", "foresight", "calls"):
        assert getattr(higher, name) > getattr(lower, name)
    for name in ("misfit", "wrong_pile", "forgets_spaces", "wrong_slap"):
        assert getattr(higher, name) < getattr(lower, name)


def test_the_highest_reacts_in_less_than_a_quarter_of_a_second() -> None:
    chance = random.Random(1)
    assert statistics.quantiles([LEVELS[-1].reaction.draw(chance) for _ in range(2000)], n=20)[-1] < 250


def test_a_spread_keeps_its_median_and_its_least() -> None:
    chance = random.Random(1)
    times = [Spread(400, 0.3, 250).draw(chance) for _ in range(4000)]
    assert min(times) == 250
    assert 385 < statistics.median(times) < 415
    assert Spread(400, 0.0, 100).draw(chance, tempo=1.5) == 600


@pytest.mark.parametrize(("lower", "higher"), list(pairwise(LEVELS[::2])), ids=lambda level: level.key)
def test_two_levels_more_win_nearly_always(lower, higher) -> None:
    won = 0
    for seed in range(8):
        levels = (higher, lower) if seed % 2 else (lower, higher)
        winner = Referee(SPIT, levels, seed).play().result.winner
        won += winner is not None and levels[winner] is higher
    assert won >= 6
