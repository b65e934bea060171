"""Players' pages: profile, leaderboards, head to head, following and blocking."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.db import IntegrityError, connection, connections, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import append_only, ties
from games.lobby import board, seeks
from games.models import (
    Block,
    End,
    Follow,
    ListedMatch,
    Match,
    MatchFlag,
    PlayerMatch,
    Rating,
    RatingChange,
    Seat,
    Seek,
)
from games.moderation import measures
from games.people import standings_of
from games.played import list_ends
from games.profiles import leaders, selectors
from games.profiles.charts import HEIGHT, WIDTH, Spot, chart_of, grid_of, means, sample, spark_of
from games.profiles.rivals import rivalry
from games.profiles.speed import speeds_of
from games.ratings.services import rate_pending
from games.ratings.stake import stake_between, stakes_of
from games.rules.setup import Setup
from games.rules.state import Cause
from games.standing import PROVISIONAL
from games.words import short_span
from replays.build import build
from replays.documents import describe
from replays.models import SeatSpeed
from spitsite.accounts.models import User
from spitsite.accounts.preferences import services as preferences
from tests.factories import make_match, make_user, play_match, play_short, store_match

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"


@pytest.fixture(autouse=True)
def nothing_counted_before() -> None:
    cache.clear()


@pytest.fixture
def as_ann(client: Client, ann: User) -> Client:
    client.force_login(ann, backend=BACKEND)
    return client


def page(client: Client, view: str, *args: str, **query: str) -> str:
    answer = client.get(reverse(view, args=args), query)
    assert answer.status_code == 200
    return answer.content.decode()


def quick(one: Any, other: Any, winner: int | None = 0, *, game: str = "spit", rated: bool = True, **end: Any) -> Match:
    """A finished match without a log."""
    match = Match.objects.create(game=game, rated=rated, state=Match.State.OVER)
    for number, player in enumerate((one, other)):
        Seat.objects.create(
            match=match,
            number=number,
            bot=player if isinstance(player, str) else "",
            user=None if isinstance(player, str) else player,
        )
    values = {"cause": "out_of_cards", "events": 9, "at": 240_000, **end}
    End.objects.create(match=match, winner=winner, **values)
    return match


def rating(user: Any, value: float = 1500.0, matches: int = PROVISIONAL, days: float = 1, game: str = "spit") -> Rating:
    last = timezone.now() - timedelta(days=days)
    return Rating.objects.create(user=user, game=game, value=value, matches=matches, peak=value, last_at=last)


class TestLists:
    """`PlayerMatch`: written with the end, in the same transaction."""

    def test_each_player_has_it(self, ann: User, bob: User) -> None:
        quick(ann, bob, winner=1)
        rows = PlayerMatch.objects.order_by("seat__number").values_list("user", "opponent", "verdict", "rated")
        assert list(rows) == [(ann.pk, bob.pk, "lost", True), (bob.pk, ann.pk, "won", True)]

    def test_the_computer_has_no_list(self, ann: User) -> None:
        quick(ann, "king", winner=None, rated=False)
        (row,) = PlayerMatch.objects.all()
        assert (row.opponent, row.bot, row.verdict, row.rated) == (None, "king", "drawn", False)

    def test_what_has_no_result_is_not_rated(self, ann: User, bob: User) -> None:
        store_match(play_short(None, cause=Cause.BROKEN_OFF), ann, bob, rated=True)
        assert set(PlayerMatch.objects.values_list("verdict", "rated")) == {("void", False)}

    def test_an_end_that_fails_lists_nothing(self, ann: User, bob: User) -> None:
        match = quick(ann, bob)
        with pytest.raises(IntegrityError), transaction.atomic():
            End.objects.create(match=match, winner=0, cause="cap", events=9, at=1)
        assert PlayerMatch.objects.count() == 2

    def test_in_bulk_it_is_asked_for(self, ann: User, bob: User) -> None:
        before = list(PlayerMatch.objects.values_list("user", "end"))
        ends = [quick(ann, bob).end.pk for _ in range(3)]
        for lists in (PlayerMatch, ListedMatch):
            lists.objects.all().delete()
        list_ends(ends[0], ends[-1])
        assert (PlayerMatch.objects.count(), ListedMatch.objects.count()) == (len(before) + 6, 3)

    def test_deleting_somebody_takes_their_list_and_leaves_the_other_s(self, ann: User, bob: User) -> None:
        """B29"""
        quick(ann, bob)
        bob.delete()
        (row,) = PlayerMatch.objects.all()
        assert (row.user, row.opponent) == (ann, None)


@pytest.mark.django_db(transaction=True)
def test_what_was_looked_at_while_a_match_was_being_voided_is_not_remembered(ann: User, bob: User) -> None:
    match = quick(ann, bob)
    rate_pending()

    def look() -> int:
        try:
            return selectors.record_of(ann).won
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as elsewhere:
        with transaction.atomic():
            measures.void(bob, match, "for a test")
            assert elsewhere.submit(look).result() == 1, "nobody knows of it yet"
        assert elsewhere.submit(look).result() == 0


class TestProfile:
    def test_a_player_s_own(self, ann: User, bob: User) -> None:
        make_match(ann, bob, winner=0)
        make_match(bob, ann, winner=0)
        make_match(bob, "ace", winner=1, rated=False)
        rate_pending()
        lost, won = selectors.outcomes_of(ann, None)
        assert (won.verdict, won.rating, won.gain_text) == ("won", 1520, "+20")
        assert (lost.verdict, lost.gain_text) == ("lost", "−22")
        assert lost.other.name == "Bob"
        assert selectors.record_of(ann) == selectors.Record(1, 1, 0)
        assert [one.outcome.slug for one in selectors.outcomes_of(ann, lost.outcome.end)] == [won.outcome.slug]

    def test_deleted_players_have_no_page(self, ann: User, bob: User) -> None:
        make_match(ann, bob)
        bob.delete()
        (own,) = selectors.outcomes_of(ann, None)
        assert (own.other.name, own.other.username, own.other.rating) == ("deleted player", None, None)

    def test_streaks_and_form(self, ann: User, bob: User) -> None:
        for winner in (0, 0, 0, 1, None, 1, 1):
            quick(ann, bob, winner)
        store_match(play_short(None, cause=Cause.BROKEN_OFF), ann, bob)
        record = selectors.records_of(ann)["spit"]
        assert (record.won, record.lost, record.drawn) == (3, 3, 1)
        assert (record.streak, record.longest, record.form) == (-2, 3, "wwwldll")

    def test_each_game_apart(self, ann: User, bob: User) -> None:
        quick(ann, bob)
        quick(ann, bob, 1, game="speed")
        assert {game: record.streak for game, record in selectors.records_of(ann).items()} == {"spit": 1, "speed": -1}

    def test_results_are_counted_anew_after_a_match(self, ann: User, bob: User) -> None:
        quick(ann, bob)
        assert selectors.record_of(ann).played == 1
        quick(ann, bob)
        assert selectors.record_of(ann).played == 2

    def test_best_wins_once_for_each_opponent(self, ann: User, bob: User) -> None:
        eve = make_user("Eve")
        quick(eve, bob)
        for _ in range(2):
            quick(ann, eve)
        quick(ann, bob)
        rate_pending()
        best = selectors.best_wins(ann, "spit")
        assert [(win.other.name, win.rating) for win in best] == [("Eve", 1520), ("Bob", 1480)]
        eve.delete()
        assert [win.other.name for win in selectors.best_wins(ann, "spit")] == ["deleted player", "Bob"]

    def test_best_wins_of_who_often_beats_one_strong_rival(self, ann: User) -> None:
        rivals = [make_user(f"Rival{number}") for number in range(7)]
        for number, rival in enumerate(rivals):
            rating(rival, 3000 - 100 * number)
        now = timezone.now()
        strongest, deleted = rivals[0], rivals[1]
        played = [strongest] * 25 + [deleted] * 20 + rivals[2:]
        for number, rival in enumerate(played):
            quick(ann, rival, ended_at=now - timedelta(days=len(played) - number))
        rate_pending()
        deleted.delete()
        best = selectors.best_wins(ann, "spit")
        assert [win.other.name for win in best] == ["Rival0", "deleted player", "Rival2", "Rival3", "Rival4"]
        assert [win.rating for win in best] == [3000, 2900, 2800, 2700, 2600]
        held = list(End.objects.filter(match__seats__user=rivals[2]).values_list("pk", flat=True))
        assert [win.other.name for win in selectors.best_wins(ann, "spit", held)][2:] == ["Rival3", "Rival4", "Rival5"]

    def test_the_page_shows_it_all(self, client: Client, ann: User, bob: User) -> None:
        for winner in (0, 0, 1):
            build(store_match(play_match(seed=winner), ann, bob, rated=True))
        rate_pending()
        content = page(client, "profile", "Ann")
        for text in ("Rating in Spit", "Best wins", "Speed in Spit", "cards a minute", "Longest", "Compare"):
            assert text in content
        assert 'style="' not in content

    def test_all_days_of_a_page_are_written_alike(self, client: Client, ann: User, bob: User) -> None:
        quick(ann, bob, ended_at=datetime(2026, 3, 9, 12, tzinfo=UTC))
        User.objects.filter(pk=ann.pk).update(date_joined=datetime(2026, 2, 8, 12, tzinfo=UTC))
        rate_pending()
        content = page(client, "profile", "Ann")
        assert ">Mar 9, 2026</time>" in content
        assert "here since Feb 8, 2026" in content
        assert "The rating over 1 rated match:" in content

    def test_a_match_beyond_the_cap_says_so(self, client: Client, ann: User, bob: User) -> None:
        for _ in range(4):
            quick(ann, bob)
        rate_pending()
        assert page(client, "profile", "Ann").count("no points") == 1

    def test_nothing_played(self, as_ann: Client, bob: User) -> None:
        assert "No finished match yet." in page(as_ann, "profile", "Bob")
        assert "Play one" in page(as_ann, "profile", "Ann")

    def test_the_number_of_queries_does_not_grow(
        self, client: Client, ann: User, bob: User, django_assert_max_num_queries: Any
    ) -> None:
        for _ in range(12):
            quick(ann, bob)
        rate_pending()
        with django_assert_max_num_queries(20):
            page(client, "profile", "Ann")


class TestFilter:
    @pytest.fixture
    def played(self, ann: User, bob: User) -> dict[str, Match]:
        long_ago = timezone.now() - timedelta(days=40)
        return {
            "computer": quick(ann, "king", rated=False),
            "speed": quick(ann, bob, 1, game="speed"),
            "old": quick(ann, bob, None, ended_at=long_ago),
            "eve": quick(ann, make_user("Eve"), rated=False),
        }

    @pytest.mark.parametrize(
        ("query", "names"),
        [
            ({}, ["eve", "old", "speed", "computer"]),
            ({"game": "speed"}, ["speed"]),
            ({"verdict": "drawn"}, ["old"]),
            ({"rated": "yes"}, ["old", "speed"]),
            ({"rated": "no"}, ["eve", "computer"]),
            ({"against": "computer"}, ["computer"]),
            ({"against": "people"}, ["eve", "old", "speed"]),
            ({"opponent": "eVE"}, ["eve"]),
            ({"opponent": "Bob", "verdict": "lost"}, ["speed"]),
            ({"since": "-10"}, ["eve", "speed", "computer"]),
            ({"until": "-10"}, ["old"]),
        ],
    )
    def test_finds(self, client: Client, played: dict[str, Match], query: dict[str, str], names: list[str]) -> None:
        today = timezone.localdate()
        query = {
            key: (today + timedelta(days=int(value))).isoformat() if key in ("since", "until") else value
            for key, value in query.items()
        }
        context = client.get("/player/Ann/", query).context
        found = [own.outcome.slug for own in context["outcomes"]]
        assert found == [played[name].slug for name in names]

    @pytest.mark.parametrize(
        ("query", "text"),
        [
            ({"opponent": "nobody-at-all"}, "Nobody here is called that."),
            ({"opponent": "\0"}, "Null characters are not allowed."),
            ({"game": "whist"}, "Select a valid choice"),
            ({"since": "yesterday"}, "Enter a valid date."),
            ({"since": "2026-05-02", "until": "2026-05-01"}, "This day lies before the first one."),
            ({"until": "9999-12-31"}, "Ensure this value is less than or equal to"),
            ({"since": "0001-01-01"}, "Ensure this value is greater than or equal to"),
        ],
    )
    def test_what_is_wrong_is_said_at_its_field(
        self, client: Client, ann: User, query: dict[str, str], text: str
    ) -> None:
        content = page(client, "profile", "Ann", **query)
        assert text in content
        assert all(value in content for value in query.values() if "\0" not in value)

    def test_pages_keep_the_filter(self, client: Client, ann: User, bob: User) -> None:
        wanted = []
        for number in range(50):
            match = quick(ann, bob, number % 2, rated=False)
            wanted += [match.slug] if number % 2 else []
        url, seen = "/player/Ann/?verdict=lost", []
        while url:
            context = client.get(url).context
            seen += [own.outcome.slug for own in context["outcomes"]]
            url = f"/player/Ann/{context['older']}" if context["older"] else ""
        assert seen == wanted[::-1]


class TestLeaderboard:
    def test_places(self, client: Client, ann: User, bob: User) -> None:
        rating(ann, 1600)
        rating(bob, 1700)
        rows = client.get("/ratings/spit/").context["leaders"]
        assert [(row.place, row.user.username, row.value) for row in rows] == [(1, "Bob", 1700), (2, "Ann", 1600)]

    def test_who_is_away_or_new_has_no_place(self, client: Client, ann: User, bob: User) -> None:
        rating(ann, 1900, days=31)
        rating(bob, 1800, matches=PROVISIONAL - 1)
        gone = make_user("Gone")
        rating(gone, 1700)
        User.objects.filter(pk=gone.pk).update(is_active=False)
        context = client.get("/ratings/spit/").context
        assert context["leaders"] == []
        assert [row.user.username for row in context["newcomers"]] == ["Bob"]
        assert "The first place is free." in page(client, "leaderboard", "spit")

    def test_one_s_own_place_on_a_page_of_its_own(
        self, as_ann: Client, ann: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(leaders, "PER_PAGE", 3)
        rating(ann, 1500)
        for number in range(7):
            rating(make_user(), 1500 + (number - 3) * 100)
        context = as_ann.get("/ratings/spit/").context
        assert (context["place"], context["own_page"]) == (4, 2)
        second = as_ann.get("/ratings/spit/", {"page": 2}).context["leaders"]
        assert [row.place for row in second if row.is_you] == [4]

    def test_the_same_rating_has_one_place_each(self, ann: User) -> None:
        same = [rating(make_user()) for _ in range(3)]
        places = [leaders.place_of(one.user, leaders.ranked("spit")) for one in same]
        assert places == [1, 2, 3]
        assert [row.user.pk for row in leaders.leaders(leaders.ranked("spit"), ann, 1)] == [one.user_id for one in same]

    def test_the_spread_has_a_bar_for_each_step(self, ann: User) -> None:
        for value in (1401, 1449, 1560):
            rating(make_user(), value)
        bars = leaders.spread(leaders.ranked("spit"), 1560)
        assert [(bar.low, bar.count, bar.is_yours) for bar in bars] == [
            (1400, 2, False),
            (1450, 0, False),
            (1500, 0, False),
            (1550, 1, True),
        ]

    @pytest.mark.parametrize("number", ["0", "-1", "x", "9999999999999999999"])
    def test_bad_pages(self, client: Client, ann: User, number: str) -> None:
        rating(ann)
        assert client.get("/ratings/spit/", {"page": number}).status_code == 200

    def test_no_such_game(self, client: Client) -> None:
        assert client.get("/ratings/whist/").status_code == 404

    def test_in_words(self, client: Client, ann: User) -> None:
        rating(ann)
        content = page(client, "ratings")
        assert "How ratings work" in content
        assert reverse("profile", args=["Ann"]) in content


class TestWithheld:
    """What only the players may know of yet moves nobody, and brings nobody here, on any page (B08)."""

    @staticmethod
    def known() -> None:
        """The time has come."""
        with append_only.lifted(connection):
            End.objects.update(withheld_until=None)

    @pytest.fixture
    def season(self) -> list[User]:
        """Ten people with places, who played a week ago; the first has the lowest one."""
        people = [make_user(f"P{number}") for number in range(10)]
        for number, user in enumerate(people):
            rating(user, 1500 + 10 * number, days=7)
        last = timezone.now() - timedelta(days=7)
        for one, other in zip(people[::2], people[1::2], strict=True):
            quick(one, other, winner=None, ended_at=last)
        rate_pending()
        return people

    def withheld(self, one: User, other: User) -> None:
        quick(one, other, withheld_until=timezone.now() + timedelta(minutes=1))
        rate_pending()

    def test_leaderboards_are_as_they_were(self, client: Client, season: list[User]) -> None:
        def look() -> list[Any]:
            context = client.get("/ratings/spit/").context
            shown = [context[name] for name in ("leaders", "newcomers", "bars")]
            return [*shown, client.get("/ratings/").context["boards"]]

        before = look()
        new = make_user("New")
        self.withheld(season[0], season[9])
        self.withheld(season[5], new)
        assert look() == before
        self.known()
        after = look()
        assert after[0] != before[0]
        assert [row.user for row in after[1]] == [new]

    def test_page_by_page(self, client: Client, season: list[User], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(leaders, "PER_PAGE", 3)

        def look() -> list[Any]:
            return [client.get("/ratings/spit/", {"page": number}).context["leaders"] for number in (1, 2, 3, 4)]

        def places() -> list[int | None]:
            return [leaders.place_of(user, leaders.ranked("spit")) for user in season]

        before = look(), places()
        for one, other in ((0, 9), (5, 4), (2, 8)):
            self.withheld(season[one], season[other])
            assert (look(), places()) == before

    def test_who_was_away_stays_away(self, client: Client, ann: User, bob: User) -> None:
        last = timezone.now() - timedelta(days=40)
        quick(ann, bob, ended_at=last)
        rate_pending()
        Rating.objects.update(matches=PROVISIONAL)
        RatingChange.objects.update(matches=PROVISIONAL)
        self.withheld(ann, bob)
        assert not client.get("/ratings/spit/").context["leaders"]
        self.known()
        assert len(client.get("/ratings/spit/").context["leaders"]) == 2

    @pytest.mark.parametrize("wins", [True, False])
    def test_the_highest_is_the_one_of_before(self, ann: User, bob: User, wins: bool) -> None:
        """Neither that of the withheld match nor the rating just before it."""
        for winner in (0, 0, 1):
            quick(ann, bob, winner=winner)
        rate_pending()
        before = Rating.objects.get(user=ann).standing
        assert before.peak > before.value
        other = make_user()
        Rating.objects.create(user=other, game="spit", value=2000.0 if wins else 1400.0)
        self.withheld(*((ann, other) if wins else (other, ann)))
        now = Rating.objects.get(user=ann).standing
        assert (now.peak > before.peak) == wins
        assert standings_of({ann.pk})[ann.pk, "spit"] == before

    def test_the_lobby_and_what_is_at_stake(self, ann: User, bob: User) -> None:
        before = stake_between(make_user("Cid"), bob, "spit")
        self.withheld(bob, ann)
        seek = seeks.seek(bob, "p" * 16, Seek.Kind.OPEN, Setup("spit"), rated=True)
        assert (seek.rating, seek.is_provisional) == (1500.0, True)
        assert [row.person.rating for row in board.look().open] == [1500]
        assert stake_between(make_user("Dan"), bob, "spit") == before
        assert stake_between(ann, bob, "spit").win > before.win, "they know their own"

    @pytest.mark.parametrize("game", ["spit", "speed"])
    def test_the_next_match_of_an_opponent_does_not_tell(self, client: Client, ann: User, bob: User, game: str) -> None:
        """What one wins or loses depends on where the other stands, and so on from match to match."""
        cid, dan = make_user("Cid"), make_user("Dan")
        quick(ann, dan)
        rate_pending()
        before = Rating.objects.get(user=ann, game="spit").standing

        def look() -> list[Any]:
            shown = client.get("/player/Ann/", {"show": "spit"}).context
            return [
                [(row.rating, row.gain, row.is_pending) for row in shown["outcomes"]],
                [(win.other.name, win.rating) for win in shown["best"]],
                [(card.rating, card.matches, card.spark) for card in shown["games"] if card.key == "spit"],
                [(row.user, row.value) for row in client.get("/ratings/spit/").context["newcomers"]],
                client.get(reverse("head_to_head", args=["Ann", "Bob"])).context["rivalry"].games[0].ratings,
                [side.rating_after for side in describe(beaten).seats],
            ]

        until = timezone.now() + timedelta(minutes=1)
        quick(bob, cid, game=game, withheld_until=until)
        beaten = quick(ann, bob)
        # And on from there: Dan's opponent has met one who has met one who is withheld.
        quick(dan, ann, winner=1)
        rate_pending()
        if game == "spit":
            assert standings_of({ann.pk})[ann.pk, "spit"] == before
            (rows, best, *_rest) = look()
            assert rows == [(None, None, True), (None, None, True), (1520, 20, False)]
            assert best == [("Dan", 1500)]
        else:
            assert look()[0][0][1] is not None, "another game tells nothing of this one"
        self.known()
        (rows, best, *_rest) = look()
        assert all(gain is not None for _rating, gain, _pending in rows)
        assert {name for name, _rating in best} == {"Bob", "Dan"}

    def test_who_had_met_them_before_is_where_they_are(self, ann: User, bob: User) -> None:
        """Only what came after a withheld match waits with it."""
        quick(ann, bob)
        rate_pending()
        self.withheld(bob, make_user("Cid"))
        now = Rating.objects.get(user=ann).standing
        assert standings_of({ann.pk})[ann.pk, "spit"] == now
        quick(ann, make_user("Dan"))
        rate_pending()
        later = Rating.objects.get(user=ann).standing
        assert standings_of({ann.pk})[ann.pk, "spit"] == later != now

    def test_nor_when_the_opponent_is_deleted_meanwhile(self, ann: User, bob: User) -> None:
        self.withheld(bob, make_user("Cid"))
        quick(ann, bob)
        rate_pending()
        bob.delete()
        assert standings_of({ann.pk})[ann.pk, "spit"].matches == 0

    def test_of_more_than_a_database_takes_in_one_question(self, client: Client, season: list[User]) -> None:
        before = client.get("/ratings/spit/").context["leaders"]
        people = [make_user() for _ in range(1010)]
        until = timezone.now() + timedelta(minutes=1)
        for one, other in zip([season[0], *people[::2]], [season[9], *people[1::2]], strict=True):
            quick(one, other, withheld_until=until)
        rate_pending()
        assert client.get("/ratings/spit/").context["leaders"] == before

    def test_a_match_after_it_does_not_tell(self, client: Client, ann: User, bob: User) -> None:
        self.withheld(ann, bob)
        quick(ann, make_user("Cid"))
        rate_pending()
        (shown,) = client.get("/player/Ann/").context["outcomes"]
        assert (shown.rating, shown.gain, shown.is_pending) == (None, None, True)
        self.known()
        assert [outcome.gain for outcome in client.get("/player/Ann/").context["outcomes"]] == [19, 20]


class TestHeadToHead:
    def test_seen_from_the_first(self, ann: User, bob: User) -> None:
        for winner in (0, 0, 1, None):
            quick(ann, bob, winner)
        quick(bob, ann, 0, game="speed")
        found = rivalry(ann, bob)
        assert (found.record.won, found.record.lost, found.record.drawn) == (2, 2, 1)
        assert [(score.name, score.record.won, score.record.lost) for score in found.games] == [
            ("Spit", 2, 1),
            ("Speed", 0, 1),
        ]
        assert found.chart is not None
        assert [point[2] for point in found.chart.points] == [0, 1, 2, 1, 1, 0]

    def test_pages(self, as_ann: Client, ann: User, bob: User) -> None:
        assert "have not finished a match" in page(as_ann, "head_to_head", "Ann", "Bob")
        quick(ann, bob)
        assert "Game by game" in page(as_ann, "head_to_head", "Ann", "Bob")
        assert as_ann.get("/player/ann/against/BOB/")["Location"] == "/player/Ann/against/Bob/"
        assert as_ann.get("/player/Ann/against/Ann/")["Location"] == "/player/Ann/"
        assert as_ann.get("/player/Ann/against/nobody/").status_code == 404

    def test_the_form_finds_the_other(self, client: Client, ann: User, bob: User) -> None:
        address = reverse("head_to_head_form", args=["Ann"])
        assert client.get(address, {"name": " bob "})["Location"] == "/player/Ann/against/Bob/"
        assert "Nobody here is called that." in page(client, "head_to_head_form", "Ann", name="nobody")
        assert "That is the same person." in page(client, "head_to_head_form", "Ann", name="ann")
        assert "error" not in page(client, "head_to_head_form", "Ann")


class TestTies:
    def test_follow_and_back(self, as_ann: Client, ann: User, bob: User) -> None:
        assert as_ann.post("/player/Bob/follow/")["Location"] == "/player/Bob/"
        as_ann.post("/player/Bob/follow/")
        assert list(Follow.objects.values_list("follower", "followed")) == [(ann.pk, bob.pk)]
        assert "Following" in page(as_ann, "profile", "Bob")
        as_ann.post("/player/Bob/unfollow/")
        assert not Follow.objects.exists()

    def test_block_keeps_the_two_apart_both_ways(self, as_ann: Client, ann: User, bob: User) -> None:
        ties.follow(bob, ann)
        as_ann.post("/player/Bob/block/")
        assert (ties.is_blocked(ann, bob), ties.is_blocked(bob, ann)) == (True, True)
        assert not ties.may_meet(bob, ann)
        assert not Follow.objects.exists()
        assert not ties.follow(bob, ann)
        assert ties.blocked_ids(bob) == {ann.pk}
        assert ties.blocked_ids(ann, among=[bob.pk, 999]) == {bob.pk}
        assert ties.blocked_ids(ann, among=[999]) == set()
        assert ties.blocked_pairs([ann.pk, bob.pk, 999]) == {frozenset((ann.pk, bob.pk))}
        assert "You have blocked this person" in page(as_ann, "profile", "Bob")
        as_ann.post("/player/Bob/unblock/")
        assert ties.may_meet(ann, bob)

    def test_not_oneself(self, as_ann: Client, ann: User) -> None:
        as_ann.post("/player/Ann/follow/")
        as_ann.post("/player/Ann/block/")
        assert not Follow.objects.exists()
        assert not Block.objects.exists()
        assert not ties.may_meet(ann, ann)

    def test_nobody_in_particular(self, ann: User) -> None:
        assert ties.may_meet(ann, AnonymousUser())
        assert not ties.is_blocked(None, ann)
        assert ties.blocked_ids(AnonymousUser()) == set()

    def test_the_page_has_both_and_an_undo(self, as_ann: Client, ann: User, bob: User) -> None:
        content = page(as_ann, "people")
        assert "You follow nobody yet." in content
        ties.follow(ann, bob)
        ties.block(ann, make_user("Eve"))
        match = Match.objects.create(game="spit", state=Match.State.LIVE)
        Seat.objects.create(match=match, number=0, user=bob)
        content = page(as_ann, "people")
        assert match.get_absolute_url() in content
        assert "Eve" in content
        answer = as_ann.post("/player/Bob/unfollow/", {"next": "/people/"})
        content = as_ann.get(answer["Location"]).content.decode()
        assert "You do not follow Bob any more." in content
        assert "/player/Bob/follow/" in content

    def test_a_delayed_match_is_known_no_sooner_here(self, as_ann: Client, ann: User, bob: User) -> None:
        ties.follow(ann, bob)
        match = Match.objects.create(game="spit", state=Match.State.LIVE, delay=30, started_at=timezone.now())
        for number, user in enumerate((bob, make_user("Cid"))):
            Seat.objects.create(match=match, number=number, user=user)
        assert "playing now" not in page(as_ann, "people")
        Match.objects.update(started_at=timezone.now() - timedelta(seconds=31))
        assert "playing now" in page(as_ann, "people")

    def test_who_does_not_want_to_be_seen_here_is_not(self, as_ann: Client, ann: User, bob: User) -> None:
        ties.follow(ann, bob)
        match = Match.objects.create(game="spit", state=Match.State.LIVE)
        for number, user in enumerate((bob, make_user("Cid"))):
            Seat.objects.create(match=match, number=number, user=user)
        for view, *args in (("people",), ("profile", "Bob")):
            assert "playing now" in page(as_ann, view, *args)
        preferences.store(bob, {"online": "no"})
        for view, *args in (("people",), ("profile", "Bob")):
            content = page(as_ann, view, *args)
            assert "playing now" not in content
            assert match.get_absolute_url() not in content
        # To oneself it is said; and the other one has chosen nothing.
        assert "playing now" in page(as_ann, "profile", "Cid")
        as_ann.force_login(bob, backend=BACKEND)
        assert "playing now" in page(as_ann, "profile", "Bob")

    @pytest.mark.parametrize("undo", ["", "x", "follow:", "follow:nobody", "steal:Bob", "follow:\0", ":Bob"])
    def test_an_undo_of_nothing(self, as_ann: Client, bob: User, undo: str) -> None:
        assert "Undo" not in page(as_ann, "people", undo=undo)

    def test_b32_leads_nowhere_else(self, as_ann: Client, bob: User) -> None:
        answer = as_ann.post("/player/Bob/follow/", {"next": "//evil.example/"})
        assert answer["Location"] == "/player/Bob/"

    def test_only_signed_in_and_by_post(self, client: Client, ann: User) -> None:
        assert client.post("/player/Ann/follow/")["Location"].startswith("/accounts/login/")
        assert client.get("/people/")["Location"].startswith("/accounts/login/")
        client.force_login(ann, backend=BACKEND)
        assert client.get("/player/Ann/follow/").status_code == 405
        assert client.post("/player/nobody/follow/").status_code == 404


class TestStake:
    def test_what_is_told_is_what_comes(self, ann: User, bob: User) -> None:
        told = stake_between(ann, bob, "spit")
        assert (told.win, told.draw, told.loss) == (20, 0, -20)
        assert told.text == "Your rating: +20 if you win, −20 if you lose"
        quick(ann, bob)
        rate_pending()
        told = stake_between(ann, bob, "spit")
        before = round(Rating.objects.get(user=ann).value)
        quick(ann, bob, winner=1)
        rate_pending()
        assert round(Rating.objects.get(user=ann).value) - before == told.loss

    def test_r3_nothing_more_to_win(self, ann: User, bob: User) -> None:
        for _ in range(3):
            quick(ann, bob)
        rate_pending()
        told = stake_between(ann, bob, "spit")
        assert (told.win, told.is_capped) == (0, True)
        assert told.loss < 0
        assert stake_between(bob, ann, "spit").loss == 0
        assert not stake_between(ann, bob, "speed").is_capped

    def test_many_at_once(self, ann: User, bob: User, django_assert_max_num_queries: Any) -> None:
        others = [make_user() for _ in range(5)]
        with django_assert_max_num_queries(3):
            found = stakes_of(ann, [(other.pk, game) for other in others for game in ("spit", "speed")])
        assert len(found) == 10

    def test_shown_before_one_sits_down(self, as_ann: Client, bob: User) -> None:
        match = Match.objects.create(game="spit", rated=True)
        Seat.objects.create(match=match, number=0, user=bob)
        answer = as_ann.get(match.get_absolute_url())
        assert "<b>+20</b> if you win" in answer.content.decode()
        # The page sits down by itself; the table says it until the first round begins.
        as_ann.post(reverse("match_join", args=[match.slug]))
        answer = as_ann.get(match.get_absolute_url())
        assert answer.context["table_data"]["stake"] == "Your rating: +20 if you win, −20 if you lose"

    def test_not_to_watchers_and_not_without_a_rating(self, as_ann: Client, bob: User) -> None:
        for rated, other in ((True, make_user()), (False, None)):
            match = Match.objects.create(game="spit", rated=rated, state=Match.State.LIVE if other else "open")
            Seat.objects.create(match=match, number=0, user=bob)
            if other:
                Seat.objects.create(match=match, number=1, user=other)
            assert as_ann.get(match.get_absolute_url()).context["stake"] is None


class TestSpeed:
    def test_kept_when_the_replay_is_built(self, ann: User, bob: User) -> None:
        match = store_match(play_match(), ann, bob)
        build(match)
        build(match)
        (own,) = speeds_of(ann, "spit", 10)
        assert own.slug == match.slug
        assert own.per_minute > 0
        assert SeatSpeed.objects.count() == 2

    def test_the_latest_in_their_order(self, ann: User, bob: User) -> None:
        matches = [store_match(play_match(seed=seed), ann, bob) for seed in range(3)]
        for match in matches:
            build(match)
        assert [speed.slug for speed in speeds_of(ann, "spit", 2)] == [match.slug for match in matches[1:]]
        assert speeds_of(ann, "speed", 2) == []

    def test_a_deleted_player_s_stay_with_nobody(self, ann: User, bob: User) -> None:
        build(store_match(play_match(), ann, bob))
        ann.delete()
        assert SeatSpeed.objects.filter(user=None).count() == 1


class TestCharts:
    def test_a_grid_is_of_round_numbers(self) -> None:
        assert grid_of(1488, 1533) == (1540, 1520, 1500, 1480)
        assert grid_of(0, 0) == (1, 0)
        assert all(len(grid_of(0, high)) <= 6 for high in range(1, 3000, 37))

    def test_a_rating_that_has_not_moved_lies_in_the_middle(self) -> None:
        assert grid_of(1500, 1500, 20) == (1510, 1505, 1500, 1495, 1490)
        assert grid_of(1490, 1530, 20) == grid_of(1490, 1530)

    def test_a_short_time_is_written_as_in_a_replay(self) -> None:
        assert [short_span(ms) for ms in (0, 640, 1730, 23_615)] == ["0 ms", "640 ms", "1.7 s", "24 s"]

    def test_a_sample_has_both_ends(self) -> None:
        assert sample(5, 10) == [1, 2, 3, 4, 5]
        found = sample(100_000, 240)
        assert (found[0], found[-1], len(found)) == (1, 100_000, 240)

    def test_places_lie_inside(self) -> None:
        chart = chart_of([Spot(value, timezone.now()) for value in (1500, 1520, 1490)], str, certain_from=1)
        assert chart is not None
        assert chart.line.startswith("M500 ")
        assert chart.early
        assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y, *_ in chart.points)
        assert (chart.width, chart.height) == (WIDTH, HEIGHT)

    def test_too_little_for_a_line(self) -> None:
        assert chart_of([Spot(1, timezone.now())], str) is None
        assert spark_of([1]) == ""

    def test_means(self) -> None:
        assert means([1, 2, 3, 4], 2) == [1, 1.5, 2.5, 3.5]

    def test_a_whole_history(self, ann: User, bob: User) -> None:
        for number in range(8):
            quick(ann, bob, number % 2)
        rate_pending()
        count = RatingChange.objects.filter(user=ann).count()
        chart = selectors.rating_chart(ann, "spit", count)
        assert chart is not None
        assert len(chart.points) == count + 1
        assert chart.points[0][2] == 1500


class TestFlagsInTheAdmin:
    def test_list_settle_reopen(self, client: Client, boss: User, ann: User, bob: User) -> None:
        match = quick(ann, bob, at=4_000)
        rate_pending()
        flag = MatchFlag.objects.get()
        client.force_login(boss, backend=BACKEND)
        address = reverse("admin:games_matchflag_changelist")
        content = client.get(address).content.decode()
        assert match.slug in content
        assert "shorter than 10 seconds" in content
        client.post(address, {"action": "settle", "_selected_action": [flag.pk]})
        flag.refresh_from_db()
        assert flag.settled_by == boss
        assert match.slug not in client.get(address).content.decode()
        assert match.slug in client.get(address, {"settled": "yes"}).content.decode()
        assert match.slug in client.get(address, {"settled": "all", "q": "an"}).content.decode()
        client.post(f"{address}?settled=all", {"action": "reopen", "_selected_action": [flag.pk]})
        flag.refresh_from_db()
        assert flag.settled_at is None
        assert client.get(reverse("admin:games_matchflag_change", args=[flag.pk])).status_code == 200
        history = client.get(reverse("admin:games_matchflag_history", args=[flag.pk])).content.decode()
        assert history.index("Looked at") < history.index("To be looked at once more"), "who did what stays known"
        assert history.count(boss.username) >= 2

    def test_only_what_changes_is_logged(self, client: Client, boss: User, ann: User, bob: User) -> None:
        for _ in range(2):
            quick(ann, bob, at=4_000)
        rate_pending()
        client.force_login(boss, backend=BACKEND)
        address = f"{reverse('admin:games_matchflag_changelist')}?settled=all"
        one, other = MatchFlag.objects.order_by("pk").values_list("pk", flat=True)
        client.post(address, {"action": "settle", "_selected_action": [one]})
        client.post(address, {"action": "settle", "_selected_action": [one, other]})
        client.post(address, {"action": "reopen", "_selected_action": [other]})
        client.post(address, {"action": "reopen", "_selected_action": [other]})
        logged = LogEntry.objects.order_by("pk").values_list("user", "object_id", "change_message")
        assert list(logged) == [
            (boss.pk, str(one), "Looked at"),
            (boss.pk, str(other), "Looked at"),
            (boss.pk, str(other), "To be looked at once more"),
        ]

    def test_nobody_settles_their_own(self, client: Client, boss: User, ann: User, bob: User) -> None:
        own, other = quick(boss, ann, at=4_000), quick(ann, bob, at=4_000)
        rate_pending()
        client.force_login(boss, backend=BACKEND)
        flags = list(MatchFlag.objects.values_list("pk", flat=True))
        address = reverse("admin:games_matchflag_changelist")
        answer = client.post(address, {"action": "settle", "_selected_action": flags}, follow=True).content.decode()
        assert "1 flag is settled." in answer
        assert f"Somebody else has to decide: {own.slug}." in answer
        assert [flag.end.match for flag in MatchFlag.objects.exclude(settled_at=None)] == [other]
