"""The admin site: what it shows of matches, replays and ratings, and what nobody can do there."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.admin.log import KINDS, PAGE, PHASES, draw, lines
from games.admin.read_only import NOTHING, people_called
from games.live import announce
from games.models import End, Event, Match, Rating, RatingChange, Seat
from games.ratings.services import rate_pending
from games.rules.events import Kind
from games.rules.setup import Options, Setup
from games.rules.state import Cause, Phase
from replays.admin import FIGURES
from replays.build import build
from replays.models import Replay
from replays.statistics import SeatStatistics
from spitsite.accounts.models import User
from tests.factories import Played, Player, event_rows, make_match, make_user, play_match, play_short, store_match

pytestmark = pytest.mark.django_db

READ_ONLY = [Match, Replay, Rating, RatingChange]


@pytest.fixture
def admin(client: Client, boss: Any) -> Client:
    client.force_login(boss, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def whole() -> Match:
    """A whole rated match, with its replay and ratings."""
    match = store_match(play_match(seed=4, pace=(450, 700)), make_user("ann"), make_user("ben"), rated=True)
    rate_pending()
    build(match)
    return match


@pytest.fixture
def live() -> Match:
    return store_match(Player(seed=4).play(until=120), make_user("cat"), "deuce")


def address(model: type, what: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{what}", args=args)  # type: ignore[attr-defined]


class TestNothingCanBeChanged:
    @pytest.mark.parametrize("model", READ_ONLY)
    def test_no_add_change_or_delete(self, admin: Client, whole: Match, model: type) -> None:
        row = model.objects.first()  # type: ignore[attr-defined]
        before = list(model.objects.values())  # type: ignore[attr-defined]
        assert admin.get(address(model, "add")).status_code == 403
        assert admin.post(address(model, "change", row.pk), {"game": "chess", "value": "1"}).status_code == 403
        assert admin.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403
        assert list(model.objects.values()) == before  # type: ignore[attr-defined]

    @pytest.mark.parametrize("model", READ_ONLY)
    def test_no_deleting_from_the_list(self, admin: Client, whole: Match, model: type) -> None:
        ids = [row.pk for row in model.objects.all()]  # type: ignore[attr-defined]
        admin.post(address(model, "changelist"), {"action": "delete_selected", "_selected_action": ids, "post": "yes"})
        assert model.objects.count() == len(ids)  # type: ignore[attr-defined]

    def test_events_and_ends_have_no_page(self, admin: Client) -> None:
        index = admin.get(reverse("admin:index")).content.decode()
        for model in (Event, End, Seat):
            assert f"/admin/games/{model._meta.model_name}/" not in index

    def test_deleting_a_person_keeps_the_match(self, admin: Client, whole: Match) -> None:
        ann = whole.seats.get(number=0).user
        admin.post(address(type(ann), "delete", ann.pk), {"post": "yes"})
        assert not type(ann).objects.filter(pk=ann.pk).exists()
        assert whole.seats.count() == 2
        assert whole.end.rating_changes.count() == 2
        assert "deleted player" in admin.get(address(Match, "change", whole.pk)).content.decode()


class TestPages:
    @pytest.mark.parametrize("model", READ_ONLY)
    def test_list_and_page(self, admin: Client, whole: Match, model: type) -> None:
        assert admin.get(address(model, "changelist")).status_code == 200
        row = model.objects.first()  # type: ignore[attr-defined]
        assert admin.get(address(model, "change", row.pk)).status_code == 200

    def test_a_match_says_who_played_and_how_it_ended(self, admin: Client, whole: Match) -> None:
        page = admin.get(address(Match, "change", whole.pk)).content.decode()
        for text in ("ann", "ben", "ann won (out of cards)", "1500", "1520", "1480", f"/replay/{whole.slug}/"):
            assert text in page

    def test_a_match_says_how_often_each_hand_went_wrong(self, admin: Client) -> None:
        for misplays, shown in (((12, 0), ["12", "0"]), (None, [NOTHING, NOTHING])):
            match = store_match(play_short(0), misplays=misplays)
            page = admin.get(address(Match, "change", match.pk)).content.decode()
            cells = re.findall(r'class="field-misplays">\s*<p>(.*?)</p>', page)
            assert cells == shown

    @pytest.mark.parametrize(
        ("played", "text"),
        [
            (play_short(None), "draw (nobody played on)"),
            (play_short(1), "won (resigned)"),
            (play_short(None, cause=Cause.BROKEN_OFF), "broken off by the site"),
        ],
    )
    def test_every_kind_of_end(self, admin: Client, played: Played, text: str) -> None:
        store_match(played)
        assert text in admin.get(address(Match, "changelist")).content.decode()

    def test_a_replay_shows_the_figures_of_both_seats(self, admin: Client, whole: Match) -> None:
        page = admin.get(address(Replay, "change", Replay.objects.get().pk)).content.decode()
        plays = [whole.events.filter(kind="played", seat=seat).count() for seat in (0, 1)]
        assert "<th>cards played</th><td>{}</td><td>{}</td>".format(*plays) in page
        assert re.search(r"<th>longest burst</th><td>\d+ cards in \d+ ms</td>", page)
        assert set(FIGURES) == set(SeatStatistics.__struct_fields__)

    def test_a_flagged_replay_shows_why(self, admin: Client, whole: Match) -> None:
        Replay.objects.update(verdict="flagged", faults=[[7, "the rules do not yield this <played>"]])
        page = admin.get(address(Replay, "change", whole.replay.pk)).content.decode()
        assert "7: the rules do not yield this &lt;played&gt;" in page
        assert "flagged" in admin.get(address(Match, "changelist")).content.decode()

    @pytest.mark.parametrize("model", READ_ONLY)
    def test_as_many_queries_for_many_rows_as_for_few(
        self, admin: Client, model: type, django_assert_max_num_queries: Callable[..., Any]
    ) -> None:
        def load() -> int:
            with django_assert_max_num_queries(60) as queries:
                assert admin.get(address(model, "changelist")).status_code == 200
            return len(queries)

        for count in (2, 12):
            for _ in range(count):
                build(make_match())
            rate_pending()
            if count == 2:
                few = load()
        assert load() == few

    @pytest.mark.parametrize(
        "query",
        ["state__exact=over", "game=spit", "rated__exact=1", "cause=resigned", "state__exact=live&game=speed"],
    )
    def test_filters(self, admin: Client, query: str) -> None:
        make_match()
        response = admin.get(f"{address(Match, 'changelist')}?{query}")
        assert response.status_code == 200
        assert len(response.context["cl"].result_list) == ("live" not in query)

    @pytest.mark.parametrize(("term", "found"), [("ann", 1), ("AN", 1), ("nn", 0), ("zzzzzzzz", 0), ("", 2)])
    def test_search_by_name(self, admin: Client, whole: Match, live: Match, term: str, found: int) -> None:
        response = admin.get(address(Match, "changelist"), {"q": term})
        assert len(response.context["cl"].result_list) == found

    def test_people_are_found_by_how_they_begin_without_reading_all_of_them(self, admin: Client) -> None:
        """Of people as many as would make reading them all the slower way, on the database that has an index for it."""
        User.objects.bulk_create(
            User(username=f"{'abcdefghij'[n % 10]}{n}x", email=f"post{n}@example.org") for n in range(3000)
        )
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        for term, found in (("A1230", 1), ("post77@", 1), ("1230", 0)):
            with CaptureQueriesContext(connection) as asked:
                page = admin.get(address(User, "changelist"), {"q": term})
            assert page.content.decode().count('class="field-username"') == found
            searches = [query["sql"] for query in asked if "LIKE" in query["sql"]]
            assert searches
            if connection.vendor == "postgresql":
                for search in (*searches, str(people_called("a123").query).replace("a123%", "'a123%'")):
                    with connection.cursor() as cursor:
                        cursor.execute(f"EXPLAIN {search}")
                        plan = "\n".join(row[0] for row in cursor.fetchall())
                    assert "users_by_name_begun" in plan, plan
                    assert "Seq Scan" not in plan, plan

    def test_search_by_public_id(self, admin: Client, whole: Match, live: Match) -> None:
        assert whole.slug in admin.get(address(Match, "changelist"), {"q": whole.slug}).content.decode()
        assert len(admin.get(address(Replay, "changelist"), {"q": whole.slug}).context["cl"].result_list) == 1

    @pytest.mark.parametrize("model", [Rating, RatingChange])
    def test_search_ratings_by_name(self, admin: Client, whole: Match, model: type) -> None:
        assert len(admin.get(address(model, "changelist"), {"q": "ann"}).context["cl"].result_list) == 1

    def test_names_are_text(self, admin: Client, whole: Match) -> None:
        """B31"""
        name = "<svg/onload=alert(1)>"
        type(whole.seats.get(number=0).user).objects.filter(username="ann").update(username=name)
        for model in READ_ONLY:
            for page in (address(model, "changelist"), address(model, "change", model.objects.first().pk)):  # type: ignore[attr-defined]
                assert name not in admin.get(page).content.decode(), page
        assert name not in admin.get(address(Match, "log", whole.pk)).content.decode()


class TestLog:
    def test_every_event_is_on_some_page(self, admin: Client) -> None:
        match = store_match(play_match(Setup("spit", Options(stockpiles=4, slap=False)), seed=5, pace=(500, 510)))
        events = match.end.events
        assert events > PAGE
        seen: list[int] = []
        for page in range(1, -(-events // PAGE) + 1):
            seen += [line.seq for line in lines(match, page)]
            response = admin.get(address(Match, "log", match.pk), {"page": page})
            assert f'id="event-{seen[-1]}"' in response.content.decode()
        assert seen == list(range(1, events + 1))

    @pytest.mark.parametrize("page", ["0", "-1", "999999", "abc"])
    def test_any_page_number_is_some_page(self, admin: Client, whole: Match, page: str) -> None:
        assert admin.get(address(Match, "log", whole.pk), {"page": page}).status_code == 200

    def test_everything_has_a_name(self) -> None:
        assert set(KINDS) == set(Kind)
        assert set(PHASES) == set(Phase)

    def test_cards_are_drawn(self) -> None:
        assert draw("Th") == ("10♥", "red")
        assert draw("-As") == ("A♠", "down")
        assert draw("7c'") == ("7♣'", "black")
        assert draw("-") == ("", "down")

    def test_of_a_finished_match_everything_is_open(self, whole: Match) -> None:
        first = next(iter(lines(whole, 1)))
        assert len({card.text for card in first.steps[0].cards}) == 52

    def test_of_a_live_match_no_hidden_card_is_shown(self, admin: Client, live: Match) -> None:
        """B08: an administrator who plays, or tells, knows no more than a watcher."""
        page = admin.get(address(Match, "log", live.pk))
        assert "face-down cards stay hidden" in page.content.decode()
        shown = [
            card
            for line in lines(live, 1)
            for card in [*(card for step in line.steps for card in step.cards), *(pile.top for pile in line.centre)]
            if card is not None and card.look == "down"
        ]
        assert shown
        assert {card.text for card in shown} == {""}

    def test_a_damaged_log_ends_with_the_reason(self, admin: Client, live: Match) -> None:
        Event.objects.bulk_create([Event(match=live, seq=live.events.count() + 1, at=99_999, kind="waved", body="{")])
        assert list(lines(live, 1))[-1].fault
        assert admin.get(address(Match, "log", live.pk)).status_code == 200

    def test_an_empty_log(self, admin: Client) -> None:
        match = Match.objects.create(game="spit")
        assert "Nothing has happened yet" in admin.get(address(Match, "log", match.pk)).content.decode()

    def test_needs_the_permission_to_view(self, client: Client, whole: Match) -> None:
        page = address(Match, "log", whole.pk)
        helper = make_user("helper", is_staff=True)
        client.force_login(helper, backend="django.contrib.auth.backends.ModelBackend")
        assert client.get(page).status_code == 403
        helper.user_permissions.add(Permission.objects.get(codename="view_match"))
        assert client.get(page).status_code == 200


class TestActions:
    def act(self, client: Client, model: type, action: str, *rows: Any, **more: str) -> Any:
        data = {"action": action, "_selected_action": [row.pk for row in rows], **more}
        return client.post(address(model, "changelist"), data, follow=True)

    def test_rebuild_replays(self, admin: Client, whole: Match) -> None:
        right = Replay.objects.get().digest
        Replay.objects.update(digest="wrong")
        self.act(admin, Replay, "rebuild", whole.replay)
        assert Replay.objects.get().digest == right
        assert self.logged() == [(str(whole.replay.pk), "Built again")]

    @staticmethod
    def logged() -> list[tuple[str, str]]:
        return list(LogEntry.objects.order_by("pk").values_list("object_id", "change_message"))

    def test_rebuild_replays_of_matches(self, admin: Client, whole: Match, live: Match) -> None:
        Replay.objects.all().delete()
        response = self.act(admin, Match, "rebuild_replay", whole, live)
        assert "1 replay is being built again" in response.content.decode()
        assert Replay.objects.get().match_id == whole.pk
        assert self.logged() == [(str(whole.pk), "Built again")]

    def test_recount_ratings(self, admin: Client, whole: Match) -> None:
        Rating.objects.update(value=9999.0)
        assert "Recount all ratings" in admin.get(address(Rating, "changelist")).content.decode()
        admin.post(reverse("admin:games_rating_recount"))
        assert sorted(Rating.objects.values_list("value", flat=True)) == [1480.0, 1520.0]
        entry = LogEntry.objects.select_related("user").get()
        assert (entry.user.is_superuser, entry.object_repr, entry.change_message) == (
            True,
            "all ratings",
            "Counted again",
        )
        assert "all ratings" in admin.get(reverse("admin:index")).content.decode()

    def test_recount_needs_post(self, admin: Client) -> None:
        assert admin.get(reverse("admin:games_rating_recount")).status_code == 405

    def test_break_off_asks_first(self, admin: Client, live: Match, monkeypatch: pytest.MonkeyPatch) -> None:
        told: list[str] = []
        monkeypatch.setattr(announce, "break_off", lambda slug: not told.append(slug))
        page = self.act(admin, Match, "break_off", live).content.decode()
        assert "cannot be taken back" in page
        assert live.slug in page
        assert told == []
        page = self.act(admin, Match, "break_off", live, confirmed="yes").content.decode()
        assert told == [live.slug]
        assert "1 match is being broken off." in page
        assert LogEntry.objects.count() == 1

    def test_that_nobody_heard_of_breaking_off_is_said(self, admin: Client, live: Match, settings: Any) -> None:
        """No live play runs in the process of this test, and no others are to be told."""
        settings.PLAY_IS_SHARED = False
        page = self.act(admin, Match, "break_off", live, confirmed="yes").content.decode()
        assert f"Not broken off, for no server that plays matches could be told: {live.slug}." in page
        assert "is being broken off" not in page
        assert not LogEntry.objects.exists()

    def test_only_live_matches_are_broken_off(
        self, admin: Client, whole: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        told: list[str] = []
        monkeypatch.setattr(announce, "break_off", told.append)
        response = self.act(admin, Match, "break_off", whole, confirmed="yes")
        assert "None of these matches is being played" in response.content.decode()
        assert told == []

    def test_who_may_only_view_is_offered_no_action(self, client: Client, whole: Match) -> None:
        helper = make_user("helper", is_staff=True)
        for codename in ("view_match", "view_rating", "view_replay"):
            helper.user_permissions.add(Permission.objects.get(codename=codename))
        client.force_login(helper, backend="django.contrib.auth.backends.ModelBackend")
        assert "break_off" not in client.get(address(Match, "changelist")).content.decode()
        assert "Recount all" not in client.get(address(Rating, "changelist")).content.decode()
        assert client.post(reverse("admin:games_rating_recount")).status_code == 403
        Replay.objects.update(digest="wrong")
        self.act(client, Replay, "rebuild", whole.replay)
        assert Replay.objects.get().digest == "wrong"


def test_event_rows_of_the_samples_are_like_the_journal_s() -> None:
    """What the other tests stand on: the sample rows can be read back to the events that they were made of."""
    from games.rules.log import decode_event

    played = play_short(0)
    rows = event_rows(Match(pk=1), played.events)
    assert [decode_event(row.body, row.version) for row in rows] == list(played.events)
    assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
