"""The slap, and choosing instead: S6 to S8, V2 (group 6)."""

import pytest

from games.rules.events import Kind
from games.rules.refusals import Code
from games.rules.state import Phase
from tests.rules.positions import Position

CLEARING = """
    0.stockpile: 7h
    1.stockpile: -3c 4c | 5c
    0.spit: -Kd
    1.spit: -Qd -Jd
    centre: 2c 8c | Kc Qc Tc
"""
"""Seat 0 goes out with its next card. The left pile will be three cards high, as the right one is."""


def cleared(**options: object) -> Position:
    """Seat 0 went out; centre.0 has three cards, centre.1 has four."""
    table = Position(CLEARING.replace("Kc Qc Tc", "Kc Qc Tc 9c"), **options)
    assert table.play(0, "7h", "centre.0") is None
    assert table.kinds == [Kind.PLAYED, Kind.CLEARED]
    return table


def blocked(mine: str, other: str, centre: str = "2c 8c | Kc Qc Tc 9c", **options: object) -> Position:
    """Seat 0 made the last play; nobody has spit cards (S6 b)."""
    table = Position(f"0.stockpile: 7h | {mine}\n 1.stockpile: {other}\n centre: {centre}", **options)
    assert table.play(0, "7h", "centre.0") is None
    assert table.kinds == [Kind.PLAYED, Kind.CLEARED]
    assert table.events[-1].seat is None
    return table


def taken(table: Position) -> tuple[int, int]:
    """How many cards each seat has after taking piles, before the deal."""
    assert table.phase is Phase.DEALING
    return table.count("0.spit"), table.count("1.spit")


class TestWindow:
    """S6, S7."""

    def test_a_it_opens_when_a_seat_goes_out(self) -> None:
        table = cleared()
        assert table.phase is Phase.SLAP
        assert table.due_in == table.state.pace.slap == 5_000
        assert table.events[-1].seat == 0
        assert table.state.status.chooser is None

    def test_b_it_opens_when_both_are_stuck_without_spit_cards(self) -> None:
        assert blocked("2h", "2s").phase is Phase.SLAP

    def test_the_first_slap_takes_that_pile_the_other_seat_gets_the_other(self) -> None:
        table = cleared()
        assert table.slap(1, "centre.0") is None
        assert table.kinds == [Kind.SLAPPED, Kind.TAKEN]
        assert (table.events[0].seat, table.events[0].pile) == (1, "centre.0")
        # seat 0: four of centre.1, one spit card; seat 1: three of centre.0, three stockpile cards, two spit cards.
        assert taken(table) == (5, 8)

    def test_both_on_one_pile_the_second_comes_too_late(self) -> None:
        table = cleared()
        number = table.round
        assert table.slap(0, "centre.0", number) is None
        assert table.slap(1, "centre.0", number) is Code.OLD_ROUND
        assert taken(table) == (4, 9)

    def test_each_on_another_both_get_what_they_slapped(self) -> None:
        table = cleared()
        number = table.round
        assert table.slap(1, "centre.1", number) is None
        assert table.slap(0, "centre.0", number) is Code.OLD_ROUND
        assert taken(table) == (4, 9)

    def test_before_the_window_it_does_nothing(self) -> None:
        table = Position(CLEARING)
        assert table.slap(0, "centre.0") is Code.TOO_EARLY
        assert table.phase is Phase.PLAYING

    def test_with_last_rounds_number_it_does_nothing(self) -> None:
        table = cleared()
        table.slap(0, "centre.0")
        table.deal()
        assert table.round == 2
        table.ready(0, 1)
        assert table.slap(1, "centre.1", number=1) is Code.OLD_ROUND
        assert table.play(1, "4c", "centre.1", number=1) is Code.OLD_ROUND
        assert table.slap(1, "centre.1", number=2) is Code.TOO_EARLY

    def test_a_round_that_has_not_come_yet_is_no_better(self) -> None:
        table = cleared()
        assert table.slap(1, "centre.1", number=2) is Code.NOT_NOW

    def test_while_the_dealer_shuffles_nothing_can_be_done(self) -> None:
        table = cleared()
        table.slap(0, "centre.0")
        assert table.slap(1, "centre.1") is Code.NOT_NOW
        assert table.book.next_due(table.state) is None
        table.elapse(100)
        assert table.events == ()

    def test_only_a_centre_pile_can_be_slapped(self) -> None:
        assert cleared().slap(0, "1.spit") is Code.NO_SUCH_PLACE

    def test_nothing_can_be_played_in_it(self) -> None:
        assert cleared().play(1, "5c", "centre.0") is Code.NOT_NOW

    def test_choosing_belongs_to_v2(self) -> None:
        assert cleared().choose(0, "centre.0") is Code.NOT_NOW


class TestNobodySlaps:
    """S7: no slap in five seconds."""

    def test_a_the_seat_that_went_out_gets_the_smaller_pile(self) -> None:
        table = cleared()
        table.elapse(4_999)
        assert table.events == ()
        table.elapse(1)
        assert table.kinds == [Kind.SLAPPED, Kind.TAKEN]
        assert (table.events[0].seat, table.events[0].pile) == (None, None)
        assert taken(table) == (4, 9)

    def test_a_also_when_it_is_the_other_seats_pile(self) -> None:
        table = Position(CLEARING.replace("2c 8c | Kc Qc Tc", "2c 3c 4c 8c | Kc"))
        table.play(0, "7h", "centre.0")
        table.fall_due()
        assert taken(table) == (2, 10)

    def test_a_equal_piles_each_the_one_it_started(self) -> None:
        table = Position(CLEARING)
        table.play(0, "7h", "centre.0")
        table.fall_due()
        assert taken(table) == (4, 8)
        assert "-7h" in table.pile("0.spit")

    @pytest.mark.parametrize(
        ("mine", "other", "cards"),
        [
            ("2h", "2s | 3s", (1 + 3, 2 + 4)),
            ("2h | 3h", "2s", (2 + 4, 1 + 3)),
            ("2h | 3h", "2s | 3s", (2 + 3, 2 + 4)),  # equal: each the pile it started
        ],
    )
    def test_b_the_seat_with_fewer_stockpile_cards_does(self, mine: str, other: str, cards: tuple[int, int]) -> None:
        table = blocked(mine, other)
        table.fall_due()
        assert taken(table) == cards


class TestChoosing:
    """V2: no slap."""

    def test_the_seat_that_cleared_chooses(self) -> None:
        table = cleared(slap=False)
        assert table.state.status.chooser == 0
        assert table.slap(0, "centre.0") is Code.NOT_IN_THIS_MATCH
        assert table.choose(1, "centre.0") is Code.NOT_NOW
        assert table.choose(0, "1.spit") is Code.NO_SUCH_PLACE
        assert table.choose(0, "centre.1") is None
        assert table.kinds == [Kind.SLAPPED, Kind.TAKEN]
        assert taken(table) == (5, 8)

    def test_without_a_choice_the_smaller(self) -> None:
        table = cleared(slap=False)
        table.elapse(5_000)
        assert taken(table) == (4, 9)

    @pytest.mark.parametrize(("mine", "other", "chooser"), [("2h", "2s | 3s", 0), ("2h | 3h", "2s", 1)])
    def test_blocked_the_seat_with_fewer_stockpile_cards(self, mine: str, other: str, chooser: int) -> None:
        assert blocked(mine, other, slap=False).state.status.chooser == chooser

    def test_blocked_and_equal_the_seat_that_last_played(self) -> None:
        table = blocked("2h", "2s", slap=False)
        assert table.state.status.chooser == 0

    def test_blocked_and_equal_and_nobody_has_played_the_piles_are_slapped_for(self) -> None:
        table = Position(
            "0.stockpile: 9h\n 1.stockpile: 9s\n 0.spit: -4c\n 1.spit: -4d\n centre: 2c | 2d",
            phase=Phase.STUCK,
            due=10_500,
            slap=False,
        )
        table.fall_due()
        assert table.kinds == [Kind.TURNED, Kind.CLEARED]
        assert table.state.status.chooser is None
        assert table.slap(1, "centre.0") is None

    def test_there_is_no_slapping_at_any_time(self) -> None:
        assert Position(CLEARING, slap=False).slap(0, "centre.0") is Code.NOT_IN_THIS_MATCH


def test_s8_everything_taken_lies_face_down_and_goes_to_the_dealer() -> None:
    table = cleared()
    table.slap(0, "centre.0")
    assert all(card[0] == "-" for card in table.pile("0.spit") + table.pile("1.spit"))
    assert set(table.book.to_shuffle(table.state)) == {"0.spit", "1.spit"}
    table.deal()
    assert table.phase is Phase.READY
    assert table.count("0.stockpile") == 4
    assert table.count("1.stockpile") == 9
