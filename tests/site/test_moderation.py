"""Reports, what is decided on them, and what those see whom it is about."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.core.cache import cache
from django.db import DatabaseError, connection, transaction
from django.db.models.signals import post_save
from django.test import Client

from games.clock import wall
from games.lobby import services
from games.lobby.services import Code, LobbyError
from games.models import ChatLine, End, Match, Muted, Rating, RatingChange
from games.moderation import measures, notices, standing
from games.moderation.models import Banned, Kind, Measure, Notice, Report, Voided
from games.moderation.reports import MOST_PER_DAY
from games.ratings.recount import recount
from games.ratings.services import rate_pending
from games.rules.setup import Setup
from games.stands import chat
from games.stands.programme import great_outcome
from games.tasks import sweep
from spitsite.accounts import own_data
from spitsite.accounts.guests import create_guest
from spitsite.celery import app as celery
from spitsite.monitoring.today import HEIGHT, HOURS, today
from tests.factories import SPIT, make_match, make_user, moderators

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"


def signed_in(person: Any) -> Client:
    client = Client()
    client.force_login(person, backend=BACKEND)
    return client


@pytest.fixture
def ann() -> Any:
    return make_user("ann")


@pytest.fixture
def ben() -> Any:
    return make_user("ben")


@pytest.fixture
def mo() -> Any:
    moderator = make_user("mo", is_staff=True)
    moderator.groups.add(moderators())
    return moderator


def decide(moderator: Any, person: Any, **said: str) -> Any:
    return signed_in(moderator).post(f"/admin/moderation/report/person/{person.pk}/", said)


class TestReporting:
    def test_from_a_match_a_replay_at_a_moment_a_profile_and_the_chat(self, ann: Any, ben: Any) -> None:
        match = make_match(ann, ben)
        line = ChatLine.objects.create(match=match, user=ben, text="bad words")
        client = signed_in(ann)
        said = {"about": ben.pk, "reason": "cheating", "text": "too fast"}
        for path in (
            f"/report/match/{match.slug}/", f"/report/match/{match.slug}/?t=61234",
            "/report/player/ben/", f"/report/chat/{line.pk}/",
        ):  # fmt: skip
            page = client.get(path)
            assert page.status_code == 200
            assert "ben" in page.content.decode()
            assert client.post(path, said).status_code == 302
        found = Report.objects.order_by("pk").values_list("place", "match", "moment", "line", "reporter", "about")
        assert list(found) == [
            ("match", match.pk, None, None, ann.pk, ben.pk),
            ("replay", match.pk, 61234, None, ann.pk, ben.pk),
            ("profile", None, None, None, ann.pk, ben.pk),
            ("chat", match.pk, None, line.pk, ann.pk, ben.pk),
        ]

    def test_watchers_choose_whom_they_mean(self, ann: Any, ben: Any) -> None:
        match = make_match(ann, ben)
        cat = make_user("cat")
        page = signed_in(cat).post(f"/report/match/{match.slug}/", {"reason": "cheating", "text": "keep this"})
        assert page.status_code == 400
        assert "keep this" in page.content.decode(), "nothing is lost of what was typed"
        assert "id_about_error" in page.content.decode()
        assert not Report.objects.exists()

    @pytest.mark.parametrize(
        ("said", "field"),
        [
            ({"reason": ""}, "id_reason_error"),
            ({"reason": "nonsense"}, "id_reason_error"),
            ({"reason": "other", "text": "  "}, "id_text_error"),
            ({"reason": "name", "text": "x" * 501}, "id_text_error"),
            ({"reason": "name", "text": "a\0b"}, "id_text_error"),
        ],
    )
    def test_bad_input_is_told_at_the_field(self, ann: Any, ben: Any, said: dict[str, str], field: str) -> None:
        """B31"""
        page = signed_in(ann).post("/report/player/ben/", {"about": str(ben.pk), **said})
        assert page.status_code == 400
        assert f'id="{field}"' in page.content.decode()
        assert not Report.objects.exists()

    def test_nobody_else_is_reported_than_who_is_there(self, ann: Any, ben: Any) -> None:
        cat = make_user("cat")
        page = signed_in(ann).post("/report/player/ben/", {"about": str(cat.pk), "reason": "name"})
        assert page.status_code == 400
        assert not Report.objects.exists()
        assert signed_in(ben).get("/report/player/ben/").status_code == 404, "not oneself"
        against_bot = make_match(ann, "deuce", rated=False)
        assert signed_in(ann).get(f"/report/match/{against_bot.slug}/").status_code == 404
        deleted = make_match(ann, None, rated=False)
        assert signed_in(ann).get(f"/report/match/{deleted.slug}/").status_code == 404
        waiting = services.create_for_friend(ann, SPIT)
        assert signed_in(ben).get(f"/report/match/{waiting.slug}/").status_code == 404

    def test_guests_and_visitors_may(self, ben: Any) -> None:
        said = {"about": str(ben.pk), "reason": "name"}
        assert signed_in(create_guest()).post("/report/player/ben/", said).status_code == 302
        assert Client().post("/report/player/ben/", said).status_code == 302
        assert [report.reporter and report.reporter.is_guest for report in Report.objects.all()] == [True, True]

    def test_the_same_again_is_the_same_and_too_many_are_refused(self, ann: Any, ben: Any) -> None:
        client = signed_in(ann)
        for _ in range(3):
            client.post("/report/player/ben/", {"about": ben.pk, "reason": "name"})
        assert Report.objects.count() == 1
        for _ in range(MOST_PER_DAY - 1):
            Report.objects.create(reporter=ann, about=make_user(), place="profile", reason="name")
        page = client.post("/report/player/ben/", {"about": ben.pk, "reason": "cheating", "text": "typed"})
        assert page.status_code == 429
        assert "typed" in page.content.decode()
        Report.objects.update(at=wall() - timedelta(days=2))
        assert client.post("/report/player/ben/", {"about": ben.pk, "reason": "cheating"}).status_code == 302

    def test_an_address_is_limited(self, ben: Any, settings: Any) -> None:
        settings.REPORTS_PER_ADDRESS = 2
        said = {"about": str(ben.pk), "reason": "name"}
        assert [Client().post("/report/player/ben/", said).status_code for _ in range(3)] == [302, 302, 429]

    def test_an_address_that_has_made_many_guests_is_told_so(self, ann: Any, ben: Any, settings: Any) -> None:
        """As one of a school; who has an account reports all the same, and nothing typed is lost."""
        settings.GUESTS_PER_ADDRESS = 1
        said = {"about": str(ben.pk), "reason": "name", "text": "keep this"}
        pages = [Client().post("/report/player/ben/", said) for _ in range(2)]
        assert [page.status_code for page in pages] == [302, 429]
        assert "keep this" in pages[1].content.decode()
        assert "of late" in pages[1].content.decode()
        assert signed_in(ann).post("/report/player/ben/", said).status_code == 302
        assert Report.objects.count() == 2

    def test_the_reported_never_learn_of_it(self, ann: Any, ben: Any) -> None:
        signed_in(ann).post("/report/player/ben/", {"about": ben.pk, "reason": "name", "text": "look at that"})
        client = signed_in(ben)
        for path in ("/", "/player/ben/", "/decisions/"):
            assert "look at that" not in client.get(path).content.decode()
        assert "All is well" in client.get("/decisions/").content.decode()


class TestTheQueue:
    def test_by_person_with_the_moment_the_chat_and_what_was_done_before(self, ann: Any, ben: Any, mo: Any) -> None:
        match = make_match(ann, ben)
        for text in ("before", "bad words", "after"):
            line = ChatLine.objects.create(match=match, user=ben if text == "bad words" else ann, text=text)
        line = ChatLine.objects.get(text="bad words")
        measures.decide(mo, ben, Kind.WARN, "the first warning")
        signed_in(ann).post(f"/report/match/{match.slug}/?t=61234", {"about": ben.pk, "reason": "cheating"})
        signed_in(ann).post(f"/report/chat/{line.pk}/", {"about": ben.pk, "reason": "chat"})
        client = signed_in(mo)
        queue = client.get("/admin/moderation/report/queue/").content.decode()
        assert queue.count("/admin/moderation/report/person/") == 1, "two reports, one person"
        case = client.get(f"/admin/moderation/report/person/{ben.pk}/").content.decode()
        for part in (f"/replay/{match.slug}/?t=61234", "before", "bad words", "after", "the first warning"):
            assert part in case

    def test_the_page_of_a_user_leads_to_what_can_be_done(self, ben: Any, mo: Any) -> None:
        way = f"/admin/moderation/report/person/{ben.pk}/"
        assert way in signed_in(mo).get(f"/admin/accounts/user/{ben.pk}/change/").content.decode()
        helper = make_user("Helper", is_staff=True)
        helper.user_permissions.add(Permission.objects.get(codename="view_user"))
        page = signed_in(helper).get(f"/admin/accounts/user/{ben.pk}/change/")
        assert page.status_code == 200
        assert way not in page.content.decode()

    @pytest.mark.parametrize("kind", ["dismiss", "warn", "mute", "ban"])
    def test_a_decision_ends_the_reports_and_is_logged(self, ann: Any, ben: Any, mo: Any, kind: str) -> None:
        Report.objects.create(reporter=ann, about=ben, place="profile", reason="cheating")
        assert decide(mo, ben, kind=kind, length="7", reason="because").status_code == 302
        measure = Measure.objects.get()
        assert (measure.by, measure.about, measure.kind, measure.reason) == (mo, ben, kind, "because")
        assert (measure.until is not None) == (kind in ("mute", "ban"))
        assert Report.objects.get().measure == measure
        assert "Nothing is waiting" in signed_in(mo).get("/admin/moderation/report/queue/").content.decode()
        assert Muted.objects.exists() == (kind == "mute")
        assert Banned.objects.exists() == (kind == "ban")
        log = signed_in(mo).get("/admin/moderation/measure/").content.decode()
        assert "because" in log

    @pytest.mark.parametrize(
        "said",
        [
            {},
            {"kind": "execute", "reason": "x"},
            {"kind": "ban", "length": "1", "reason": " "},
            {"kind": "ban", "length": "12", "reason": "x"},
            {"kind": "ban", "length": "", "reason": "x"},
            {"kind": "warn", "reason": "x" * 501},
        ],
    )
    def test_bad_input(self, ben: Any, mo: Any, said: dict[str, str]) -> None:
        page = decide(mo, ben, **said)
        assert page.status_code == 400
        assert "errornote" in page.content.decode()
        assert not Measure.objects.exists()

    def test_moderators_judge_neither_themselves_nor_each_other(self, ann: Any, mo: Any, boss: Any) -> None:
        other = make_user("other", is_staff=True)
        assert decide(mo, mo, kind="dismiss").status_code == 403
        assert decide(mo, other, kind="ban", length="1", reason="x").status_code == 403
        assert decide(boss, other, kind="warn", reason="x").status_code == 302
        assert decide(ann, other, kind="warn", reason="x")["Location"].startswith("/a"), "asked to sign in as staff"
        assert Measure.objects.count() == 1

    def test_who_only_looks_cannot_decide(self, ben: Any) -> None:
        looker = make_user("looker", is_staff=True)
        looker.user_permissions.add(Permission.objects.get(codename="view_report"))
        assert signed_in(looker).get(f"/admin/moderation/report/person/{ben.pk}/").status_code == 200
        assert decide(looker, ben, kind="ban", length="1", reason="x").status_code == 403
        assert signed_in(looker).post(f"/admin/moderation/report/person/{ben.pk}/lift/").status_code == 403

    def test_lifting_needs_a_reason(self, ben: Any, mo: Any) -> None:
        measures.decide(mo, ben, Kind.BAN, "x", None)
        client = signed_in(mo)
        client.post(f"/admin/moderation/report/person/{ben.pk}/lift/", {"kind": "unban"})
        assert standing.is_banned(ben)
        client.post(f"/admin/moderation/report/person/{ben.pk}/lift/", {"kind": "unban", "reason": "an error"})
        assert not standing.is_banned(ben)
        assert Measure.objects.first().kind == Kind.UNBAN  # type: ignore[union-attr]

    def test_a_line_is_taken_away_together_with_the_word_of_it_in_the_log(self, ann: Any, ben: Any, mo: Any) -> None:
        line = ChatLine.objects.create(match=make_match(ann, ben), user=ben, text="bad words")

        def fail(**_more: Any) -> None:
            raise DatabaseError

        post_save.connect(fail, sender=Measure)
        try:
            with pytest.raises(DatabaseError):
                signed_in(mo).post("/admin/games/chatline/", {"action": "hide", "_selected_action": [line.pk]})
        finally:
            post_save.disconnect(fail, sender=Measure)
        line.refresh_from_db()
        assert not line.is_hidden


class TestWhoIsBanned:
    def test_plays_nothing_and_chats_nowhere(self, ann: Any, ben: Any, mo: Any) -> None:
        over = make_match(ann, ben)
        waiting = services.create_for_friend(ann, SPIT)
        own = services.create_for_friend(ben, SPIT)
        decide(mo, ben, kind="ban", length="1", reason="a program played")
        assert not Match.objects.filter(pk=own.pk).exists(), "an invitation is taken back"
        for wish in (
            lambda: services.create_against_computer(ben, "deuce", Setup("spit")),
            lambda: services.create_for_friend(ben, SPIT),
            lambda: services.join(waiting, ben),
        ):
            with pytest.raises(LobbyError) as refused:
                wish()
            assert refused.value.code is Code.BANNED
        with pytest.raises(LobbyError) as refused:
            services.rematch(over)
        assert refused.value.code is Code.GONE
        found = chat.find(over.slug)
        assert found is not None
        assert chat.may_write(found, ben.pk) is chat.May.MUTED

    def test_reads_what_why_until_when_and_how_to_appeal(self, ben: Any, mo: Any, settings: Any) -> None:
        settings.CONTACT_EMAIL = "host@example.org"
        decide(mo, ben, kind="ban", length="7", reason="A program played <b>for</b> you.")
        client = signed_in(ben)
        home = client.get("/").content.decode()
        assert re.search(r'You are banned until <time datetime="[^"]+" data-clock>[^<]+</time> and cannot play\.', home)
        page = client.get("/decisions/").content.decode()
        assert "A program played &lt;b&gt;for&lt;/b&gt; you." in page
        assert re.search(r'Banned until <time datetime="[^"]+" data-clock>', page)
        assert page.count("data-clock") == 3 + page.count("You cannot write in the chat until"), "and in the list"
        assert 'href="mailto:host@example.org"' in page
        assert "mo" not in page.split("<main")[1].split("</main>")[0].split(), "who decided is not told"
        sent = client.post("/match/xxxxxxxx/join/")
        assert sent.status_code == 404

    def test_is_sent_to_the_reason_by_a_wish_to_play(self, ann: Any, ben: Any, mo: Any) -> None:
        waiting = services.create_for_friend(ann, SPIT)
        measures.decide(mo, ben, Kind.BAN, "x", None)
        response = signed_in(ben).post(f"/match/{waiting.slug}/join/")
        assert response["Location"] == "/decisions/"

    def test_plays_again_when_it_has_run_out(self, ben: Any, mo: Any) -> None:
        measures.decide(mo, ben, Kind.BAN, "x", 1)
        Banned.objects.update(until=wall() - timedelta(seconds=1))
        assert services.create_for_friend(ben, SPIT)
        assert "You are banned" not in signed_in(ben).get("/").content.decode()

    def test_a_warning_is_shown_until_it_was_read(self, ben: Any, mo: Any) -> None:
        measures.decide(mo, ben, Kind.WARN, "be kind")
        client = signed_in(ben)
        assert "Something was decided about you" in client.get("/").content.decode()
        assert "be kind" in client.get("/decisions/").content.decode()
        client.post("/decisions/read/")
        assert "Something was decided about you" not in client.get("/").content.decode()
        assert Measure.objects.get().read_at is not None


class TestTheLog:
    def test_is_append_only(self, ben: Any, mo: Any) -> None:
        measure = measures.decide(mo, ben, Kind.WARN, "x")
        for change in (
            lambda: Measure.objects.update(reason="y"),
            lambda: Measure.objects.update(kind="dismiss"),
            lambda: Measure.objects.filter(pk=measure.pk).delete(),
        ):
            with pytest.raises(DatabaseError), transaction.atomic():
                change()
        assert Measure.objects.get().reason == "x"

    def test_outlives_those_whom_it_names(self, ben: Any, mo: Any) -> None:
        """B29"""
        measures.decide(mo, ben, Kind.BAN, "x", None)
        ben.delete()
        mo.delete()
        measure = Measure.objects.get()
        assert (measure.by, measure.about, measure.reason) == (None, None, "x")
        assert not Banned.objects.exists()


class TestVoiding:
    def void(self, moderator: Any, match: Match | list[Match], **more: str) -> Any:
        matches = match if isinstance(match, list) else [match]
        data = {"action": "void", "_selected_action": [each.pk for each in matches], **more}
        return signed_in(moderator).post("/admin/games/match/", data, follow=True)

    def test_ratings_are_as_if_it_had_not_been_played(self, ann: Any, ben: Any, mo: Any) -> None:
        make_match(ann, ben, winner=0)
        bad = make_match(ann, ben, winner=1)
        make_match(ann, ben, winner=0)
        rate_pending()
        assert "reason is needed" in self.void(mo, bad, confirmed="yes").content.decode()
        assert not Voided.objects.exists()
        page = self.void(mo, bad, confirmed="yes", reason="a program played")
        assert "1 match was voided" in page.content.decode()
        assert "voided" in page.content.decode()
        assert not RatingChange.objects.filter(end__match=bad).exists()
        assert Rating.objects.get(user=ann).matches == 2
        assert recount(repair=False).is_equal
        measure = Measure.objects.get()
        assert (measure.kind, measure.match, measure.by, measure.reason) == ("void", bad, mo, "a program played")
        assert "can be voided" in self.void(mo, bad, confirmed="yes", reason="again").content.decode()
        assert Measure.objects.count() == 1

    def test_what_another_moderator_was_quicker_with_keeps_no_other_back(self, ann: Any, ben: Any, mo: Any) -> None:
        matches = [make_match(ann, ben) for _ in range(3)]
        rate_pending()
        by_mo, quicker, _last = sorted(matches, key=lambda match: -match.pk)

        def be_quicker(instance: Measure, **_more: Any) -> None:
            if instance.match == by_mo:
                measures.void(None, quicker, "quicker")

        post_save.connect(be_quicker, sender=Measure)
        try:
            page = self.void(mo, matches, confirmed="yes", reason="x")
        finally:
            post_save.disconnect(be_quicker, sender=Measure)
        assert "2 matches were voided" in page.content.decode()
        assert f"voided these meanwhile: {quicker.slug}" in page.content.decode()
        assert Voided.objects.count() == Measure.objects.count() == 3
        assert not RatingChange.objects.exists()

    def test_without_a_broker_it_is_voided_all_the_same(
        self, ann: Any, ben: Any, mo: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """And counted again by the sweep."""
        match = make_match(ann, ben)
        rate_pending()
        with monkeypatch.context() as broken:
            broken.setitem(celery.conf, "task_always_eager", False)
            broken.setitem(celery.conf, "broker_write_url", "redis://127.0.0.1:1/0")
            broken.setitem(celery.conf, "task_publish_retry", False)
            page = self.void(mo, match, confirmed="yes", reason="x")
            assert "1 match was voided" in page.content.decode()
        assert RatingChange.objects.exists()
        sweep()
        assert not RatingChange.objects.exists()

    def test_nobody_decides_about_their_own(self, ann: Any, mo: Any, boss: Any) -> None:
        other = make_user("other", is_staff=True)
        own, others, fine = make_match(mo, ann), make_match(ann, other), make_match(ann, make_user())
        rate_pending()
        for matches in ([own], [others], [fine, own]):
            page = self.void(mo, matches, confirmed="yes", reason="I should have won")
            assert "Somebody else has to decide" in page.content.decode()
        assert not Voided.objects.exists()
        self.void(boss, [own, others, fine], confirmed="yes", reason="x")
        assert Voided.objects.count() == 3
        of_boss = make_match(boss, ann)
        self.void(boss, of_boss, confirmed="yes", reason="x")
        assert not Voided.objects.filter(match=of_boss).exists()

    def test_is_said_wherever_the_match_is_shown(self, ann: Any, ben: Any, mo: Any) -> None:
        make_match(ann, ben, winner=0)
        match = make_match(ann, ben, winner=1)
        rate_pending()
        pages = [f"/player/{ann.username}/", f"/player/{ben.username}/", "/", "/replays/", f"/replay/{match.slug}/"]
        before = [Client().get(address).content.decode() for address in pages]
        assert not any("voided" in page for page in before)
        # Said at once, before the ratings are counted again.
        measures.void(mo, match, "x")
        after = [Client().get(address).content.decode() for address in pages]
        assert all("voided" in page and "taken this match out of the count" in page for page in after)
        for profile in after[:2]:
            assert profile.count("<b>") == 1, "of the other match alone it is shown what it was rated"
            assert not any(word in profile for word in (">rating pending<", ">no points<"))
        for listed in after[2:4]:
            assert listed.count("is-winner") == 1

    def test_is_no_great_match_any_more(self, ann: Any, ben: Any, mo: Any) -> None:
        other, match = make_match(ann, ben), make_match(ann, ben)
        shown = great_outcome()
        assert shown is not None
        measures.void(mo, other if shown.end == other.end.pk else match, "x")
        left = great_outcome()
        assert left is not None
        assert left.end != shown.end

    def test_before_it_was_rated(self, ann: Any, ben: Any, mo: Any) -> None:
        match = make_match(ann, ben)
        measures.void(mo, match, "x")
        assert rate_pending() == 0
        assert recount(repair=False).is_equal

    def test_only_what_counted(self, ann: Any, ben: Any, mo: Any) -> None:
        with pytest.raises(measures.CannotVoid):
            measures.void(mo, make_match(ann, ben, rated=False), "x")
        live = services.create_against_computer(ann, "deuce", SPIT)
        with pytest.raises(measures.CannotVoid):
            measures.void(mo, live, "x")


class TestTheMessageToEverybody:
    def test_is_shown_from_then_until_then(self, boss: Any, ann: Any) -> None:
        client = signed_in(boss)
        said = {"text": "Cup on Sunday <b>", "link": "/about/", "begins_0": "2020-01-01", "begins_1": "00:00"}
        assert client.post("/admin/moderation/notice/add/", said).status_code == 302
        page = Client().get("/rules/").content.decode()
        assert "Cup on Sunday &lt;b&gt;" in page
        assert 'href="/about/"' in page
        Notice.objects.update(ends=wall() - timedelta(seconds=1))
        notices.changed()
        assert "Cup on Sunday" not in Client().get("/rules/").content.decode()

    @pytest.mark.parametrize(
        "wrong",
        [
            {"link": "javascript:alert(1)"}, {"link": "//elsewhere.example/"}, {"text": ""}, {"text": "x" * 201},
            {"ends_0": "2019-01-01", "ends_1": "00:00"},
        ],
    )  # fmt: skip
    def test_bad_input(self, boss: Any, wrong: dict[str, str]) -> None:
        said = {"text": "hello", "begins_0": "2020-01-01", "begins_1": "00:00", **wrong}
        page = signed_in(boss).post("/admin/moderation/notice/add/", said)
        assert page.status_code == 200
        assert "errorlist" in page.content.decode()
        assert not Notice.objects.exists()

    def test_moderators_do_not_write_it(self, mo: Any) -> None:
        assert signed_in(mo).get("/admin/moderation/notice/add/").status_code == 403


def test_the_conditional_index_serves_the_queue() -> None:
    assert "reports_open" in connection.introspection.get_constraints(connection.cursor(), "moderation_report")


class TestToday:
    def test_the_front_page_counts_and_draws(self, boss: Any, ann: Any, ben: Any) -> None:
        cache.clear()
        make_match(ann, ben)
        services.create_against_computer(ann, "deuce", SPIT)
        services.create_for_friend(ann, SPIT)
        Report.objects.create(reporter=ann, about=ben, place="profile", reason="name")
        figures = today()
        assert (figures.live, figures.waiting, figures.matches, figures.reports) == (1, 1, 3, 1)
        assert figures.sign_ups >= 2
        assert sum(bar.matches for bar in figures.bars) == 3
        assert max(bar.height for bar in figures.bars) == HEIGHT
        page = signed_in(boss).get("/admin/").content.decode()
        assert page.count('class="today-bar"') == HOURS
        assert "style=" not in page.split('class="today"')[1].split("</section>")[0]

    def test_an_empty_day(self, boss: Any) -> None:
        cache.clear()
        assert today().most == 0
        assert signed_in(boss).get("/admin/").status_code == 200

    def test_moderators_see_it_and_what_waits_for_them(self, mo: Any) -> None:
        page = signed_in(mo).get("/admin/").content.decode()
        assert "/admin/moderation/report/queue/" in page
        assert "/admin/replays/replay/suspects/" in page


def test_what_was_reported_and_decided_is_in_the_download(ann: Any, ben: Any, mo: Any) -> None:
    Report.objects.create(reporter=ann, about=ben, place="profile", reason="cheating", text="too fast")
    measures.decide(mo, ben, Kind.WARN, "be kind")
    assert [row["text"] for row in own_data.PARTS["reports"](ann)] == ["too fast"]
    assert [row["reason"] for row in own_data.PARTS["decisions"](ben)] == ["be kind"]
    assert list(own_data.PARTS["reports"](ben)) == [], "nobody learns who reported them"


@pytest.mark.parametrize(("cause", "known"), [("left", True), ("aborted", True), ("resigned", False)])
def test_only_the_players_are_told_that_a_match_was_left_by_a_ban(
    ann: Any, ben: Any, mo: Any, cause: str, known: bool
) -> None:
    match = Match.objects.create(game="spit", state=Match.State.OVER)
    for number, user in enumerate((ann, ben)):
        match.seats.create(number=number, user=user)
    End.objects.create(match=match, winner=None if cause == "aborted" else 0, cause=cause, events=9, at=9)
    address = f"/match/{match.slug}/after/"
    assert signed_in(ann).get(address).json()["barred"] == [False, False]
    measures.decide(mo, ben, Kind.BAN, "because", 7)
    for player in (ann, ben):
        assert signed_in(player).get(address).json()["barred"] == [False, known]
    for other in (signed_in(mo), Client()):
        assert other.get(address).json()["barred"] == [False, False]
