"""Events as text, and logs that cannot be so."""

import pytest

from games.rules.cards import face_down, face_up, is_face_down
from games.rules.events import CardMove, Event, Kind
from games.rules.evolve import evolve
from games.rules.log import BadLog, decode_event, encode_event, states
from games.rules.places import Place, Role
from games.rules.registry import BOOKS
from games.rules.setup import Setup
from tests.rules.matches import SETUPS, random_match
from tests.rules.positions import dealt


def test_an_event_is_short_and_says_only_what_it_has_to() -> None:
    event = Event(Kind.PLAYED, 1200, 0, (CardMove("7h", "0.stockpile.1", "centre.0"),), command="a1")
    text = encode_event(event)
    assert text == '{"kind":"played","at":1200,"seat":0,"moves":[["7h","0.stockpile.1","centre.0"]],"command":"a1"}'
    assert decode_event(text) == event


def test_events_written_before_a_field_was_added_can_be_read() -> None:
    old = '{"kind":"stuck","at":5,"status":{"phase":"stuck","round":2,"since":5,"due":9}}'
    status = decode_event(old).status
    assert status is not None
    assert (status.game, status.score, status.began) == (1, (0, 0), 0)


@pytest.mark.parametrize("text", ["", "{", '{"at":1}', '{"kind":"flew","at":1}', '{"kind":"played","at":"x"}'])
def test_what_cannot_be_read_says_so(text: str) -> None:
    with pytest.raises(BadLog):
        decode_event(text)


def test_nor_can_a_version_of_the_future() -> None:
    with pytest.raises(BadLog, match="newer"):
        decode_event('{"kind":"stuck","at":1}', version=2)


def test_a_play_needs_a_seat() -> None:
    table = dealt()
    event = Event(Kind.PLAYED, 1, None, (CardMove(table.top("0.stockpile.1"), "0.stockpile.1", "centre.0"),))
    with pytest.raises(ValueError, match="without a seat"):
        evolve(table.state, event)


def test_states_are_the_one_before_the_first_event_and_one_after_each() -> None:
    match = random_match(SETUPS[0], 1)
    found = list(states(match.setup, match.events))
    assert len(found) == len(match.events) + 1
    assert found[0] == match.book.start(match.setup)
    assert found[-1] == match.final


@pytest.mark.parametrize("game", BOOKS)
def test_places_have_names_and_names_have_places(game: str) -> None:
    for place in BOOKS[game].places(Setup(game)):
        assert Place.parse(place.name) == place
        assert place.private is (place.role is Role.HAND)
    assert set(BOOKS[game].start(Setup(game)).places) == {place.name for place in BOOKS[game].places(Setup(game))}


@pytest.mark.parametrize("name", ["", "hat", "0.hat.1", "0.row.1.2", "0.row.x"])
def test_other_names_have_none(name: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - an enumeration's own or ours: both say what is wrong
        Place.parse(name)


def test_a_card_says_how_it_lies() -> None:
    assert is_face_down("-7h")
    assert is_face_down("-")
    assert not is_face_down("7h'")
    assert face_down("7h'") == face_down("-7h'") == "-7h'"


def test_turning_up_a_card_that_lies_face_up_changes_nothing() -> None:
    assert face_up("7h") == "7h"
