"""Speed: P1 to P6, V4, B19 d, B20 (group 8)."""

import pytest

from games.rules.books.speed import MOST_RESHUFFLES
from games.rules.cards import PACK
from games.rules.commands import Deal
from games.rules.events import CardMove, Kind
from games.rules.evolve import evolve
from games.rules.log import decode_event, encode_event
from games.rules.refusals import Code
from games.rules.setup import Handling
from games.rules.state import Cause, Phase, Result
from games.rules.view import Audience, view_event, view_state
from tests.rules.positions import Position, backs, dealt

BY_HAND = Handling.BY_HAND


def position(text: str, **fields: object) -> Position:
    return Position(text, of="speed", **fields)


class TestDeal:
    @pytest.mark.parametrize(("side", "stock"), [(10, 10), (5, 15)])
    def test_p1_v4_side_piles_centre_cards_hands_and_stocks(self, side: int, stock: int) -> None:
        table = dealt("speed", side=side)
        for seat in (0, 1):
            assert [len(table.pile(f"{seat}.hand.{number}")) for number in (1, 2, 3, 4, 5)] == [1] * 5
            assert table.count(f"{seat}.stock") == stock
            assert table.count(f"side.{seat}") == side
            assert table.count(f"centre.{seat}") == 1
        assert all(card[0] == "-" for place in ("side.0", "centre.0", "0.stock") for card in table.pile(place))

    def test_p2_when_both_are_ready_the_two_centre_cards_are_turned(self) -> None:
        table = dealt("speed")
        table.ready(0, 1)
        table.fall_due()
        (left, right) = table.events[0].moves
        assert (left.source, left.target) == ("centre.0", "centre.0")
        assert (right.source, right.target) == ("centre.1", "centre.1")
        assert table.top("centre.0")[0] != "-"


class TestPlay:
    TEXT = "0.hand: 7h | 3c | 3d | 3h | 3s\n 0.stock: -2c -2d\n 1.hand: Qd | Jc\n side: -5c | -6c\n centre: 8c | Kc"

    def test_p2_a_played_card_is_replaced_in_the_same_event(self) -> None:
        table = position(self.TEXT)
        assert table.play(0, "7h", "centre.0") is None
        assert table.events[0].moves == (
            CardMove("7h", "0.hand.1", "centre.0"),
            CardMove("2d", "0.stock", "0.hand.1"),
        )

    def test_p2_by_hand_it_is_drawn_and_until_then_nobody_is_stuck(self) -> None:
        table = position(self.TEXT.replace("Qd | Jc", "Jd | Jc").replace("-5c", "-Qc"), handling=BY_HAND)
        assert table.play(0, "7h", "centre.0") is None
        assert table.kinds == [Kind.PLAYED]  # B19 d: a hand below five and a stock
        assert not table.is_stuck()
        assert table.refill(0, "0.hand.1") is None
        assert table.kinds == [Kind.REFILLED, Kind.STUCK]

    def test_by_hand_an_empty_stock_has_nothing_to_draw(self) -> None:
        assert position(self.TEXT, handling=BY_HAND).refill(1, "1.hand.3") is Code.NOTHING_THERE

    def test_the_last_card_of_the_stock_goes_to_the_hand(self) -> None:
        table = position(self.TEXT.replace("-2c -2d", "-2d"))
        table.play(0, "7h", "centre.0")
        assert table.pile("0.hand.1") == ("2d",)
        assert table.pile("0.stock") == ()
        assert table.result is None

    def test_p6_the_first_to_empty_hand_and_stock_wins(self) -> None:
        table = position("0.hand: | | 7h\n 1.hand: Qd | Jc\n 1.stock: -2c\n side: -5c | -6c\n centre: 8c | Kc")
        table.play(0, "7h", "centre.0")
        assert table.kinds == [Kind.PLAYED, Kind.ENDED]
        assert table.result == Result(0, Cause.OUT_OF_CARDS)


class TestTurn:
    """P3."""

    def stuck(self, side: str, **fields: object) -> Position:
        text = f"0.hand: 7h | Th\n 1.hand: Td | Jc\n side: {side}\n centre: 8c | Kc"
        table = position(text, **fields)
        table.play(0, "7h", "centre.0")
        assert table.kinds == [Kind.PLAYED, Kind.STUCK]
        return table

    def test_one_card_from_each_side_pile_in_one_event(self) -> None:
        table = self.stuck("-9c -3c | -9d -4c")
        table.fall_due()
        assert table.events[0].moves == (
            CardMove("3c", "side.0", "centre.0"),
            CardMove("4c", "side.1", "centre.1"),
        )
        assert table.kinds == [Kind.TURNED, Kind.STUCK]

    @pytest.mark.parametrize(("side", "source"), [("-9c |", "side.0"), ("| -9c", "side.1")])
    def test_only_one_side_pile_has_a_card(self, side: str, source: str) -> None:
        table = self.stuck(side)
        table.fall_due()
        assert [move.source for move in table.events[0].moves] == [source]
        assert table.phase is Phase.PLAYING

    def test_with_five_in_hand_and_a_stock(self) -> None:
        text = """
            0.hand: 7h | Th | 3s | 3c | 4h
            0.stock: -2h -4d
            1.hand: Td | Jc | 2s | 2d | 4s
            1.stock: -2c
            side: -9c | -9s
            centre: 8c | 7c
        """
        table = position(text)
        table.play(0, "7h", "centre.0")
        assert table.phase is Phase.STUCK

    def test_agreed_while_there_is_something_to_play(self) -> None:
        table = position("0.hand: 7h\n 1.hand: Td\n side: -5c | -6c\n centre: 8c | Kc")
        table.spit(0, 1)
        assert table.pile("centre.0") == ("8c", "5c")


class TestReshuffle:
    """P4, B23."""

    def out_of_side_cards(self, **fields: object) -> Position:
        table = position(
            "0.hand: 7h | Th\n 1.hand: Td | 5c\n side: |\n centre: 2c 9d 8c | 3d 4d Kc",
            **fields,
        )
        table.play(0, "7h", "centre.0")
        assert table.phase is Phase.STUCK
        table.fall_due()
        return table

    def test_the_cards_under_the_tops_go_to_the_dealer_the_tops_stay(self) -> None:
        table = self.out_of_side_cards()
        assert table.kinds == [Kind.GATHERED]
        assert table.phase is Phase.DEALING
        assert table.pile("centre.0") == ("7h",)
        assert table.pile("centre.1") == ("Kc",)
        assert table.book.to_shuffle(table.state) == {"pack": ("-8c", "-9d", "-2c", "-4d", "-3d")}

    def test_two_new_side_piles_an_odd_card_goes_left_and_the_turn_is_made(self) -> None:
        table = self.out_of_side_cards()
        table.deal("-3d -4d -2c -8c -9d")
        assert table.kinds == [Kind.SHUFFLED, Kind.RESHUFFLED, Kind.TURNED]
        assert table.pile("side.0") == ("-9d", "-2c")
        assert table.pile("side.1") == ("-8c",)
        assert table.pile("centre.0") == ("7h", "3d")
        assert table.pile("centre.1") == ("Kc", "4d")
        assert table.phase is Phase.PLAYING
        assert table.state.status.reshuffles == 1
        assert table.pile("pack") == ()

    def test_the_order_is_stored_with_the_event(self) -> None:
        table = self.out_of_side_cards()
        before = table.state
        table.deal("-3d -4d -2c -8c -9d")
        stored = [decode_event(encode_event(event)) for event in table.events]
        assert stored[0].orders == {"pack": ("-3d", "-4d", "-2c", "-8c", "-9d")}
        restarted = before
        for event in stored:
            restarted = evolve(restarted, event)
        assert restarted == table.state

    def test_g9_nobody_sees_the_order(self) -> None:
        table = self.out_of_side_cards()
        table.deal("-3d -4d -2c -8c -9d")
        for audience in Audience:
            shuffled, reshuffled, _ = (view_event(event, audience) for event in table.events)
            assert shuffled.orders == {"pack": ("-",) * 5}
            assert {move.card for move in reshuffled.moves} == {"-"}

    def test_nothing_is_done_while_the_dealer_shuffles(self) -> None:
        table = self.out_of_side_cards()
        assert table.play(0, "Th", "centre.0") is Code.NOT_NOW
        with pytest.raises(ValueError, match="other places"):
            table.judge(Deal({"side.0": ()}))

    def test_g11_ten_of_them_then_fewer_cards_win(self) -> None:
        table = position(
            "0.hand: 7h | Th\n 1.hand: Td | Jc\n side: |\n centre: 2c 9d 8c | 3d 4d Kc", reshuffles=MOST_RESHUFFLES
        )
        assert table.spit(0) is Code.NOTHING_THERE
        table.play(0, "7h", "centre.0")
        assert table.kinds == [Kind.PLAYED, Kind.ENDED]
        assert table.result == Result(0, Cause.CAP)


class TestDeadlock:
    """P5, B20."""

    def test_no_card_of_either_hand_can_ever_be_played_fewer_cards_win(self) -> None:
        table = position("0.hand: 7h | Th\n 1.hand: Td | Th | 4c\n side: -2c | -7c\n centre: 8c | Kc")
        table.play(0, "7h", "centre.0")
        assert table.kinds == [Kind.PLAYED, Kind.ENDED]
        assert table.result == Result(0, Cause.FEWER_CARDS)

    def test_stocks_count_too_and_equal_is_a_draw(self) -> None:
        table = position(
            "0.hand: 7h | Th | Tc\n 1.hand: Ts\n 1.stock: -4c\n side: -2c | -7c\n centre: 8c | Kc", handling=BY_HAND
        )
        table.play(0, "7h", "centre.0")
        assert table.kinds == [Kind.PLAYED]  # seat 1 can draw
        table.refill(1, "1.hand.2")
        assert table.kinds == [Kind.REFILLED, Kind.ENDED]
        assert table.result == Result(None, Cause.FEWER_CARDS)

    @pytest.mark.parametrize("side", ["-9c | -2c", "-2c | -9c", "-2c | -Js"])
    def test_one_card_that_may_still_come_is_enough(self, side: str) -> None:
        table = position(f"0.hand: 7h | Th\n 1.hand: Td | Th | 4c\n side: {side}\n centre: 8c | Kc")
        table.play(0, "7h", "centre.0")
        assert table.phase is Phase.STUCK

    def test_also_one_that_lies_under_a_top(self) -> None:
        table = position("0.hand: 7h | Th\n 1.hand: Td | Th | 4c\n side: -2c | -7c\n centre: 9c 8c | Kc")
        table.play(0, "7h", "centre.0")
        assert table.phase is Phase.STUCK


class TestSecrets:
    """G9: a hand is open to its owner alone."""

    TEXT = "0.hand: 7h | Qh\n 0.stock: -2c\n 1.hand: 9d | Qd\n 1.stock: -2d\n side: -5c | -6c\n centre: 8c | Kc"

    def test_views(self) -> None:
        table = position(self.TEXT)
        mine = view_state(table.state, Audience.SEAT_0).places
        other = view_state(table.state, Audience.SEAT_1).places
        watched = view_state(table.state, Audience.WATCHERS).places
        assert mine["0.hand.1"] == ("7h",)
        assert other["0.hand.1"] == watched["0.hand.1"] == ("-",)
        assert mine["1.hand.1"] == watched["1.hand.1"] == ("-",)
        assert mine["0.stock"] == ("-",)

    def test_a_drawn_card(self) -> None:
        table = position(self.TEXT)
        table.play(0, "7h", "centre.0")
        (event,) = table.events
        assert [move.card for move in view_event(event, Audience.SEAT_0).moves] == ["7h", "2c"]
        assert [move.card for move in view_event(event, Audience.SEAT_1).moves] == ["7h", "-"]
        assert [move.card for move in view_event(event, Audience.WATCHERS).moves] == ["7h", "-"]

    def test_a_card_that_came_too_late_is_back_in_its_hand(self) -> None:
        table = position(self.TEXT)
        table.play(0, "7h", "centre.0")
        assert table.play(1, "9d", "centre.0") is Code.PILE_CHANGED
        (event,) = table.events
        assert view_event(event, Audience.SEAT_1).card == "9d"
        assert view_event(event, Audience.SEAT_0).card == "-"
        assert view_event(event, Audience.WATCHERS).card == "-"

    def test_after_the_match_everything_is_open(self) -> None:
        table = position(self.TEXT)
        table.resign(0)
        assert view_state(table.state, Audience.WATCHERS).places == table.state.places


def test_backs_are_what_they_say() -> None:
    assert backs(2, PACK[0]) == f"-{PACK[1]} -{PACK[2]}"
