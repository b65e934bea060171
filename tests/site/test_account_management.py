"""The account's own pages: name, sessions, data, second steps."""

import io
import json
import zipfile
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from games.lobby import services
from games.ratings.services import rate_pending
from spitsite.accounts import own_data
from spitsite.accounts.models import User
from spitsite.templatetags.people import browser
from tests.conftest import PASSWORD
from tests.factories import SPIT, make_match

WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0"


@pytest.fixture(autouse=True)
def counts() -> None:
    cache.clear()


def sign_in(name: str = "Ann", **headers: str) -> Client:
    client = Client(headers=headers)
    client.post(reverse("account_login"), {"login": name, "password": PASSWORD})
    assert "_auth_user_id" in client.session
    return client


@pytest.fixture
def as_ann(ann: User) -> Client:
    return sign_in()


def confirm(client: Client) -> None:
    """Give the password once more, as what matters asks for."""
    assert client.post(reverse("account_reauthenticate"), {"password": PASSWORD}).status_code == 302


class TestHub:
    def test_leads_to_everything(self, as_ann: Client) -> None:
        content = as_ann.get(reverse("account")).content.decode()
        for name in (
            "account_name", "account_email", "account_change_password", "mfa_index", "usersessions_list",
            "account_data", "account_delete",
        ):  # fmt: skip
            assert f'href="{reverse(name)}"' in content
            assert as_ann.get(reverse(name)).status_code == 200


class TestName:
    def test_is_changed_everywhere(self, as_ann: Client, ann: User, bob: User) -> None:
        match = make_match(ann, bob)
        as_ann.post(reverse("account_name"), {"username": " Zoë "})
        ann.refresh_from_db()
        assert ann.username == "Zoë"
        assert "Zoë" in as_ann.get(f"/replay/{match.slug}/").content.decode()
        assert as_ann.get("/player/zoË/", follow=True).status_code == 200
        assert as_ann.get("/player/Ann/").status_code == 404
        assert sign_in("ZOË")

    def test_only_its_capitals_may_change(self, as_ann: Client, ann: User) -> None:
        as_ann.post(reverse("account_name"), {"username": "ANN"})
        ann.refresh_from_db()
        assert ann.username == "ANN"

    @pytest.mark.parametrize("name", ["bob", "B0b", "guest-1234", "a b", "", "x", "x" * 31])
    def test_b30_what_nobody_may_have_is_refused_at_the_field(
        self, as_ann: Client, ann: User, bob: User, name: str
    ) -> None:
        response = as_ann.post(reverse("account_name"), {"username": name})
        assert response.status_code == 200
        assert set(response.context["form"].errors) == {"username"}
        assert response.context["form"]["username"].value() == name
        ann.refresh_from_db()
        assert ann.username == "Ann"
        # The page's header says who it is, not who it would have been.
        assert ">Ann</span>" in response.content.decode()

    def test_not_too_often(self, as_ann: Client, ann: User, settings: Any) -> None:
        settings.ACCOUNT_RATE_LIMITS = {"change_name": "2/d/user"}
        answers = [as_ann.post(reverse("account_name"), {"username": f"Ann{number}"}) for number in range(3)]
        assert [answer.status_code for answer in answers] == [302, 302, 429]
        assert answers[-1].context["form"]["username"].value() == "Ann2"


class TestSessions:
    def test_are_listed_and_ended(self, as_ann: Client, ann: User) -> None:
        other = sign_in(user_agent=WINDOWS)
        content = as_ann.get(reverse("usersessions_list")).content.decode()
        assert "Firefox, Windows" in content
        assert content.count("<li>") == 2
        theirs = UserSession.objects.get(user_agent=WINDOWS)
        as_ann.post(reverse("usersessions_end", args=[theirs.pk]))
        assert other.get(reverse("account")).status_code == 302
        assert as_ann.get(reverse("account")).status_code == 200

    def test_all_others_at_once(self, as_ann: Client) -> None:
        others = [sign_in(), sign_in()]
        as_ann.post(reverse("usersessions_list"))
        assert [other.get(reverse("account")).status_code for other in others] == [302, 302]
        assert as_ann.get(reverse("account")).status_code == 200

    def test_somebody_elses_are_not_there(self, as_ann: Client, bob: User) -> None:
        bobs = sign_in("Bob")
        his = UserSession.objects.get(user=bob)
        assert as_ann.post(reverse("usersessions_end", args=[his.pk])).status_code == 404
        assert bobs.get(reverse("account")).status_code == 200

    def test_ones_own_is_signing_out(self, as_ann: Client, ann: User) -> None:
        as_ann.post(reverse("usersessions_end", args=[UserSession.objects.get().pk]))
        assert as_ann.get(reverse("account")).status_code == 302

    def test_a_new_password_ends_the_others(self, as_ann: Client) -> None:
        other = sign_in()
        new = "another horse 7"
        as_ann.post(reverse("account_change_password"), {"oldpassword": PASSWORD, "password1": new, "password2": new})
        assert other.get(reverse("account")).status_code == 302
        assert as_ann.get(reverse("account")).status_code == 200
        assert "password" in mail.outbox[-1].subject.lower()

    @pytest.mark.parametrize(
        ("agent", "words"),
        [
            (WINDOWS, "Firefox, Windows"),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Safari/604.1",
                "Safari, iPhone",
            ),
            ("Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/128.0 Mobile Safari/537.36", "Chrome, Android"),
            ("curl/8", "another program"),
            ("", "another program"),
        ],
    )
    def test_browsers_have_names(self, agent: str, words: str) -> None:
        assert browser(agent) == words


class TestData:
    def unpacked(self, client: Client) -> dict[str, Any]:
        confirm(client)
        response = client.get(reverse("account_download"))
        assert response["Content-Type"] == "application/zip"
        with zipfile.ZipFile(io.BytesIO(response.content)) as file:
            return {name[:-5]: json.loads(file.read(name)) for name in file.namelist() if name.endswith(".json")}

    def test_has_everything(self, as_ann: Client, ann: User, bob: User) -> None:
        won, bots = make_match(ann, bob, misplays=(3, 8)), make_match("king", ann, rated=False, misplays=(1, 0))
        uncounted = make_match(ann, "king", rated=False)
        services.create_for_friend(ann, SPIT)
        rate_pending()
        data = self.unpacked(as_ann)
        assert data["account"][0]["name"] == "Ann"
        assert data["account"][0]["email"] == "ann@example.org"
        assert [row["match"] for row in data["matches"][:3]] == [won.slug, bots.slug, uncounted.slug]
        first, second, third, waiting = data["matches"]
        assert [row["misplays"] for row in (first, second, third, waiting)] == [3, 0, None, None]
        assert (first["opponent"], first["seat"], first["winner"], first["cause"]) == ("Bob", 0, 0, "resigned")
        assert first["rating_after"] > first["rating_before"]
        assert second["rating_before"] is None
        assert (waiting["state"], waiting["opponent"], waiting["replay"]) == ("open", None, None)
        assert data["ratings"][0]["game"] == "spit"
        assert data["sign-ins"][0]["ip"] == "127.0.0.1"

    def test_is_read_in_parts(self, as_ann: Client, ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(own_data, "AT_ONCE", 2)
        made = [make_match(ann, "king", rated=False).slug for _ in range(5)]
        assert [row["match"] for row in self.unpacked(as_ann)["matches"]] == made

    def test_is_asked_for_with_the_password(self, as_ann: Client) -> None:
        response = as_ann.get(reverse("account_download"))
        assert response["Location"].startswith(reverse("account_reauthenticate"))
        response = as_ann.post(response["Location"], {"password": PASSWORD})
        assert response["Location"] == reverse("account_download")

    def test_knows_all_there_is_of_people(self) -> None:
        """A new model with a person in it gets a part (`own_data.PARTS`), or a reason why not, here."""
        parts = {
            "games.Seat": "matches", "games.Rating": "ratings", "account.EmailAddress": "addresses",
            "mfa.Authenticator": "second-factors", "usersessions.UserSession": "sign-ins",
            "accounts.User_groups": "account", "preferences.Preferences": "preferences",
            "games.Onlooker": "preferences", "games.ChatLine": "chat", "games.Muted": "chat",
            "games.Follow": "people", "games.Block": "people", "games.RatingChange": "matches",
            "moderation.Report": "reports", "moderation.Measure": "decisions",
        }  # fmt: skip
        reasons = {
            "admin.LogEntry": "the work of administrators",
            "accounts.User_user_permissions": "what administrators let each other do",
            "moderation.Banned": "told by the decisions",
            "games.Seek": "lives for as long as a page is open",
            "games.PlayerMatch": "made from the matches",
            "games.MatchFlag": "the work of moderators",
            "replays.SeatSpeed": "made from the replays",
        }
        known = {*parts, *reasons}
        of_people = {
            model._meta.label
            for model in apps.get_models(include_auto_created=True)
            for field in model._meta.get_fields()
            if field.concrete and (field.many_to_one or field.one_to_one) and field.related_model is User
        }
        assert of_people == known
        assert set(parts.values()) <= set(own_data.PARTS)
        assert set(own_data.WORDS) == set(own_data.PARTS), "the page names each of them"


class TestSecondStep:
    def test_codes_from_an_app(self, as_ann: Client, ann: User) -> None:
        confirm(as_ann)
        page = as_ann.get(reverse("mfa_activate_totp"))
        secret = page.context["form"].secret
        response = as_ann.post(reverse("mfa_activate_totp"), {"code": "000"})
        assert set(response.context["form"].errors) == {"code"}
        code = totp.format_hotp_value(totp.hotp_value(secret, next(iter(totp.yield_hotp_counters_from_time()))))
        assert as_ann.post(reverse("mfa_activate_totp"), {"code": code}).status_code == 302
        assert {kind.type for kind in Authenticator.objects.all()} == {"totp", "recovery_codes"}
        # The password alone opens nothing now, also not the admin's door.
        other = Client()
        response = other.post(reverse("account_login"), {"login": "Ann", "password": PASSWORD})
        assert response["Location"].startswith(reverse("mfa_authenticate"))
        assert "_auth_user_id" not in other.session
        response = other.post(reverse("mfa_authenticate"), {"code": "000000"})
        assert set(response.context["form"].errors) == {"code"}
        recovery = Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()[0]
        assert other.post(reverse("mfa_authenticate"), {"code": recovery}).status_code == 302
        assert other.get(reverse("account")).status_code == 200
        # Each of these codes opens once.
        third = Client()
        third.post(reverse("account_login"), {"login": "Ann", "password": PASSWORD})
        assert third.post(reverse("mfa_authenticate"), {"code": recovery}).status_code == 200

    def test_the_site_is_named(self, as_ann: Client, settings: Any) -> None:
        confirm(as_ann)
        assert as_ann.get(reverse("mfa_activate_totp")).context["totp_url"].startswith("otpauth://totp/Ann?")
        options = as_ann.get(reverse("mfa_add_webauthn")).context["js_data"]["creation_options"]["publicKey"]
        assert options["rp"] == {"id": "testserver", "name": settings.SITE_NAME}
        assert options["user"]["name"] == "Ann"


@pytest.mark.django_db
def test_an_address_is_changed_by_its_link(as_ann: Client, ann: User) -> None:
    EmailAddress.objects.create(user=ann, email=ann.email, primary=True, verified=True)
    confirm(as_ann)
    as_ann.post(reverse("account_email"), {"email": "new@example.org", "action_add": ""})
    [message] = [message for message in mail.outbox if message.to == ["new@example.org"]]
    ann.refresh_from_db()
    assert ann.email == "ann@example.org"
    link = next(word for word in message.body.split() if "/confirm-email/" in word)
    # Programs that look at links in mails confirm nothing.
    as_ann.get(link)
    ann.refresh_from_db()
    assert ann.email == "ann@example.org"
    as_ann.post(link)
    ann.refresh_from_db()
    assert ann.email == "new@example.org"
