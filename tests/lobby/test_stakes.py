"""What one would win or lose is shown at each rated challenge, to each reader their own."""

import asyncio
import json
import threading
from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client
from django.utils import timezone

from games.live.socket import Socket
from games.lobby import at_stake, board, seeks
from games.lobby.at_stake import LASTS, AtStake
from games.lobby.hall import Hall, Visit
from games.lobby.seeks import Kind
from games.models import End, Match, Rating, RatingChange, Seat, Seek
from games.ratings.guards import pair_of
from games.ratings.meetings import meetings_of
from games.ratings.services import rate_pending
from games.ratings.stake import signed, stake, stake_between
from games.ratings.stake import stakes as stakes_of
from games.rules.setup import Setup
from spitsite.accounts.models import User
from tests.factories import make_match, make_user

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"
PAGE = "PageOfSomebody123456"
NOW = 1000.0


def offer(user: User, game: str = "spit", rated: bool = True, to: User | None = None) -> Seek:
    return seeks.seek(user, PAGE, Kind.OPEN if to is None else Kind.PERSON, Setup(game), rated=rated, to=to)


def rating(user: User, value: float, game: str = "spit", matches: int = 40) -> None:
    Rating.objects.create(user=user, game=game, value=value, matches=matches, peak=value)


def texts(viewer: User | None, reads: bool = False) -> dict[str, str]:
    """What is told to that person, by the name of whoever offers."""
    found = board.look()
    stakes = AtStake()
    ids = set() if viewer is None else {viewer.pk}
    assert not stakes.look(found, ids, ids if reads else (), NOW)
    names = {seek.pk: str(seek.user) for seek in found.seeks}
    return {names[seek]: text for told in stakes.told.values() for seek, text in told.texts.items() if text}


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
    stakes = AtStake()
    stakes.look(found, (), {bob.pk, ann.pk}, NOW)
    html = board.challenges_html(found.rows(found.by_challenged[bob.pk], stakes.told[bob.pk].texts))
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


class Counted:
    """How often something is called, and in which threads."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, where: str, what: Callable[..., Any]) -> None:
        self.threads: list[int] = []

        def counted(*args: Any) -> Any:
            self.threads.append(threading.get_ident())
            return what(*args)

        monkeypatch.setattr(where, counted)

    def taken(self) -> int:
        """Since the last time."""
        count = len(self.threads)
        self.threads.clear()
        return count


@pytest.fixture
def worked_out(monkeypatch: pytest.MonkeyPatch) -> Counted:
    return Counted(monkeypatch, "games.ratings.stake.stake", stake)


def test_nothing_is_done_when_nothing_is_new(django_assert_num_queries: Any, worked_out: Counted) -> None:
    for _ in range(8):
        offer(make_user())
    viewers = {make_user().pk for _ in range(10)}
    found = board.look()
    stakes = AtStake()
    # Who has an account, ratings, what is withheld, earlier matches.
    with django_assert_num_queries(4):
        assert not stakes.look(found, viewers, viewers, NOW)
    assert worked_out.taken() == 80
    before = stakes.told
    assert all(len(told.texts) == 8 and told.frame for told in before.values())
    with django_assert_num_queries(0):
        stakes.look(found, viewers, viewers, NOW)
    assert worked_out.taken() == 0
    assert all(stakes.told[viewer] is before[viewer] for viewer in viewers), "not even put together again"


def test_what_is_new_is_worked_out_alone(django_assert_num_queries: Any, worked_out: Counted) -> None:
    gone = offer(make_user())
    offer(make_user())
    viewers = {make_user().pk for _ in range(10)}
    stakes = AtStake()
    stakes.look(board.look(), viewers, (), NOW)
    worked_out.taken()
    before = dict(stakes.told)
    new = offer(make_user())
    found = board.look()
    with django_assert_num_queries(3):
        stakes.look(found, viewers, (), NOW)
    assert worked_out.taken() == 10
    assert all(str(new.pk) in told.frame for told in stakes.told.values())
    comes = make_user().pk
    with django_assert_num_queries(4):
        stakes.look(found, {*viewers, comes}, (), NOW)
    assert worked_out.taken() == 3
    before = dict(stakes.told)
    gone.delete()
    found = board.look()
    with django_assert_num_queries(0):
        stakes.look(found, viewers, (), NOW)
    assert all(stakes.told[viewer].frame is before[viewer].frame for viewer in viewers), "nobody is told anything"
    assert comes not in stakes.told
    Seek.objects.all().delete()
    stakes.look(board.look(), viewers, (), NOW)
    assert stakes.told == {}


def test_guests_cost_nothing(django_assert_num_queries: Any, guest: User) -> None:
    offer(make_user())
    found = board.look()
    stakes = AtStake()
    with django_assert_num_queries(1):
        stakes.look(found, {guest.pk}, (), NOW)
    offer(make_user())
    found = board.look()
    with django_assert_num_queries(0):
        stakes.look(found, {guest.pk}, (), NOW)
    assert stakes.told[guest.pk].frame == ""


def test_a_full_house_is_told_in_portions(monkeypatch: pytest.MonkeyPatch, worked_out: Counted) -> None:
    """Whoever is challenged waits for none: the notice is written once."""
    monkeypatch.setattr("games.lobby.at_stake.AT_ONCE", 20)
    offerer, challenged = make_user(), make_user()
    for _ in range(8):
        offer(make_user())
    offer(offerer, to=challenged)
    viewers = {*(make_user().pk for _ in range(9)), challenged.pk}
    found = board.look()
    stakes = AtStake()
    looks = 0
    while is_behind := stakes.look(found, viewers, {challenged.pk}, NOW):
        looks += 1
        assert 0 < worked_out.taken() <= 20
        assert stakes.told[challenged.pk].texts
    assert not is_behind
    assert looks == 4
    assert all(told.frame for told in stakes.told.values())
    stakes.look(found, viewers, {challenged.pk}, NOW)
    worked_out.taken()
    stakes.look(found, viewers, {challenged.pk}, NOW)
    assert worked_out.taken() == 0


def test_everybody_is_worked_out_anew_but_not_at_once(ann: User) -> None:
    rating(ann, 1500)
    offer(ann)
    viewers = {make_user().pk for _ in range(30)}
    found = board.look()
    stakes = AtStake()
    stakes.look(found, viewers, (), NOW)
    first = {told.frame for told in stakes.told.values()}
    assert len(first) == 1
    Rating.objects.update(value=1900)
    counts = []
    for seconds in range(0, int(LASTS) + 1, 2):
        stakes.look(found, viewers, (), NOW + seconds)
        counts.append(sum(told.frame in first for told in stakes.told.values()))
    assert counts[0] == 30
    assert counts[-1] == 0, "nothing is older than that"
    assert max(before - after for before, after in pairwise(counts)) < 15


def test_without_a_rated_challenge_nothing_is_asked_for(django_assert_num_queries: Any, ann: User, bob: User) -> None:
    offer(ann, rated=False)
    found = board.look()
    stakes = AtStake()
    with django_assert_num_queries(0):
        assert not stakes.look(found, {bob.pk}, {bob.pk}, NOW)
        assert at_stake.told_to(bob, found.offered) == {}
        assert stakes_of(set()) == {}
    assert stakes.told == {}


def test_what_others_played_among_themselves_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the matches of whoever offers are, whoever looks on; and of them the guards know the same."""
    offerer, *people = (make_user() for _ in range(5))
    for one in people:
        for other in people:
            if one.pk < other.pk:
                make_match(one, other, winner=0)
    make_match(offerer, people[0], winner=0)
    make_match(people[1], offerer, winner=0)
    rate_pending()
    pairs = {pair_of(offerer.pk, one.pk, "spit") for one in people}
    now = timezone.now()
    all_of_them = meetings_of(pairs, now, now)
    rows = Counted(monkeypatch, "games.ratings.meetings.pair_of", pair_of)
    found = meetings_of(pairs, now, now, some={offerer.pk})
    assert rows.taken() == 2 * 2, "once to find it, once to put it down"
    assert [found[pair] for pair in sorted(pairs)] == [all_of_them[pair] for pair in sorted(pairs)]
    assert [len(found[pair]) for pair in sorted(pairs)].count(1) == 2
    both = meetings_of(pairs, now, now, some={offerer.pk, people[0].pk})
    assert [both[pair] for pair in sorted(pairs)] == [found[pair] for pair in sorted(pairs)], "none of them twice"


@pytest.mark.django_db(transaction=True)
async def test_the_hall_writes_no_stakes_in_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    written = Counted(monkeypatch, "games.ratings.stake.signed", signed)
    offerer, other, *viewers = await sync_to_async(lambda: [make_user() for _ in range(6)])()
    await sync_to_async(offer)(offerer)
    frames: dict[int, list[dict[str, Any]]] = {viewer.pk: [] for viewer in viewers}
    hall = Hall()
    await hall.start()
    try:
        for viewer in viewers:
            told = frames[viewer.pk]

            async def send(message: dict[str, Any], told: list[dict[str, Any]] = told) -> None:
                if "text" in message:
                    told.append(json.loads(message["text"]))

            hall.enter(Visit(Socket(send, lambda: None), viewer.pk, PAGE, True, hall.now))
        await until(lambda: all("stakes" in kinds(told) for told in frames.values()))
        assert written.threads
        assert threading.get_ident() not in written.threads
        written.taken()
        # Another look, at which nothing is new that is about ratings.
        await sync_to_async(offer)(other, rated=False)
        hall.wake()
        await until(lambda: all(kinds(told).count("list") == 2 for told in frames.values()))
        assert written.taken() == 0
        assert all(kinds(told).count("stakes") == 1 for told in frames.values())
    finally:
        await hall.stop()


def kinds(frames: list[dict[str, Any]]) -> list[str]:
    return [frame["t"] for frame in frames]


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not true():  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
