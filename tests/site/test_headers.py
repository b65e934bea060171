"""What browsers are told with each kind of answer."""

from collections.abc import Callable
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from django.views.decorators.clickjacking import xframe_options_exempt

from spitsite.accounts.models import User
from spitsite.security import Policy
from tests.factories import make_match
from tests.ops.http import ask
from tests.site_process import Site, manage


def policy_of(response: Any) -> dict[str, str]:
    """The directives of its policy of contents."""
    return {
        name: value
        for name, _space, value in (
            part.strip().partition(" ") for part in response["Content-Security-Policy"].split(";")
        )
    }


@pytest.fixture
def addresses(db: None, ann: User) -> dict[str, str]:
    match = make_match(ann, "easy", rated=False)
    return {
        "page": "/",
        "match": match.get_absolute_url(),
        "replay": f"/replay/{match.slug}/",
        "document": f"/replay/{match.slug}/document.json",
        "account": reverse("account_login"),
        "admin": "/admin/login/",
        "words": "/jsi18n/en/",
        "drawing": "/static/icons/sprite.svg",
        "stylesheet": "/static/css/base.css",
        "script": "/static/js/text.js",
        "font": "/static/fonts/inter.woff2",
        "not found": "/nowhere/",
    }


@pytest.mark.parametrize(
    "kind",
    ["page", "match", "replay", "document", "account", "admin", "drawing", "not found"],
)
def test_every_kind_of_answer_has_them(client: Client, addresses: dict[str, str], kind: str) -> None:
    response = client.get(addresses[kind])
    policy = policy_of(response)
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == policy["form-action"] == "'self'"
    assert "unsafe" not in response["Content-Security-Policy"]
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Referrer-Policy"] == "same-origin"
    assert response["Cross-Origin-Opener-Policy"] == "same-origin"
    assert response["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "camera=()" in response["Permissions-Policy"]
    if kind != "drawing":
        assert response["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("kind", ["words", "stylesheet", "script", "font"])
def test_a_part_of_a_page_is_told_what_matters_for_it(client: Client, addresses: dict[str, str], kind: str) -> None:
    """The page's policy is its own; it is no document."""
    response = client.get(addresses[kind])
    assert response.status_code == 200
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "Content-Security-Policy" not in response


def test_a_foreign_host_is_answered_with_them_too(client: Client, db: None) -> None:
    response = client.get("/", headers={"host": "evil.example"})
    assert response.status_code == 400
    assert policy_of(response)["script-src"] == "'self'"


def test_a_page_for_other_sites_pages_may_be_put_there_and_nothing_else_changes() -> None:
    """`xframe_options_exempt` is all that an embedded page needs."""

    @xframe_options_exempt
    def embedded(request: Any) -> HttpResponse:
        return HttpResponse("a board")

    view: Callable[[Any], HttpResponse] = Policy(embedded)  # type: ignore[assignment, arg-type]
    policy = policy_of(view(RequestFactory().get("/")))
    assert policy["frame-ancestors"] == "*"
    assert policy["script-src"] == "'self'"


class TestBehindTls:
    @pytest.fixture
    def site(self, start_site: Callable[..., Site]) -> Site:
        return start_site(BEHIND_TLS_PROXY="1", TRUSTED_PROXIES="127.0.0.1", ALLOWED_HOSTS="spit.example,127.0.0.1")

    def test_b33_https_is_insisted_on_and_cookies_are_this_hosts_alone(self, site: Site) -> None:
        secure = ask(site.url + "/accounts/login/", X_Forwarded_Proto="https")
        assert secure.status == 200
        assert secure.headers["strict-transport-security"] == "max-age=31536000"
        cookie = secure.headers["set-cookie"]
        assert cookie.startswith("__Host-csrftoken=")
        assert {"Secure", "Path=/", "SameSite=Lax"} <= set(cookie.split("; "))
        assert "Domain" not in cookie
        plain = ask(site.url + "/accounts/login/", X_Forwarded_Proto="http", Host="spit.example")
        assert plain.status == 301
        assert plain.headers["location"] == "https://spit.example/accounts/login/"

    def test_djangos_own_check_finds_nothing(self, site: Site) -> None:
        done = manage(site.var, "check", "--deploy", "--fail-level=WARNING", BEHIND_TLS_PROXY="1")
        assert "no issues" in done.stdout
