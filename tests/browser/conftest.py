"""Browser tests: a real server in a process of its own, real Chromium, people in a profile each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.hands import Hands
from tests.browser.stored_replays import fill_in_server
from tests.browsing import chromium_browser as chromium_browser
from tests.shared import once
from tests.site_process import Site, copy, start

PASSWORD = "correct horse battery"

expect.set_options(timeout=20_000)


@pytest.fixture(scope="session")
def site(fresh_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server with finished matches, shared by all tests; who wants to end one starts their own (`start_site`)."""

    def make(filled: Path) -> None:
        copy(fresh_site, filled)
        fill_in_server(filled)

    var = tmp_path_factory.mktemp("site")
    copy(once("replays", make), var)
    running = start(var)
    yield running
    running.kill()


@pytest.fixture
def people(chromium_browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a page for one more person, in a profile of their own: `people(viewport=…, has_touch=…)`.

    What goes wrong in a page's script fails the test.
    """
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def enter(**options: Any) -> Page:
        context = chromium_browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
        context.set_default_timeout(30_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        return page

    yield enter
    for context in contexts:
        context.close()
    assert not errors


@pytest.fixture
def show(site: Site, people: Callable[..., Page]) -> Callable[..., Page]:
    """Opens a replay: `show(slug, "?t=5000", viewport=…)`."""

    def opened(slug: str, tail: str = "", **options: Any) -> Page:
        page = people(**options)
        page.goto(f"{site.url}/replay/{slug}/{tail}")
        expect(page.locator("#replay")).to_have_attribute("data-state", "ready")
        return page

    return opened


@pytest.fixture
def sign_up(site: Site) -> Callable[[Page, str], None]:
    """Makes an account through the page and is signed in: `sign_up(page, name)`."""

    def sign(page: Page, name: str) -> None:
        page.goto(f"{site.url}/accounts/signup/")
        page.locator("input[name=username]").fill(name)
        page.locator("input[name=email]").fill(f"{name.lower()}@example.org")
        page.locator("input[name=password1]").fill(PASSWORD)
        if page.locator("input[name=password2]").count():
            page.locator("input[name=password2]").fill(PASSWORD)
        page.locator("main form [type=submit]").first.click()
        page.wait_for_load_state()
        if page.get_by_text("Somebody has this name already").count():
            # From this test's first try.
            page.goto(f"{site.url}/accounts/login/")
            page.locator("input[name=login]").fill(name)
            page.locator("input[name=password]").fill(PASSWORD)
            page.locator("main form [type=submit]").first.click()
        expect(page.get_by_text(name, exact=True).first).to_be_attached()

    return sign


Seated = Callable[..., str]


@pytest.fixture
def seat_two(site: Site) -> Seated:
    """Brings two people to one table by an invitation link: `seat_two(host, visitor, rated=…, at=…)`; its address."""

    def seat(host: Page, visitor: Page, *, rated: bool = False, at: Site = site) -> str:
        host.goto(at.url)
        if rated:
            host.locator("details:has(input[name=rated]) > summary").last.click()
            host.locator("input[name=rated][value=yes]").check()
        host.get_by_role("button", name="Make a link").click()
        host.wait_for_url("**/match/**")
        visitor.goto(host.url)
        for page in (host, visitor):
            Hands(page).wait_for_phase("ready")
        return host.url

    return seat
