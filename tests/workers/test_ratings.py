"""Ratings by real workers: once each, in order, whatever dies (B15-B18)."""

import os
import re
import signal
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest
from django.db import connections
from django.test import Client
from django.urls import reverse

from games.models import End, Match, Rating, RatingChange, RatingProgress
from games.ratings.recount import recount
from games.rules.state import Cause
from replays.models import Replay
from tests.factories import make_match, make_user, play_short, store_match
from tests.workers.conftest import StartCelery
from tests.workers.support import Celery, Hold, end, until

PLAYED = play_short(0)


def is_done(*matches: Match) -> bool:
    """Whether each has its replay and, of its two seats, its changes."""
    return Replay.objects.filter(match__in=matches).count() == len(matches) and RatingChange.objects.filter(
        end__match__in=matches
    ).count() == 2 * len(matches)


def assert_chained(user: object, count: int) -> None:
    """So many changes, each beginning where the last one ended, in the order of the ends."""
    chain = list(RatingChange.objects.filter(seat__user=user).order_by("end_id"))
    assert [change.matches for change in chain] == list(range(1, count + 1))
    assert chain[0].before == 1500.0
    assert all(one.after == two.before for one, two in pairwise(chain))
    assert Rating.objects.get(user=user).value == chain[-1].after


def test_a_match_that_is_over_gets_its_replay_and_its_ratings(start_worker: StartCelery) -> None:
    ann, ben = make_user("ann"), make_user("ben")
    worker = start_worker()
    match = make_match(ann, ben)
    end(match)
    until(lambda: is_done(match))
    assert Replay.objects.get(match=match).verdict == Replay.Verdict.SOUND
    assert_chained(ann, 1)
    assert_chained(ben, 1)
    # Told again, as after a crash in between: nothing changes.
    before = list(RatingChange.objects.values()), list(Rating.objects.values()), list(Replay.objects.values())
    end(match)
    worker.wait_for("succeeded", times=4)
    assert (list(RatingChange.objects.values()), list(Rating.objects.values()), list(Replay.objects.values())) == before


def test_b15_ten_matches_of_one_player_end_within_a_second(start_worker: StartCelery) -> None:
    ann, others = make_user("ann"), [make_user() for _ in range(10)]
    start_worker(processes=4)

    def finish(other: object) -> Match:
        try:
            match = store_match(PLAYED, ann, other, rated=True)
            end(match)
            return match
        finally:
            connections.close_all()

    with ThreadPoolExecutor(10) as pool:
        matches = list(pool.map(finish, others))
    times = End.objects.order_by("ended_at").values_list("ended_at", flat=True)
    assert (max(times) - min(times)).total_seconds() < 1
    until(lambda: is_done(*matches))
    assert_chained(ann, 10)
    for other in others:
        assert_chained(other, 1)
    assert recount(repair=False).is_equal
    assert RatingProgress.objects.get().last_end == End.objects.latest("pk").pk


def in_the_middle(user: object) -> Hold:
    """Rating stops after its changes are written and before its standings are."""
    rating = Rating.objects.create(user=user, game="spit")
    return Hold(f"SELECT id FROM games_rating WHERE id = {rating.pk}")


def test_b16_a_process_killed_in_mid_task_is_replaced(start_worker: StartCelery) -> None:
    ann, ben = make_user("ann"), make_user("ben")
    worker = start_worker(processes=1)
    match = make_match(ann, ben)
    (victim,) = worker.children()
    with in_the_middle(ann) as hold:
        end(match)
        until(hold.waiting)
        assert not RatingChange.objects.exists()
        os.kill(victim, signal.SIGKILL)
        until(lambda: victim not in worker.children())
    # Its task goes back to the queue, and on to its successor.
    until(lambda: is_done(match))
    assert_chained(ann, 1)
    assert_chained(ben, 1)


def test_b16_without_a_worker_the_rating_is_pending_until_the_sweep(
    start_worker: StartCelery, start_celery: StartCelery, client: Client
) -> None:
    ann, ben = make_user("ann"), make_user("ben")
    worker = start_worker(processes=1)
    first = make_match(ann, ben)
    with in_the_middle(ann) as hold:
        end(first)
        until(hold.waiting)
        worker.kill()
    # Nobody works, and of this match nobody is even told.
    second = make_match(ann, ben)
    page = client.get(reverse("profile", args=["ann"])).content.decode()
    assert page.count("rating pending") == 2
    assert not RatingChange.objects.exists()
    # What the killed worker had taken comes back after ten minutes; the sweep is sooner.
    start_worker()
    start_celery("beat", "--scheduler", "celery.beat:Scheduler")
    until(lambda: is_done(first, second))
    assert_chained(ann, 2)
    assert_chained(ben, 2)
    assert "rating pending" not in client.get(reverse("profile", args=["ann"])).content.decode()


def delivered_again(task: str, workers: list[Celery]) -> set[str]:
    """The ids of tasks of that name that were received twice."""
    received = Counter(re.findall(rf"Task {re.escape(task)}\[(\S+)\] received", "".join(w.output for w in workers)))
    return {name for name, times in received.items() if times > 1}


def test_b17_delivered_again_and_swept_by_two_beats(start_worker: StartCelery, start_celery: StartCelery) -> None:
    ann, ben = make_user("ann"), make_user("ben")
    workers = [start_worker(processes=2, visibility=1)]
    beats = [start_celery("beat", "--scheduler", "celery.beat:Scheduler", visibility=1) for _ in range(2)]
    match = make_match(ann, ben)
    with in_the_middle(ann) as hold:
        end(match)
        until(hold.waiting)
        # A worker looks for tasks that were not done in time soon after it has started.
        workers.append(start_worker(processes=4, visibility=1))
        # One task is at two processes, and sweeps beside it: all wait for the same lock.
        until(lambda: delivered_again("games.tasks.rate", workers))
        until(lambda: hold.waiting() >= 3)
        for beat in beats:
            beat.wait_for("Sending due task games-sweep", times=3)
    later = make_match(ben, ann)
    end(later)
    until(lambda: is_done(match, later))
    for worker in workers:
        worker.wait_for("succeeded", times=5)
    assert_chained(ann, 2)
    assert_chained(ben, 2)
    assert RatingChange.objects.count() == 4
    assert Replay.objects.count() == 2
    assert recount(repair=False).is_equal


@pytest.mark.parametrize("cause", [Cause.ABORTED, Cause.BROKEN_OFF])
def test_b18_what_was_broken_off_is_not_rated(start_worker: StartCelery, client: Client, cause: Cause) -> None:
    ann, ben = make_user("ann"), make_user("ben")
    worker = start_worker(processes=1)
    broken = store_match(play_short(None, cause=cause), ann, ben, rated=True)
    assert broken.end.void
    end(broken)
    worker.wait_for("succeeded", times=2)
    assert not RatingChange.objects.exists()
    assert not Rating.objects.exists()
    assert RatingProgress.objects.get().last_end == broken.end.pk
    page = client.get(reverse("profile", args=["ann"])).content.decode()
    assert "no result" in page
    assert "rating pending" not in page


def test_b18_a_resigned_match_is_rated_at_once(start_worker: StartCelery, client: Client) -> None:
    ann, ben = make_user("ann"), make_user("ben")
    start_worker(processes=1)
    resigned = make_match(ann, ben, winner=0)
    assert resigned.end.cause == Cause.RESIGNED
    end(resigned)
    until(lambda: is_done(resigned), 10)
    page = client.get(reverse("profile", args=["ben"])).content.decode()
    assert "1480" in page
    assert "lost" in page
