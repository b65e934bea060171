"""Browser tests: a real server in a process of its own, real Chromium, people in a profile each."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.hands import Hands
from tests.browsing import chromium_browser as chromium_browser
from tests.site_process import Site

PASSWORD = "correct horse battery"
_numbers = itertools.count(1)

expect.set_options(timeout=10_000)


@pytest.fixture
def site(start_site: Callable[..., Site]) -> Site:
    """A running server with an empty database."""
    return start_site()


@pytest.fixture
def people(chromium_browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a page for one more person, in a profile of their own: `people(viewport=…, has_touch=…)`.

    What goes wrong in a page's script fails the test.
    """
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def enter(**options: Any) -> Page:
        context = chromium_browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
        context.set_default_timeout(15_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        return page

    yield enter
    for context in contexts:
        context.close()
    assert not errors


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
        expect(page.get_by_text(name, exact=True).first).to_be_attached()

    return sign


@pytest.fixture
def seat_two(site: Site) -> Callable[[Page, Page], str]:
    """Brings two people to one table by an invitation link; the address of the match."""

    def seat(host: Page, visitor: Page, rated: bool = False) -> str:
        host.goto(site.url)
        form = host.locator(f"form[action='{'/play/friend/'}']")
        if rated:
            form.locator("summary").click()
            form.locator("input[name=rated]").check()
        form.locator("button[type=submit]").click()
        host.wait_for_url("**/match/**")
        url = host.url
        visitor.goto(url)
        for page in (host, visitor):
            Hands(page).wait_for_phase("ready")
        return url

    return seat
