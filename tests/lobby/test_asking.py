"""What pages ask of the lobby: forms, who may, and what bad input leads to."""

from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from games import ties
from games.lobby import board, seeks, services
from games.lobby.errors import TEXTS, Code
from games.lobby.seeks import Kind
from games.models import Match, Seek
from spitsite.accounts.models import User
from spitsite.accounts.preferences import services as preferences
from tests.factories import SPIT, make_user

BACKEND = "django.contrib.auth.backends.ModelBackend"
PAGE = "PageOfSomebody123456"
EVIL = "\"><script>alert('x')</script>"


@pytest.fixture
def as_ann(client: Client, ann: User) -> Client:
    client.force_login(ann, backend=BACKEND)
    return client


def asked(client: Client, name: str, *args: Any, **fields: str) -> tuple[int, dict[str, Any]]:
    response = client.post(reverse(name, args=args), {"page": PAGE, **fields})
    return response.status_code, response.json()


@pytest.mark.django_db
class TestQuick:
    def test_somebody_new_is_a_guest_from_now_on(self, client: Client) -> None:
        status, answer = asked(client, "lobby_quick", game="speed")
        seek = Seek.objects.get()
        assert (status, answer["seek"], answer["known"]) == (200, seek.pk, True)
        assert (seek.kind, seek.game, seek.rated, seek.rating, seek.user.is_guest) == (
            "quick",
            "speed",
            False,
            None,
            True,
        )
        # The next time there is nothing new.
        assert asked(client, "lobby_quick", game="speed")[1]["known"] is False
        assert Seek.objects.count() == User.objects.count() == 1

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("game", ""),
            ("game", "poker"),
            ("game", EVIL),
            ("game", "\0"),
            ("rated", "perhaps"),
            ("page", ""),
            ("page", EVIL),
        ],
    )
    def test_what_is_wrong_is_refused_and_makes_nobody(self, client: Client, field: str, value: str) -> None:
        status, answer = asked(client, "lobby_quick", **{"game": "spit", field: value})
        assert (status, answer["code"]) == (400, "bad_form")
        assert answer["text"] == str(TEXTS[Code.BAD_FORM])
        assert not User.objects.exists()

    def test_nobody_becomes_a_guest_only_to_be_refused(self, client: Client, ann: User) -> None:
        offered = seeks.seek(ann, PAGE, Kind.OPEN, SPIT, rated=True)
        assert asked(client, "lobby_quick", game="spit", rated="yes")[1]["code"] == "no_account"
        assert asked(client, "lobby_accept", offered.pk)[1]["code"] == "no_account"
        assert asked(client, "lobby_accept", 0)[1]["code"] == "over"
        assert list(User.objects.all()) == [ann]
        # What is for fun, they may.
        offered = seeks.seek(ann, PAGE, Kind.OPEN, SPIT)
        assert asked(client, "lobby_accept", offered.pk)[0] == 200
        assert User.objects.count() == 2

    def test_within_limits(self, as_ann: Client, settings: Any) -> None:
        cache.clear()
        settings.MATCHES_PER_PERSON = 2
        statuses = [asked(as_ann, "lobby_quick", game="spit")[0] for _ in range(4)]
        assert statuses == [200, 200, 429, 429]
        cache.clear()

    def test_one_rated_match_at_a_time(self, as_ann: Client, ann: User, bob: User) -> None:
        match = services.join(services.create_for_friend(ann, SPIT, rated=True), bob)
        status, answer = asked(as_ann, "lobby_quick", game="spit", rated="yes")
        assert (status, answer["code"], answer["url"]) == (409, "seated", match.get_absolute_url())
        # By a form without a script, too: led to the match, with a sentence.
        response = as_ann.post(reverse("play_friend"), {"rated": "yes"})
        assert response["Location"] == match.get_absolute_url()
        assert [str(message) for message in get_messages(response.wsgi_request)] == [str(TEXTS[Code.SEATED])]


@pytest.mark.django_db
class TestOffer:
    def test_as_one_likes_it(self, as_ann: Client) -> None:
        fields = {"game": "speed", "speed-length": "5", "pace": "relaxed", "rated": "yes"}
        assert asked(as_ann, "lobby_offer", **fields)[0] == 200
        seek = Seek.objects.get()
        assert (seek.kind, seek.game, seek.pace, seek.rated) == ("open", "speed", "relaxed", True)
        assert seek.setup.options.best_of == 5
        assert as_ann.get("/").content.count(b"data-seek=") == 1

    @pytest.mark.parametrize(
        ("field", "value", "code"),
        [
            ("spit-slap", "7", "bad_form"),
            ("pace", "x" * 9999, "bad_form"),
            ("page", "?", "bad_form"),
            ("rated", EVIL, "bad_form"),
        ],
    )
    def test_bad_input(self, as_ann: Client, field: str, value: str, code: str) -> None:
        status, answer = asked(as_ann, "lobby_offer", **{field: value})
        assert (status, answer["code"]) == (400, code)
        assert not Seek.objects.exists()

    def test_guests_offer_no_rating(self, client: Client, guest: User) -> None:
        client.force_login(guest, backend=BACKEND)
        status, answer = asked(client, "lobby_offer", rated="yes")
        assert (status, answer["code"]) == (403, "no_account")


@pytest.mark.django_db
@pytest.mark.parametrize(("way", "to"), [("lobby_offer", []), ("challenge_send", ["Bob"])])
class TestWatchersSeeItLater:
    """What the form offers, and says: "Watchers see it … later"."""

    @pytest.mark.parametrize(
        ("asked_for", "least", "comes"), [("60", 0, 60), ("10", 0, 10), ("30", 20, 30), ("", 20, 20)]
    )
    def test_as_it_was_asked_for(
        self, as_ann: Client, bob: User, settings: Any, way: str, to: list[str], asked_for: str, least: int, comes: int
    ) -> None:
        settings.WATCH_DELAY = least
        assert asked(as_ann, way, *to, delay=asked_for, game="spit")[0] == 200
        offered = Seek.objects.get()
        found = board.look()
        (row,) = found.open or found.rows(found.by_challenged[bob.pk])
        assert any(str(comes) in word for word in row.particulars) == (comes > least), "whoever accepts it knows"
        answer = seeks.accept(bob, "b" * 20, offered.pk)
        seeks.here(bob.pk, answer.page)
        match = seeks.here(offered.user_id, offered.page)
        assert match is not None
        assert match.delay == comes

    def test_of_what_there_is(self, as_ann: Client, bob: User, way: str, to: list[str]) -> None:
        for delay in ("61", "-1", "x", "\0", "9" * 99):
            assert asked(as_ann, way, *to, delay=delay)[0] == 400
        assert not Seek.objects.exists()


@pytest.mark.django_db
class TestChallenge:
    def test_the_page_and_the_challenge(self, as_ann: Client, ann: User, bob: User) -> None:
        content = as_ann.get(reverse("challenge", args=["bob"])).content.decode()
        assert "Challenge Bob" in content
        assert reverse("challenge", args=["Bob"]) in as_ann.get(reverse("profile", args=["Bob"])).content.decode()
        assert asked(as_ann, "challenge_send", "Bob", game="spit", rated="yes")[0] == 200
        assert Seek.objects.get().to == bob

    def test_nobody_challenges_himself_or_nobody(self, as_ann: Client) -> None:
        assert as_ann.get(reverse("challenge", args=["Ann"])).status_code == 404
        assert asked(as_ann, "challenge_send", "Ann")[1]["code"] == "own"
        for name in ("Nobody", "\0", EVIL):
            assert as_ann.post(reverse("challenge_send", args=[name]), {"page": PAGE}).status_code == 404

    def test_accepted_or_declined_by_whom_it_is_for(self, client: Client, ann: User, bob: User) -> None:
        sent = seeks.seek(ann, PAGE, Kind.PERSON, SPIT, to=bob)
        client.force_login(make_user(), backend=BACKEND)
        for name in ("lobby_accept", "lobby_decline"):
            assert asked(client, name, sent.pk)[1]["code"] == "over"
        client.force_login(bob, backend=BACKEND)
        assert asked(client, "lobby_accept", sent.pk)[0] == 200
        assert asked(client, "lobby_decline", sent.pk)[1]["code"] == "over", "it is accepted"

    @pytest.mark.parametrize(
        ("wish", "follows", "is_taken"),
        [
            ("everybody", False, True),
            ("followed", False, False),
            ("followed", True, True),
            ("nobody", True, False),
        ],
    )
    def test_as_the_other_one_wants_it(
        self, as_ann: Client, ann: User, bob: User, wish: str, follows: bool, is_taken: bool
    ) -> None:
        preferences.store(bob, {"challenges": wish})
        if follows:
            ties.follow(bob, ann)
        ties.follow(ann, bob)  # Whom one follows oneself counts for nothing.
        status, answer = asked(as_ann, "challenge_send", "Bob", game="spit")
        page = as_ann.get(reverse("challenge", args=["Bob"])).content.decode()
        link = reverse("challenge", args=["Bob"])
        assert (link in as_ann.get(reverse("profile", args=["Bob"])).content.decode()) == is_taken
        assert (str(TEXTS[Code.UNWANTED]) in page) == (not is_taken)
        assert ("data-ask-form" in page) == is_taken
        if is_taken:
            assert (status, Seek.objects.get().to) == (200, bob)
        else:
            assert (status, answer["code"], answer["text"]) == (403, "unwanted", str(TEXTS[Code.UNWANTED]))
            assert not Seek.objects.exists()

    def test_a_guest_whom_nobody_follows(self, client: Client, guest: User, bob: User) -> None:
        preferences.store(bob, {"challenges": "followed"})
        client.force_login(guest, backend=BACKEND)
        assert asked(client, "challenge_send", "Bob", game="spit")[1]["code"] == "unwanted"
        assert str(TEXTS[Code.UNWANTED]) in Client().get(reverse("challenge", args=["Bob"])).content.decode()
        # The other ways are open.
        assert asked(client, "lobby_accept", seeks.seek(bob, PAGE, Kind.OPEN, SPIT).pk)[0] == 200


WHO = ("nobody", "guest", "ann")


@pytest.mark.django_db
@pytest.mark.parametrize("who", WHO)
def test_every_way_to_ask(client: Client, who: str, guest: User, ann: User) -> None:
    """Only by POST, only with a form's token, always answered with a code and a sentence or with the seek."""
    strict = Client(enforce_csrf_checks=True)
    if who != "nobody":
        for each in (client, strict):
            each.force_login({"guest": guest, "ann": ann}[who], backend=BACKEND)
    ways = {
        reverse("lobby_quick"): 400,
        reverse("lobby_offer"): 200,
        reverse("lobby_accept", args=[1]): 409,
        reverse("lobby_decline", args=[1]): 409,
        reverse("lobby_cancel"): 200,
        reverse("challenge_send", args=[make_user("Zoe").username]): 200,
    }
    for url, status in ways.items():
        assert client.get(url).status_code == 405
        assert strict.post(url, {"page": PAGE}).status_code == 403
        response = client.post(url, {"page": PAGE})
        assert response.status_code == status, url
        answer = response.json()
        assert ("seek" in answer) if status == 200 else (answer["code"] and answer["text"])


@pytest.mark.django_db
class TestQr:
    def test_the_link_of_a_match_that_waits(self, client: Client, ann: User, bob: User) -> None:
        match = services.create_for_friend(ann, SPIT)
        url = reverse("match_qr", args=[match.slug])
        response = client.get(url)
        assert (response.status_code, response["Content-Type"]) == (200, "image/svg+xml")
        assert b"<svg" in response.content
        assert b"style=" not in response.content
        services.join(Match.objects.get(), bob)
        assert client.get(url).status_code == 404
        assert client.get(reverse("match_qr", args=["nowhere"])).status_code == 404
