"""What is rated (R2), in which order, and once (R1)."""

from itertools import pairwise

import pytest

from games.models import Match, Rating, RatingChange, RatingProgress
from games.ratings import services
from games.ratings.services import rate_pending
from games.rules.state import Cause
from games.tasks import rate, sweep
from tests.factories import make_match, make_user, play_short, store_end, store_match

pytestmark = pytest.mark.django_db


def values(*users: object) -> list[float]:
    return [Rating.objects.get(user=user, game="spit").value for user in users]


def live_match(*users: object) -> Match:
    match = Match.objects.create(game="spit", rated=True, state=Match.State.LIVE)
    for number, user in enumerate(users):
        match.seats.create(number=number, user=user)
    return match


class TestR1:
    def test_a_win_moves_both(self) -> None:
        ann, ben = make_user(), make_user()
        make_match(ann, ben, winner=1)
        assert rate_pending() == 1
        assert values(ann, ben) == [1480.0, 1520.0]

    def test_a_draw_is_half_a_point(self) -> None:
        ann, ben, eve = make_user(), make_user(), make_user()
        make_match(ann, ben, winner=0)
        make_match(ann, eve, winner=None)
        rate_pending()
        assert values(ann)[0] < 1520.0
        assert values(eve)[0] > 1500.0

    def test_changes_chain_in_the_order_of_the_ends(self) -> None:
        """Not in that of the matches: the one begun first ends last."""
        ann, ben = make_user(), make_user()
        played = play_short(0)
        last = live_match(ann, ben)
        first = store_match(played, ann, ben, rated=True)
        store_end(last, played)
        rate_pending()
        chain = RatingChange.objects.filter(seat__user=ann).order_by("end_id")
        assert [change.seat.match_id for change in chain] == [first.pk, last.pk]
        assert chain[0].before == 1500.0
        assert chain[1].before == chain[0].after
        assert [change.matches for change in chain] == [1, 2]

    def test_the_change_says_what_the_rating_says(self) -> None:
        ann, ben = make_user(), make_user()
        for _ in range(3):
            make_match(ann, ben)
        rate_pending()
        rating = Rating.objects.get(user=ann)
        last = RatingChange.objects.filter(seat__user=ann).latest("end_id")
        assert (rating.value, rating.matches) == (last.after, last.matches)
        assert rating.peak == rating.value

    def test_peak_outlives_a_loss(self) -> None:
        ann, ben = make_user(), make_user()
        make_match(ann, ben, winner=0)
        make_match(ann, ben, winner=1)
        rate_pending()
        rating = Rating.objects.get(user=ann)
        assert rating.peak == 1520.0 > rating.value

    def test_each_game_has_its_own_rating(self) -> None:
        ann, ben = make_user(), make_user()
        make_match(ann, ben)
        other = make_match(ann, ben)
        Match.objects.filter(pk=other.pk).update(game="speed")
        rate_pending()
        assert {rating.game: rating.value for rating in Rating.objects.filter(user=ann)} == {
            "spit": 1520.0,
            "speed": 1520.0,
        }


class TestOnce:
    def test_running_again_changes_nothing(self) -> None:
        ann, ben = make_user(), make_user()
        make_match(ann, ben)
        assert [rate_pending(), rate_pending()] == [1, 0]
        assert RatingChange.objects.count() == 2
        assert values(ann) == [1520.0]

    def test_pages_are_the_same_as_one_go(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(services, "PAGE", 2)
        ann, ben = make_user(), make_user()
        for number in range(5):
            make_match(ann, ben, winner=number % 2)
        assert rate_pending() == 5
        chain = list(RatingChange.objects.filter(seat__user=ann).order_by("end_id"))
        assert all(one.after == two.before for one, two in pairwise(chain))

    def test_a_failure_half_way_leaves_nothing_half(self, monkeypatch: pytest.MonkeyPatch) -> None:
        ann, ben = make_user(), make_user()
        make_match(ann, ben)
        with monkeypatch.context() as patch:
            patch.setattr(services, "save_standings", lambda *_standings: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                rate_pending()
        assert not RatingChange.objects.exists()
        assert rate_pending() == 1
        assert values(ann) == [1520.0]

    def test_an_open_match_waits_for_its_end(self) -> None:
        ann, ben = make_user(), make_user()
        played = play_short(0)
        match = store_match(play_short(0), ann, ben, rated=True)
        rate_pending()
        live = live_match(ann, ben)
        assert rate_pending() == 0
        store_end(live, played)
        assert rate_pending() == 1
        assert RatingProgress.objects.get().last_end == live.end.pk > match.end.pk

    def test_the_tasks_do_it_too(self) -> None:
        ann, ben = make_user(), make_user()
        make_match(ann, ben)
        rate.delay()
        make_match(ann, ben)
        sweep.delay()
        sweep.delay()
        assert Rating.objects.get(user=ann).matches == 2


class TestR2:
    def not_rated(self) -> bool:
        return rate_pending() == 0 and not RatingChange.objects.exists() and not Rating.objects.exists()

    def test_not_what_was_made_unrated(self) -> None:
        """So is every match with a guest, whatever becomes of the guest."""
        make_match(make_user(), make_user(is_guest=True), rated=False)
        assert self.not_rated()

    def test_not_against_a_bot(self) -> None:
        make_match(make_user(), "beginner")
        assert self.not_rated()

    def test_not_aborted(self) -> None:
        match = store_match(play_short(None, cause=Cause.BROKEN_OFF), rated=True)
        assert match.end.void
        assert self.not_rated()

    def test_not_against_oneself(self) -> None:
        """The database refuses to seat one person twice."""
        ann = make_user()
        with pytest.raises(Exception, match=r"nobody_plays_himself|UNIQUE"):
            make_match(ann, ann)

    def test_not_when_a_player_was_deleted_before(self) -> None:
        """Nothing is known of the other rating any more; the match is skipped for good."""
        ann, ben = make_user(), make_user()
        make_match(ann, ben)
        ben.delete()
        assert self.not_rated()

    def test_unrated_matches_do_not_hold_up_later_ones(self) -> None:
        ann, ben = make_user(), make_user()
        make_match(ann, "beginner", rated=False)
        make_match(ann, ben)
        assert rate_pending() == 1


def test_deleting_a_player_leaves_the_others_rating_and_changes() -> None:
    ann, ben = make_user(), make_user()
    make_match(ann, ben)
    rate_pending()
    ben.delete()
    assert values(ann) == [1520.0]
    assert RatingChange.objects.count() == 2


@pytest.mark.django_db
def test_a_task_asks_for_no_broker_and_says_nothing(caplog: pytest.LogCaptureFixture) -> None:
    rate.delay()
    assert not caplog.records
