"""What counts as a misplay (`MISPLAYS`): refused for what the hand did, and for nothing else."""

from collections.abc import Callable

import pytest

from games.rules.commands import Play
from games.rules.misplays import RESENT, is_misplay
from games.rules.refusals import MISPLAYS, Code, Refusal
from games.rules.setup import Handling
from games.rules.state import Phase
from tests.rules.positions import Position

TABLE = """
    0.stockpile: -2s Kh | 9c |
    1.stockpile: Qd | 9d
    0.spit: -3s
    1.spit: -4s
    centre: Ac | 5c
"""
ROWS = "0.row: Kh | | 9c\n 1.row: Qd | 9d\n centre: Ac | 5c"


def one_pile() -> Position:
    return Position("0.stockpile: Kh | 9c\n 1.stockpile: 9d\n centre: | Ac", starts=(None, "centre.1"))


def deck_by_hand() -> Position:
    text = "0.row: Kh | | 9c\n 1.row: Qd | 9d\n 0.deck: -2s\n centre: Ac | 5c"
    return Position(text, of="two_deck", handling=Handling.BY_HAND)


@pytest.mark.parametrize(
    ("press", "code"),
    [
        (lambda: Position(TABLE).play(0, "9c", "centre.0"), Code.NOT_ADJACENT),
        (lambda: Position(TABLE, alternate=True).play(0, "Kh", "centre.1"), Code.NOT_ADJACENT),
        (lambda: Position(TABLE).move(0, "Kh", "0.stockpile.2"), Code.PLACE_TAKEN),
        (lambda: deck_by_hand().refill(0, "0.row.1"), Code.PLACE_TAKEN),
        (lambda: one_pile().play(0, "Kh", "centre.0"), Code.NO_SUCH_PLACE),
        (lambda: Position(ROWS, of="two_deck").move(0, "Kh", "0.row.2"), Code.NOT_IN_THIS_MATCH),
        (lambda: Position(TABLE).slap(0, "centre.0"), Code.TOO_EARLY),
    ],
)
def test_the_hand_went_wrong(press: Callable[[], Code | None], code: Code) -> None:
    assert press() is code
    assert code in MISPLAYS


def lost_race() -> Code | None:
    table = Position("0.stockpile: Kh | 4c\n 1.stockpile: 2d | 9d\n centre: Ac | 5c")
    assert table.play(1, "2d", "centre.0") is None
    return table.play(0, "Kh", "centre.0")


def played_twice() -> Code | None:
    table = Position(TABLE)
    assert table.play(0, "Kh", "centre.0") is None
    return table.play(0, "Kh", "centre.0")


def called_twice() -> Code | None:
    table = Position(TABLE)
    assert table.spit(0) is None
    return table.spit(0)


def after_the_end() -> Code | None:
    table = Position(TABLE)
    assert table.resign(1) is None
    return table.play(0, "9c", "centre.0")


@pytest.mark.parametrize(
    ("press", "code"),
    [
        (lost_race, Code.PILE_CHANGED),
        (played_twice, Code.NOT_YOUR_CARD),
        (called_twice, Code.ALREADY),
        (after_the_end, Code.GAME_OVER),
        (lambda: Position(TABLE, round=2).play(0, "9c", "centre.0", number=1), Code.OLD_ROUND),
        (lambda: Position(TABLE, phase=Phase.COUNTDOWN).play(0, "Kh", "centre.0"), Code.NOT_NOW),
        (lambda: Position(TABLE, phase=Phase.SLAP).play(0, "9c", "centre.0"), Code.NOT_NOW),
        (lambda: Position(ROWS, of="two_deck", handling=Handling.BY_HAND).refill(0, "0.row.2"), Code.NOTHING_THERE),
    ],
)
def test_late_doubled_or_beaten_to_it_is_no_misplay(press: Callable[[], Code | None], code: Code) -> None:
    assert press() is code
    assert code not in MISPLAYS


def test_each_reason_is_one_or_the_other() -> None:
    """A new code has to be decided on."""
    innocent = {
        Code.BAD_MESSAGE, Code.NOT_SEATED, Code.TOO_FAST, Code.TROUBLE, Code.GAME_OVER, Code.OLD_ROUND, Code.NOT_NOW,
        Code.ALREADY, Code.GONE, Code.NOT_YOUR_CARD, Code.PILE_CHANGED, Code.NOTHING_THERE,
    }  # fmt: skip
    assert innocent | MISPLAYS == set(Code)
    assert not innocent & MISPLAYS


def counts(table: Position, card: str, pile: str, came_at: int | None = None) -> bool:
    """Whether that play of seat 0 is refused as one that does not fit, and counts."""
    press = Play(1, card, pile)
    refusal = table.judge(press, 0)
    assert isinstance(refusal, Refusal)
    assert refusal.code is Code.NOT_ADJACENT
    return is_misplay(table.book, table.state, press, refusal, at=table.now, came_at=came_at)


def long_ago() -> Position:
    """Kh fitted Ac, which the other seat has covered, longer ago than a race lasts."""
    table = Position("0.stockpile: Kh | 8c | 4c\n 1.stockpile: 2d | 9d\n centre: Ac | 5c")
    assert table.play(1, "2d", "centre.0") is None
    table.wait(table.state.pace.contest + 1)
    return table


def test_what_was_pressed_while_the_line_was_broken() -> None:
    table = long_ago()
    assert counts(table, "Kh", "centre.0")
    assert counts(table, "Kh", "centre.0", came_at=table.now - RESENT - 1)
    assert not counts(table, "Kh", "centre.0", came_at=table.now - RESENT)
    assert counts(table, "8c", "centre.0", came_at=table.now), "it never fitted"
    assert counts(table, "Kh", "centre.1", came_at=table.now), "nothing was covered there"


def just_turned() -> Position:
    """Both have called: what Kh fitted is covered by the other's 4s, what 8c fits by one's own 3s."""
    table = Position(
        "0.stockpile: Kh | 8c\n 1.stockpile: 9d | 5d\n 0.spit: -2h -3s\n 1.spit: -2c -4s\n centre: Qc | Qd"
    )
    assert table.spit(0, 1) is None
    return table


def test_what_a_turn_overtook() -> None:
    table = just_turned()
    for pile in ("centre.0", "centre.1"):
        assert not counts(table, "Kh", pile)
        assert counts(table, "8c", pile), "it never fitted"
    assert table.play(1, "5d", "centre.1") is None
    assert not counts(table, "Kh", "centre.1"), "covered again since"
    table.wait(table.state.pace.contest + 1)
    assert counts(table, "Kh", "centre.1")
