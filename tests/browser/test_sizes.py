"""Sizes that people need: type as large as their own, and room for their thumbs (docs/design.md)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hands import Hands
from tests.browser.stored_replays import CLASSIC
from tests.browser.test_hands import PHONE
from tests.site_process import Site

WIDE: Final = {"viewport": {"width": 1440, "height": 900}}
SMALL: Final = """() => {
  const small = [];
  const pressed = "button, summary, select, .button, .header-icon, .header-user, input:not([type=hidden])";
  for (const element of document.querySelectorAll(pressed)) {
    // What one hits is the label, or all of the box that a link or a button is spread over.
    const target = element.closest("label") ?? element;
    const { width, height } = target.getBoundingClientRect();
    if (!element.checkVisibility({ visibilityProperty: true }) || width < 2 || height < 2) continue;
    if (Math.min(width, height) < 43.5 && !element.closest(".timeline, .place, .footer, .visually-hidden"))
      small.push(`${element.outerHTML.slice(0, 100)} ${width.toFixed(0)} × ${height.toFixed(0)}`);
  }
  return small;
}"""
"""Marks on the timeline are smaller: what they lead to is in the list beside it, too."""


def enlarge(page: Page) -> None:
    """The reader's own type is twice as large, as browsers let them choose."""
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})


def fits(page: Page) -> None:
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), "it scrolls sideways"


@pytest.mark.parametrize("options", [PHONE, WIDE], ids=["phone", "wide"])
def test_a_replay_is_as_large_as_the_readers_type(show: Callable[..., Page], options: dict[str, Any]) -> None:
    page = show(CLASSIC, "?t=20000", **options)
    size = "() => parseFloat(getComputedStyle(document.querySelector('.moment-words')).fontSize)"
    before = page.evaluate(size)
    enlarge(page)
    page.reload()
    expect(page.locator("#replay")).to_have_attribute("data-state", "ready")
    assert page.evaluate(size) == 2 * before
    # The rows of the list are as high as what is written in them, and lie one under the other.
    page.wait_for_function(
        """() => { const rows = [...document.querySelectorAll(".moment")].map((row) => row.getBoundingClientRect());
          rows.sort((one, other) => one.top - other.top);
          return rows.length > 1 && rows.every(({ top, height }, at) =>
            height >= 64 && (!at || top >= rows[at - 1].bottom - 1)); }"""
    )
    fits(page)


@pytest.mark.parametrize("options", [PHONE, WIDE], ids=["phone", "wide"])
def test_a_table_is_as_large_as_the_readers_type(
    site: Site, people: Callable[..., Page], options: dict[str, Any]
) -> None:
    """What is said at the end is, too; and all cards are still to be seen."""
    page = people(**options)
    enlarge(page)
    page.goto(site.url)
    page.get_by_role("button", name="Play now").click()
    Hands(page).wait_for_phase("ready")
    inside = """() => [...document.querySelectorAll(".place:not([data-role=pack])")].every((place) => {
      const { left, top, right, bottom } = place.querySelector(".place-stack").getBoundingClientRect();
      const felt = document.querySelector(".table-felt").getBoundingClientRect();
      return left >= 0 && right <= innerWidth && top >= felt.top - 1 && bottom <= felt.bottom + 1; })"""
    page.wait_for_function(inside)
    fits(page)
    page.locator("[data-part=resign]").click()
    page.locator("[data-part=resign-sure]").click()
    Hands(page).wait_for_phase("over")
    assert page.evaluate("() => parseFloat(getComputedStyle(document.querySelector('.panel-dim')).fontSize)") == 28
    fits(page)


PAGES: Final = {
    "home": "/",
    "watch": "/watch/",
    "television": "/tv/",
    "replays": "/replays/",
    "replay": f"/replay/{CLASSIC}/",
    "open a replay": "/replays/open/",
    "preferences": "/preferences/",
    "practice": "/practice/",
    "profile": "/player/Marta/",
}


@pytest.mark.parametrize("width", [360, 800])
def test_every_page_fits_when_the_reader_s_type_is_twice_as_large(
    site: Site, people: Callable[..., Page], width: int
) -> None:
    page = people(viewport={"width": width, "height": 740})
    enlarge(page)
    for name, path in PAGES.items():
        page.goto(site.url + path)
        if name == "replay":
            expect(page.locator("#replay")).to_have_attribute("data-state", "ready")
            # The last of the tools is to be seen.
            assert page.locator("[data-part=send]").evaluate("tool => tool.getBoundingClientRect().right <= innerWidth")
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width, name


@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_too_small_for_a_thumb(site: Site, people: Callable[..., Page], name: str) -> None:
    page = people(**PHONE)
    page.goto(site.url + PAGES[name])
    if name == "replay":
        expect(page.locator("#replay")).to_have_attribute("data-state", "ready")
    assert page.evaluate(SMALL) == []


def test_nothing_at_a_table_is_too_small_for_a_thumb(site: Site, people: Callable[..., Page]) -> None:
    player, watcher = people(**PHONE), people(**PHONE)
    player.goto(site.url)
    player.get_by_role("button", name="Play now").tap()
    Hands(player).wait_for_phase("ready")
    watcher.goto(player.url)
    Hands(watcher).wait_for_phase("ready")
    for width, height in ((360, 740), (740, 360)):
        for page in (player, watcher):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(SMALL) == [], (width, height)


CROWDED: Final = """() => {
  const wide = (element) => element.getBoundingClientRect().width;
  const rows = [...document.querySelectorAll(".panel-row")];
  const tops = (row) => new Set([...row.children].map((each) => each.offsetTop));
  const shown = [...document.querySelectorAll(".place-count:not(:empty)")].filter((each) => each.checkVisibility());
  return {
    card: wide(document.querySelector(".board-seat-below .place-stack")),
    broken: rows.filter((row) => tops(row).size > 1).length,
    covered: shown.filter((each) => wide(each) > 0.45 * wide(each.closest(".place"))).length,
  };
}"""


def test_the_end_leaves_a_phone_a_table_to_look_at(people: Callable[..., Page], seat_two: Callable[..., str]) -> None:
    """What one may do next is in whole lines, the cards are cards, and no number lies over a rank."""
    host, visitor = people(**PHONE), people(**PHONE)
    seat_two(host, visitor)
    host.set_viewport_size({"width": 360, "height": 740})
    visitor.locator("[data-part=resign]").tap()
    visitor.locator("[data-part=resign-sure]").tap()
    visitor.locator("[data-action=rematch]").tap()
    expect(host.get_by_role("button", name="Accept the rematch")).to_be_visible()
    seen = host.evaluate(CROWDED)
    assert seen["card"] >= 36
    assert (seen["broken"], seen["covered"]) == (0, 0)
    assert host.evaluate(SMALL) == []
