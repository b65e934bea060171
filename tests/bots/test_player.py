"""One player at one table: what it answers, and when."""

import json
import random

import pytest

from games.bots.choice import SEARCHES
from games.bots.levels import LEVELS, level_of
from games.bots.player import Player
from games.bots.sight import read_frame
from games.rules.events import Kind
from games.rules.setup import Options, Setup
from games.rules.state import Phase
from tests.bots.referee import Referee

SPIT = Setup("spit")
JOKER = level_of("joker")


def until(referee: Referee, phase: Phase) -> Referee:
    while referee.state.status.phase is not phase:
        referee.step()
    return referee


def hear(player: Player, now: int, /, **frame: object) -> list[dict]:
    message = read_frame(json.dumps(frame))
    assert message is not None
    return [json.loads(reply) for reply in player.hear(message, now)]


def act(player: Player) -> list[dict]:
    assert player.next_at is not None
    return [json.loads(message) for message in player.act(player.next_at)]


def test_it_is_ready_after_a_look_at_the_cards() -> None:
    referee = until(Referee(SPIT, (JOKER, JOKER)), Phase.READY)
    player = referee.players[0]
    assert player.next_at - referee.now >= 400
    (said,) = act(player)
    assert (said["t"], said["round"]) == ("ready", 1)


def test_it_answers_a_ping_at_once_and_goes_on_thinking() -> None:
    referee = until(Referee(SPIT, (JOKER, JOKER)), Phase.PLAYING)
    player = referee.players[0]
    due = player.next_at
    assert hear(player, referee.now, t="ping", n=7) == [{"t": "pong", "n": 7}]
    assert player.next_at == due


def test_it_ignores_what_means_nothing_to_a_player() -> None:
    assert read_frame('{"t":"presence","seats":[],"watchers":3}') is None
    assert read_frame('{"t":"something of next year"}') is None


def test_it_asks_for_the_state_when_events_are_missing() -> None:
    referee = until(Referee(SPIT, (JOKER, JOKER)), Phase.PLAYING)
    event = {"kind": "called", "at": referee.now, "seat": 1}
    player = referee.players[0]
    assert hear(player, referee.now, t="events", seq=referee.state.seq + 2, now=0, events=[event]) == [{"t": "resync"}]


def test_it_passes_over_events_that_it_knows() -> None:
    referee = until(Referee(SPIT, (JOKER, JOKER)), Phase.PLAYING)
    player = referee.players[0]
    before = player.sight.state
    assert hear(player, referee.now, **json.loads(referee.frames[0][-1])) == []
    assert player.sight.state == before


def test_no_command_id_comes_twice_not_even_after_a_restart() -> None:
    referee = Referee(SPIT, (JOKER, JOKER)).play()
    ids = [event.command for event in referee.events if event.command]
    assert len(set(ids)) == len(ids)
    first, second = (until(Referee(SPIT, (JOKER, JOKER)), Phase.READY) for _ in range(2))
    second.replace(0, Player(JOKER, 0, random.Random()))
    assert act(first.players[0])[0]["id"] != act(second.players[0])[0]["id"]


@pytest.mark.parametrize("seed", range(5))
def test_it_slaps_the_smaller_pile(seed) -> None:
    referee = until(Referee(SPIT, (JOKER, JOKER), seed), Phase.SLAP)
    sizes = {pile: len(referee.state.places[pile]) for pile in ("centre.0", "centre.1")}
    for player in referee.players:
        (said,) = act(player)
        assert said["t"] == "slap"
        assert sizes[said["pile"]] == min(sizes.values())


def test_without_the_slap_only_the_chooser_chooses() -> None:
    referee = until(Referee(Setup("spit", Options(slap=False)), (JOKER, JOKER)), Phase.SLAP)
    chooser = referee.state.status.chooser
    assert referee.players[1 - chooser].next_at is None
    (said,) = act(referee.players[chooser])
    assert said["t"] == "choose"


def test_who_spits_alone_chooses_the_pile_once() -> None:
    logs = (Referee(SPIT, (JOKER, JOKER), seed).play().events for seed in range(40))
    log = next(log for log in logs if any(event.kind is Kind.CHOSE for event in log))
    index = next(index for index, event in enumerate(log) if event.kind is Kind.CHOSE)
    assert log[index].pile in ("centre.0", "centre.1")
    # The turn comes next: it does not choose again, and nobody waits for it.
    following = [event.kind for event in log[index + 1 : index + 4]]
    assert Kind.TURNED in following
    assert Kind.CHOSE not in following


def test_it_accepts_a_rematch_once_after_the_end() -> None:
    referee = Referee(SPIT, (JOKER, JOKER)).play()
    player = referee.players[1]
    assert player.next_at is None
    hear(player, referee.now, t="rematch", offered_by=1, url=None)
    assert player.next_at is None
    hear(player, referee.now, t="rematch", offered_by=0, url=None)
    (said,) = act(player)
    assert said["t"] == "rematch"
    hear(player, referee.now, t="rematch", offered_by=0, url="/match/next/")
    assert player.next_at is None


def test_a_warning_opens_its_eyes() -> None:
    """Even a beginner acts on a warning, long before it would lose (G8)."""
    for seed in range(6):
        referee = until(Referee(SPIT, (LEVELS[0], LEVELS[0]), seed), Phase.PLAYING)
        seat = next((seat for seat in (0, 1) if referee.book.is_able(referee.state, seat)), None)
        assert seat is not None
        player = referee.players[seat]
        warning = {"kind": "warned", "at": referee.now, "seat": seat}
        hear(player, referee.now, t="events", seq=referee.state.seq + 1, now=referee.now, events=[warning])
        assert player._effort == SEARCHES
        looked = player.next_at
        assert looked - referee.now < 6_000
        act(player)
        assert player.next_at is not None
        assert act(player)[0]["t"] in ("play", "move")


def test_it_agrees_to_a_turn_when_it_finds_nothing() -> None:
    """The other seat, which could play, calls for the turn instead (G6)."""
    for seed in range(60):
        referee = until(Referee(SPIT, (JOKER, JOKER), seed), Phase.PLAYING)
        able = [referee.book.is_able(referee.state, seat) for seat in (0, 1)]
        if able == [True, False]:
            break
    else:
        raise AssertionError("no such table")
    player = referee.players[1]
    while player.next_at is not None:
        assert act(player) == []
    referee.receive(0, f'{{"t":"spit","id":"mine","round":{referee.state.status.round}}}')
    said: list[dict] = []
    while player.next_at is not None and not said:
        said = act(player)
    assert [message["t"] for message in said] == ["spit"]


def test_a_refusal_makes_it_look_again() -> None:
    referee = until(Referee(SPIT, (JOKER, JOKER), 2), Phase.PLAYING)
    player = next(player for player in referee.players if referee.book.is_able(referee.state, player.seat))
    said: list[dict] = []
    while not said:
        said = act(player)
    waits = player.next_at
    hear(player, waits - 1_900, t="refused", id=said[0]["id"], code="pile_changed", by=1, late=20)
    assert player.next_at < waits
