"""The pages: who may see and do what, what bad input leads to, what is shown of names."""

import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import uuid4, uuid5

import pytest
from django.db import connections
from django.test import Client, RequestFactory
from django.urls import reverse
from django.views.defaults import server_error

from games import words
from games.lobby import services
from games.models import Match
from games.ratings.services import rate_pending
from games.rules.registry import BOOKS
from games.rules.setup import Options, Setup
from spitsite.accounts.models import User
from tests.factories import SPIT, make_match, make_user

EVIL = "\"><script>alert('x')</script>"
BACKEND = "django.contrib.auth.backends.ModelBackend"
FORMS = ["play_computer", "play_friend"]


def who(client: Client) -> Any:
    pk = client.session.get("_auth_user_id")
    return User.objects.get(pk=pk) if pk else None


@pytest.fixture
def as_ann(client: Client, ann: User) -> Client:
    client.force_login(ann, backend=BACKEND)
    return client


@pytest.fixture(params=["nobody", "guest", "ann", "boss"])
def anyone(request: pytest.FixtureRequest, client: Client, db: None) -> Client:
    """A browser of each kind of visitor."""
    if request.param != "nobody":
        client.force_login(request.getfixturevalue(request.param), backend=BACKEND)
    return client


class TestWhoSeesWhat:
    @pytest.mark.parametrize("name", ["home", "watch", "replays", "rules", "practice", "about", "manifest"])
    def test_open_to_all(self, anyone: Client, name: str) -> None:
        before = User.objects.count()
        assert anyone.get(reverse(name)).status_code == 200
        assert anyone.head(reverse(name)).status_code == 200
        assert User.objects.count() == before, "nobody becomes a guest by looking"

    def test_matches_and_players_too(self, anyone: Client, bob: User) -> None:
        for match in (
            services.create_for_friend(bob, SPIT),
            services.create_against_computer(bob, "five", SPIT),
            make_match(bob, make_user()),
        ):
            assert anyone.get(match.get_absolute_url()).status_code == 200
        assert anyone.get(reverse("profile", args=["Bob"])).status_code == 200

    @pytest.mark.parametrize("name", FORMS)
    def test_making_a_match_is_a_post(self, anyone: Client, name: str) -> None:
        assert anyone.get(reverse(name)).status_code == 405
        assert not Match.objects.exists()

    def test_sitting_down_is_a_post(self, anyone: Client, bob: User) -> None:
        match = services.create_for_friend(bob, SPIT)
        assert anyone.get(reverse("match_join", args=[match.slug])).status_code == 405
        assert match.seats.count() == 1

    @pytest.mark.parametrize("name", [*FORMS, "match_join"])
    def test_b27_nothing_is_done_without_the_token(self, ann: User, name: str) -> None:
        match = services.create_for_friend(ann, SPIT)
        url = reverse(name, args=[match.slug] if name == "match_join" else [])
        response = Client(enforce_csrf_checks=True).post(url)
        assert response.status_code == 403
        assert b"Go back, reload the page" in response.content
        assert Match.objects.count() == 1
        assert match.seats.count() == 1

    @pytest.mark.parametrize(
        "url", ["/match/nomatch2/", "/player/nobody/", "/nowhere/", "/match/../etc/", "/player/%00/"]
    )
    def test_what_is_not_there(self, client: Client, db: None, url: str) -> None:
        response = client.get(url)
        assert response.status_code == 404
        assert "site/fault.html" in [template.name for template in response.templates]


@pytest.mark.django_db
class TestPlaying:
    def test_somebody_new_plays_the_computer_at_once(self, client: Client) -> None:
        response = client.post(reverse("play_computer"), {"level": "jack", "token": uuid4()}, follow=True)
        match = Match.objects.get()
        assert response.redirect_chain == [(f"/match/{match.slug}/", 302)]
        assert who(client).is_guest
        assert match.seats.get(number=0).user == who(client)
        assert match.seats.get(number=1).bot == "jack"
        assert response.context["you"] == 0
        assert json.loads(json.dumps(response.context["table_data"])) == {
            "socket": f"/ws/match/{match.slug}/",
            "replay": f"/replay/{match.slug}/",
            "after": f"/match/{match.slug}/after/",
            "decisions": "/decisions/",
            "qr": f"/match/{match.slug}/qr.svg",
            "again": None,
            "another": None,
            "home": "/",
            "report": "",
            "names": {"game": "Spit", "site": "Spit"},
            "signIn": f"/accounts/login/?next=%2Fmatch%2F{match.slug}%2F",
        }

    def test_the_options_reach_the_match(self, as_ann: Client) -> None:
        as_ann.post(reverse("play_friend"), {"spit-slap": "false", "pace": "relaxed", "rated": "yes"})
        match = Match.objects.get()
        assert (match.options, match.pace, match.rated) == ({"slap": False}, "relaxed", True)

    @pytest.mark.parametrize("game", BOOKS)
    @pytest.mark.parametrize("name", FORMS)
    def test_every_game_can_be_played(self, as_ann: Client, name: str, game: str) -> None:
        content = as_ann.post(reverse(name), {"game": game}, follow=True).content.decode()
        match = Match.objects.get()
        assert match.game == game
        title = content.partition("<title>")[2].partition("</title>")[0]
        assert words.game_name(game) in title

    def test_the_choice_is_kept(self, client: Client) -> None:
        client.post(reverse("play_computer"), {"game": "speed", "level": "queen"})
        form = client.get(reverse("home")).context["form"]
        assert (form.chosen, form["level"].value()) == ("speed", "queen")
        assert client.get(reverse("home"), {"game": "two_deck"}).context["form"].chosen == "two_deck"

    @pytest.mark.parametrize("liked", ["", ".", "poker.emperor", "speed", "speed.queen.x", EVIL])
    def test_a_strange_choice_is_none(self, client: Client, liked: str) -> None:
        client.cookies["liked"] = liked
        response = client.get(reverse("home"), {"game": EVIL})
        assert response.status_code == 200
        assert response.context["form"].chosen == "spit"
        assert EVIL.encode() not in response.content

    def test_one_page_makes_a_match_of_each_kind(self, as_ann: Client) -> None:
        token = uuid4()
        first, second = (as_ann.post(reverse(name), {"token": token}) for name in FORMS)
        assert first["Location"] != second["Location"]
        assert Match.objects.count() == 2

    @pytest.mark.parametrize("name", FORMS)
    def test_b02_sent_twice_it_is_one_match(self, as_ann: Client, name: str) -> None:
        token = uuid4()
        first, second = (as_ann.post(reverse(name), {"token": token}) for _ in range(2))
        assert first["Location"] == second["Location"]
        assert Match.objects.count() == 1

    def test_b02_sent_twice_by_somebody_new_it_is_one_person(self) -> None:
        # Two requests of one browser, which has no session yet.
        token = uuid4()
        browsers = [Client(), Client()]
        answers = [browser.post(reverse("play_computer"), {"token": token}) for browser in browsers]
        assert answers[0]["Location"] == answers[1]["Location"]
        assert who(browsers[0]) == who(browsers[1])
        assert Match.objects.get().seats.get(number=0).user == who(browsers[1])

    def test_a_token_makes_nobody_somebody_else(self, ann: User, bob: User) -> None:
        token = uuid4()
        services.create_for_friend(ann, SPIT, token=uuid5(token, "friend"))
        for user in (None, bob):
            browser = Client()
            if user:
                browser.force_login(user, backend=BACKEND)
            browser.post(reverse("play_friend"), {"token": token})
            assert who(browser) == user

    @pytest.mark.parametrize(
        ("name", "field", "value"),
        [
            ("play_computer", "level", EVIL),
            ("play_computer", "pace", "x" * 10_000),
            ("play_computer", "token", EVIL),
            ("play_computer", "spit-slap", "7"),
            ("play_friend", "rated", "yes"),
            ("play_friend", "rated", EVIL),
            ("play_friend", "game", "poker"),
            ("play_friend", "spit-length", "2"),
        ],
    )
    def test_bad_input_is_told_and_nothing_is_lost(self, client: Client, name: str, field: str, value: str) -> None:
        response = client.post(reverse(name), {"spit-stockpiles": "4", field: value})
        assert response.status_code == 400
        assert b'role="alert"' in response.content
        assert EVIL.encode() not in response.content
        form = response.context["form"]
        assert set(form.errors) == {field}
        assert form["spit-stockpiles"].value() == "4"
        assert b'name="spit-stockpiles" value="4" checked' in response.content
        assert not Match.objects.exists()
        assert who(client) is None

    def test_too_many_is_said_politely(self, as_ann: Client, ann: User) -> None:
        for _number in range(services.MOST_AT_ONCE):
            services.create_for_friend(ann, SPIT)
        response = as_ann.post(reverse("play_computer"), follow=True)
        assert b"Finish one of them first" in response.content
        assert Match.objects.count() == services.MOST_AT_ONCE


@pytest.mark.django_db
class TestInvitations:
    def test_who_opens_the_link_is_asked_in(self, client: Client, ann: User) -> None:
        match = services.create_for_friend(ann, SPIT)
        response = client.get(match.get_absolute_url())
        assert response.context["can_join"]
        assert response.context["you"] is None
        assert match.seats.count() == 1
        assert b"Ann invites you" in response.content
        response = client.post(reverse("match_join", args=[match.slug]), follow=True)
        assert response.redirect_chain == [(match.get_absolute_url(), 302)]
        assert response.context["you"] == 1
        assert who(client).is_guest

    def test_the_host_is_not(self, as_ann: Client, ann: User) -> None:
        match = services.create_for_friend(ann, SPIT)
        response = as_ann.get(match.get_absolute_url())
        assert (response.context["you"], response.context["can_join"]) == (0, False)
        as_ann.post(reverse("match_join", args=[match.slug]))
        assert match.seats.count() == 1

    def test_late_comers_watch(self, client: Client, ann: User, bob: User) -> None:
        match = services.create_for_friend(ann, SPIT)
        services.join(match, bob)
        response = client.post(reverse("match_join", args=[match.slug]), follow=True)
        assert response.status_code == 200
        assert b"sat down first" in response.content
        assert (response.context["you"], response.context["can_join"]) == (None, False)
        assert who(client) is None, "nobody becomes a guest to hear that"

    def test_rated_asks_for_an_account_first(self, client: Client, guest: User, ann: User) -> None:
        match = services.create_for_friend(ann, SPIT, rated=True)
        url = match.get_absolute_url()
        for user in (None, guest):
            if user:
                client.force_login(user, backend=BACKEND)
            response = client.get(url)
            assert "games/invitation.html" in [template.name for template in response.templates]
            assert f"?next={url}".encode() in response.content
        client.post(reverse("match_join", args=[match.slug]))
        match.refresh_from_db()
        assert (match.state, match.rated) == (Match.State.LIVE, False)

    def test_with_an_account_rated_is_played_at_once(self, client: Client, bob: User, ann: User) -> None:
        match = services.create_for_friend(ann, SPIT, rated=True)
        client.force_login(bob, backend=BACKEND)
        assert "games/match.html" in [template.name for template in client.get(match.get_absolute_url()).templates]


@pytest.mark.django_db
class TestTakenBack:
    def test_by_its_owner(self, as_ann: Client, ann: User) -> None:
        match = services.create_for_friend(ann, Setup("speed", Options(best_of=5)))
        content = as_ann.get(reverse("home")).content.decode()
        assert "Speed · best of 5" in content
        url = reverse("match_withdraw", args=[match.slug])
        assert f'action="{url}"' in content
        assert as_ann.get(url).status_code == 405
        response = as_ann.post(url, follow=True)
        assert response.redirect_chain == [("/", 302)]
        assert b"is taken back" in response.content
        assert not Match.objects.exists()

    def test_at_the_table_where_one_waits(self, client: Client, ann: User, bob: User) -> None:
        match = services.create_for_friend(ann, SPIT)
        for user, is_offered in ((ann, True), (bob, False)):
            client.force_login(user, backend=BACKEND)
            content = client.get(match.get_absolute_url()).content.decode()
            assert (f'action="{reverse("match_withdraw", args=[match.slug])}"' in content) == is_offered
        services.join(match, bob)
        client.force_login(ann, backend=BACKEND)
        assert "table-withdraw" not in client.get(match.get_absolute_url()).content.decode()

    def test_by_nobody_else(self, client: Client, ann: User, bob: User) -> None:
        match = services.create_for_friend(ann, SPIT)
        url = reverse("match_withdraw", args=[match.slug])
        for user in (None, bob):
            if user:
                client.force_login(user, backend=BACKEND)
            assert client.post(url)["Location"] == match.get_absolute_url()
        assert Match.objects.exists()

    def test_the_link_then_says_so(self, client: Client, ann: User) -> None:
        match = services.create_for_friend(ann, SPIT)
        services.withdraw(Match.objects.get(), ann)
        response = client.get(match.get_absolute_url())
        assert response.status_code == 404
        assert b"taken back" in response.content
        assert client.post(reverse("match_join", args=[match.slug])).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_many_browsers_open_a_link_at_the_same_moment_and_one_sits() -> None:
    match = services.create_for_friend(make_user(), SPIT)
    barrier = threading.Barrier(5)

    def browse(_number: int) -> bool:
        try:
            browser = Client()
            barrier.wait(10)
            browser.post(reverse("match_join", args=[match.slug]))
            return match.seats.filter(user=who(browser), number=1).exists()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(5) as pool:
        seated = list(pool.map(browse, range(5)))
    assert sorted(seated) == [False, False, False, False, True]
    assert match.seats.count() == 2


@pytest.mark.django_db(transaction=True)
def test_b02_sitting_down_by_a_double_click_takes_one_seat() -> None:
    match, barrier = services.create_for_friend(make_user(), SPIT), threading.Barrier(4)
    guest = make_user()

    def click(_number: int) -> tuple[int, str]:
        try:
            browser = Client()
            browser.force_login(guest)
            barrier.wait(10)
            answer = browser.post(reverse("match_join", args=[match.slug]))
            return answer.status_code, answer["Location"]
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        answers = set(pool.map(click, range(4)))
    assert answers == {(302, match.get_absolute_url())}
    assert [seat.user for seat in match.seats.order_by("number")][1:] == [guest]


@pytest.mark.django_db(transaction=True)
def test_b02_a_double_click_of_somebody_new_makes_one_match_and_one_person() -> None:
    token, barrier = uuid4(), threading.Barrier(4)

    def click(_number: int) -> tuple[str, int]:
        try:
            browser = Client()
            barrier.wait(10)
            answer = browser.post(reverse("play_computer"), {"token": token})
            return answer["Location"], who(browser).pk
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        ended = set(pool.map(click, range(4)))
    assert len(ended) == 1
    assert Match.objects.count() == 1
    assert Match.objects.get().seats.get(number=0).user_id == ended.pop()[1]


@pytest.mark.django_db
class TestHome:
    def test_empty_it_invites(self, client: Client) -> None:
        content = client.get(reverse("home")).content.decode()
        assert "Nobody plays at this moment." in content
        assert "No match has been finished yet." in content

    def test_shows_what_is_played_was_played_and_is_one_s_own(self, as_ann: Client, ann: User, bob: User) -> None:
        waiting = services.create_for_friend(ann, SPIT)
        live = services.create_against_computer(bob, "king", SPIT)
        over = make_match(ann, bob)
        content = as_ann.get(reverse("home")).content.decode()
        for url in (waiting.get_absolute_url(), live.get_absolute_url(), reverse("replay", args=[over.slug])):
            assert f'href="{url}"' in content
        assert waiting.get_absolute_url() not in Client().get(reverse("home")).content.decode()

    def test_its_cards_are_kept_fresh(self, client: Client, ann: User) -> None:
        live = services.create_against_computer(ann, "king", SPIT)
        response = client.get(reverse("watch"), {"cards": ""})
        assert live.get_absolute_url() in response.content.decode()
        assert b"<html" not in response.content
        assert "no-store" in response["Cache-Control"]

    def test_nothing_of_it_is_kept_by_the_browser(self, client: Client) -> None:
        assert "no-store" in client.get(reverse("home"))["Cache-Control"]


@pytest.mark.django_db
class TestProfile:
    def test_results_and_rating(self, client: Client, ann: User, bob: User) -> None:
        match = make_match(ann, bob)
        rate_pending()
        content = client.get(reverse("profile", args=["Ann"])).content.decode()
        assert "1520" in content
        assert reverse("replay", args=[match.slug]) in content
        assert reverse("profile", args=["Bob"]) in content

    def test_b30_the_name_in_any_case_leads_there(self, client: Client, ann: User) -> None:
        response = client.get("/player/aNN/")
        assert (response.status_code, response["Location"]) == (302, "/player/Ann/")

    def test_pages(self, client: Client, ann: User, bob: User) -> None:
        matches = [make_match(ann, bob) for _ in range(25)]
        url: str | None = reverse("profile", args=["Ann"])
        seen: list[str] = []
        while url:
            context = client.get(url).context
            seen += [own.outcome.slug for own in context["outcomes"]]
            url = f"/player/Ann/{context['older']}" if context["older"] else None
        assert seen == [match.slug for match in reversed(matches)]

    @pytest.mark.parametrize("before", ["", "abc", "-1", "0", "²", "9" * 30, "1 OR 1=1", "99999999999"])
    def test_a_bad_page_is_no_fault(self, client: Client, ann: User, bob: User, before: str) -> None:
        make_match(ann, bob)
        assert client.get("/player/Ann/", {"before": before}).status_code == 200

    def test_guests_are_marked_and_not_for_search_engines(self, client: Client, guest: User) -> None:
        content = client.get(reverse("profile", args=[guest.username])).content.decode()
        assert guest.display_name in content
        assert 'content="noindex"' in content

    def test_who_is_deactivated_has_no_page(self, client: Client, ann: User) -> None:
        User.objects.filter(pk=ann.pk).update(is_active=False)
        assert client.get("/player/Ann/").status_code == 404

    def test_b29_matches_with_a_deleted_player_stay(self, client: Client, ann: User, bob: User) -> None:
        match = make_match(ann, bob)
        bob.delete()
        assert "deleted player" in client.get(reverse("profile", args=["Ann"])).content.decode()
        assert "deleted player" in client.get(reverse("home")).content.decode()
        assert client.get(match.get_absolute_url()).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["<svg/onload=x>", '"><img src=x>', "</script><b>", "\u202eevil"])
def test_b31_a_name_is_text_wherever_it_is_shown(client: Client, ann: User, name: str) -> None:
    # The forms refuse such names; whoever gets one all the same, by the console or an import, does no harm.
    User.objects.filter(pk=ann.pk).update(username=name)
    ann.refresh_from_db()
    match = make_match(ann, "king", rated=False)
    urls = [
        reverse("home"),
        reverse("watch"),
        match.get_absolute_url(),
        services.create_for_friend(ann, SPIT, rated=True).get_absolute_url(),
        services.create_against_computer(ann, "five", SPIT).get_absolute_url(),
    ]
    client.force_login(ann, backend=BACKEND)
    for url in urls:
        content = client.get(url).content.decode()
        assert name not in content or "<" not in name


@pytest.mark.django_db
def test_no_page_has_inline_scripts_or_styles(as_ann: Client, ann: User) -> None:
    match = services.create_for_friend(ann, SPIT)
    urls = [
        reverse(name)
        for name in (
            "home",
            "watch",
            "replays",
            "rules",
            "practice",
            "about",
            "account_email",
            "account_change_password",
        )
    ]
    for url in [
        *urls,
        *(reverse("rules_of", args=[game]) for game in BOOKS),
        match.get_absolute_url(),
        make_match(ann, make_user()).get_absolute_url(),
        "/player/Ann/",
        reverse("challenge", args=[make_user().username]),
        "/nowhere/",
    ]:
        content = as_ann.get(url).content.decode()
        assert " style=" not in content, url
        assert "<style" not in content, url
        assert " onclick=" not in content, url
        for script in content.split("<script")[1:]:
            head, _end, body = script.partition(">")
            assert "src=" in head or 'type="application/json"' in head, url
            assert "src=" not in head or body.startswith("</script>"), url


@pytest.mark.django_db
def test_the_manifest_is_one(client: Client) -> None:
    response = client.get(reverse("manifest"))
    assert response["Content-Type"] == "application/manifest+json"
    assert json.loads(response.content)["start_url"] == "/"


def test_the_page_of_a_broken_server_needs_nothing() -> None:
    # Without the database: a query would fail this test.
    response = server_error(RequestFactory().get("/"))
    assert response.status_code == 500
    assert b"Something broke" in response.content


@pytest.mark.django_db
class TestLanguages:
    """The words of scripts are on every page, for every page has scripts; each language has an address of its own."""

    @pytest.fixture(autouse=True)
    def german_too(self, settings: Any) -> None:
        settings.LANGUAGES = [("en", "English"), ("de", "Deutsch")]

    @pytest.mark.parametrize("path", ["/", "/about/", "/replays/", "/ratings/", "/player/Ann/", "/rules/", "/nowhere/"])
    def test_every_page_brings_them(self, client: Client, ann: User, path: str) -> None:
        content = client.get(path, headers={"accept-language": "de"}).content.decode()
        assert content.count('<script src="/jsi18n/de/"></script>') == 1
        assert content.index("/jsi18n/de/") < content.index("js/site/page.")
        assert "/jsi18n/" not in client.get(path).content.decode(), "those of the source are in the scripts"

    def test_what_is_kept_on_the_way_is_of_one_language(self, client: Client) -> None:
        answer = client.get("/jsi18n/de/", headers={"accept-language": "en"})
        assert answer["Content-Language"] == "de"
        assert "public" in answer["Cache-Control"]
        assert client.get("/jsi18n/fr/").status_code == 404


def test_a_sentence_is_one_text_for_translators() -> None:
    """What begins in the middle of a sentence can be put into no other language."""
    fragments = [
        f"{page.name}: {text}"
        for page in (Path(__file__).parents[2] / "templates").rglob("*.html")
        for text in re.findall(r'{% translate "([,.;:][^"]*)"', page.read_text())
    ]
    assert fragments == []
