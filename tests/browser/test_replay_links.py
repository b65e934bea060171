"""Links to a moment of a replay (B12)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Final
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.replay_page import look, reads_right, walk
from tests.browser.stored_replays import CLASSIC, times, views
from tests.site_process import Site


def settled_address(page: Page, index: int) -> str:
    """The address once it has caught up with the page."""
    at = times(CLASSIC)[index]
    wanted = {"t": [str(at)]}
    if bisect_right(times(CLASSIC), at) - 1 != index:
        # Of several events in one millisecond.
        wanted["e"] = [str(index)]
    page.wait_for_url(lambda url: parse_qs(urlsplit(url).query) == wanted)
    return page.url


@pytest.mark.parametrize("place", ["first", "second", "middle", "last but one", "last"])
def test_a_link_opens_exactly_its_moment(show: Callable[..., Page], place: str) -> None:
    last = len(views(CLASSIC)) - 1
    index = {"first": 1, "second": 2, "middle": last // 2, "last but one": last - 1, "last": last}[place]
    page = show(CLASSIC, "?t=0&e=0")
    if index > last // 2:
        page.keyboard.press("End")
    now = look(page)["index"]
    walk(page, *["ArrowRight" if now < index else "ArrowLeft"] * abs(index - now))
    link = settled_address(page, index)
    tail = f"?{urlsplit(link).query}"
    for how in ({}, {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}):
        reads_right(CLASSIC, show(CLASSIC, tail, **how), index)
    reads_right(CLASSIC, show(CLASSIC, tail.replace("?", "#")), index)
    page.reload()
    expect(page.locator("#replay")).to_have_attribute("data-state", "ready")
    reads_right(CLASSIC, page, index)


START: Final = ("", "?t=-1", "?t=abc", "?t=", "#t=-999", "?t=%3Cb%3E", "?t=0&e=-4", "?t=0&e=zzz")
END: Final = ("?t=999999999", "#t=999999999", "?t=1e400", "?t=99999999999999999999")


def test_what_is_no_moment_opens_at_the_start_or_at_the_end(site: Site, show: Callable[..., Page]) -> None:
    page = show(CLASSIC)
    for tails, index in ((START, bisect_right(times(CLASSIC), 0) - 1), (END, len(views(CLASSIC)) - 1)):
        for tail in tails:
            page.goto("about:blank")  # Else another fragment alone would not open the page anew.
            page.goto(f"{site.url}/replay/{CLASSIC}/{tail}")
            expect(page.locator("#replay")).to_have_attribute("data-state", "ready")
            reads_right(CLASSIC, page, index)


def test_the_link_of_a_moment_is_copied(site: Site, show: Callable[..., Page]) -> None:
    page = show(CLASSIC, "?t=20000", permissions=["clipboard-read", "clipboard-write"])
    page.keyboard.press("ArrowRight")
    index = look(page)["index"]
    page.keyboard.press("l")
    expect(page.locator("[data-part=share]")).to_have_text("Copied")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{site.url}/replay/{CLASSIC}/?t=")
    assert page.url == link
    reads_right(CLASSIC, show(CLASSIC, f"?{urlsplit(link).query}"), index)


def test_without_a_clipboard_the_link_is_there_to_be_copied(show: Callable[..., Page]) -> None:
    page = show(CLASSIC, "?t=20000")
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }")
    page.locator("[data-part=share]").click()
    expect(page.get_by_label("Link to this moment")).to_have_value(page.url)


def test_an_address_changed_by_hand_is_followed(show: Callable[..., Page]) -> None:
    page = show(CLASSIC)
    page.evaluate("location.hash = 't=20000'")
    page.wait_for_function("() => document.querySelector('[role=slider]').ariaValueNow === '20000'")
    reads_right(CLASSIC, page)


def test_what_is_reported_is_the_moment_that_is_shown(show: Callable[..., Page]) -> None:
    page = show(CLASSIC, "?t=0")
    walk(page, *["ArrowRight"] * 12)
    at = times(CLASSIC)[look(page)["index"]]
    page.locator('[data-part="report"]').click()
    page.wait_for_url(f"**/report/match/{CLASSIC}/?t={at}")
    # Somebody who only watches says whom they mean.
    expect(page.get_by_role("radio")).to_have_count(2 + 6)
    page.get_by_role("radio", name="Something else").check()
    page.get_by_role("textbox").fill("typed")
    page.get_by_role("button", name="Send the report").click()
    expect(page.locator(".field-error")).to_have_count(1)
    expect(page.get_by_role("textbox")).to_have_value("typed")
