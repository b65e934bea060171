"""The pages of accounts in the site's look: errors at their fields, and redirects that stay at home."""

import re
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.test import Client
from django.urls import reverse

from games.lobby import services
from spitsite.accounts.models import User
from tests.conftest import PASSWORD
from tests.factories import SPIT

BACKEND = "django.contrib.auth.backends.ModelBackend"


@pytest.fixture
def as_ann(client: Client, ann: User) -> Client:
    client.force_login(ann, backend=BACKEND)
    return client


def is_ours(response: Any) -> bool:
    """Whether it redirects, as a browser understands it, to a page of this site."""
    # Browsers take a backslash for a slash, and leave out tabs and line ends.
    location = response["Location"].replace("\\", "/").replace("\t", "").replace("\n", "")
    parts = urlsplit(urljoin("http://testserver/accounts/login/", location))
    return response.status_code == 302 and (parts.scheme, parts.netloc) == ("http", "testserver")


@pytest.mark.django_db
class TestRedirects:
    @pytest.fixture(
        params=[
            "//evil.example",
            "/\\evil.example",
            "https:evil.example",
            "https://evil.example/",
            "javascript:alert(1)",
            "%2F%2Fevil.example",
            "\thttps://evil.example",
        ]
    )
    def evil(self, request: pytest.FixtureRequest) -> str:
        return str(request.param)

    def test_b32_sign_in_leads_only_to_our_own_pages(self, client: Client, ann: User, evil: str) -> None:
        form = {"login": "Ann", "password": PASSWORD, "next": evil}
        response = client.post(reverse("account_login"), form)
        assert is_ours(response)

    def test_b32_sign_up_and_out_too(self, client: Client, db: None, evil: str) -> None:
        form = {"username": "Carol", "email": "c@example.org", "password1": PASSWORD, "next": evil}
        for url, data in ((reverse("account_signup"), form), (reverse("account_logout"), {"next": evil})):
            assert is_ours(client.post(url, data))

    def test_b32_the_password_once_more_and_the_second_step_too(self, client: Client, ann: User, evil: str) -> None:
        def where(response: Any) -> Any:
            return urlsplit(urljoin("http://testserver/accounts/", response["Location"].replace("\\", "/").strip()))

        client.post(reverse("account_login"), {"login": "Ann", "password": PASSWORD})
        again = client.post(reverse("account_reauthenticate"), {"password": PASSWORD, "next": evil})
        assert where(again).netloc == "testserver"
        RecoveryCodes.activate(ann)
        TOTP.activate(ann, "JBSWY3DPEHPK3PXP")
        code = Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()[0]
        other = Client()
        first = other.post(reverse("account_login"), {"login": "Ann", "password": PASSWORD, "next": evil})
        assert where(first).netloc == "testserver"
        last = other.post(first["Location"], {"code": code, "next": evil})
        assert last.status_code == 302
        assert where(last).netloc == "testserver"

    def test_b32_what_is_in_the_address_is_not_followed_either(self, client: Client, ann: User, evil: str) -> None:
        for name in ("account_login", "account_signup", "account_logout", "account_reauthenticate"):
            address = f"{reverse(name)}?{urlencode({'next': evil})}"
            page = client.get(address)
            for tag in re.findall(r'<input[^>]*name="next"[^>]*>|<a [^>]*>', page.content.decode()):
                assert 'href="//' not in tag
                assert 'href="javascript' not in tag
            answer = client.post(address, {"login": "Ann", "password": PASSWORD, "username": "x", "email": "x"})
            if answer.status_code == 302:
                assert is_ours(answer)

    def test_our_own_are_followed(self, client: Client, ann: User) -> None:
        match = services.create_for_friend(ann, SPIT)
        form = {"login": "ann", "password": PASSWORD, "next": match.get_absolute_url()}
        assert client.post(reverse("account_login"), form)["Location"] == match.get_absolute_url()


@pytest.mark.django_db
class TestAccountPages:
    @pytest.mark.parametrize(
        "name",
        [
            "account_login",
            "account_signup",
            "account_reset_password",
            "account_reset_password_done",
            "account_email_verification_sent",
            "account_inactive",
        ],
    )
    def test_look_like_the_site(self, client: Client, name: str) -> None:
        response = client.get(reverse(name))
        assert response.status_code == 200
        assert b'class="brand"' in response.content

    @pytest.mark.parametrize(
        "name", ["account_email", "account_change_password", "account_logout", "account_reauthenticate"]
    )
    def test_so_do_those_for_who_is_signed_in(self, as_ann: Client, name: str) -> None:
        response = as_ann.get(reverse(name))
        assert response.status_code == 200
        assert b'class="brand"' in response.content

    def test_errors_stand_at_their_fields_and_what_was_typed_stays(self, client: Client, ann: User) -> None:
        form = {"username": "ann", "email": "no address", "password1": "123"}
        response = client.post(reverse("account_signup"), form)
        content = response.content.decode()
        for field in form:
            assert f'id="id_{field}_error"' in content
            assert f"id_{field}_error" in content.split(f'name="{field}"')[1].split(">")[0]
        assert 'value="no address"' in content
        assert 'value="ann"' in content
        assert "123" not in content

    def test_a_wrong_password_loses_no_name(self, client: Client, ann: User) -> None:
        response = client.post(reverse("account_login"), {"login": "Ann", "password": "wrong"})
        content = response.content.decode()
        assert 'role="alert"' in content
        assert 'value="Ann"' in content

    def test_a_link_to_confirm_that_is_none(self, client: Client) -> None:
        response = client.get(reverse("account_confirm_email", args=["nonsense"]))
        assert response.status_code == 200
        assert b'class="brand"' in response.content
