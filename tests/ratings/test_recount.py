"""A recount from nothing gives what stands (invariant 7), and puts right what does not."""

import json
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from games.models import Match, Rating, RatingChange, RatingProgress
from games.moderation import measures
from games.ratings import recount as module
from games.ratings.rateable import RatedMatch, rated_matches
from games.ratings.recount import Busy, is_due, recount
from games.ratings.services import rate_pending
from games.tasks import recount_ratings, sweep
from tests.factories import make_match, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def season() -> list[object]:
    """Six players, forty matches of all kinds, rated as they came."""
    chance = random.Random(7)
    people = [make_user() for _ in range(6)]
    for number in range(40):
        one, two = chance.sample(people, 2)
        opponent = "beginner" if number % 9 == 0 else two
        make_match(one, opponent, winner=chance.choice((0, 1, None)), rated=number % 9 != 0 and number % 11 != 0)
        if number % 3 == 0:
            rate_pending()
    rate_pending()
    return people


def standing() -> tuple[list[object], list[object]]:
    return (
        list(Rating.objects.order_by("user_id", "game").values_list("user_id", "game", "value", "matches", "peak")),
        list(RatingChange.objects.order_by("seat_id").values_list("seat_id", "end_id", "before", "after", "matches")),
    )


@pytest.mark.parametrize("page", [1, 7, 10_000])
def test_equals_what_stands(season: list[object], page: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAGE", page)
    before = standing()
    found = recount(repair=False)
    assert found.is_equal, found.examples
    assert found.changes == RatingChange.objects.count() == 2 * found.matches > 50
    assert found.players == len(season)
    assert standing() == before


def spoil_value() -> None:
    rating = Rating.objects.order_by("pk")[0]
    rating.value += 0.001
    rating.save()


def spoil_change() -> None:
    change = RatingChange.objects.order_by("pk")[10]
    change.after += 1
    change.save()


def forget_changes() -> None:
    RatingChange.objects.filter(end_id=RatingChange.objects.order_by("pk")[20].end_id).delete()


def forget_everything() -> None:
    RatingChange.objects.all().delete()
    Rating.objects.all().delete()
    RatingProgress.objects.all().delete()


def add_rating() -> None:
    Rating.objects.create(user=make_user(), game="spit", value=2000.0)


def unrate_match() -> None:
    Match.objects.filter(pk=RatingChange.objects.order_by("pk")[8].seat.match_id).update(rated=False)


@pytest.mark.parametrize("spoil", [spoil_value, spoil_change, forget_changes, add_rating, unrate_match])
def test_finds_and_repairs(season: list[object], spoil: Callable[[], None]) -> None:
    right = standing()
    spoil()
    spoilt = standing()
    assert not recount(repair=False).is_equal
    assert standing() == spoilt
    assert not recount(repair=True).is_equal
    assert recount(repair=False).is_equal
    if spoil is not unrate_match:
        assert standing() == right


def test_from_nothing(season: list[object]) -> None:
    right = standing()
    forget_everything()
    recount_ratings.delay()
    assert standing() == right


def test_survives_a_deleted_player(season: list[object]) -> None:
    """B29: what the opponents won and lost against somebody deleted stays, and can still be recounted."""
    season[0].delete()  # type: ignore[attr-defined]
    found = recount(repair=False)
    assert found.is_equal, found.examples
    assert found.players == len(season) - 1


def test_a_rating_without_matches_is_no_difference(season: list[object]) -> None:
    Rating.objects.create(user=make_user(), game="spit")
    assert recount(repair=False).is_equal


@pytest.mark.django_db(transaction=True)
class TestVoidedMeanwhile:
    """A match is voided at a bad moment, and in the end the ratings are as if it had not been played."""

    @pytest.fixture
    def bad(self) -> Match:
        ann, ben, boss = (make_user(name) for name in ("ann", "ben", "boss"))
        matches = [make_match(one, two) for one, two in ((ann, ben), (ben, ann), (ann, boss), (ben, boss))]
        rate_pending()
        return matches[0]

    @staticmethod
    def void(match: Match) -> None:
        measures.void(match.seats.get(number=1).user, match, "for a test")

    @staticmethod
    def in_the_middle(monkeypatch: pytest.MonkeyPatch, what: Callable[[], object], after: int = 1) -> None:
        """The next recount does this, once, after it has read so many pages."""
        pages = count(1)

        def read(*args: int) -> Iterator[RatedMatch]:
            page = list(rated_matches(*args))
            if next(pages) == after:
                what()
            return iter(page)

        monkeypatch.setattr(module, "rated_matches", read)

    @staticmethod
    def is_right(bad: Match) -> bool:
        found = recount(repair=False)
        assert found.is_equal, found.examples
        return not is_due() and not RatingChange.objects.filter(end__match=bad).exists()

    def test_the_sweep_counts_what_nobody_has_counted(self, bad: Match) -> None:
        self.void(bad)
        assert not recount(repair=False).is_equal
        sweep()
        assert self.is_right(bad)

    def test_a_recount_that_had_read_it_already_begins_anew(self, bad: Match, monkeypatch: pytest.MonkeyPatch) -> None:
        self.in_the_middle(monkeypatch, lambda: self.void(bad))
        recount(repair=True)
        assert self.is_right(bad)

    def test_what_it_mended_before_it_began_anew_is_told(self, bad: Match, monkeypatch: pytest.MonkeyPatch) -> None:
        # Of two whom the void does not touch: in the second pass there is nothing wrong with theirs.
        make_match()
        rate_pending()
        spoilt = RatingChange.objects.latest("pk")
        RatingChange.objects.filter(pk=spoilt.pk).update(after=1.0)
        monkeypatch.setattr(module, "PAGE", 1)
        # The void comes once all pages were read, and written.
        self.in_the_middle(monkeypatch, lambda: self.void(bad), after=5)
        found = recount(repair=True)
        monkeypatch.undo()
        assert any(f"seat {spoilt.seat_id} has" in text for text in found.examples), found.examples
        assert len(set(found.examples)) == len(found.examples) == found.differences
        assert self.is_right(bad)

    @pytest.mark.parametrize("page", [1, 2, 3])
    def test_a_recount_that_dies_is_done_again(self, bad: Match, page: int, monkeypatch: pytest.MonkeyPatch) -> None:
        def die() -> None:
            raise RuntimeError("killed")

        monkeypatch.setattr(module, "PAGE", 1)
        self.void(bad)
        self.in_the_middle(monkeypatch, die, page)
        with pytest.raises(RuntimeError):
            recount(repair=True)
        assert is_due()
        monkeypatch.undo()
        sweep()
        assert self.is_right(bad)

    def test_two_at_once_are_one(self, bad: Match, monkeypatch: pytest.MonkeyPatch) -> None:
        second: list[type[Exception]] = []

        def begin_another() -> None:
            with ThreadPoolExecutor(1) as pool:
                failure = pool.submit(self.elsewhere, lambda: recount(repair=True, waits=False)).exception()
                second.append(type(failure))
                # A task has nothing to do then.
                assert pool.submit(self.elsewhere, recount_ratings).exception() is None

        self.in_the_middle(monkeypatch, begin_another)
        recount(repair=True)
        assert second == [Busy]
        recount(repair=True, waits=False)
        assert self.is_right(bad) is False

    @staticmethod
    def elsewhere(what: Callable[[], object]) -> object:
        try:
            return what()
        finally:
            connections.close_all()

    def test_one_waits_for_the_other(self, bad: Match, monkeypatch: pytest.MonkeyPatch) -> None:
        """Whatever the order is in which they get there."""
        monkeypatch.setattr(module, "PAGE", 1)
        with ThreadPoolExecutor(4) as pool:
            counts = [pool.submit(self.elsewhere, lambda: recount(repair=True)) for _ in range(3)]
            pool.submit(self.elsewhere, lambda: self.void(bad)).result()
            for count in counts:
                count.result()
        sweep()
        assert self.is_right(bad)


class TestCommand:
    def last_line(self, capsys: pytest.CaptureFixture[str]) -> dict[str, float]:
        figures: dict[str, float] = json.loads(capsys.readouterr().out.strip().splitlines()[-1])
        return figures

    def test_equal(self, season: list[object], capsys: pytest.CaptureFixture[str]) -> None:
        call_command("recount_ratings")
        figures = self.last_line(capsys)
        assert figures["differences"] == 0
        assert figures["changes"] == RatingChange.objects.count()

    def test_rates_what_is_pending_first(self, capsys: pytest.CaptureFixture[str]) -> None:
        make_match()
        call_command("recount_ratings")
        assert self.last_line(capsys)["rated_now"] == 1

    def test_exits_non_zero_once_when_it_differed(
        self, season: list[object], capsys: pytest.CaptureFixture[str]
    ) -> None:
        spoil_value()
        with pytest.raises(CommandError):
            call_command("recount_ratings", "--check")
        assert self.last_line(capsys)["repaired"] == 0
        with pytest.raises(CommandError):
            call_command("recount_ratings")
        assert self.last_line(capsys)["repaired"] == 1
        call_command("recount_ratings", "--check")
        assert self.last_line(capsys)["differences"] == 0
