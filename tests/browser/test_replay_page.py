"""The replay page besides its steps: keys, buttons, names, widths (B29, B36)."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.replay_page import look, reads_right
from tests.browser.stored_replays import CLASSIC, DELETED
from tests.site_process import Site


def test_keys_and_buttons_say_how_things_stand(show: Callable[..., Page]) -> None:
    page = show(CLASSIC, "?t=20000")
    for key, name in zip("123456", ["¼×", "½×", "1×", "2×", "4×", "8×"], strict=True):
        page.keyboard.press(key)
        expect(page.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "true")
        assert page.locator("[data-speed][aria-pressed=true]").count() == 1
    page.keyboard.press("w")
    expect(page.get_by_role("button", name="Skip waits")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("h")
    expect(page.get_by_role("button", name="Open cards")).to_have_attribute("aria-pressed", "true")
    reads_right(CLASSIC, page, reveal=True)
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog")
    expect(sheet).to_be_visible()
    page.keyboard.press("ArrowRight")
    assert look(page)["ms"] == 20000, "behind the sheet nothing moves"
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    # A focused button has the space bar to itself.
    page.get_by_role("button", name="Skip waits").focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Skip waits")).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_the_table_turns_and_names_and_colours_with_it(show: Callable[..., Page]) -> None:
    page = show(CLASSIC, "?t=20000")
    below = page.locator(".board-seat-below .plate-name")
    expect(below).to_have_text("Marta")
    colour = below.evaluate("element => getComputedStyle(element).color")
    page.keyboard.press("f")
    expect(below).to_have_text("Ondřej")
    reads_right(CLASSIC, page)
    for name in (
        ".moment-name[data-seat='1']",
        "h1 .seat-name[data-seat='1']",
        ".figures-table .seat-name[data-seat='1']",
    ):
        assert page.locator(name).first.evaluate("element => getComputedStyle(element).color") == colour, name


def test_a_deleted_player_is_called_so(show: Callable[..., Page]) -> None:
    page = show(DELETED, "?t=20000")
    expect(page.get_by_role("heading", level=1)).to_contain_text("deleted player")
    expect(page.locator(".board-seat-below .plate-name")).to_have_text("deleted player")
    expect(page.locator(".moment-name[data-seat='0']").first).to_have_text("deleted player")
    reads_right(DELETED, page)


def test_a_lost_race_is_told_beside_its_pile(show: Callable[..., Page]) -> None:
    page = show(CLASSIC, "?t=0&e=0")
    page.keyboard.press("Shift+ArrowRight")
    while "late" not in look(page)["words"]:
        page.keyboard.press("Shift+ArrowRight")
    index = look(page)["index"]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    assert look(page)["index"] == index
    expect(page.locator(".board-note")).to_have_text(re.compile(r"^(Marta|Ondřej) was \d+ ms late$"))
    expect(page.locator(".moment[aria-selected=true]")).to_contain_text(re.compile(r"\d+ ms late$"))
    expect(page.locator("[data-part=spoken]")).to_contain_text("milliseconds late")


def test_a_document_that_does_not_come_is_said(site: Site, people: Callable[..., Page]) -> None:
    page = people()
    page.route("**/*.packed.json*", lambda route: route.abort())
    page.goto(f"{site.url}/replay/{CLASSIC}/")
    expect(page.get_by_role("status")).to_contain_text("could not be loaded")


@pytest.mark.parametrize("width", [360, 800, 1440])
@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_all_of_it_fits_every_width(show: Callable[..., Page], width: int, motion: str) -> None:
    page = show(CLASSIC, "?t=20000", viewport={"width": width, "height": 800}, reduced_motion=motion)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for part in (".board", ".timeline-lanes", "[data-part=play]"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= 800, f"{part} is in the first view"
    page.keyboard.press("ArrowRight")
    reads_right(CLASSIC, page)


def test_under_the_pointer_is_a_small_table(show: Callable[..., Page]) -> None:
    page = show(CLASSIC)
    box = page.locator(".timeline-lanes").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 20)
    tip = page.locator(".timeline-tip")
    expect(tip).to_be_visible()
    expect(tip.locator(".mini-pile")).to_have_count(12)
    # Where the page has nothing to scroll, the wheel is the timeline's.
    page.mouse.wheel(0, -400)
    expect(page.locator(".timeline")).to_have_attribute("data-zoomed", "true")


def test_every_key_can_be_chosen_and_is_on_the_sheet(show: Callable[..., Page]) -> None:
    page = show(CLASSIC)
    page.keyboard.press("?")
    missing = page.evaluate(
        """async () => {
          const { KEYS } = await import("/static/js/replay/keys.js");
          const { CONTROLS } = await import("/static/js/site/catalogue.js");
          const told = new Set();
          for (const [name, { scope, default: key, also = [] }] of Object.entries(CONTROLS)) {
            if (scope !== "replay" || !document.querySelector(`#keys [data-prints="${name}"]`)) continue;
            for (const one of [key, ...also]) told.add(one);
          }
          return Object.entries(KEYS).filter(([name, [key]]) => !told.has(key) && !/^speed[2-5]$/.test(name));
        }"""
    )
    assert missing == []


def test_the_timeline_comes_closer_and_follows(show: Callable[..., Page]) -> None:
    page = show(CLASSIC, "?t=30000")
    for _ in range(5):
        page.keyboard.press("+")
    expect(page.locator(".timeline")).to_have_attribute("data-zoomed", "true")
    for key in ("End", "Home", "PageDown", "PageDown"):
        page.keyboard.press(key)
        expect(page.locator(".timeline-playhead")).to_be_visible()
        box = page.locator(".timeline-lanes").bounding_box()
        head = page.locator(".timeline-playhead").bounding_box()
        assert box is not None
        assert head is not None
        assert box["x"] <= head["x"] <= box["x"] + box["width"]
    for _ in range(8):
        page.keyboard.press("-")
    expect(page.locator(".timeline")).to_have_attribute("data-zoomed", "false")


def test_time_runs_to_the_right_in_every_language(show: Callable[..., Page]) -> None:
    """Where the page runs from right to left, rounds lie over what is painted of them, and left is left."""
    page = show(CLASSIC)
    where = """() => [...document.querySelectorAll(".timeline-round, [data-role=centre]")].map((each) => {
      const frame = each.closest(".timeline, .board").getBoundingClientRect();
      return Math.round(each.getBoundingClientRect().x - frame.x); })"""
    before = page.evaluate(where)
    page.evaluate("() => { document.documentElement.dir = 'rtl'; }")
    assert page.evaluate(where) == before


def test_who_wants_no_ranks_under_the_piles_sees_none(
    site: Site, people: Callable[..., Page], show: Callable[..., Page]
) -> None:
    page = show(CLASSIC, "?t=20000")
    expect(page.locator(".place-whisper").first).to_be_visible()
    page.context.add_cookies([{"name": "preferences", "value": "whispers=off", "url": site.url}])
    for path in (f"/replay/{CLASSIC}/?t=20000", f"/replay/{CLASSIC}/embed/?t=20000", "/practice/"):
        page.goto(site.url + path)
        expect(page.locator("[data-place]").nth(3)).to_be_visible()
        expect(page.locator(".place-whisper").first).to_be_hidden()
