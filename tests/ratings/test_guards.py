"""What two people can move between themselves (R3), and what moderators are shown (R4)."""

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.models import End, Match, MatchFlag, Rating, RatingChange, RatingProgress, Seat
from games.moderation import measures
from games.ratings import recount as recount_module
from games.ratings import services
from games.ratings.guards import CAP, EARLY, FREE, HOUR, SHORT, Meeting, Meetings, Pair, may_rate, signs
from games.ratings.recount import recount
from games.ratings.services import rate_pending
from games.rules.state import Cause
from tests.factories import make_user

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def ended(
    one: Any,
    other: Any,
    at: datetime = NOW,
    winner: int | None = 0,
    length: int = 240_000,
    cause: Cause = Cause.OUT_OF_CARDS,
    game: str = "spit",
) -> Match:
    """A rated match that ended then."""
    match = Match.objects.create(game=game, rated=True, state=Match.State.OVER)
    Seat.objects.bulk_create(Seat(match=match, number=number, user=user) for number, user in enumerate((one, other)))
    End.objects.create(match=match, winner=winner, cause=cause.value, events=9, at=length, ended_at=at)
    return match


def short(one: Any, other: Any, at: datetime = NOW, length: int = SHORT - 1) -> Match:
    """One that was given up at once."""
    return ended(one, other, at, 0, length, Cause.RESIGNED)


def rated(*matches: Match) -> list[bool]:
    """Which of these moved ratings."""
    ids = set(RatingChange.objects.values_list("seat__match_id", flat=True))
    return [match.pk in ids for match in matches]


def flags() -> list[tuple[int, str]]:
    return list(MatchFlag.objects.order_by("end", "reason").values_list("end__match_id", "reason"))


def meeting(minute: float, winner: int | None = 0, length: int = 240_000, **fields: Any) -> Meeting:
    values = {"gave_up": False, "gains": (10.0, -10.0), **fields}
    return Meeting(0, NOW + minute * MINUTE, length, winner, **values)


class TestMayRate:
    def test_three_are_free(self) -> None:
        earlier = [meeting(minute, gains=(20.0, -20.0)) for minute in range(FREE - 1)]
        assert may_rate(earlier, NOW, (20.0, -20.0))

    def test_then_up_to_the_cap(self) -> None:
        earlier = [meeting(minute) for minute in range(FREE)]
        assert may_rate(earlier, NOW + 5 * MINUTE, (10.0, -10.0))
        assert not may_rate(earlier, NOW + 5 * MINUTE, (10.1, -10.1))

    def test_what_goes_back_is_rated(self) -> None:
        earlier = [meeting(minute, gains=(20.0, -20.0)) for minute in range(FREE)]
        assert not may_rate(earlier, NOW, (1.0, -1.0))
        assert may_rate(earlier, NOW, (-20.0, 20.0))

    def test_after_an_hour_all_is_new(self) -> None:
        earlier = [meeting(0, gains=(20.0, -20.0)) for _ in range(FREE)]
        assert not may_rate(earlier, NOW + HOUR - MINUTE, (10.0, -10.0))
        assert may_rate(earlier, NOW + HOUR, (10.0, -10.0))

    def test_unrated_ones_count_for_nothing(self) -> None:
        earlier = [*(meeting(minute, gains=None) for minute in range(9)), meeting(9)]
        assert may_rate(earlier, NOW, (40.0, -40.0))

    @given(st.lists(st.tuples(st.floats(0, 120), st.floats(-40, 40)), max_size=40))
    def test_nobody_wins_more_than_the_cap_but_by_the_free_ones(self, played: list[tuple[float, float]]) -> None:
        earlier: list[Meeting] = []
        for minute, gain in sorted(played):
            at = NOW + minute * MINUTE
            gains = (gain, -gain)
            inside = [one.gains[0] for one in earlier if at - one.at < HOUR and one.gains]
            if may_rate(earlier, at, gains):
                if len(inside) >= FREE and gain:
                    assert (sum(inside) + gain) * (1 if gain > 0 else -1) <= CAP + 1e-9
                earlier.append(Meeting(0, at, 240_000, 0, False, gains))
            else:
                assert len(inside) >= FREE
                earlier.append(Meeting(0, at, 240_000, 0, False, None))


class TestSigns:
    def test_an_ordinary_match_has_none(self) -> None:
        assert signs([meeting(minute) for minute in range(9)], meeting(10)) == []

    def test_a_short_one(self) -> None:
        assert signs([], meeting(0, length=SHORT - 1)) == ["short"]
        assert signs([], meeting(0, length=SHORT)) == []

    def test_giving_up_again_and_again_is_flagged_at_each_doubling(self) -> None:
        earlier: list[Meeting] = []
        found = []
        for number in range(1, 13):
            last = meeting(number, length=EARLY - 1, gave_up=True)
            if "gives_up" in signs(earlier, last):
                found.append(number)
            earlier.append(last)
        assert found == [3, 6, 12]

    def test_the_other_side_giving_up_is_counted_apart(self) -> None:
        given = [meeting(number, winner=number % 2, length=EARLY - 1, gave_up=True) for number in range(3)]
        assert "gives_up" not in signs(given[:2], given[2])

    def test_late_resignations_are_ordinary(self) -> None:
        given = [meeting(number, length=EARLY, gave_up=True) for number in range(6)]
        assert signs(given[:5], given[5]) == []

    def test_winning_in_turn_in_very_short_matches(self) -> None:
        turns = [meeting(number, winner=number % 2, length=EARLY - 1) for number in range(4)]
        assert signs(turns[:3], turns[3]) == ["turns"]
        assert signs(turns[1:3], turns[3]) == []
        assert signs([*turns[:2], meeting(2)], turns[3]) == []

    def test_yesterday_does_not_count(self) -> None:
        turns = [meeting(number * 24 * 60, winner=number % 2, length=EARLY - 1) for number in range(4)]
        assert signs(turns[:3], turns[3]) == []


class TestMeetings:
    def test_forgets_what_is_over(self) -> None:
        meetings, pair, other = Meetings(), Pair(1, 2, "spit"), Pair(1, 3, "spit")
        for minute, which in ((0, pair), (1, other), (2, pair)):
            meetings.add(which, meeting(minute))
        meetings.forget(NOW + 2 * MINUTE)
        assert [one.at for one in meetings[pair]] == [NOW + 2 * MINUTE]
        assert meetings[other] == ()


@pytest.mark.django_db
class TestRating:
    def test_r3_three_and_then_the_cap(self) -> None:
        ann, ben = make_user(), make_user()
        matches = [ended(ann, ben, NOW + minute * MINUTE) for minute in range(5)]
        back = ended(ann, ben, NOW + 6 * MINUTE, winner=1)
        later = ended(ann, ben, NOW + 70 * MINUTE)
        assert rate_pending() == 5
        assert rated(*matches, back, later) == [True, True, True, False, False, True, True]
        assert Rating.objects.get(user=ann).matches == 5
        assert recount(repair=False).is_equal

    def test_r3_is_for_each_pair_and_game(self) -> None:
        ann, ben, eve = make_user(), make_user(), make_user()
        for minute in range(4):
            ended(ann, ben, NOW + minute * MINUTE)
        other = ended(ann, eve, NOW + 5 * MINUTE)
        game = ended(ann, ben, NOW + 5 * MINUTE, game="speed")
        rate_pending()
        assert rated(other, game) == [True, True]

    def test_r3_whichever_seat_they_take(self) -> None:
        ann, ben = make_user(), make_user()
        seats = [(ann, ben, 0), (ben, ann, 1)]
        matches = []
        for number in range(5):
            one, other, winner = seats[number % 2]
            matches.append(ended(one, other, NOW + number * MINUTE, winner))
        rate_pending()
        assert rated(*matches) == [True, True, True, False, False]

    def test_r4_flags_with_a_reason_and_rates_all_the_same(self) -> None:
        ann, ben = make_user(), make_user()
        gave_up = [short(ann, ben, NOW + minute * MINUTE, EARLY - 1) for minute in range(3)]
        assert rate_pending() == 3
        assert flags() == [(gave_up[2].pk, "gives_up")]

    def test_r4_a_short_match(self) -> None:
        match = short(make_user(), make_user())
        assert rate_pending() == 1
        assert flags() == [(match.pk, "short")]

    def test_a_settled_flag_stays_settled(self) -> None:
        short(make_user(), make_user())
        rate_pending()
        MatchFlag.objects.update(settled_at=NOW)
        RatingProgress.objects.update(last_end=0)
        RatingChange.objects.all().delete()
        Rating.objects.all().delete()
        rate_pending()
        recount(repair=True)
        assert MatchFlag.objects.get().settled_at == NOW

    def test_a_recount_finds_flags_that_are_missing(self) -> None:
        short(make_user(), make_user())
        rate_pending()
        MatchFlag.objects.all().delete()
        assert not recount(repair=False).is_equal
        assert recount(repair=True).differences == 1
        assert recount(repair=False).is_equal
        assert MatchFlag.objects.count() == 1

    @pytest.mark.parametrize("is_counted_again", [True, False])
    @pytest.mark.parametrize(
        ("winners", "bad"),
        [
            pytest.param((0, 1, 1, 0, 1), 2, id="in turn, but for the one that does not count"),
            pytest.param((0, 1, 0, 1), 1, id="in turn no more"),
            pytest.param((0, 0, 0, 0), 0, id="three of four count"),
            pytest.param((1, 0, 0, 0, 0), 0, id="nothing was won back"),
        ],
    )
    def test_what_was_voided_is_no_earlier_match(
        self, winners: tuple[int, ...], bad: int, is_counted_again: bool
    ) -> None:
        """Whether a recount comes first, or the next match is rated first: that and all recounts come to the same."""
        ann, ben, boss = make_user(), make_user(), make_user()
        *earlier, last = [(NOW + number * MINUTE, winner) for number, winner in enumerate(winners)]
        matches = [ended(ann, ben, at, winner, EARLY - 1) for at, winner in earlier]
        rate_pending()
        measures.void(boss, matches[bad], "for a test")
        if is_counted_again:
            recount(repair=True)
            # What nobody can take back: a flag that was right before.
            MatchFlag.objects.all().delete()
            recount(repair=True)
        ended(ann, ben, *last, EARLY - 1)
        rate_pending()
        if is_counted_again:
            found = recount(repair=False)
            assert found.is_equal, found.examples
        else:
            rows = flags()
            recount(repair=True)
            assert flags() == rows

    def test_a_recount_takes_back_what_was_rated_too_much(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """As after this rule came: what had been rated before it is counted anew."""
        ann, ben = make_user(), make_user()
        for minute in range(6):
            ended(ann, ben, NOW + minute * MINUTE)
        with monkeypatch.context() as patch:
            patch.setattr("games.ratings.ledger.may_rate", lambda *_: True)
            assert rate_pending() == 6
        assert recount(repair=True).differences > 0
        assert recount(repair=False).is_equal
        assert RatingChange.objects.count() == 6

    def test_a_player_deleted_since_changes_nothing(self) -> None:
        """B29: what the guards decided stays decided when one of the two is known no more."""
        ann, ben, eve = make_user(), make_user(), make_user()
        for minute in range(6):
            ended(ann, ben, NOW + minute * MINUTE)
            short(ann, eve, NOW + minute * MINUTE)
        rate_pending()
        before = Rating.objects.get(user=ann).standing
        ben.delete()
        found = recount(repair=True)
        assert found.is_equal, found.examples
        assert Rating.objects.get(user=ann).standing == before


def everything() -> tuple[object, ...]:
    """All that ratings are made of, but for the numbers of rows."""
    return (
        list(
            Rating.objects.order_by("user", "game").values_list("user", "game", "value", "matches", "peak", "last_at")
        ),
        list(
            RatingChange.objects.order_by("seat").values_list(
                "seat", "end", "before", "after", "matches", "user", "game", "other", "score"
            )
        ),
        list(MatchFlag.objects.order_by("end", "reason").values_list("end", "reason")),
    )


@pytest.mark.django_db
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    played=st.lists(
        st.tuples(
            st.sampled_from([(0, 1), (1, 0), (0, 2)]),
            st.integers(-3, 20),
            st.sampled_from([0, 0, 0, 1, None]),
            st.sampled_from([5_000, 20_000, 20_000, 240_000]),
            st.sampled_from([Cause.RESIGNED, Cause.OUT_OF_CARDS]),
        ),
        min_size=4,
        max_size=30,
    ),
    pages=st.lists(st.sampled_from([1, 2, 3, 200]), min_size=1, max_size=4),
    chance=st.randoms(use_true_random=False),
)
def test_a_recount_is_what_was_rated_step_by_step(played: list[Any], pages: list[int], chance: random.Random) -> None:
    """However the tasks came: after each match or after many, in pages of any size, by the clocks of two servers."""
    with transaction.atomic():
        people = [make_user() for _ in range(3)]
        at = NOW
        usual = services.PAGE
        try:
            for seats, minutes, winner, length, cause in played:
                # A few minutes back, too: another server's clock.
                at += minutes * MINUTE
                ended(people[seats[0]], people[seats[1]], at, winner, length, cause)
                if chance.random() < 0.4:
                    services.PAGE = chance.choice(pages)
                    rate_pending()
            services.PAGE = chance.choice(pages)
            rate_pending()
        finally:
            services.PAGE = usual
        stood = everything()
        found = recount(repair=False)
        assert found.is_equal, found.examples
        # From nothing, in one go.
        for model in (RatingChange, Rating, MatchFlag):
            model.objects.all().delete()
        RatingProgress.objects.update(last_end=0)
        rate_pending()
        assert everything() == stood
        for model in (RatingChange, Rating, MatchFlag):
            model.objects.all().delete()
        recount(repair=True)
        assert everything() == stood
        transaction.set_rollback(True)


@pytest.mark.django_db
@pytest.mark.parametrize("page", [1, 3])
def test_a_recount_forgets_in_time_and_no_sooner(page: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Weeks of matches, the order of the ends and that of the times not quite the same."""
    monkeypatch.setattr(recount_module, "PAGE", page)
    monkeypatch.setattr("games.ratings.meetings.BLOCK", 4)
    chance = random.Random(5)
    ann, ben = make_user(), make_user()
    forgotten: list[int] = []
    forget: Callable[[Meetings, datetime], None] = Meetings.forget

    def counting(self: Meetings, before: datetime) -> None:
        had = len(self._ends)
        forget(self, before)
        forgotten.append(had - len(self._ends))

    monkeypatch.setattr(Meetings, "forget", counting)
    at = NOW
    for _number in range(60):
        at += timedelta(minutes=chance.choice([2, 2, 2, 600]))
        ended(ann, ben, at - timedelta(minutes=chance.randrange(30)), chance.choice([0, 0, 1]), 20_000)
    rate_pending()
    found = recount(repair=False)
    assert found.is_equal, found.examples
    assert sum(forgotten) > 20
