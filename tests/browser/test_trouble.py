"""The database cannot be written for a while: the page says so, to those who watch, too."""

import sqlite3
from collections.abc import Callable
from contextlib import closing

from playwright.sync_api import Page, expect

from tests.browser.hands import Hands
from tests.site_process import Site

TROUBLE = "Connection trouble at the server"


def test_players_and_watchers_see_it_and_that_it_is_over(
    start_site: Callable[..., Site], people: Callable[..., Page], seat_two: Callable[..., str]
) -> None:
    site = start_site(DATABASE_URL="")
    host, visitor, watcher = people(), people(), people()
    watcher.goto(seat_two(host, visitor, at=site))
    hands = Hands(host)
    Hands(watcher).wait_for_phase("ready")
    pages = (host, visitor, watcher)
    for page in pages:
        expect(page.locator("#table-banner")).to_be_hidden()
    with closing(sqlite3.connect(site.var / "spit.sqlite3", isolation_level=None)) as lock:
        lock.execute("BEGIN IMMEDIATE")
        host.keyboard.press("Space")
        for page in pages:
            expect(page.locator("#table-banner")).to_contain_text(TROUBLE, timeout=5_000)
        lock.execute("ROLLBACK")
    for page in pages:
        expect(page.locator("#table-banner")).to_be_hidden()
    for page in (host, visitor):
        expect(page.locator("#table")).to_have_attribute("data-sync", "true")
    if host.locator(".hub[aria-disabled=false]").count():
        host.keyboard.press("Space")
    visitor.keyboard.press("Space")
    hands.wait_for_phase("countdown", "playing", "stuck")
