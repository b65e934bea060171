"""What one would win or lose is shown at each rated challenge, to each reader their own."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.lobby import board, seeks
from games.lobby.seeks import Kind
from games.models import End, Match, Rating, RatingChange, Seat, Seek
from games.ratings.services import rate_pending
from games.ratings.stake import stake_between, stakes
from games.rules.setup import Setup
from spitsite.accounts.models import User
from tests.factories import make_match, make_user

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"
PAGE = "PageOfSomebody123456"


def offer(user: User, game: str = "spit", rated: bool = True, to: User | None = None) -> Seek:
    return seeks.seek(user, PAGE, Kind.OPEN if to is None else Kind.PERSON, Setup(game), rated=rated, to=to)


def rating(user: User, value: float, game: str = "spit", matches: int = 40) -> None:
    Rating.objects.create(user=user, game=game, value=value, matches=matches, peak=value)


def texts(viewer: User | None, reads: bool = False) -> dict[str, str]:
    """What is told to that person, by the name of whoever offers."""
    found = board.look()
    ids = [] if viewer is None else [viewer.pk]
    told = board.stakes_at(found, ids, ids if reads else [])
    names = {seek.pk: str(seek.user) for seek in found.seeks}
    return {names[seek]: points.all_text for (_viewer, seek), points in told.items() if points is not None}


def test_each_reader_is_told_their_own(ann: User, bob: User, guest: User) -> None:
    eve = make_user("Eve")
    rating(ann, 1600)
    rating(bob, 1500)
    rating(eve, 1300)
    offer(ann)
    offer(eve, rated=False)
    assert texts(bob) == {"Ann": "+13 if you win, +3 for a draw, −7 if you lose"}
    assert texts(eve) == {"Ann": "+17 if you win, +7 for a draw, −3 if you lose"}
    assert texts(ann) == {}, "one's own"
    assert texts(guest) == {}, "guests are never rated"


def test_it_is_what_comes(client: Client, ann: User, bob: User) -> None:
    offer(ann)
    client.force_login(bob, backend=BACKEND)
    content = client.get("/").content.decode()
    assert "+20 if you win, ±0 for a draw, −20 if you lose" in content
    make_match(bob, ann, winner=0)
    rate_pending()
    assert round(Rating.objects.get(user=bob).value) == 1520


def test_visitors_and_matches_without_a_rating_have_none(client: Client, ann: User, bob: User) -> None:
    offer(ann)
    assert "if you win" not in client.get("/").content.decode()
    offer(ann, rated=False)
    client.force_login(bob, backend=BACKEND)
    assert "if you win" not in client.get("/").content.decode()


def test_a_challenge_to_somebody_says_it_to_them(ann: User, bob: User) -> None:
    offer(ann, "speed", to=bob)
    found = board.look()
    told = board.stakes_at(found, [], [bob.pk, ann.pk])
    html = board.challenges_html(found.rows(found.by_challenged[bob.pk], bob.pk, told))
    assert "+20 if you win, ±0 for a draw, −20 if you lose" in html
    assert texts(ann, reads=True) == {}


def test_r3_who_has_nothing_more_to_win_is_told_so(ann: User, bob: User) -> None:
    for _ in range(3):
        make_match(ann, bob, winner=0)
    rate_pending()
    offer(bob)
    text = texts(ann)["Bob"]
    assert text.startswith("±0 if you win")
    assert text.endswith("you two have played many within the hour")


def test_g9_nobody_works_out_how_a_match_ended_that_is_still_shown(client: Client, ann: User, bob: User) -> None:
    """Until its delay is over, the other one's rating is that of before, in the row and in the points."""
    rating(ann, 1500)
    rating(bob, 1500)
    before = texts_of_offer_of(bob, ann)
    match = Match.objects.create(game="spit", rated=True, state=Match.State.OVER, delay=30)
    seat = Seat.objects.create(match=match, number=0, user=bob)
    Seat.objects.create(match=match, number=1, user=make_user())
    later = timezone.now() + timedelta(seconds=30)
    end = End.objects.create(match=match, winner=0, cause="out_of_cards", events=1, at=1, withheld_until=later)
    Rating.objects.filter(user=bob).update(value=1777, matches=41)
    RatingChange.objects.create(seat=seat, end=end, user=bob, game="spit", before=1500, after=1777, matches=41)
    assert texts_of_offer_of(bob, ann) == before
    assert (stake_between(ann, bob, "spit").win, stake_between(bob, ann, "spit").win) == (10, 3)
    client.force_login(ann, backend=BACKEND)
    content = client.get("/").content.decode()
    assert "1500" in content
    assert "1777" not in content


def texts_of_offer_of(user: User, viewer: User) -> dict[str, str]:
    offer(user)
    return texts(viewer)


def test_the_number_of_queries_does_not_grow(django_assert_num_queries: Any) -> None:
    for _ in range(8):
        offer(make_user())
    viewers = [make_user().pk for _ in range(10)]
    found = board.look()
    # Who has an account, ratings, what is withheld, earlier matches.
    with django_assert_num_queries(4):
        told = board.stakes_at(found, viewers, viewers)
    assert len(told) == 80
    with django_assert_num_queries(0):
        assert board.stakes_at(found, viewers, viewers, told) == told
    with django_assert_num_queries(0):
        assert stakes(set()) == {}


def test_without_a_rated_challenge_nothing_is_asked_for(django_assert_num_queries: Any, ann: User, bob: User) -> None:
    offer(ann, rated=False)
    found = board.look()
    with django_assert_num_queries(0):
        assert board.stakes_at(found, [bob.pk], [bob.pk]) == {}
