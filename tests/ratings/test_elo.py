"""The arithmetic of R1."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.ratings.elo import DRAW, LOSS, WIN, after_match, expected, k_factor, score_of
from games.standing import START, Standing

ratings = st.floats(100, 3500)


class TestExpected:
    def test_equals_share_the_point(self) -> None:
        assert expected(1500, 1500) == 0.5

    def test_400_points_more_are_ten_to_one(self) -> None:
        assert expected(1900, 1500) == pytest.approx(10 / 11)

    @given(ratings, ratings)
    def test_both_together_expect_one_point(self, one: float, two: float) -> None:
        assert expected(one, two) + expected(two, one) == pytest.approx(1)
        assert 0 < expected(one, two) < 1


class TestK:
    @pytest.mark.parametrize(
        ("standing", "k"),
        [
            (Standing(matches=0), 40),
            (Standing(matches=29), 40),
            (Standing(matches=30), 20),
            (Standing(2399.9, 500, 2399.9), 20),
            (Standing(2400.0, 500, 2400.0), 10),
            (Standing(2100.0, 500, 2400.0), 10),
            (Standing(2450.0, 29, 2450.0), 40),
        ],
    )
    def test_k_by_matches_and_peak(self, standing: Standing, k: int) -> None:
        assert k_factor(standing) == k

    def test_provisional_below_30(self) -> None:
        assert Standing(matches=29).is_provisional
        assert not Standing(matches=30).is_provisional


class TestAfterMatch:
    def test_first_win_against_an_equal_gives_20(self) -> None:
        assert after_match(Standing(), START, WIN) == Standing(1520.0, 1, 1520.0)

    def test_draw_between_equals_changes_nothing_but_the_count(self) -> None:
        assert after_match(Standing(), START, DRAW) == Standing(1500.0, 1, 1500.0)

    def test_peak_stays_after_a_loss(self) -> None:
        assert after_match(Standing(2400.0, 40, 2400.0), 2400.0, LOSS) == Standing(2395.0, 41, 2400.0)

    def test_each_side_has_its_own_k(self) -> None:
        old, new = Standing(1500.0, 100, 1500.0), Standing()
        assert after_match(old, new.value, LOSS).value == 1490.0
        assert after_match(new, old.value, WIN).value == 1520.0

    @given(ratings, ratings)
    def test_same_k_moves_both_by_the_same(self, one: float, two: float) -> None:
        won = after_match(Standing(one), two, WIN).value - one
        lost = after_match(Standing(two), one, LOSS).value - two
        assert won == pytest.approx(-lost)
        assert 0 < won < 40


@pytest.mark.parametrize(("seat", "winner", "score"), [(0, 0, 1.0), (1, 0, 0.0), (0, 1, 0.0), (0, None, 0.5)])
def test_score_of_a_seat(seat: int, winner: int | None, score: float) -> None:
    assert score_of(seat, winner) == score
