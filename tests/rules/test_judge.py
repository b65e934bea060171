"""The judge: sound logs it accepts, and every kind of meddling it finds."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from games.rules.commands import End
from games.rules.events import CardMove, Event, Kind
from games.rules.judge import Fault, judge
from games.rules.log import states
from games.rules.registry import BOOKS
from games.rules.setup import Handling, Options, Setup
from games.rules.state import Cause, Phase, Result
from tests.rules.matches import random_match
from tests.rules.positions import Position, dealt

SETUP = Setup("spit", Options(handling=Handling.BY_HAND))
LOG = random_match(SETUP, 5).events


def first(kind: Kind) -> int:
    return next(index for index, event in enumerate(LOG) if event.kind is kind)


def with_event(index: int, **changes: object) -> list[Event]:
    log = list(LOG)
    log[index] = replace(log[index], **changes)
    return log


def test_a_sound_log() -> None:
    verdict = judge(SETUP, LOG)
    assert verdict.is_sound
    assert verdict.state.is_over
    assert 0 < verdict.decisions < len(LOG)


@pytest.mark.parametrize("game", BOOKS)
def test_a_sound_log_of_each_game_by_hand(game: str) -> None:
    setup = Setup(game, Options(handling=Handling.BY_HAND, best_of=3))
    match = random_match(setup, 2)
    assert judge(setup, match.events).is_sound


def test_the_log_of_a_match_that_is_still_played() -> None:
    verdict = judge(SETUP, LOG[:2])
    assert verdict.course == list(states(SETUP, LOG[:2]))
    assert verdict.is_sound
    assert verdict.state.status.phase is Phase.READY


@pytest.mark.parametrize(
    "meddle",
    [
        lambda: with_event(first(Kind.PLAYED), seat=1 - (LOG[first(Kind.PLAYED)].seat or 0)),
        lambda: with_event(first(Kind.PLAYED), at=LOG[first(Kind.PLAYED)].at - 100_000),
        lambda: with_event(first(Kind.TURNED), moves=()),
        lambda: with_event(first(Kind.FLIPPED), moves=()),
        lambda: with_event(first(Kind.MOVED), moves=()),
        lambda: with_event(first(Kind.READIED), seat=None),
        lambda: with_event(first(Kind.READIED), seat=3),
        lambda: with_event(first(Kind.SHUFFLED), orders=None),
        lambda: with_event(first(Kind.PLAYED), moves=()),
        lambda: with_event(first(Kind.PLAYED), seat=None),
        lambda: with_event(-1, status=None),
        lambda: [event for event in LOG if event.kind is not Kind.STUCK],
        lambda: [event for event in LOG if event.kind is not Kind.DEALT],
        lambda: [*LOG, LOG[-1]],
    ],
)
def test_a_log_that_was_meddled_with(meddle: Callable[[], list[Event]]) -> None:
    verdict = judge(SETUP, meddle())
    assert not verdict.is_sound
    assert str(verdict.faults[0]).startswith("event ")


def test_a_card_that_was_exchanged() -> None:
    index = first(Kind.TURNED)
    (move, *others) = LOG[index].moves
    verdict = judge(SETUP, with_event(index, moves=(move._replace(card="2c"), *others)))
    assert verdict.faults[-1].text == "a card is missing, doubled or foreign"


@pytest.mark.parametrize(
    "changes",
    [
        {"orders": {"pack": ("-7h",) * 52}},
        {"orders": {"0.stockpile.1": ("-7h",)}},
        {"orders": {"nowhere": ("-7h",)}},
        {"moves": (("7h", "0.stockpile.1", "centre.0"),)},
        {"moves": (("", "pack", "centre.0"),)},
    ],
)
def test_cards_that_come_from_nowhere(changes: dict[str, object]) -> None:
    """Each of these events can be applied; what it would do to the cards is found."""
    bad = Event(Kind.SHUFFLED, 0, **changes)  # type: ignore[arg-type]
    moved = replace(bad, moves=tuple(CardMove(*move) for move in bad.moves))
    assert judge(SETUP, [moved]).faults[-1].text == "a card is missing, doubled or foreign"


def called_alike(*seats: int) -> list[Event]:
    """The log with one id for the first two commands of these seats."""
    first = [event for event in LOG if event.kind in (Kind.READIED, Kind.PLAYED) and event.seat in seats][:2]
    return [replace(event, command="a1") if event in first else event for event in LOG]


def test_a_command_that_had_its_effect_twice() -> None:
    assert "command a1 had its effect before" in [fault.text for fault in judge(SETUP, called_alike(0)).faults]


def test_an_id_that_both_seats_used() -> None:
    """A browser sees its opponent's ids and may take one: nobody's match is flagged for that."""
    assert judge(SETUP, called_alike(0, 1)).is_sound


def test_a_fault_of_the_log_as_a_whole_names_no_event() -> None:
    assert str(Fault(0, "too short")) == "too short"


def judged(table: Position, log: list[Event]) -> bool:
    verdict = judge(table.setup, log)
    return verdict.is_sound and verdict.state == table.state


def begun() -> tuple[Position, list[Event]]:
    """A match of two-deck Spit with its starters turned, and its log."""
    table = Position(of="two_deck")
    table.now = 0
    log: list[Event] = []
    table.deal()
    log += table.events
    for seat in (0, 1):
        table.ready(seat)
        log += table.events
    table.fall_due()
    return table, log + list(table.events)


def with_a_play() -> tuple[Position, list[Event]]:
    """The same match after its first card, or turns until there is one."""
    table, log = begun()
    while not (legal := [(seat, command) for seat in (0, 1) for command in table.book.legal(table.state, seat)]):
        table.fall_due()
        log += table.events
    seat, command = legal[0]
    table.do(command, seat)
    return table, log + list(table.events)


@pytest.mark.parametrize("make", [begun, with_a_play])
@pytest.mark.parametrize("command", [End(Cause.LEFT, 0), End(Cause.ABANDONED), End(Cause.BROKEN_OFF)])
def test_ends_from_outside(make: Callable[[], tuple[Position, list[Event]]], command: End) -> None:
    table, log = make()
    table.do(command)
    assert judged(table, [*log, *table.events])


@pytest.mark.parametrize("make", [begun, with_a_play])
def test_resignations(make: Callable[[], tuple[Position, list[Event]]]) -> None:
    table, log = make()
    table.resign(1)
    ended = replace(table.events[0], command="a9")
    verdict = judge(table.setup, [*log, ended])
    assert verdict.is_sound
    assert verdict.state.status.result in (Result(0, Cause.RESIGNED), Result(None, Cause.ABORTED))


def test_calling_spit_and_choosing_a_pile() -> None:
    """All that a seat can ask for, in as many matches as it takes to see it."""
    wanted = {Kind.CALLED, Kind.CHOSE, Kind.MISSED, Kind.SLAPPED, Kind.WARNED}
    for seed in range(200):
        match = random_match(Setup("spit"), seed)
        assert judge(match.setup, match.events).is_sound
        wanted -= {event.kind for event in match.events}
        if not wanted:
            return
    raise AssertionError(wanted)


def test_time_running_out() -> None:
    table, log = with_a_play()
    while not table.state.is_over:
        table.fall_due()
        log += table.events
    assert judged(table, log)


def test_a_match_that_has_only_been_dealt() -> None:
    table = dealt("speed")
    assert judged(table, list(table.events))
