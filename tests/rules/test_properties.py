"""What holds in every match: random ones, of every game in every combination of options (group 10)."""

import os
import re
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import Phase as Step
from hypothesis import strategies as st
from msgspec.structs import replace

from games.rules.book import Decision
from games.rules.cards import identities
from games.rules.commands import Deal, Elapse, Play, RoundCommand
from games.rules.evolve import evolve, fold
from games.rules.judge import judge
from games.rules.log import decode_event, encode_event, states
from games.rules.refusals import Code, Refusal
from games.rules.setup import Handling, Options, Setup
from games.rules.state import SEATS, Phase, State
from games.rules.view import Audience, View, is_open, view_event, view_state
from tests.rules.matches import SETUPS, Match, label, random_match
from tests.rules.mirror import Mirror, settled, sorted_moves

matches = st.builds(random_match, st.sampled_from(SETUPS), st.integers(0, 2**32))
a_few = settings(
    max_examples=int(os.environ.get("RULES_EXAMPLES", "12")),
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Step.explicit, Step.reuse, Step.generate],  # A smaller seed is no simpler match.
)

OF_THE_TABLE = {Code.BAD_MESSAGE, Code.NOT_SEATED, Code.TOO_FAST, Code.TROUBLE, Code.GONE}
"""Codes of the live table, not of the rules."""


def replayed(match: Match) -> Iterator[tuple[State, State, int]]:
    """The states before and after each event, and the event's index."""
    after = list(states(match.setup, match.events))
    for index in range(len(match.events)):
        yield after[index], after[index + 1], index


@pytest.mark.parametrize("setup", SETUPS, ids=label)
def test_every_match_ends_in_every_combination_of_options(setup: Setup) -> None:
    final = random_match(setup, 1).final
    assert final.is_over
    assert final.status.result is not None


@a_few
@given(matches)
def test_each_card_is_in_exactly_one_place_after_every_event(match: Match) -> None:
    cards: list[str] | None = None
    for before, after, _ in replayed(match):
        found = sorted(identities(card for pile in after.places.values() for card in pile))
        cards = cards or sorted(identities(card for pile in before.places.values() for card in pile))
        assert found == cards
        assert len(set(found)) == len(found) == (104 if match.setup.game == "two_deck" else 52)


@a_few
@given(matches)
def test_the_state_is_the_fold_of_the_events(match: Match) -> None:
    for step in match.steps:
        if isinstance(step.outcome, Decision):
            assert fold(step.before, step.outcome.events) == step.outcome.state
    assert fold(match.book.start(match.setup), match.events) == match.final
    assert match.final.seq == len(match.events)


@a_few
@given(matches)
def test_the_log_as_text_reads_the_same(match: Match) -> None:
    for event in match.events:
        text = encode_event(event)
        assert decode_event(text) == event
        assert encode_event(decode_event(text)) == text


@a_few
@given(matches)
def test_the_judge_finds_every_log_sound(match: Match) -> None:
    verdict = judge(match.setup, match.events)
    assert verdict.faults == []
    assert verdict.state == match.final


@a_few
@given(matches)
def test_the_mirrored_match_gives_the_mirrored_log(match: Match) -> None:
    mirror = Mirror(match.setup)
    state = match.book.start(match.setup)
    for step in match.steps:
        outcome = match.book.decide(state, mirror.command(step.command), at=step.at, seat=mirror.seat(step.seat))
        if isinstance(step.outcome, Refusal):
            assert outcome == replace(step.outcome, by=mirror.seat(step.outcome.by))
            continue
        assert isinstance(outcome, Decision)
        expected = [sorted_moves(mirror.event(event)) for event in step.outcome.events]
        assert [sorted_moves(event) for event in outcome.events] == expected
        state = outcome.state
        assert settled(state) == settled(mirror.state(step.outcome.state))


def visible_to(audience: Audience, *around: State) -> set[str]:
    """The faces that an audience may see on these tables, read off without the door for secrets."""
    return {
        card
        for state in around
        for name, pile in state.places.items()
        if ".hand." not in name or name[0] == str(int(audience))
        for card in pile
        if card[0] != "-"
    }


def faces(value: object) -> set[str]:
    """Every card that can be read in what is sent, whatever field it is in and whichever way up it lies."""
    return set(re.findall(r'"(-?[A2-9TJQK][cdhs]\'?)"', msgspec.json.encode(value).decode()))


@a_few
@given(matches, st.sampled_from(Audience))
def test_g9_no_frame_shows_a_face_that_its_reader_may_not_see(match: Match, audience: Audience) -> None:
    for before, after, index in replayed(match):
        assert faces(view_event(match.events[index], audience)) <= visible_to(audience, before, after)
        if not after.is_over:
            assert faces(view_state(after, audience)) == visible_to(audience, after)


@a_few
@given(matches, st.sampled_from(Audience))
def test_the_events_that_an_audience_gets_lead_to_the_view_that_it_would_be_sent(
    match: Match, audience: Audience
) -> None:
    start = match.book.start(match.setup)
    shown = replace(start, places=view_state(start, audience).places)
    for _, after, index in replayed(match):
        shown = evolve(shown, view_event(match.events[index], audience))
        if not after.is_over:
            assert View(shown.seq, shown.at, shown.places, shown.status, shown.warned) == view_state(after, audience)


@a_few
@given(matches)
def test_open_events_are_those_that_every_audience_may_see_as_they_are(match: Match) -> None:
    for event in match.events:
        assert is_open(event) is all(view_event(event, audience) == event for audience in Audience)


@a_few
@given(matches)
def test_g9_after_the_match_everything_is_open(match: Match) -> None:
    for audience in Audience:
        assert view_state(match.final, audience).places == match.final.places


@a_few
@given(matches)
def test_time_always_brings_something_and_ends_a_match_that_nobody_plays(match: Match) -> None:
    """`next_due` never stalls: at that moment `Elapse` does something (G7, G8, G11)."""
    book = match.book
    for step in match.steps[:: max(1, len(match.steps) // 5)]:
        state = step.before
        for _ in range(4_000):
            if state.is_over:
                break
            if state.status.phase is Phase.DEALING:
                assert book.next_due(state) is None
                outcome = book.decide(state, Deal(book.to_shuffle(state)), at=state.at)
            else:
                due = book.next_due(state)
                assert due is not None
                outcome = book.decide(state, Elapse(), at=max(state.at, due))
            assert isinstance(outcome, Decision)
            assert outcome.events
            state = outcome.state
        assert state.is_over


@a_few
@given(matches)
def test_before_the_time_it_brings_nothing(match: Match) -> None:
    for step in match.steps:
        due = match.book.next_due(step.before)
        if due is not None and due > step.before.at + 1:
            outcome = match.book.decide(step.before, Elapse(), at=due - 1)
            assert isinstance(outcome, Decision)
            assert outcome.events == ()


@a_few
@given(matches)
def test_commands_of_an_old_round_do_nothing(match: Match) -> None:
    for step in match.steps:
        if isinstance(step.command, RoundCommand) and not step.before.is_over:
            old = replace(step.command, round=step.before.status.round - 1)
            outcome = match.book.decide(step.before, old, at=step.at, seat=step.seat)
            assert outcome == Refusal(Code.OLD_ROUND)
            outcome = match.book.decide(match.final, step.command, at=match.final.at, seat=step.seat)
            assert outcome == Refusal(Code.GAME_OVER)


@a_few
@given(matches)
def test_what_is_legal_is_accepted_and_what_is_refused_is_not_legal(match: Match) -> None:
    for step in match.steps:
        legal = {seat: set(match.book.legal(step.before, seat)) for seat in SEATS}
        if isinstance(step.outcome, Refusal) and step.seat is not None:
            assert step.command not in legal[step.seat]
        for seat in SEATS:
            plays = {(command.card, command.to) for command in legal[seat] if isinstance(command, Play)}
            assert match.book.plays(step.before, seat) == plays
            for command in legal[seat]:
                assert isinstance(match.book.decide(step.before, command, at=step.at, seat=seat), Decision)


def test_each_refusal_can_happen() -> None:
    wanted = set(Code) - OF_THE_TABLE - {Code.GAME_OVER}  # which needs a match that is over: see above
    found = set()
    for seed in range(100):
        for step in random_match(Setup("spit", Options(handling=Handling.BY_HAND)), seed).steps:
            refusal = step.outcome if isinstance(step.outcome, Refusal) else step.outcome.refusal
            if refusal:
                found.add(refusal.code)
        if found == wanted:
            break
    assert found == wanted
