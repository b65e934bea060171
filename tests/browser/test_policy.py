"""The policy of contents in a real browser: no page, the admin's neither, asks for anything that it forbids.

And the pages of accounts: passkeys, and what axe says of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.rules.registry import BOOKS
from tests.browser.conftest import PASSWORD
from tests.browser.hands import Hands
from tests.browser.stored_replays import CLASSIC
from tests.browser.test_accessibility import violations
from tests.site_process import Site, manage

PAGES = (
    "/", "/watch/", "/replays/", f"/replay/{CLASSIC}/", "/rules/", *(f"/rules/{game}/" for game in BOOKS), "/practice/",
    "/about/", "/player/Marta/", "/nowhere/", "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/",
    "/accounts/password/reset/done/", "/accounts/confirm-email/", "/accounts/inactive/",
)  # fmt: skip
OWN = (
    "/accounts/", "/accounts/name/", "/accounts/email/", "/accounts/password/change/", "/accounts/sessions/",
    "/accounts/data/", "/accounts/delete/", "/accounts/logout/", "/accounts/2fa/", "/accounts/2fa/totp/activate/",
    "/accounts/2fa/webauthn/", "/accounts/2fa/webauthn/add/", "/accounts/2fa/recovery-codes/",
    "/accounts/2fa/recovery-codes/generate/",
)  # fmt: skip
ADMIN = (
    "", "accounts/user/", "accounts/user/add/", "games/match/", "games/rating/", "games/ratingchange/",
    "replays/replay/", "auth/group/", "auth/group/add/", "account/emailaddress/", "mfa/authenticator/",
    "password_change/",
)  # fmt: skip


@pytest.fixture
def watched(people: Callable[..., Page]) -> Iterator[Callable[..., Page]]:
    """Opens a page whose offences against the policy fail the test."""
    offences: list[str] = []

    def enter(**options: Any) -> Page:
        page = people(reduced_motion="reduce", **options)
        page.on(
            "console",
            lambda said: (
                offences.append(f"{page.url}: {said.text}") if "Content Security Policy" in said.text else None
            ),
        )
        return page

    yield enter
    assert offences == []


def confirm(page: Page) -> None:
    """Give the password once more, if that is asked for."""
    if "/reauthenticate/" in page.url:
        page.fill("input[name=password]", PASSWORD)
        page.locator("main form.form [type=submit]").click()
        page.wait_for_url(lambda url: "/reauthenticate/" not in url)


def test_a_visitor_s_pages_and_a_match(watched: Callable[..., Page], site: Site) -> None:
    page = watched()
    for path in PAGES:
        page.goto(site.url + path, wait_until="networkidle")
    page.goto(site.url)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/match/**")
    hands = Hands(page)
    hands.wait_for_phase("ready")
    hands.act()
    hands.wait_for_phase("countdown", "playing")


def test_the_policy_is_in_force(people: Callable[..., Page], site: Site) -> None:
    """What gets into a page all the same does nothing."""
    page = people()
    page.goto(site.url)
    page.evaluate(
        """() => {
          globalThis.did = [];
          const add = (tag, fields) => document.body.append(Object.assign(document.createElement(tag), fields));
          add("script", {textContent: "did.push('script')"});
          add("img", {src: "/nowhere.png", onerror: null});
          const sink = document.createElement("div");
          sink.innerHTML = "<img src=x onerror=\\"did.push('handler')\\"><b style='color: rgb(1, 2, 3)'>x</b>";
          document.body.append(sink);
          globalThis.ink = getComputedStyle(sink.querySelector("b")).color;
        }"""
    )
    page.wait_for_timeout(200)
    assert page.evaluate("() => [did, ink]") != [["script"], "rgb(1, 2, 3)"]
    assert page.evaluate("() => did") == []
    assert page.evaluate("() => ink") != "rgb(1, 2, 3)"


def test_the_pages_of_an_account_and_passkeys(
    watched: Callable[..., Page], sign_up: Callable[[Page, str], None], site: Site
) -> None:
    """Sign up, look at all pages with axe, make a passkey, sign out, and sign in with nothing but it."""
    page = watched()
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
        "isUserVerified": True, "automaticPresenceSimulation": True,
    }  # fmt: skip
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    url = site.url.replace("127.0.0.1", "localhost")  # Passkeys belong to names, not to addresses.
    page.goto(f"{url}/accounts/signup/")
    for field, text in (("username", "Žofie"), ("email", "zofie@example.org"), ("password1", PASSWORD)):
        page.fill(f"input[name={field}]", text)
    page.locator("main form [type=submit]").first.click()
    expect(page.get_by_text("Žofie", exact=True).first).to_be_attached()
    page.goto(f"{url}/accounts/2fa/webauthn/add/")
    confirm(page)
    page.fill("input[name=name]", "My phone")
    page.check("input[name=passwordless]")
    page.click("#mfa_webauthn_add")
    page.wait_for_url("**/recovery-codes/**")
    for path in OWN:
        page.goto(url + path)
        confirm(page)
        for width, scheme in ((360, "dark"), (1280, "light")):
            page.set_viewport_size({"width": width, "height": 800})
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            assert violations(page) == [], f"{path} {width}"
            assert page.evaluate("() => document.documentElement.scrollWidth") <= width, path
    page.goto(f"{url}/accounts/2fa/webauthn/")
    expect(page.get_by_text("My phone").first).to_be_visible()
    page.goto(f"{url}/accounts/logout/")
    page.locator("main form [type=submit]").click()
    page.wait_for_url(f"{url}/")
    # The password alone is not enough now.
    page.goto(f"{url}/accounts/login/")
    page.fill("input[name=login]", "žofie")
    page.fill("input[name=password]", PASSWORD)
    page.locator("main form.form [type=submit]").click()
    page.wait_for_url("**/2fa/authenticate/**")
    assert violations(page) == []
    page.click("#mfa_webauthn_authenticate")
    page.wait_for_url(f"{url}/")
    page.goto(f"{url}/accounts/logout/")
    page.locator("main form [type=submit]").click()
    page.wait_for_url(f"{url}/")
    page.goto(f"{url}/accounts/login/")
    page.click("#passkey_login")
    page.wait_for_url(f"{url}/")
    expect(page.get_by_text("Žofie", exact=True).first).to_be_attached()


def test_the_admin_site(watched: Callable[..., Page], site: Site) -> None:
    manage(
        site.var, "createsuperuser", "--noinput", "--username=keeper", "--email=keeper@example.org",
        DJANGO_SUPERUSER_PASSWORD=PASSWORD, check=False,
    )  # fmt: skip
    page = watched()
    page.goto(f"{site.url}/admin/")
    page.fill("input[name=login]", "keeper")
    page.fill("input[name=password]", PASSWORD)
    page.locator("main form.form [type=submit]").click()
    page.wait_for_url("**/admin/")
    for path in ADMIN:
        page.goto(f"{site.url}/admin/{path}", wait_until="networkidle")
    for model in ("accounts/user", "games/match", "replays/replay"):
        page.goto(f"{site.url}/admin/{model}/")
        page.locator("#result_list tbody th a").first.click()
        page.wait_for_url(re.compile(rf"/admin/{model}/\d+/change/"))
    page.goto(f"{site.url}/admin/games/match/")
    number = page.locator("input[name=_selected_action]").first.get_attribute("value")
    page.goto(f"{site.url}/admin/games/match/{number}/log/", wait_until="networkidle")
    page.goto(f"{site.url}/admin/accounts/user/")
    page.locator("input[name=_selected_action]").first.check()
    page.select_option("select[name=action]", "delete_selected")
    page.locator("button[name=index]").click()
    expect(page.locator("h1")).to_be_visible()
