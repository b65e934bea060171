"""Nothing hidden leaves: every frame of random matches, to every audience, of every game."""

import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.live.frames import events_frames, state_frame
from games.live.match_info import MatchInfo
from games.live.protocol import PresenceBody, SeatPresence
from games.people import Person
from games.rules import commands
from games.rules.cards import BACK, face_up
from games.rules.events import Event
from games.rules.log import encode_event
from games.rules.registry import BOOKS, book_of
from games.rules.setup import Setup
from games.rules.state import Phase, State
from games.rules.view import Audience, is_open, view_event
from games.shuffling import RandomDealer

PRESENCE = PresenceBody((SeatPresence(True, None, None), SeatPresence(True, None, None)), 0)


def play_randomly(game: str, seed: int, steps: int) -> list[tuple[State, tuple[Event, ...], State]]:
    """Decisions of a random match: the state before, the events, the state after."""
    book = book_of(game)
    state = book.start(Setup(game))
    chance = random.Random(seed)
    dealer = RandomDealer(seed)
    at = 0
    steps_made = []
    for _ in range(steps):
        at += chance.randrange(500)
        status = state.status
        seat: int | None = chance.randrange(2)
        command: commands.Command
        match status.phase:
            case Phase.DEALING:
                command, seat = commands.Deal(dealer.shuffle(book.to_shuffle(state))), None
            case Phase.READY:
                command = commands.Ready(status.round)
            case Phase.PLAYING:
                legal = list(book.legal(state, seat or 0))
                command = chance.choice(legal) if legal else commands.Spit(status.round)
            case Phase.SLAP:
                command = commands.Slap(status.round, "centre.0")
            case Phase.OVER:
                break
            case _:
                at = max(at, status.due or 0)
                command, seat = commands.Elapse(), None
        decision = book.decide(state, command, at=at, seat=seat, command_id=f"c{at}")
        if hasattr(decision, "state"):
            steps_made.append((state, decision.events, decision.state))
            state = decision.state
    return steps_made


def faces(value: Any) -> list[str]:
    """All strings in a message that are cards with a face."""
    if isinstance(value, str):
        card = value.removeprefix(BACK)
        return [value] if 2 <= len(card) <= 3 and card[0] in "A23456789TJQK" and card[1] in "cdhs" else []
    if isinstance(value, dict):
        return [face for inner in value.values() for face in faces(inner)]
    if isinstance(value, list):
        return [face for inner in value for face in faces(inner)]
    return []


def known(state: State, audience: Audience) -> set[str]:
    """The cards whose faces lie open to the audience."""
    return {
        card
        for name, pile in state.places.items()
        for card in pile
        if card[0] != BACK and (".hand" not in name or name.startswith(f"{audience.value}."))
    }


@pytest.mark.parametrize("game", list(BOOKS))
@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32))
def test_no_audience_is_sent_a_hidden_face(game: str, seed: int) -> None:
    info = MatchInfo("aaaaaaaa", 1, Setup(game), False, tuple(Person("x", n) for n in (0, 1)))
    seq = 0
    for before, events, after in play_randomly(game, seed, 150):
        frames = events_frames(seq + 1, events, [encode_event(event) for event in events], 0)
        seq += len(events)
        for audience in Audience:
            # A card shows its face in an event only if it was open before, or is after, or was in between.
            open_between = known(before, audience) | known(after, audience)
            state = before
            for event in events:
                from games.rules.evolve import evolve

                state = evolve(state, event)
                open_between |= known(state, audience)
            for face in faces(json.loads(frames[audience])["events"]):
                assert face in open_between, (face, events)
            if after.is_over:
                continue
            seat = None if audience is Audience.WATCHERS else audience.value
            for face in faces(json.loads(state_frame(info, after, seat, PRESENCE, 0))["view"]):
                assert face in known(after, audience)
                assert face == face_up(face)


@pytest.mark.parametrize("game", list(BOOKS))
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_what_is_called_open_is_open_to_all(game: str, seed: int) -> None:
    for _, events, _ in play_randomly(game, seed, 150):
        for event in events:
            if is_open(event):
                assert all(view_event(event, audience) is event for audience in Audience)
