"""The judge passes what was played, and finds whatever is changed in it."""

import pytest
from msgspec.structs import replace

from games.rules.events import CardMove, Event, Kind
from games.rules.judge import judge
from games.rules.setup import Handling, Options, Setup
from games.rules.state import Cause
from tests.factories import Player, play_match, play_short

SETUPS = [
    Setup("spit"),
    Setup("spit", Options(handling=Handling.BY_HAND)),
    Setup("spit", Options(stockpiles=4, slap=False, alternate=True)),
]
MATCH = play_match(seed=3)


def first(kind: Kind) -> int:
    return next(index for index, event in enumerate(MATCH.events) if event.kind is kind)


def changed(index: int, event: Event) -> list[Event]:
    return [*MATCH.events[:index], event, *MATCH.events[index + 1 :]]


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_what_was_played_is_sound(setup) -> None:
    played = play_match(setup, seed=8)
    verdict = judge(setup, played.events)
    assert verdict.is_sound
    assert verdict.state == played.state
    assert 0 < verdict.decisions < len(played.events)


@pytest.mark.parametrize(
    ("winner", "cause"),
    [
        (0, None),
        (None, None),
        (1, Cause.LEFT),
        (None, Cause.ABANDONED),
        (None, Cause.BROKEN_OFF),
    ],
)
def test_ends_from_outside_are_sound(winner, cause) -> None:
    played = play_short(winner, cause=cause)
    assert judge(played.setup, played.events).faults == []


def test_a_match_without_a_card_played_may_be_aborted() -> None:
    from games.rules.commands import End, Resign

    for command, seat in ((Resign(), 1), (End(Cause.LEFT, 0), None)):
        player = Player()
        player.step()
        assert player.do(command, seat, 500)
        played = player.played()
        assert played.result.cause is Cause.ABORTED
        assert judge(played.setup, played.events).faults == []


def test_the_beginning_of_a_match_is_sound() -> None:
    """Up to the end of any decision; an event in the middle of one would want the next."""
    verdict = judge(MATCH.setup, MATCH.events[:2])
    assert verdict.is_sound
    assert verdict.state.seq == 2
    assert not judge(MATCH.setup, MATCH.events[:1]).is_sound
    assert judge(MATCH.setup, []).is_sound


def test_no_event_but_a_lost_race_can_be_left_out() -> None:
    for index, event in enumerate(MATCH.events[:-1]):
        if event.kind is not Kind.MISSED:
            assert not judge(MATCH.setup, [*MATCH.events[:index], *MATCH.events[index + 1 :]]).is_sound, event


def test_no_event_can_come_twice() -> None:
    for index, event in enumerate(MATCH.events):
        assert not judge(MATCH.setup, [*MATCH.events[: index + 1], *MATCH.events[index:]]).is_sound, event


def test_a_card_that_is_another_is_found() -> None:
    index = first(Kind.PLAYED)
    event = MATCH.events[index]
    card, source, target = event.moves[0]
    other = "Ah" if card != "Ah" else "2h"
    faults = judge(MATCH.setup, changed(index, replace(event, moves=(CardMove(other, source, target),)))).faults
    assert [fault.seq for fault in faults] == [index + 1, index + 1]
    assert "missing, doubled or foreign" in faults[1].text


def test_a_turn_before_its_time_is_found() -> None:
    index = first(Kind.TURNED)
    event = MATCH.events[index]
    assert not judge(MATCH.setup, changed(index, replace(event, at=event.at - 1))).is_sound


def test_time_that_runs_backwards_is_found() -> None:
    index = first(Kind.PLAYED)
    event = MATCH.events[index]
    faults = judge(MATCH.setup, changed(index, replace(event, at=MATCH.events[index - 1].at - 1))).faults
    assert "time runs backwards" in faults[0].text


def test_a_command_with_two_effects_is_found() -> None:
    one, two = [index for index, event in enumerate(MATCH.events) if event.command][:2]
    again = replace(MATCH.events[two], command=MATCH.events[one].command)
    faults = judge(MATCH.setup, changed(two, again)).faults
    assert [fault.seq for fault in faults] == [two + 1]
    assert "had its effect before" in faults[0].text


def test_a_deal_of_other_cards_is_found() -> None:
    event = MATCH.events[0]
    order = event.orders["pack"]
    assert not judge(MATCH.setup, changed(0, replace(event, orders={"pack": (order[1], *order[1:])}))).is_sound


def test_another_winner_is_found() -> None:
    event = MATCH.events[-1]
    result = replace(event.status.result, winner=1 - event.status.result.winner)
    forged = replace(event, status=replace(event.status, result=result))
    assert not judge(MATCH.setup, changed(len(MATCH.events) - 1, forged)).is_sound


def test_another_setup_is_found() -> None:
    assert not judge(SETUPS[1], MATCH.events).is_sound


def test_an_event_that_cannot_be_applied_ends_the_judging() -> None:
    event = Event(Kind.MOVED, 5, 0, moves=(CardMove("Ah", "nowhere", "0.spit"),))
    verdict = judge(MATCH.setup, [*MATCH.events[:2], event, *MATCH.events[2:]])
    assert [fault.seq for fault in verdict.faults] == [3, 3]
    assert verdict.state.seq == 2


def test_an_event_from_nobody_is_found() -> None:
    index = first(Kind.READIED)
    assert not judge(MATCH.setup, changed(index, replace(MATCH.events[index], seat=None))).is_sound
