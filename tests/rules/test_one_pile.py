"""One-pile rounds and the end of the match: S10 to S12 (group 5)."""

import pytest

from games.rules.events import Kind
from games.rules.refusals import Code
from games.rules.state import Cause, Phase, Result
from tests.rules.positions import Position

STARTS = (None, "centre.1")
"""Seat 0 is short of cards: seat 1 starts the only pile."""


def test_s11_the_short_seat_clears_first_and_wins() -> None:
    table = Position("0.stockpile: 7h\n 1.stockpile: -2c 3c | 4c\n 1.spit: -5c\n centre: | Kc 8c", starts=STARTS)
    assert table.play(0, "7h", "centre.1") is None
    assert table.kinds == [Kind.PLAYED, Kind.CLEARED, Kind.TAKEN, Kind.ENDED]
    assert table.result == Result(0, Cause.OUT_OF_CARDS)
    assert table.count("1.spit") == 7  # the pile, the unplayed stockpile cards, the unused spit card


def test_s11_the_long_seat_clears_first_with_spit_cards_left_a_new_deal() -> None:
    table = Position("0.stockpile: 2h | -3h 4h\n 1.stockpile: 7c\n 1.spit: -5c -6c\n centre: | Kc 8c", starts=STARTS)
    assert table.play(1, "7c", "centre.1") is None
    assert table.kinds == [Kind.PLAYED, Kind.CLEARED, Kind.TAKEN]
    assert table.phase is Phase.DEALING
    assert table.round == 2
    assert (table.count("0.spit"), table.count("1.spit")) == (6, 2)  # the short seat takes the pile
    table.deal()
    assert table.phase is Phase.READY


def test_s11_the_long_seat_clears_first_with_none_left_and_wins() -> None:
    table = Position("0.stockpile: 2h | -3h 4h\n 1.stockpile: 7c\n centre: | Kc 8c", starts=STARTS)
    assert table.play(1, "7c", "centre.1") is None
    assert table.result == Result(1, Cause.OUT_OF_CARDS)


def test_s11_stuck_the_seat_with_spit_cards_turns_one() -> None:
    table = Position("0.stockpile: 2h | 7h\n 1.stockpile: Jc | Jd\n 1.spit: -5c -6c\n centre: | Kc 8c", starts=STARTS)
    assert table.play(0, "7h", "centre.1") is None
    assert table.kinds == [Kind.PLAYED, Kind.STUCK]
    assert table.choose(1, "centre.0") is Code.NOT_NOW  # S5 belongs to rounds of two piles
    table.fall_due()
    assert table.pile("centre.1")[-1] == "6c"
    assert table.pile("centre.0") == ()


def test_s11_slapping_has_no_place_in_it() -> None:
    table = Position("0.stockpile: 7h | 2c\n 1.stockpile: 3c | 4c\n centre: | 8c", starts=STARTS)
    assert table.slap(0, "centre.1") is Code.TOO_EARLY


@pytest.mark.parametrize(
    ("mine", "other", "winner"),
    [
        ("2h", "Jc | Jd", 0),  # seat 0 has fewer and takes nothing, so it still holds a card
        ("2h | 3h | 4h", "Jc", 1),
        ("2h | 3h", "Jc | Jd", None),  # equal: the seat that started the pile takes it
    ],
)
def test_s11_blocked_without_spit_cards(mine: str, other: str, winner: int | None) -> None:
    table = Position(f"0.stockpile: 7h | {mine}\n 1.stockpile: {other}\n centre: | Kc 8c", starts=STARTS)
    assert table.play(0, "7h", "centre.1") is None
    assert table.kinds == [Kind.PLAYED, Kind.CLEARED, Kind.TAKEN]
    assert table.phase is Phase.DEALING
    taker = 1 if winner is None else 1 - winner
    cards = [len(mine.split("|")), len(other.split("|"))]
    cards[taker] += 3
    assert [table.count("0.spit"), table.count("1.spit")] == cards


def test_s11_blocked_equal_the_starter_takes_it_whichever_seat_it_is() -> None:
    table = Position("0.stockpile: 7h | 2h\n 1.stockpile: Jc\n centre: Kc 8c |", starts=("centre.0", None))
    assert table.play(0, "7h", "centre.0") is None
    assert [table.count("0.spit"), table.count("1.spit")] == [4, 1]


def test_s11_a_turn_may_find_the_table_blocked() -> None:
    table = Position(
        "0.stockpile: 2h\n 1.stockpile: Jc | Jd\n 1.spit: -5c\n centre: | Kc",
        starts=STARTS,
        phase=Phase.STUCK,
        due=10_500,
    )
    table.fall_due()
    assert table.kinds == [Kind.TURNED, Kind.CLEARED, Kind.TAKEN]


def test_s12_clearing_a_two_pile_round_wins_nothing_yet() -> None:
    table = Position("0.stockpile: 7h\n 1.stockpile: 3c\n centre: 2c | 8c")
    assert table.play(0, "7h", "centre.1") is None
    assert table.phase is Phase.SLAP
    assert table.result is None
