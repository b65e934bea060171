"""Signs that a program plays: pointed at where they are, and nowhere else."""

import json
import zlib
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from games.models import End, Seat
from games.rules.events import Kind
from replays.build import build
from replays.format import decode_course
from replays.suspects import ENOUGH_CARDS, ENOUGH_CONTESTS, ENOUGH_GAPS, ENOUGH_TURNS, Habits, habits_of
from tests.factories import make_user, play_match, store_match

pytestmark = pytest.mark.django_db


class TestSigns:
    def test_few_matches_are_no_sign(self) -> None:
        few = Habits(matches=1, cards=ENOUGH_CARDS - 1, reactions=[50] * (ENOUGH_TURNS - 1), gaps=[300] * 10)
        assert (few.quick, few.spread, few.slips_per_card, few.signs) == (None, None, None, [])

    def test_a_program(self) -> None:
        script = Habits(cards=400, slips=0, contests=60, reactions=[60] * ENOUGH_TURNS, gaps=[100, 101] * ENOUGH_GAPS)
        assert script.signs == ["quick", "even", "flawless"]

    def test_a_human(self) -> None:
        human = Habits(
            cards=400,
            slips=30,
            contests=60,
            reactions=[100, *[320] * ENOUGH_TURNS],
            gaps=[200, 260, 310, 420, 900] * ENOUGH_GAPS,
        )
        assert human.signs == []

    def test_whom_nobody_contests_a_card_has_no_chance_to_slip(self) -> None:
        assert Habits(cards=400, slips=0, contests=ENOUGH_CONTESTS - 1).signs == []
        assert Habits(cards=400, slips=0, contests=ENOUGH_CONTESTS).signs == ["flawless"]

    def test_whose_presses_are_refused_now_and_then_is_not_flawless(self) -> None:
        assert Habits(cards=400, contests=60, watched=400, misplays=3).signs == []
        assert Habits(cards=400, contests=60, watched=400, misplays=0).signs == ["flawless"]

    def test_who_is_late_now_and_then_is_not_flawless_however_few_presses_are_refused(self) -> None:
        assert Habits(cards=400, slips=20, contests=60, watched=400, misplays=0).signs == []

    def test_where_misplays_are_not_known_for_enough_cards_the_slips_have_to_do(self) -> None:
        few = Habits(cards=400, contests=60, watched=ENOUGH_CARDS - 1, misplays=100)
        assert few.misplays_per_card is few.misplays_per_hundred is None
        assert few.signs == ["flawless"]

    def test_waiting_is_no_unevenness(self) -> None:
        """A program that has to wait for its opponent now and then has an even hand all the same."""
        assert "even" in Habits(gaps=[*[100, 101] * ENOUGH_GAPS, *[1200] * 40]).signs


def test_read_from_the_last_replays_of_a_person() -> None:
    ann, ben = make_user("ann"), make_user("ben")
    for seed in range(3):
        build(store_match(play_match(seed=seed), ann, ben))
    habits = habits_of([ann.pk, ben.pk], last=2)
    assert [habits[person.pk].matches for person in (ann, ben)] == [2, 2]
    assert habits[ann.pk].cards > 20
    assert habits[ann.pk].gaps
    # Twenty of these cards are so many events.
    course = decode_course(zlib.decompress(build(store_match(play_match(seed=9), ann, ben)).course))
    one = Habits()
    one.add(course, 0)
    assert one.cards == sum(event.kind is Kind.PLAYED and event.seat == 0 for event in course.events)
    assert one.contests == sum(event.kind is Kind.MISSED for event in course.events) > 0


def test_misplays_are_for_the_cards_of_the_matches_in_which_they_were_counted() -> None:
    ann, ben = make_user("ann"), make_user("ben")
    build(store_match(play_match(seed=1), ann, ben, misplays=(2, 5)))
    build(store_match(play_match(seed=2), ben, ann, misplays=(1, 3)))
    known = habits_of([ann.pk])[ann.pk]
    assert (known.misplays, known.watched) == (5, known.cards)
    build(store_match(play_match(seed=3), ann, ben))
    habits = habits_of([ann.pk, ben.pk])
    assert [habits[person.pk].misplays for person in (ann, ben)] == [5, 6]
    assert habits[ann.pk].watched == known.cards < habits[ann.pk].cards


@pytest.mark.django_db(transaction=True)
def test_simulated_players_are_read_with_their_misplays(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("simulate_suspects", people=1, matches=1, seed=1, against=["five"])
    *kinds, last = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in kinds] == list(json.loads(last)["kinds"])
    assert all("misplays" in line for line in kinds)
    assert set(Seat.objects.filter(number=1).values_list("bot", flat=True)) == {"five"}
    counted = [end.misplays for end in End.objects.all()]
    assert len(counted) == len(kinds)
    assert all(misplays is not None for misplays in counted)
    assert any(sum(misplays or ()) for misplays in counted)


def test_the_page_shows_those_who_are_reported_for_cheating(client: Client, boss: Any) -> None:
    from games.moderation.models import Report

    ann, ben = make_user("ann"), make_user("ben")
    build(store_match(play_match(seed=1), ann, ben))
    Report.objects.create(reporter=ben, about=ann, place="profile", reason="cheating")
    client.force_login(boss, backend="django.contrib.auth.backends.ModelBackend")
    page = client.get("/admin/replays/replay/suspects/").content.decode()
    assert "ann" in page
    assert ">ben<" not in page
    assert ">ben<" in client.get("/admin/replays/replay/suspects/?q=BE").content.decode()
    assert "Nobody." in client.get("/admin/replays/replay/suspects/?q=%00zz").content.decode()


def test_the_page_has_a_column_for_misplays(client: Client, boss: Any) -> None:
    ann, ben = make_user("ann"), make_user("ben")
    for seed in range(8):
        build(store_match(play_match(seed=seed), ann, ben, misplays=(4, 0)))
    client.force_login(boss, backend="django.contrib.auth.backends.ModelBackend")
    page = client.get("/admin/replays/replay/suspects/?q=ann").content.decode()
    habits = habits_of([ann.pk])[ann.pk]
    assert habits.misplays_per_hundred is not None
    assert f'<td class="work-number">{habits.misplays_per_hundred:.2f}</td>' in page
