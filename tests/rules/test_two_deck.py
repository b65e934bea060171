"""Two-deck Spit and Japanese Speed: D1 to D5 (group 7)."""

import pytest

from games.rules.cards import PACK, identities, is_red
from games.rules.commands import Move, Slap
from games.rules.events import CardMove, Kind
from games.rules.refusals import Code
from games.rules.setup import Handling
from games.rules.state import Cause, Phase, Result
from tests.rules.positions import Position, dealt

BY_HAND = Handling.BY_HAND


def position(text: str, **fields: object) -> Position:
    return Position(text, of="two_deck", **fields)


def cards_of(table: Position, seat: int) -> set[str]:
    return {card for name, pile in table.state.places.items() if name[0] == str(seat) for card in identities(pile)}


class TestDeal:
    def test_d1_each_seat_has_a_full_pack_of_its_own(self) -> None:
        table = dealt("two_deck")
        assert table.kinds == [Kind.SHUFFLED, Kind.DEALT]
        for seat in (0, 1):
            assert [len(table.pile(f"{seat}.row.{number}")) for number in (1, 2, 3, 4)] == [1, 1, 1, 1]
            assert table.count(f"{seat}.deck") == 48
        assert cards_of(table, 0) == set(PACK)
        assert cards_of(table, 1) == {f"{card}'" for card in PACK}

    def test_d1_the_top_four_lie_face_up_the_rest_face_down(self) -> None:
        table = Position(of="two_deck")
        order = tuple(f"-{card}" for card in PACK)
        table.deal(**{"0.deck": order})
        assert [table.top(f"0.row.{number}") for number in (1, 2, 3, 4)] == ["Ks", "Qs", "Js", "Ts"]
        assert table.pile("0.deck") == order[:-4]

    def test_japanese_speed_red_cards_to_one_seat_black_ones_to_the_other(self) -> None:
        table = dealt("japanese_speed")
        assert cards_of(table, 0) == {card for card in PACK if is_red(card)}
        assert cards_of(table, 1) == {card for card in PACK if not is_red(card)}
        assert table.count("0.deck") == table.count("1.deck") == 22

    def test_d2_at_spit_each_seat_turns_the_top_of_its_deck(self) -> None:
        table = dealt("two_deck")
        table.ready(0, 1)
        table.fall_due()
        assert [(move.source, move.target) for move in table.events[0].moves] == [
            ("0.deck", "centre.0"),
            ("1.deck", "centre.1"),
        ]


class TestPlay:
    TEXT = "0.row: 7h | 7h' | 2c\n 0.deck: -Kc -Qc\n 1.row: 3d' | Qd'\n 1.deck: -5d' -6d'\n centre: 8c | Kc"

    def test_d1_the_two_sevens_are_two_cards(self) -> None:
        table = position(self.TEXT)
        assert table.play(0, "7h'", "centre.0") is None
        assert table.pile("0.row.1") == ("7h",)

    def test_d3_a_played_card_is_replaced_in_the_same_place_and_event(self) -> None:
        table = position(self.TEXT)
        assert table.play(0, "7h", "centre.0") is None
        assert table.events[0].moves == (
            CardMove("7h", "0.row.1", "centre.0"),
            CardMove("Qc", "0.deck", "0.row.1"),
        )

    def test_d3_by_hand_when_its_player_likes(self) -> None:
        table = position(self.TEXT, handling=BY_HAND)
        assert table.refill(0, "0.row.1") is Code.PLACE_TAKEN
        assert table.play(0, "7h", "centre.0") is None
        assert table.pile("0.row.1") == ()
        assert table.refill(1, "0.row.1") is Code.NO_SUCH_PLACE
        assert table.refill(0, "0.row.5") is Code.NO_SUCH_PLACE
        assert table.refill(0, "0.row.1") is None
        assert table.kinds == [Kind.REFILLED]
        assert table.pile("0.row.1") == ("Qc",)

    def test_refusals(self) -> None:
        table = position(self.TEXT)
        assert table.play(0, "3d'", "centre.0") is Code.NOT_YOUR_CARD
        assert table.play(0, "Qc", "centre.1") is Code.NOT_YOUR_CARD
        assert table.play(0, "2c", "centre.0") is Code.NOT_ADJACENT
        assert table.play(0, "7h", "0.row.4") is Code.NO_SUCH_PLACE
        assert table.refill(0, "0.row.4") is Code.NOT_IN_THIS_MATCH
        assert table.flip(0, "0.row.4") is Code.NOT_IN_THIS_MATCH
        assert table.choose(0, "centre.0") is Code.NOT_IN_THIS_MATCH
        assert table.do(Move(1, "7h", "0.row.4"), 0) is Code.NOT_IN_THIS_MATCH
        assert table.do(Slap(1, "centre.0"), 0) is Code.NOT_IN_THIS_MATCH

    def test_not_before_the_turn(self) -> None:
        table = position(self.TEXT, phase=Phase.COUNTDOWN, handling=BY_HAND)
        assert table.play(0, "7h", "centre.0") is Code.NOT_NOW
        assert table.refill(0, "0.row.4") is Code.NOT_NOW
        assert list(table.book.legal(table.state, 0)) == []

    def test_g4_a_lost_race(self) -> None:
        table = position("0.row: 7h | 2c\n 1.row: 9d' | Qd'\n centre: 8c | Kc")
        table.play(0, "7h", "centre.0")
        assert table.play(1, "9d'", "centre.0") is Code.PILE_CHANGED
        assert table.events[0].place == "1.row.1"


class TestStuck:
    def test_d4_each_seat_turns_onto_the_pile_it_started(self) -> None:
        rows = "0.row: 7h | 2c\n 1.row: Jd' | Jc' | Js' | Jh'"
        table = position(f"{rows}\n 0.deck: -5c\n 1.deck: -5d'\n centre: 8c | 6d'")
        assert table.play(0, "7h", "centre.0") is None
        assert table.kinds == [Kind.PLAYED]  # the five has come into the row, and fits
        assert table.play(0, "5c", "centre.1") is None
        assert table.kinds == [Kind.PLAYED, Kind.STUCK]
        table.fall_due()
        assert table.events[0].moves == (CardMove("5d'", "1.deck", "centre.1"),)

    @pytest.mark.parametrize(
        ("decks", "turned"),
        [
            ("0.deck: -9c", [("0.deck", "centre.0")]),
            ("1.deck: -9d'", [("1.deck", "centre.1")]),
            ("0.deck: -9c\n 1.deck: -9d'", [("0.deck", "centre.0"), ("1.deck", "centre.1")]),
        ],
    )
    def test_d4_a_seat_without_a_deck_turns_nothing(self, decks: str, turned: list[tuple[str, str]]) -> None:
        table = position(f"0.row: Th | 2c\n 1.row: Td'\n centre: 7c | 6d'\n {decks}", phase=Phase.STUCK, due=10_500)
        table.fall_due()
        assert [(move.source, move.target) for move in table.events[0].moves] == turned

    def test_by_hand_an_empty_place_and_a_deck_are_a_free_action(self) -> None:
        text = "0.row: Th | \n 0.deck: -2c\n 1.row: Td' | Tc' | Ts' | Th'\n centre: 7c | 6d'"
        assert not position(text, handling=BY_HAND).is_stuck()
        assert position(text.replace("0.deck: -2c", "")).is_stuck()


class TestEnd:
    """D5."""

    def test_the_last_card_with_an_empty_deck_wins(self) -> None:
        table = position("0.row: | | 7h\n 1.row: 9d'\n 1.deck: -2c'\n centre: 8c | Kc")
        assert table.play(0, "7h", "centre.0") is None
        assert table.kinds == [Kind.PLAYED, Kind.ENDED]
        assert table.result == Result(0, Cause.OUT_OF_CARDS)

    def test_the_last_card_of_the_row_with_a_deck_left_does_not(self) -> None:
        table = position("0.row: | | 7h\n 0.deck: -2c\n 1.row: 9d'\n centre: 8c | Kc", handling=BY_HAND)
        assert table.play(0, "7h", "centre.0") is None
        assert table.kinds == [Kind.PLAYED]
        assert table.book.is_able(table.state, 0)
        assert table.refill(0, "0.row.3") is None

    @pytest.mark.parametrize(
        ("rows", "winner"),
        [
            ("0.row: 7h | 2c\n 1.row: Jd' | Jc'", 0),
            ("0.row: 7h | 2c | 2d\n 1.row: Jd'", 1),
            ("0.row: 7h | 2c | 2d\n 1.row: Jd' | Jc'", None),
        ],
    )
    def test_both_decks_out_and_stuck_fewer_cards_win(self, rows: str, winner: int | None) -> None:
        table = position(f"{rows}\n centre: 8c | 5c")
        assert table.play(0, "7h", "centre.0") is None
        assert table.kinds == [Kind.PLAYED, Kind.ENDED]
        assert table.result == Result(winner, Cause.FEWER_CARDS)

    def test_b20_also_when_the_last_turn_helps_nobody(self) -> None:
        table = position("0.row: 7h\n 1.row: Jd' | Jc'\n 1.deck: -3c'\n centre: 2c | 4c", phase=Phase.STUCK, due=11_500)
        table.fall_due()
        assert table.kinds == [Kind.TURNED, Kind.ENDED]
        assert table.result == Result(0, Cause.FEWER_CARDS)

    @pytest.mark.parametrize(
        ("mine", "other", "winner"),
        [("0.deck: -9c", "1.deck: -9d'", None), ("0.deck: -9c", "1.deck: -8d' -9d'", 0), ("", "1.deck: -9d'", 1)],
    )
    def test_by_hand_an_agreed_turn_may_take_the_last_card(self, mine: str, other: str, winner: int | None) -> None:
        row = "" if mine else "0.row: 7h\n"
        table = position(f"{row} {mine}\n {other}\n centre: 2c | 4c", handling=BY_HAND)
        table.spit(0, 1)
        assert table.kinds == [Kind.CALLED, Kind.TURNED, Kind.ENDED]
        assert table.result == Result(winner, Cause.OUT_OF_CARDS)

    def test_a_winning_card_and_a_turn_that_falls_due(self) -> None:
        text = "0.row: 7h\n 1.row: 9d' | 3c'\n 1.deck: -2c'\n centre: 8c | Kc"
        table = position(text)
        assert table.play(0, "7h", "centre.0") is None
        assert table.spit(1) is Code.GAME_OVER
