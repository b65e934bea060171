"""Stuck, spit, and spitting alone: G5 to G7, S4, S5, B19 (groups 2 and 3)."""

import pytest

from games.rules.events import CardMove, Kind
from games.rules.refusals import Code
from games.rules.setup import PACES, Handling
from games.rules.state import Cause, Phase
from tests.rules.positions import Position


def blocked(spit_0: str = "-4c -5c", spit_1: str = "-4d -5d", **fields: object) -> Position:
    """Seat 0 has just made the last play there was. Fours and fives would not help anybody, eights would."""
    table = Position(
        f"""
        0.stockpile: 9h | 9d | Th | Td | -Jh 6h
        1.stockpile: 9c | 9s | Tc | Ts | Js
        centre: 5c | 2c
        0.spit: {spit_0}
        1.spit: {spit_1}
        """,
        **fields,
    )
    assert table.play(0, "6h", "centre.0") is None
    return table


class TestWhatStuckMeans:
    """G5, B19."""

    def test_an_empty_place_and_single_cards_without_a_play(self) -> None:
        assert Position("0.stockpile: 7h | 7d | |\n 1.stockpile: 7c |\n centre: 2c | Kc").is_stuck()

    @pytest.mark.parametrize("under", ["-Ac", "-2s", "-7s"])
    def test_not_with_an_empty_place_and_a_pile_of_two_whatever_lies_under(self, under: str) -> None:
        table = Position(f"0.stockpile: {under} 7h | 7d |\n 1.stockpile: 7c | 9c | 9d | 9h | 9s\n centre: 2c | Kc")
        assert not table.is_stuck()
        assert table.book.is_able(table.state, 0)
        assert not table.book.is_able(table.state, 1)

    def test_a_pile_of_two_without_an_empty_place_is_no_help(self) -> None:
        table = Position(
            "0.stockpile: -As 7h | 7d | 9c | 9d | 9h\n 1.stockpile: 7c | 5c | 5d | 5h | 5s\n centre: 2c | Kc"
        )
        assert table.is_stuck()

    @pytest.mark.parametrize(("card", "top"), [("Kh", "Ac"), ("Ah", "Kc"), ("2h", "Ac")])
    def test_not_with_a_play_round_the_corner(self, card: str, top: str) -> None:
        text = f"0.stockpile: {card} | 7d | 7c | 7h | 7s\n 1.stockpile: 7d | 9d | 9c | 9h | 9s\n centre: {top} | 4c"
        assert not Position(text).is_stuck()

    def test_by_hand_not_while_a_face_down_top_can_be_turned(self) -> None:
        text = "0.stockpile: -7h | 7d | 7c | 9h | 9s\n 1.stockpile: 7c | 5c | 5d | 5h | 5s\n centre: 2c | Kc"
        assert not Position(text, handling=Handling.BY_HAND).is_stuck()


class TestPaced:
    """G6 in the speed class *paced*: the turn waits for both."""

    def test_there_is_no_countdown_and_both_have_to_ask(self) -> None:
        table = blocked(pace="paced")
        assert table.phase is Phase.STUCK
        assert table.state.status.due is None
        table.elapse(table.state.pace.warning)
        assert table.events == ()
        assert table.spit(0) is None
        assert table.kinds == [Kind.CALLED]
        assert table.spit(1) is None
        # Nobody is helped by this turn: they wait for both again (G7).
        assert table.kinds == [Kind.CALLED, Kind.TURNED, Kind.STUCK]
        assert (table.state.status.due, table.state.status.ready) == (None, (False, False))

    def test_who_lets_the_other_wait_is_warned_and_loses(self) -> None:
        table = blocked(pace="paced")
        pace = table.state.pace
        table.elapse(5_000)
        table.spit(1)
        assert table.book.next_due(table.state) == table.now + pace.warning
        table.elapse(pace.warning)
        assert [(event.kind, event.seat) for event in table.events] == [(Kind.WARNED, 0)]
        table.elapse(pace.inactive - pace.warning)
        assert table.state.status.result is not None
        assert (table.state.status.result.winner, table.state.status.result.cause) == (1, Cause.INACTIVE)

    def test_nobody_asks(self) -> None:
        table = blocked(pace="paced")
        table.elapse(table.state.pace.abandoned)
        assert table.state.status.result is not None
        assert table.state.status.result.cause is Cause.ABANDONED

    def test_the_windows_are_long(self) -> None:
        normal, paced = PACES["normal"], PACES["paced"]
        for name in ("countdown", "slap", "warning", "inactive", "abandoned", "grace", "cap"):
            assert getattr(paced, name) > getattr(normal, name)


class TestTheTurn:
    """G6, G7, S4."""

    def test_a_countdown_then_each_seat_turns_onto_its_pile_in_one_event(self) -> None:
        table = blocked()
        assert table.kinds == [Kind.PLAYED, Kind.STUCK]
        assert table.phase is Phase.STUCK
        assert table.due_in == table.state.pace.stuck == 1_500
        table.elapse(1_499)
        assert table.events == ()
        table.elapse(1)
        assert table.events[0].kind is Kind.TURNED
        assert table.events[0].moves == (
            CardMove("5c", "0.spit", "centre.0"),
            CardMove("5d", "1.spit", "centre.1"),
        )

    def test_when_both_have_pressed_it_comes_at_once(self) -> None:
        table = blocked()
        assert table.spit(1) is None
        assert table.kinds == [Kind.CALLED]
        assert table.phase is Phase.STUCK
        assert table.spit(1) is Code.ALREADY
        assert table.spit(0) is None
        assert table.kinds[:2] == [Kind.CALLED, Kind.TURNED]
        assert table.state.status.ready == (False, False)

    def test_still_stuck_again_with_a_shorter_countdown(self) -> None:
        table = blocked()
        table.fall_due()
        assert table.kinds == [Kind.TURNED, Kind.STUCK]
        assert table.state.status.turns == 1
        assert table.due_in == table.state.pace.still_stuck < table.state.pace.stuck

    def test_a_turn_that_helps_ends_it(self) -> None:
        table = blocked(spit_0="-8c", spit_1="-8d")
        table.fall_due()
        assert table.kinds == [Kind.TURNED]
        assert table.phase is Phase.PLAYING
        assert table.due_in is None
        assert table.state.status.turns == 0

    def test_while_someone_can_play_a_press_only_shows_the_wish(self) -> None:
        table = Position("0.stockpile: 7h\n 1.stockpile: 9h\n centre: 8c | 2c\n 0.spit: -5c\n 1.spit: -5d")
        assert table.spit(0) is None
        assert table.state.status.ready == (True, False)
        assert table.phase is Phase.PLAYING
        assert table.pile("centre.0") == ("8c",)

    def test_but_when_both_have_pressed_the_turn_is_made_as_agreed(self) -> None:
        table = Position("0.stockpile: 7h\n 1.stockpile: 9h\n centre: 8c | 2c\n 0.spit: -8s\n 1.spit: -8d")
        assert table.spit(0, 1) is None
        assert table.kinds == [Kind.CALLED, Kind.TURNED]
        assert table.pile("centre.0") == ("8c", "8s")

    def test_nothing_to_turn(self) -> None:
        table = Position("0.stockpile: 7h\n 1.stockpile: 9h\n centre: 8c | 2c")
        assert table.spit(0) is Code.NOTHING_THERE

    @pytest.mark.parametrize("phase", [Phase.READY, Phase.COUNTDOWN, Phase.SLAP])
    def test_no_spit_outside_play(self, phase: Phase) -> None:
        table = Position("0.stockpile: 7h\n 1.stockpile: 9h\n centre: 8c | 2c\n 0.spit: -5c", phase=phase)
        assert table.spit(0) is Code.NOT_NOW

    def test_a_lone_card_may_be_shifted_while_stuck_and_changes_nothing(self) -> None:
        table = Position(
            "0.stockpile: 7h | 7d |\n 1.stockpile: 9h\n centre: 2c | 2d\n 0.spit: -5c", phase=Phase.STUCK, due=11_000
        )
        assert table.move(0, "7h", "0.stockpile.3") is None
        assert table.kinds == [Kind.MOVED]
        assert table.phase is Phase.STUCK
        assert table.due_in == 1_000


class TestStart:
    """G6: a round starts when both seats are ready."""

    def test_both_ready_a_countdown_then_the_starters_at_one_moment(self) -> None:
        table = Position()
        table.deal()
        assert table.phase is Phase.READY
        assert table.ready(0) is None
        assert table.ready(0) is Code.ALREADY
        assert table.phase is Phase.READY
        assert table.ready(1) is None
        assert table.phase is Phase.COUNTDOWN
        assert table.due_in == table.state.pace.countdown
        assert table.ready(0) is Code.ALREADY
        table.fall_due()
        assert table.kinds[0] is Kind.TURNED
        assert len(table.events[0].moves) == 2
        assert [len(table.pile(pile)) for pile in ("centre.0", "centre.1")] == [1, 1]
        assert table.ready(0) is Code.NOT_NOW


class TestAlone:
    """S5: one seat is out of spit cards, the other spits alone."""

    def test_its_choice_of_pile_holds_at_the_second_stuck_moment_too(self) -> None:
        table = blocked(spit_0="", spit_1="-4d -5d")
        assert table.choose(1, "centre.0") is None
        assert table.kinds == [Kind.CHOSE]
        assert table.choose(1, "centre.1") is Code.ALREADY
        table.fall_due()
        assert table.events[0].moves == (CardMove("5d", "1.spit", "centre.0"),)
        assert table.phase is Phase.STUCK
        assert table.choose(1, "centre.1") is Code.ALREADY
        table.fall_due()
        assert table.events[0].moves == (CardMove("4d", "1.spit", "centre.0"),)

    def test_without_a_choice_the_pile_it_started_for_the_rest_of_the_round(self) -> None:
        table = blocked(spit_0="", spit_1="-4d -5d")
        table.fall_due()
        assert table.events[0].moves == (CardMove("5d", "1.spit", "centre.1"),)
        assert table.state.status.alone == 1
        assert table.choose(1, "centre.0") is Code.ALREADY
        table.fall_due()
        assert table.events[0].moves == (CardMove("4d", "1.spit", "centre.1"),)

    def test_a_turn_that_both_agreed_on_takes_the_choice_from_nobody(self) -> None:
        table = Position("0.stockpile: 7h | 3d\n 1.stockpile: Js\n centre: 8c | 9c\n 1.spit: -Kd -Ks")
        assert table.spit(0) is None
        assert table.spit(1) is None
        assert table.events[-1].kind is Kind.TURNED
        assert table.state.status.alone is None
        assert table.play(0, "7h", "centre.0") is None
        assert table.phase is Phase.STUCK
        assert table.choose(1, "centre.0") is None

    def test_seat_0_may_choose_as_well(self) -> None:
        table = blocked(spit_0="-5c", spit_1="")
        assert table.choose(0, "centre.1") is None
        table.fall_due()
        assert table.events[0].moves == (CardMove("5c", "0.spit", "centre.1"),)

    def test_only_that_seat_chooses_only_then_and_only_a_centre_pile(self) -> None:
        table = blocked(spit_0="", spit_1="-4d -5d")
        assert table.choose(0, "centre.1") is Code.NOT_NOW
        assert table.choose(1, "0.stockpile.1") is Code.NO_SUCH_PLACE
        assert blocked().choose(1, "centre.0") is Code.NOT_NOW
        playing = Position("0.stockpile: 7h\n 1.stockpile: 9h\n centre: 8c | 2c\n 1.spit: -8s")
        assert playing.choose(1, "centre.0") is Code.NOT_NOW

    def test_the_other_seat_gets_no_second_choice_by_a_new_round(self) -> None:
        table = blocked(spit_0="", spit_1="-4d")
        table.choose(1, "centre.0")
        table.fall_due()
        assert table.phase is Phase.SLAP  # S6 b: stuck, and no spit cards left
        table.slap(0, "centre.0")
        table.deal()
        assert table.state.status.alone is None
