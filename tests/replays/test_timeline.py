"""Keyframes and states of a replay."""

from itertools import islice

import pytest

from games.rules.evolve import evolve
from games.rules.log import states
from games.rules.setup import Options, Setup
from replays.timeline import EVERY, keyframes, open_view, state_at
from tests.factories import play_match


@pytest.fixture(scope="module", params=[Options(), Options(stockpiles=4, slap=False, alternate=True)])
def played(request: pytest.FixtureRequest) -> object:
    return play_match(Setup("spit", request.param), seed=3, pace=(500, 520))


def test_keyframes_are_the_states_at_their_numbers(played) -> None:
    course = list(states(played.setup, played.events))
    frames = list(keyframes(course))
    assert [frame.seq for frame in frames] == list(range(0, len(course), EVERY))
    assert len(frames) > 1
    for frame in frames:
        assert frame == open_view(course[frame.seq])


def test_going_on_from_a_keyframe_leads_to_the_same_end(played) -> None:
    course = list(states(played.setup, played.events))
    state = course[EVERY]
    for event in islice(played.events, EVERY, None):
        state = evolve(state, event)
    assert state == course[-1]


def test_a_view_hides_nothing_and_adds_nothing(played) -> None:
    view = open_view(played.state)
    assert view.places == played.state.places
    assert (view.seq, view.at, view.status) == (played.state.seq, played.state.at, played.state.status)
    assert "-" not in {card for pile in view.places.values() for card in pile}


@pytest.mark.parametrize(("asked", "given"), [(-1, 0), (0, 0), (1, 1), (57, 57), (999_999, None)])
def test_state_at_clamps(played, asked: int, given: int | None) -> None:
    course = list(states(played.setup, played.events))
    assert state_at(played.setup, played.events, asked) == course[-1 if given is None else given]
