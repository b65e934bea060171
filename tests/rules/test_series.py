"""A match as a series of games: M1, P6, and options that a game can have."""

import pytest

from games.rules.cards import identities
from games.rules.commands import End
from games.rules.events import Kind
from games.rules.refusals import Code
from games.rules.registry import BOOKS, book_of
from games.rules.series import MOST_GAMES, is_decided, leader, next_game, scored
from games.rules.setup import Options, Problem
from games.rules.state import Cause, Phase, Result, Status
from tests.rules.positions import Position

WON = Result(0, Cause.OUT_OF_CARDS)
LOST = Result(1, Cause.OUT_OF_CARDS)
DRAWN = Result(None, Cause.FEWER_CARDS)


def course(options: Options, *results: Result, cards: int = 3) -> list[bool]:
    """After each game: whether the match is decided. And the standing, in `course.status`."""
    status = Status(Phase.PLAYING)
    decided = []
    for number, result in enumerate(results):
        if number:
            status = next_game(status, at=0)
        status = scored(options, status, result, cards)
        decided.append(is_decided(options, status))
    return decided


class TestBestOf:
    @pytest.mark.parametrize(
        ("results", "decided"),
        [
            ([WON, WON], [False, True]),
            ([WON, LOST, WON], [False, False, True]),
            ([DRAWN, WON, DRAWN], [False, False, True]),
            ([WON, DRAWN, LOST], [False, False, True]),
            ([DRAWN, DRAWN, DRAWN], [False, False, True]),
        ],
    )
    def test_of_three(self, results: list[Result], decided: list[bool]) -> None:
        assert course(Options(best_of=3), *results) == decided

    @pytest.mark.parametrize(
        ("results", "decided"),
        [
            ([WON, WON, WON], [False, False, True]),
            ([WON, WON, DRAWN, DRAWN], [False, False, False, True]),
            ([WON, LOST, WON, LOST, WON], [False, False, False, False, True]),
        ],
    )
    def test_of_five(self, results: list[Result], decided: list[bool]) -> None:
        assert course(Options(best_of=5), *results) == decided

    def test_each_game_counts_one_a_draw_nothing(self) -> None:
        status = scored(Options(best_of=3), Status(Phase.PLAYING, score=(1, 0)), LOST, cards=7)
        assert status.score == (1, 1)
        assert leader(status) is None
        status = scored(Options(best_of=3), status, DRAWN, cards=0)
        assert status.score == (1, 1)
        assert status.last == DRAWN


class TestRace:
    """P6: a point for each card that the other seat still holds."""

    def test_to_the_target(self) -> None:
        options = Options(target=10)
        assert course(options, WON, LOST, WON, WON, WON, cards=3) == [False, False, False, False, True]

    def test_a_draw_scores_nothing(self) -> None:
        assert scored(Options(target=10), Status(Phase.PLAYING), DRAWN, cards=0).score == (0, 0)

    def test_it_has_an_end_of_its_own(self) -> None:
        status = Status(Phase.PLAYING, game=MOST_GAMES, score=(3, 5))
        assert is_decided(Options(target=10), status)
        assert leader(status) == 1


def speed(score: tuple[int, int] = (0, 0), game: int = 1, **fields: object) -> Position:
    """Seat 0 is about to win a game of Speed; the other holds three cards."""
    text = "0.hand: 7h\n 1.hand: Qd | Jc\n 1.stock: -2c\n side: -5c | -6c\n centre: 8c | Kc"
    return Position(text, "speed", score=score, game=game, round=game, **fields)


class TestNextGame:
    def test_the_cards_go_back_and_the_next_deal_is_due(self) -> None:
        table = speed(best_of=3)
        assert table.play(0, "7h", "centre.0") is None
        assert table.kinds == [Kind.PLAYED, Kind.FINISHED]
        status = table.state.status
        assert table.events[-1].seat == 0
        assert status.phase is Phase.DEALING
        assert (status.game, status.score, status.last) == (2, (1, 0), WON)
        assert (status.round, status.first_round, status.began) == (2, 2, table.now)
        assert status.result is None
        assert sorted(identities(table.pile("pack"))) == sorted(["7h", "Qd", "Jc", "2c", "5c", "6c", "8c", "Kc"])

    def test_commands_for_the_last_game_do_nothing(self) -> None:
        table = Position(of="speed", best_of=3)
        table.deal()
        table.ready(0, 1)
        table.fall_due()
        table.now += 30 * 60_000
        table.elapse()
        assert table.kinds == [Kind.FINISHED]
        assert table.state.status.last == Result(None, Cause.CAP)
        table.deal()
        assert table.round == 2
        assert table.play(0, "7h", "centre.0", number=1) is Code.OLD_ROUND
        assert table.ready(0, 1) is None

    def test_g11_the_time_of_each_game_is_counted_by_itself(self) -> None:
        table = speed(best_of=3, began=5_000)
        assert table.state.pace.cap == 30 * 60_000
        table.now = 5_000 + 30 * 60_000
        table.elapse()
        assert table.kinds == [Kind.FINISHED]
        assert table.state.status.last == Result(0, Cause.CAP)
        assert table.state.status.began == table.now

    def test_g11_so_are_its_rounds(self) -> None:
        text = "0.stockpile: 7h\n 1.stockpile: 2c\n 0.spit: -3c\n 1.spit: -3d\n centre: 8c | Kc Qc Jc"
        table = Position(text, round=45, first_round=7, best_of=3)
        table.play(0, "7h", "centre.0")
        table.slap(0, "centre.0")
        assert table.kinds[-1] is Kind.TAKEN
        table = Position(text, round=46, first_round=7, best_of=3)
        table.play(0, "7h", "centre.0")
        table.slap(0, "centre.0")
        assert table.kinds[-1] is Kind.FINISHED

    def test_two_deck_each_card_goes_back_to_its_own_deck(self) -> None:
        text = "0.row: 7h\n 1.row: Jd'\n 1.deck: -2c'\n centre: 8c' 8c | Kc Kc'"
        table = Position(text, "two_deck", best_of=3)
        table.play(0, "7h", "centre.0")
        assert table.kinds == [Kind.PLAYED, Kind.FINISHED]
        assert sorted(table.pile("0.deck")) == ["-7h", "-8c", "-Kc"]
        assert sorted(table.pile("1.deck")) == ["-2c'", "-8c'", "-Jd'", "-Kc'"]
        assert table.pile("1.deck")[0] == "-2c'"

    def test_spit_is_dealt_from_the_whole_pack_again(self) -> None:
        text = "0.stockpile: 7h\n 1.stockpile: -2c 3c | 4c\n 1.spit: -5c\n centre: | Kc 8c"
        table = Position(text, starts=(None, "centre.1"), best_of=3)
        table.play(0, "7h", "centre.1")
        assert table.kinds == [Kind.PLAYED, Kind.CLEARED, Kind.TAKEN, Kind.FINISHED]
        assert len(table.pile("pack")) == 7
        assert set(table.book.to_shuffle(table.state)) == {"pack"}

    def test_reshuffles_are_counted_from_nothing_again(self) -> None:
        table = speed(best_of=3, reshuffles=4)
        table.play(0, "7h", "centre.0")
        assert table.state.status.reshuffles == 0


class TestEndOfTheMatch:
    def test_the_deciding_game_ends_it(self) -> None:
        table = speed((1, 0), game=2, best_of=3)
        table.play(0, "7h", "centre.0")
        assert table.kinds == [Kind.PLAYED, Kind.FINISHED, Kind.ENDED]
        assert table.result == WON
        assert table.state.status.score == (2, 0)

    def test_equal_after_the_last_game_is_a_draw(self) -> None:
        table = speed((0, 1), game=3, best_of=3)
        table.play(0, "7h", "centre.0")
        assert table.result == Result(None, Cause.OUT_OF_CARDS)

    def test_p6_the_score_reaches_the_target(self) -> None:
        table = speed((5, 9), game=7, target=10)
        table.play(0, "7h", "centre.0")
        assert table.state.status.score == (8, 9)
        assert table.phase is Phase.DEALING
        table = speed((7, 9), game=7, target=10)
        table.play(0, "7h", "centre.0")
        assert table.state.status.score == (10, 9)
        assert table.result == WON

    def test_whoever_resigns_loses_the_match_whatever_the_score(self) -> None:
        table = speed((1, 0), game=2, best_of=3)
        table.resign(0)
        assert table.kinds == [Kind.ENDED]
        assert table.result == Result(1, Cause.RESIGNED)

    def test_whoever_leaves_too(self) -> None:
        table = speed((1, 0), game=2, best_of=3)
        table.do(End(Cause.LEFT, 0))
        assert table.result == Result(1, Cause.LEFT)

    def test_a_single_game_has_no_score(self) -> None:
        table = speed()
        table.play(0, "7h", "centre.0")
        assert table.kinds == [Kind.PLAYED, Kind.ENDED]
        assert table.state.status.score == (0, 0)


class TestOptions:
    def test_speed_is_best_of_three_unless_chosen_otherwise(self) -> None:
        assert book_of("speed").defaults == Options(best_of=3)
        assert book_of("spit").defaults == Options()

    @pytest.mark.parametrize("game", BOOKS)
    def test_the_defaults_can_be_played(self, game: str) -> None:
        book = book_of(game)
        assert book.validate(book.defaults) == ()
        assert book.options == frozenset(book.choices)

    @pytest.mark.parametrize(
        ("game", "options", "problems"),
        [
            ("spit", Options(stockpiles=4, slap=False, alternate=True, best_of=5), ()),
            ("spit", Options(stockpiles=6), (Problem("stockpiles", "value"),)),
            ("spit", Options(side=5), (Problem("side", "unknown"),)),
            ("spit", Options(best_of=2), (Problem("best_of", "value"),)),
            ("two_deck", Options(alternate=True), (Problem("alternate", "unknown"),)),
            ("speed", Options(target=25), ()),
            ("speed", Options(target=25, best_of=3), (Problem("target", "clash"),)),
            ("speed", Options(target=7, side=11), (Problem("side", "value"), Problem("target", "value"))),
        ],
    )
    def test_problems(self, game: str, options: Options, problems: tuple[Problem, ...]) -> None:
        assert book_of(game).validate(options) == problems

    def test_no_such_game(self) -> None:
        with pytest.raises(KeyError):
            book_of("chess")
