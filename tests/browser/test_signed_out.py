"""B28 as it is seen: signed out in one tab, told so in the other, and led back to the seat."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import PASSWORD
from tests.browser.hands import Hands
from tests.site_process import Site


def test_b28_the_page_says_so_and_leads_back_to_the_seat(
    site: Site, people: Callable[..., Page], sign_up: Callable[[Page, str], None], seat_two: Callable[..., str]
) -> None:
    host, visitor, watcher = people(), people(), people()
    sign_up(host, "Sigrid")
    sign_up(watcher, "Wanda")
    url = seat_two(host, visitor)
    watcher.goto(url)
    Hands(watcher).wait_for_phase("ready")
    for person in (host, watcher):
        tab = person.context.new_page()
        tab.goto(f"{site.url}/accounts/logout/")
        tab.locator("main form [type=submit]").click()
        expect(tab.get_by_role("link", name="Sign in").first).to_be_visible()
    banner = host.locator("#table-banner")
    expect(banner).to_contain_text("You were signed out. Sign in to return to your seat")
    expect(visitor.locator(".board-seat-above .plate-badge")).to_be_visible()
    banner.get_by_role("link", name="Sign in").click()
    host.locator("input[name=login]").fill("Sigrid")
    host.locator("input[name=password]").fill(PASSWORD)
    host.locator("main form [type=submit]").first.click()
    host.wait_for_url(url)
    expect(host.locator("#table")).to_have_attribute("data-you", "0")
    expect(visitor.locator(".board-seat-above .plate-dot")).to_have_attribute("data-here", "true")
    # Who only watches watches on.
    expect(watcher.locator("#table")).to_have_attribute("data-line", re.compile("open"))
    expect(watcher.locator("#table-banner")).to_be_hidden()
