"""How matches end: G8, G10, G11, M2 (group 9)."""

import pytest
from msgspec.structs import replace

from games.rules.commands import Elapse, End
from games.rules.events import Kind
from games.rules.refusals import Code
from games.rules.setup import PACES, Setup
from games.rules.state import Cause, Phase, Result
from tests.rules.positions import Position, dealt

WINNING = "0.stockpile: 7h\n 1.stockpile: 9c | 2c\n centre: | 8c"
"""A one-pile round in which seat 0 wins with its card, and seat 1 has a play too."""


def winning(**fields: object) -> Position:
    return Position(WINNING, starts=(None, "centre.1"), **fields)


class TestOneEnd:
    """G10: the first accepted winning card ends the game; whatever comes later is too late."""

    def test_two_winning_cards_at_the_same_moment(self) -> None:
        table = Position("0.stockpile: 7h\n 1.stockpile: 9c\n centre: | 8c", starts=(None, "centre.1"))
        assert table.play(0, "7h", "centre.1") is None
        assert table.play(1, "9c", "centre.1") is Code.GAME_OVER
        assert table.result == Result(0, Cause.OUT_OF_CARDS)

    def test_the_other_one_first(self) -> None:
        table = Position("0.stockpile: 7h\n 1.stockpile: 9c\n centre: | 8c", starts=(None, "centre.1"))
        assert table.play(1, "9c", "centre.1") is None
        assert table.play(0, "7h", "centre.1") is Code.GAME_OVER
        assert table.result == Result(1, Cause.OUT_OF_CARDS)

    def test_a_winning_card_then_a_resignation(self) -> None:
        table = winning()
        assert table.play(0, "7h", "centre.1") is None
        assert table.resign(0) is Code.GAME_OVER
        assert table.result == Result(0, Cause.OUT_OF_CARDS)

    def test_a_resignation_then_a_winning_card(self) -> None:
        table = winning()
        assert table.resign(0) is None
        assert table.play(0, "7h", "centre.1") is Code.GAME_OVER
        assert table.result == Result(1, Cause.RESIGNED)

    def test_a_winning_card_and_a_turn_that_falls_due(self) -> None:
        text = "0.stockpile: 7h\n 1.stockpile: 2c\n 1.spit: -6c\n centre: | 8c"
        first = Position(text, starts=(None, "centre.1"), phase=Phase.STUCK, due=10_000)
        assert first.play(0, "7h", "centre.1") is None
        assert first.do(Elapse()) is Code.GAME_OVER
        assert first.result == Result(0, Cause.OUT_OF_CARDS)
        second = Position(text, starts=(None, "centre.1"), phase=Phase.STUCK, due=10_000)
        second.elapse()
        assert second.kinds == [Kind.TURNED]
        assert second.play(0, "7h", "centre.1") is None
        assert second.result == Result(0, Cause.OUT_OF_CARDS)

    def test_nothing_is_due_any_more(self) -> None:
        table = winning()
        table.resign(1)
        assert table.book.next_due(table.state) is None
        assert table.state.is_over
        assert table.state.status.due is None


class TestFromOutside:
    """M2: resigned, left, broken off, aborted."""

    @pytest.mark.parametrize("seat", [0, 1])
    def test_resigned(self, seat: int) -> None:
        table = winning()
        assert table.resign(seat) is None
        assert table.kinds == [Kind.ENDED]
        assert table.result == Result(1 - seat, Cause.RESIGNED)

    def test_left(self) -> None:
        table = winning()
        table.do(End(Cause.LEFT, 0))
        assert table.result == Result(1, Cause.LEFT)

    @pytest.mark.parametrize("cause", [Cause.LEFT, Cause.ABANDONED])
    def test_before_any_card_was_played_the_match_is_aborted(self, cause: Cause) -> None:
        table = dealt()
        table.do(End(cause, 0))
        assert table.result == Result(None, Cause.ABORTED)
        assert table.result.is_void

    def test_so_is_one_given_up_then(self) -> None:
        table = dealt()
        table.resign(0)
        assert table.result == Result(None, Cause.ABORTED)

    @pytest.mark.parametrize("table", [winning(), dealt(), Position()])
    def test_broken_off_by_the_site_at_any_time(self, table: Position) -> None:
        table.do(End(Cause.BROKEN_OFF))
        assert table.result == Result(None, Cause.BROKEN_OFF)
        assert table.result.is_void

    def test_a_result_is_not_void(self) -> None:
        assert not Result(0, Cause.RESIGNED).is_void

    def test_a_seats_command_needs_a_seat(self) -> None:
        table = winning()
        with pytest.raises(ValueError, match="without a seat"):
            table.ready(None)  # type: ignore[arg-type]


class TestIdleWhilePlaying:
    """G8: nobody can freeze a match."""

    ONE_ABLE = "0.stockpile: 7h | 3c | 2c\n 1.stockpile: Jc | Jd\n centre: 8c | Kc"

    def test_the_only_seat_that_can_act_is_warned_then_loses(self) -> None:
        table = Position(self.ONE_ABLE)
        assert table.book.next_due(table.state) == table.now + 10_000
        table.elapse(9_999)
        assert table.events == ()
        table.elapse(1)
        assert table.kinds == [Kind.WARNED]
        assert table.events[0].seat == table.state.warned == 0
        table.elapse(1)
        assert table.events == ()
        assert table.book.next_due(table.state) == 10_000 + 30_000
        table.fall_due()
        assert table.result == Result(1, Cause.INACTIVE)

    def test_acting_takes_the_warning_away(self) -> None:
        table = Position("0.stockpile: 7h | 6c | 2c\n 1.stockpile: Jc | Jd\n centre: 8c | Kc")
        table.fall_due()
        assert table.play(0, "7h", "centre.0") is None
        assert table.state.warned is None
        assert table.book.next_due(table.state) == table.now + 10_000

    def test_shifting_a_lone_card_is_no_action(self) -> None:
        table = Position(self.ONE_ABLE)
        table.fall_due()
        table.wait(5_000)
        assert table.move(0, "3c", "0.stockpile.4") is None
        assert table.state.warned == 0
        assert table.book.next_due(table.state) == 10_000 + 30_000

    def test_turning_a_card_up_is_one(self) -> None:
        table = Position(self.ONE_ABLE.replace("3c", "-4c 3c"))
        table.fall_due()
        table.move(0, "3c", "0.stockpile.4")
        assert table.state.warned is None

    def test_both_can_act_and_nobody_does_the_match_is_abandoned(self) -> None:
        table = Position("0.stockpile: 7h\n 1.stockpile: 9c\n centre: 8c | Kc")
        assert table.book.next_due(table.state) == table.now + 60_000
        table.elapse(59_999)
        assert table.events == ()
        table.elapse(1)
        assert table.result == Result(None, Cause.ABANDONED)

    def test_a_lost_race_is_no_action_either(self) -> None:
        table = Position("0.stockpile: 7h | Qc\n 1.stockpile: 9s | Qd\n centre: 8c | Kc")
        table.play(0, "7h", "centre.0")
        table.wait(5)
        assert table.play(1, "9s", "centre.0") is Code.PILE_CHANGED
        assert table.state.moved_at == table.now - 5

    def test_the_times_are_those_of_the_speed_class(self) -> None:
        table = Position(self.ONE_ABLE)
        table.state = replace(table.state, setup=Setup("spit", pace="relaxed"), moved_at=0)
        assert table.book.next_due(table.state) == PACES["relaxed"].warning == 20_000


class TestIdleWhileReadying:
    """G8: the seat that is not ready holds the round up."""

    def test_one_is_ready_the_other_is_warned_and_loses(self) -> None:
        table = Position(WINNING, phase=Phase.READY)
        table.wait(20_000)
        assert table.ready(1) is None
        table.fall_due()
        assert table.now == 10_000 + 20_000 + 10_000
        assert table.kinds == [Kind.WARNED]
        assert table.state.warned == 0
        table.fall_due()
        assert table.result == Result(1, Cause.INACTIVE)

    def test_nobody_is_ready_abandoned(self) -> None:
        table = Position(WINNING, phase=Phase.READY)
        table.fall_due()
        assert table.now == 70_000
        assert table.result == Result(None, Cause.ABANDONED)

    def test_before_the_first_card_aborted(self) -> None:
        table = dealt()
        table.fall_due()
        assert table.result == Result(None, Cause.ABORTED)

    def test_a_countdown_leaves_nobody_to_wait_for(self) -> None:
        table = dealt()
        table.ready(0, 1)
        assert table.book.next_due(table.state) == table.state.status.due


class TestCaps:
    """G11."""

    @pytest.mark.parametrize(("stockpiles", "rounds"), [(5, 40), (4, 120)])
    def test_rounds(self, stockpiles: int, rounds: int) -> None:
        text = "0.stockpile: 7h\n 1.stockpile: 2c\n 0.spit: -3c\n 1.spit: -3d\n centre: 8c | Kc Qc Jc"
        table = Position(text, stockpiles=stockpiles, round=rounds - 1)
        table.play(0, "7h", "centre.0")
        table.slap(0, "centre.0")
        assert table.phase is Phase.DEALING
        assert table.round == rounds
        table = Position(text, stockpiles=stockpiles, round=rounds)
        table.play(0, "7h", "centre.0")
        table.slap(0, "centre.0")
        assert table.kinds == [Kind.SLAPPED, Kind.TAKEN, Kind.ENDED]
        assert table.result == Result(0, Cause.CAP)  # three cards to five

    def test_at_the_cap_equal_is_a_draw(self) -> None:
        table = Position("0.stockpile: 7h\n 1.stockpile: 2c\n centre: 8c | Kc", round=40)
        table.play(0, "7h", "centre.0")
        table.slap(0, "centre.0")
        assert table.left() == (2, 2)
        assert table.result == Result(None, Cause.CAP)

    @pytest.mark.parametrize("phase", [Phase.PLAYING, Phase.READY])
    def test_thirty_minutes(self, phase: Phase) -> None:
        table = Position("0.stockpile: 7h\n 1.stockpile: 9c | 9d\n centre: 8c | Kc", phase=phase)
        table.wait(30 * 60_000 - 10_000)
        table.state = replace(table.state, moved_at=table.now)
        table.elapse()
        assert table.result == Result(0, Cause.CAP)

    def test_also_during_a_countdown(self) -> None:
        cap = 30 * 60_000
        table = Position(
            "0.stockpile: 7h\n 1.stockpile: 9c | 9d\n 0.spit: -3c\n centre: 2c | 3c", phase=Phase.STUCK, due=cap + 500
        )
        assert table.book.next_due(table.state) == cap
        table.elapse(cap - 10_000)
        assert table.result == Result(None, Cause.CAP)

    def test_a_countdown_that_has_not_run_out_is_waited_for(self) -> None:
        table = Position(
            "0.stockpile: 7h\n 1.stockpile: 9c\n 0.spit: -3c\n centre: 2c | 3c", phase=Phase.STUCK, due=11_000
        )
        table.elapse(500)
        assert table.events == ()


class TestDeadlock:
    """B20: what can never go on ends by the written rule, at once."""

    def test_spit_without_spit_cards_and_without_a_move(self) -> None:
        table = Position("0.stockpile: 7h | 3c\n 1.stockpile: 3d | 3h\n centre: 8c | Kc")
        assert table.play(0, "7h", "centre.0") is None
        assert table.phase is Phase.SLAP
        table.fall_due()
        assert table.phase is Phase.DEALING

    def test_in_a_one_pile_round_without_even_a_slap(self) -> None:
        table = Position("0.stockpile: 7h | 3c\n 1.stockpile: 3d | 3h\n centre: 8c |", starts=("centre.0", None))
        assert table.play(0, "7h", "centre.0") is None
        assert table.phase is Phase.DEALING
