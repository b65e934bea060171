"""Who is paired with whom: the rule alone, without a database."""

import random

import pytest

from games.lobby.pairing import PATIENCE, PROVISIONAL_RANGE, RANGE, WIDENS, Waiter, pairs


def waiter(key: int, rating: float | None = 1500.0, waited: float = 0.0, is_provisional: bool = False) -> Waiter:
    return Waiter(key, 100 + key, rating, is_provisional, waited)


def test_whoever_waits_longest_chooses_first_and_gets_the_nearest() -> None:
    pool = [waiter(1, 1500, 3), waiter(2, 1560, 2), waiter(3, 1510, 1), waiter(4, 1600, 0.5)]
    assert pairs(pool, set()) == [(1, 3), (2, 4)]


def test_of_those_equally_near_the_one_who_waits_longer() -> None:
    assert pairs([waiter(1, waited=9), waiter(2, waited=1), waiter(3, waited=5)], set()) == [(1, 3)]


def test_both_have_to_be_in_range_and_the_range_widens_with_time() -> None:
    far = RANGE + 4 * WIDENS
    for one, other, meet in [(0, 0, False), (4, 0, False), (3.9, 9, False), (4, 4, True), (4, 20, True)]:
        found = pairs([waiter(1, 1500, one), waiter(2, 1500 + far, other)], set())
        assert bool(found) == meet, (one, other)


def test_in_the_end_anybody_will_do() -> None:
    pool = [waiter(1, 800, PATIENCE), waiter(2, 2600, PATIENCE)]
    assert pairs(pool, set()) == [(1, 2)]
    # Not for somebody who has only just come.
    assert pairs([pool[0], waiter(2, 2600, 0)], set()) == []


def test_a_rating_that_says_little_is_content_with_more() -> None:
    one = waiter(1, 1500, is_provisional=True)
    assert pairs([one, waiter(2, 1500 + PROVISIONAL_RANGE, is_provisional=True)], set())
    assert not pairs([one, waiter(2, 1500 + PROVISIONAL_RANGE)], set())


def test_guests_stand_where_everybody_begins_and_take_anybody() -> None:
    guest = waiter(1, None)
    assert pairs([guest, waiter(2, None)], set()) == [(1, 2)]
    assert pairs([guest, waiter(2, 1500 + RANGE)], set()) == [(1, 2)]
    # The other one has a range all the same.
    assert pairs([guest, waiter(2, 1501 + RANGE)], set()) == []


def test_those_kept_apart_never_meet() -> None:
    apart = {frozenset((101, 102))}
    assert pairs([waiter(1, waited=99), waiter(2, waited=99)], apart) == []
    assert pairs([waiter(1, waited=99), waiter(2, waited=50), waiter(3, 1600, 40)], apart) == [(1, 3)]


def test_b38_nobody_meets_himself() -> None:
    assert pairs([Waiter(1, 7, 1500, False, 99), Waiter(2, 7, 1500, False, 99)], set()) == []


@pytest.mark.parametrize("seed", range(20))
def test_of_many_each_once_and_nobody_is_left_who_could_meet(seed: int) -> None:
    chance = random.Random(seed)
    pool = [
        waiter(key, chance.choice([None, chance.gauss(1500, 300)]), chance.uniform(0, 40), chance.random() < 0.3)
        for key in range(60)
    ]
    apart = {frozenset((100 + chance.randrange(60), 100 + chance.randrange(60))) for _ in range(100)}
    found = pairs(pool, apart)
    keys = [key for pair in found for key in pair]
    assert len(keys) == len(set(keys))
    left = [each for each in pool if each.key not in keys]
    assert pairs(left, apart) == []
    for one, other in found:
        assert frozenset((100 + one, 100 + other)) not in apart
