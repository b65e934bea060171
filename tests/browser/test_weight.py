"""What a first visit sends: all bytes of the answers, headers and all, in a profile that has seen nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.stored_replays import CLASSIC
from tests.site_process import Site

KB = 1000


class Scales:
    """Weighs what a page is sent, by address."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.sent: dict[str, int] = {}
        self._addresses: dict[str, str] = {}
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.responseReceived", lambda each: self._named(each["requestId"], each["response"]["url"]))
        session.on("Network.loadingFinished", lambda each: self._weighed(each["requestId"], each["encodedDataLength"]))

    def _named(self, request: str, address: str) -> None:
        self._addresses[request] = address

    def _weighed(self, request: str, length: float) -> None:
        address = self._addresses.get(request, "")
        if address.startswith("http"):
            # A page that leads on to another is sent twice; what is in the cache by then weighs nothing.
            self.sent[address] = self.sent.get(address, 0) + int(length)

    def total(self, *without: str) -> int:
        """All of it, in bytes, but for addresses that contain one of those texts."""
        self.page.wait_for_load_state("networkidle")
        return sum(length for address, length in self.sent.items() if not any(each in address for each in without))

    def told(self) -> str:
        """The heaviest, for whom the test fails."""
        heaviest = sorted(self.sent.items(), key=lambda each: -each[1])
        return "\n".join(f"{length:>7} {address}" for address, length in heaviest[:40])


def test_home(people: Callable[..., Page], site: Site) -> None:
    page = people()
    scales = Scales(page)
    page.goto(site.url)
    # Letters with accents, of a player's name in the list, are fetched by who needs them.
    assert scales.total("inter-more") <= 60 * KB, scales.told()


def test_the_table(people: Callable[..., Page], site: Site) -> None:
    """By the link of a friend, as most come here first: the table is the first page."""
    host = people()
    host.goto(site.url)
    host.get_by_role("button", name="Make a link").click()
    host.wait_for_url("**/match/**")
    visitor = people()
    scales = Scales(visitor)
    visitor.goto(host.url)
    expect(visitor.locator(".place").first).to_be_attached()
    assert scales.total() <= 85 * KB, scales.told()


def test_a_replay(people: Callable[..., Page], site: Site) -> None:
    page = people()
    scales = Scales(page)
    page.goto(f"{site.url}/replay/{CLASSIC}/")
    expect(page.locator("#replay")).to_have_attribute("data-state", "ready")
    # One of the players has a letter with an accent in his name; those letters are fetched by who needs them.
    assert scales.total(f"{CLASSIC}.packed.json", "inter-more") <= 80 * KB, scales.told()


@pytest.mark.parametrize("path", ["/", "/preferences/", f"/replay/{CLASSIC}/", "/practice/"])
def test_nothing_waits_in_a_chain(people: Callable[..., Page], site: Site, path: str) -> None:
    """Every script is named by the page itself; and nothing comes from elsewhere, or without being packed."""
    page = people()
    answers = []
    page.on("response", lambda each: answers.append(each))
    page.goto(site.url + path)
    page.wait_for_load_state("networkidle")
    html = page.evaluate("async () => (await fetch(location.href)).text()")
    for each in answers:
        assert each.url.startswith(site.url), each.url
        if "/static/js/" in each.url:
            assert each.url.removeprefix(site.url) in html
        if each.url.endswith((".js", ".css", ".svg")) and len(each.body()) > 1000:
            assert each.header_value("content-encoding") in ("gzip", "br"), each.url
