"""Rating from many workers at once, with real commits (B15, B16)."""

import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest
from django.db import connection, connections, transaction

from games.end_order import settled_end
from games.models import Rating, RatingChange
from games.ratings.recount import recount
from games.ratings.services import rate_pending
from tests.factories import SPIT, Player, make_user, play_short, store_end, store_match
from tests.workers.support import until

pytestmark = pytest.mark.django_db(transaction=True)


def in_thread(start: threading.Barrier) -> int:
    try:
        start.wait(10)
        return rate_pending()
    finally:
        connections.close_all()


def _settled() -> int:
    try:
        return settled_end()
    finally:
        connections.close_all()


def _somebody_waits() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted)")
        return bool(cursor.fetchone()[0])


def assert_chained(*users: object) -> None:
    for user in users:
        chain = list(RatingChange.objects.filter(seat__user=user).order_by("end_id"))
        assert [change.matches for change in chain] == list(range(1, len(chain) + 1))
        assert chain[0].before == 1500.0
        assert all(one.after == two.before for one, two in pairwise(chain))
        assert Rating.objects.get(user=user).value == chain[-1].after


def test_b15_four_workers_rate_each_match_once_and_in_order() -> None:
    ann = make_user()
    others = [make_user() for _ in range(10)]
    played = play_short(0)
    for other in others:
        store_match(played, ann, other, rated=True)
    barrier = threading.Barrier(4)
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(in_thread, [barrier] * 4))
    assert sum(done) == 10
    assert RatingChange.objects.count() == 20
    assert_chained(ann, *others)
    assert recount(repair=False).is_equal


def test_b15_while_matches_go_on_ending() -> None:
    ann, ben = make_user(), make_user()
    played = play_short(0)
    store_match(played, ann, ben, rated=True)
    enough = threading.Event()

    def rater() -> int:
        done = 0
        try:
            # With a breath between: SQLite lets whoever asks at the right moment write, and nobody rates without end.
            while not enough.wait(0.002):
                done += rate_pending()
            return done + rate_pending()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(3) as pool:
        raters = [pool.submit(rater) for _ in range(3)]
        try:
            for number in range(20):
                store_match(play_short(number % 2), ann, ben, rated=True)
        finally:
            enough.set()
        assert sum(future.result(30) for future in raters) == 21
    assert_chained(ann, ben)
    assert recount(repair=False).is_equal


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer")
def test_ends_wait_for_nobody_who_looks_after_their_table() -> None:
    """VACUUM holds a lock beside which one writes; who asks for the settled ends is not to put one's own behind it."""
    match = store_match(play_short(0), rated=True)
    caretaker = connection.copy()
    caretaker.set_autocommit(False)
    with ThreadPoolExecutor(1) as pool:
        try:
            with caretaker.cursor() as cursor:
                cursor.execute("LOCK TABLE games_end IN SHARE UPDATE EXCLUSIVE MODE")
            assert pool.submit(in_thread, threading.Barrier(1)).result(10) == 1
            later = store_match(play_short(0), rated=True)
            assert pool.submit(in_thread, threading.Barrier(1)).result(10) == 1
        finally:
            caretaker.close()
    assert match.end.pk < later.end.pk


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer")
def test_an_end_under_way_is_waited_for() -> None:
    """It may have a lower id than one that can be seen."""
    begun = Player(SPIT)
    begun.step()
    early = store_match(begun.played(), rated=True)
    written, may_commit = threading.Event(), threading.Event()

    def write_slowly() -> None:
        try:
            with transaction.atomic():
                store_end(early, play_short(0))
                written.set()
                assert may_commit.wait(10)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        writing = pool.submit(write_slowly)
        assert written.wait(10)
        late = store_match(play_short(0), rated=True)
        asking = pool.submit(_settled)
        until(_somebody_waits)
        assert not asking.done()
        may_commit.set()
        assert asking.result(10) == late.end.pk
        writing.result(10)


def test_r3_four_workers_stop_at_the_same_match() -> None:
    """Who may win no more is decided by the order of the ends, whichever worker gets to them."""
    ann, ben = make_user(), make_user()
    played = play_short(0)
    ids = [store_match(played, ann, ben, rated=True).pk for _number in range(8)]
    barrier = threading.Barrier(4)
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(in_thread, [barrier] * 4))
    # Three are free; they bring more than 40 points, and the others nothing.
    assert sum(done) == 3
    assert sorted(RatingChange.objects.filter(user=ann).values_list("end__match", flat=True)) == ids[:3]
    assert_chained(ann, ben)
    assert recount(repair=False).is_equal


def test_b16_a_worker_that_dies_in_the_middle_leaves_all_or_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    ann, ben = make_user(), make_user()
    store_match(play_short(0), ann, ben, rated=True)

    def die(*_standings: object) -> None:
        connection.close()  # what the database sees when a process is killed
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr("games.ratings.services.save_standings", die)
        with pytest.raises(BaseException):  # noqa: B017, PT011
            rate_pending()
    assert not RatingChange.objects.exists()
    assert rate_pending() == 1
    assert_chained(ann, ben)
