"""Deals of Spit: S1, S2, S8 to S10, V1 (group 4)."""

import pytest
from msgspec.structs import replace

from games.rules.cards import PACK, identities
from games.rules.commands import Deal
from games.rules.events import Kind
from games.rules.state import Phase
from tests.rules.positions import Position, dealt


def with_cards(count: int, **options: object) -> Position:
    """Seat 0 has so many cards to deal with, seat 1 all the others."""
    table = Position("0.spit:", phase=Phase.DEALING, **options)
    mine, other = PACK[:count], PACK[count:]
    places = {**table.state.places, "0.spit": tuple("-" + c for c in mine), "1.spit": tuple("-" + c for c in other)}
    table.state = replace(table.state, places=places)
    table.deal()
    return table


def layout(table: Position, seat: int) -> list[int]:
    return [len(pile) for name, pile in table.state.places.items() if name.startswith(f"{seat}.stockpile")]


def test_s1_five_stockpiles_and_eleven_spit_cards() -> None:
    table = dealt()
    assert table.kinds == [Kind.SHUFFLED, Kind.DEALT]
    for seat in (0, 1):
        assert layout(table, seat) == [1, 2, 3, 4, 5]
        assert table.count(f"{seat}.spit") == 11
    assert table.phase is Phase.READY
    assert table.state.status.starts == ("centre.0", "centre.1")


def test_s1_tops_lie_face_up_the_rest_face_down() -> None:
    table = dealt()
    for name, pile in table.state.places.items():
        lying = [card[0] == "-" for card in pile]
        if "stockpile" in name:
            assert lying == [True] * (len(pile) - 1) + [False]
        elif name.endswith("spit"):
            assert all(lying)


def test_s1_cards_are_dealt_in_turn_from_the_top() -> None:
    table = Position()
    order = tuple("-" + card for card in PACK)
    table.deal(pack=order)
    from_the_top = [card[1:] for card in reversed(order)]
    mine = [card for name, pile in table.state.places.items() if name[0] == "0" for card in identities(pile)]
    assert set(mine) == set(from_the_top[0::2])


def test_v1_four_stockpiles_and_sixteen_spit_cards() -> None:
    table = dealt(stockpiles=4)
    assert layout(table, 0) == layout(table, 1) == [1, 2, 3, 4]
    assert table.count("0.spit") == table.count("1.spit") == 16


@pytest.mark.parametrize(
    ("cards", "piles", "spit", "starts"),
    [
        (16, [1, 2, 3, 4, 5], 1, ("centre.0", "centre.1")),
        (15, [1, 2, 3, 4, 5], 0, (None, "centre.1")),
        (14, [1, 2, 3, 4, 4], 0, (None, "centre.1")),
        (9, [1, 2, 2, 2, 2], 0, (None, "centre.1")),
        (6, [1, 2, 1, 1, 1], 0, (None, "centre.1")),
        (5, [1, 1, 1, 1, 1], 0, (None, "centre.1")),
        (1, [1, 0, 0, 0, 0], 0, (None, "centre.1")),
        (51, [1, 2, 3, 4, 5], 36, ("centre.0", None)),
    ],
)
def test_s9_s10_deals_with_few_cards(
    cards: int, piles: list[int], spit: int, starts: tuple[str | None, str | None]
) -> None:
    table = with_cards(cards)
    assert layout(table, 0) == piles
    assert table.count("0.spit") == spit
    assert table.state.status.starts == starts
    assert all(pile[-1][0] != "-" for name, pile in table.state.places.items() if "stockpile" in name and pile)


@pytest.mark.parametrize(
    ("cards", "piles"), [(11, [1, 2, 3, 4]), (10, [1, 2, 3, 4]), (9, [1, 2, 3, 3]), (3, [1, 1, 1, 0])]
)
def test_v1_few_cards_mean_ten(cards: int, piles: list[int]) -> None:
    table = with_cards(cards, stockpiles=4)
    assert layout(table, 0) == piles
    assert (table.state.status.starts[0] is None) is (cards <= 10)


def test_s10_only_the_seat_with_spit_cards_starts_a_pile() -> None:
    table = with_cards(15)
    table.ready(0, 1)
    table.fall_due()
    assert [len(table.pile(pile)) for pile in ("centre.0", "centre.1")] == [0, 1]


class TestDealer:
    """What the dealer may do to the cards: shuffle them, nothing else."""

    def test_it_is_asked_for_the_pack_first_then_for_what_each_seat_has(self) -> None:
        assert list(Position().book.to_shuffle(Position().state)) == ["pack"]
        later = Position("0.spit: -2c -3c\n 1.spit: -4c", phase=Phase.DEALING)
        assert later.book.to_shuffle(later.state) == {"0.spit": ("-2c", "-3c"), "1.spit": ("-4c",)}

    @pytest.mark.parametrize(
        ("orders", "fault"),
        [
            ({}, "other places"),
            ({"0.spit": ("-3c", "-2c"), "1.spit": ("-4c",), "centre.0": ()}, "other places"),
            ({"0.spit": ("-3c", "-3c"), "1.spit": ("-4c",)}, "changed the cards"),
            ({"0.spit": ("-3c", "-4c"), "1.spit": ("-2c",)}, "changed the cards"),
            ({"0.spit": ("-3c", "2c"), "1.spit": ("-4c",)}, "face down"),
        ],
    )
    def test_foreign_cards_are_an_error(self, orders: dict[str, tuple[str, ...]], fault: str) -> None:
        table = Position("0.spit: -2c -3c\n 1.spit: -4c", phase=Phase.DEALING)
        with pytest.raises(ValueError, match=fault):
            table.judge(Deal(orders))

    def test_so_is_a_deal_that_nothing_waits_for(self) -> None:
        table = dealt()
        with pytest.raises(ValueError, match="nothing waits"):
            table.judge(Deal({}))
