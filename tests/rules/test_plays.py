"""What may be played where: G2 to G4, S3, V3 (group 1 of the positions in docs/rules.md)."""

import pytest

from games.rules.book import Decision
from games.rules.cards import NEIGHBOURS, RANKS
from games.rules.commands import Play
from games.rules.events import CardMove, Kind
from games.rules.refusals import Code, Refusal
from games.rules.setup import Handling
from games.rules.state import Phase
from tests.rules.positions import Position


def one_card(card: str, top: str, **options: object) -> Position:
    """Seat 0 holds `card` and one more, `top` lies in the middle."""
    return Position(f"0.stockpile: {card} | 9c\n 1.stockpile: 9d | 9h\n centre: {top} | 2c", **options)


@pytest.mark.parametrize(("card", "top"), [("Kh", "Ac"), ("Ah", "Kc"), ("2h", "Ac"), ("Ah", "2c"), ("7h", "8c")])
def test_g2_the_ranks_go_round(card: str, top: str) -> None:
    table = one_card(card, top)
    assert table.play(0, card, "centre.0") is None
    assert table.pile("centre.0") == (top, card)
    assert table.pile("0.stockpile.1") == ()


@pytest.mark.parametrize(("card", "top"), [("7h", "7c"), ("7h", "9c"), ("Qh", "Ac"), ("3h", "Ac"), ("2h", "Kc")])
def test_g2_equal_ranks_and_ranks_further_off_are_refused(card: str, top: str) -> None:
    table = one_card(card, top)
    assert table.play(0, card, "centre.0") is Code.NOT_ADJACENT
    assert table.pile("0.stockpile.1") == (card,)


def test_g2_each_rank_has_two_neighbours() -> None:
    assert all(len(NEIGHBOURS[rank]) == 2 for rank in RANKS)
    assert all(rank in NEIGHBOURS[other] for rank in RANKS for other in NEIGHBOURS[rank])


@pytest.mark.parametrize(
    ("card", "top", "refusal"),
    [
        ("7h", "8d", Code.NOT_ADJACENT),
        ("7h", "8h", Code.NOT_ADJACENT),
        ("7s", "8c", Code.NOT_ADJACENT),
        ("7h", "8c", None),
        ("7s", "8h", None),
        ("7s", "9h", Code.NOT_ADJACENT),
    ],
)
def test_v3_colours_alternate(card: str, top: str, refusal: Code | None) -> None:
    assert one_card(card, top, alternate=True).play(0, card, "centre.0") is refusal


def test_v3_stuck_counts_only_plays_of_the_other_colour() -> None:
    text = "0.stockpile: 7h | 7d | 9h | 9d | 3s\n 1.stockpile: 7h | 7d | 9h | 9d | 3s\n centre: 8h | 8d"
    assert Position(text, alternate=True).is_stuck()
    assert not Position(text).is_stuck()


def test_g3_a_card_is_played_at_once_and_for_good() -> None:
    table = Position("0.stockpile: Kh | 9c\n 1.stockpile: Qd\n centre: Ac | 2c")
    assert table.play(0, "Kh", "centre.0") is None
    assert table.play(0, "Kh", "centre.0") is Code.NOT_YOUR_CARD


def test_s3_only_own_face_up_tops_can_be_played() -> None:
    table = Position(
        "0.stockpile: 7h 8h | -6h | 9c\n 1.stockpile: 9d | 3c\n centre: 8c | 7c", handling=Handling.BY_HAND
    )
    assert table.play(0, "9d", "centre.0") is Code.NOT_YOUR_CARD  # the other seat's
    assert table.play(0, "7h", "centre.0") is Code.NOT_YOUR_CARD  # covered
    assert table.play(0, "6h", "centre.1") is Code.NOT_YOUR_CARD  # face down
    assert table.play(0, "-6h", "centre.1") is Code.NOT_YOUR_CARD  # named as it lies: still face down
    assert table.play(0, "8c", "centre.1") is Code.NOT_YOUR_CARD  # in the middle


@pytest.mark.parametrize("place", ["0.stockpile.2", "centre.2", "1.spit", ""])
def test_only_centre_piles_are_played_on(place: str) -> None:
    assert one_card("Kh", "Ac").play(0, "Kh", place) is Code.NO_SUCH_PLACE


def test_an_empty_centre_pile_cannot_be_played_on() -> None:
    table = Position("0.stockpile: Kh | 9c\n 1.stockpile: 9d\n centre: | Ac", starts=(None, "centre.1"))
    assert table.play(0, "Kh", "centre.0") is Code.NO_SUCH_PLACE
    assert table.play(0, "Kh", "centre.1") is None


def test_g12_what_lies_under_turns_up_in_the_same_event() -> None:
    table = Position("0.stockpile: -4s -5s Kh | 9c\n 1.stockpile: 9d\n centre: Ac | 2c")
    assert table.play(0, "Kh", "centre.0") is None
    (event,) = table.events
    assert event.moves == (
        CardMove("Kh", "0.stockpile.1", "centre.0"),
        CardMove("5s", "0.stockpile.1", "0.stockpile.1"),
    )
    assert table.pile("0.stockpile.1") == ("-4s", "5s")


def test_g12_by_hand_it_stays_down_until_its_player_turns_it() -> None:
    table = Position(
        "0.stockpile: -4s -5s Kh | 9c\n 1.stockpile: 9d\n centre: Ac | 2c",
        handling=Handling.BY_HAND,
    )
    assert table.flip(0, "0.stockpile.1") is Code.NOTHING_THERE
    assert table.play(0, "Kh", "centre.0") is None
    assert table.pile("0.stockpile.1") == ("-4s", "-5s")
    assert table.flip(1, "0.stockpile.1") is Code.NO_SUCH_PLACE
    assert table.flip(0, "0.stockpile.5") is Code.NOTHING_THERE
    assert table.flip(0, "0.stockpile.1") is None
    assert table.kinds == [Kind.FLIPPED]
    assert table.pile("0.stockpile.1") == ("-4s", "5s")


def test_s3_a_top_moves_into_an_empty_place() -> None:
    table = Position("0.stockpile: -4s Kh | 9c |\n 1.stockpile: 9d\n centre: Ac | 2c")
    assert table.move(0, "Kh", "0.stockpile.2") is Code.PLACE_TAKEN
    assert table.move(0, "Kh", "1.stockpile.2") is Code.NO_SUCH_PLACE
    assert table.move(0, "Kh", "0.stockpile.6") is Code.NO_SUCH_PLACE
    assert table.move(0, "9d", "0.stockpile.3") is Code.NOT_YOUR_CARD
    assert table.move(0, "-4s", "0.stockpile.3") is Code.NOT_YOUR_CARD
    assert table.move(0, "Kh", "0.stockpile.3") is None
    assert table.kinds == [Kind.MOVED]
    assert table.pile("0.stockpile.1") == ("4s",)
    assert table.pile("0.stockpile.3") == ("Kh",)


def test_v1_there_is_no_fifth_place() -> None:
    table = Position("0.stockpile: -4s Kh | 9c |\n 1.stockpile: 9d\n centre: Ac | 2c", stockpiles=4)
    assert table.move(0, "Kh", "0.stockpile.5") is Code.NO_SUCH_PLACE


def test_g12_automatic_handling_has_no_command_to_flip() -> None:
    assert one_card("Kh", "Ac").flip(0, "0.stockpile.1") is Code.NOT_IN_THIS_MATCH
    assert one_card("Kh", "Ac").refill(0, "0.stockpile.1") is Code.NOT_IN_THIS_MATCH


@pytest.mark.parametrize("phase", [Phase.READY, Phase.COUNTDOWN, Phase.SLAP])
def test_nothing_is_played_moved_or_flipped_outside_play(phase: Phase) -> None:
    table = Position(
        "0.stockpile: Kh | -9c |\n 1.stockpile: 9d\n centre: Ac | 2c", phase=phase, handling=Handling.BY_HAND
    )
    assert table.play(0, "Kh", "centre.0") is Code.NOT_NOW
    assert table.move(0, "Kh", "0.stockpile.3") is Code.NOT_NOW
    assert table.flip(0, "0.stockpile.2") is Code.NOT_NOW
    assert list(table.book.legal(table.state, 0)) == []


class TestRace:
    """G4: two seats play on one pile."""

    TEXT = "0.stockpile: 7h | Qc\n 1.stockpile: {} | Qd\n centre: 8c | Kc"

    def test_a_later_card_that_fits_the_new_top_lands_too(self) -> None:
        table = Position(self.TEXT.format("6s"))
        assert table.play(0, "7h", "centre.0") is None
        assert table.play(1, "6s", "centre.0") is None
        assert table.pile("centre.0") == ("8c", "7h", "6s")

    def test_one_that_does_not_goes_back_and_is_told_that_the_pile_changed(self) -> None:
        table = Position(self.TEXT.format("9s"))
        assert table.play(0, "7h", "centre.0") is None
        table.wait(40)
        assert table.play(1, "9s", "centre.0") is Code.PILE_CHANGED
        (missed,) = table.events
        assert missed.kind is Kind.MISSED
        assert (missed.seat, missed.by, missed.late) == (1, 0, 40)
        assert (missed.card, missed.place, missed.pile) == ("9s", "1.stockpile.1", "centre.0")
        assert table.pile("centre.0") == ("8c", "7h")
        assert table.pile("1.stockpile.1") == ("9s",)

    def test_two_quick_plays_on_top_are_a_lost_race_too(self) -> None:
        table = Position("0.stockpile: 7h | 6s | Qc\n 1.stockpile: 9s | Qd\n centre: 8c | Kc")
        table.play(0, "7h", "centre.0")
        table.wait(120)
        table.play(0, "6s", "centre.0")
        table.wait(30)
        outcome = table.judge(Play(1, "9s", "centre.0"), 1)
        assert isinstance(outcome, Decision)
        assert outcome.refusal == Refusal(Code.PILE_CHANGED, by=0, late=150)

    def test_the_refusal_says_who_was_faster_by_how_much(self) -> None:
        table = Position(self.TEXT.format("9s"))
        table.play(0, "7h", "centre.0")
        table.wait(3)
        outcome = table.judge(Play(1, "9s", "centre.0"), 1)
        assert isinstance(outcome, Decision)
        assert outcome.refusal == Refusal(Code.PILE_CHANGED, by=0, late=3)

    def test_a_play_elsewhere_is_never_refused_because_the_game_moved_on(self) -> None:
        table = Position("0.stockpile: 7h | 3c\n 1.stockpile: Qd | 3d\n centre: 8c | Kc")
        assert table.play(0, "7h", "centre.0") is None
        assert table.play(1, "Qd", "centre.1") is None

    def test_what_never_fitted_is_no_lost_race(self) -> None:
        table = Position(self.TEXT.format("5s"))
        table.play(0, "7h", "centre.0")
        assert table.play(1, "5s", "centre.0") is Code.NOT_ADJACENT

    def test_nor_is_what_comes_long_after(self) -> None:
        table = Position(self.TEXT.format("9s"))
        table.play(0, "7h", "centre.0")
        table.wait(table.state.pace.contest + 1)
        assert table.play(1, "9s", "centre.0") is Code.NOT_ADJACENT

    def test_nor_is_what_one_covered_oneself(self) -> None:
        table = Position("0.stockpile: 7h | 9s | Qc\n 1.stockpile: 3s\n centre: 8c | Kc")
        table.play(0, "7h", "centre.0")
        assert table.play(0, "9s", "centre.0") is Code.NOT_ADJACENT
