"""The table page for all sorts of people: on a phone, in many tabs, by keyboard and ear, without motion or colours."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hands import Hands
from tests.browser.test_accessibility import violations
from tests.browser.test_hands import PHONE, own_play
from tests.browser.test_match import same_table
from tests.site_process import Site

SPOKEN: Final = """() => {
  window.spoken = [];
  for (const region of document.querySelectorAll("#table > [aria-live]")) {
    new MutationObserver(() => window.spoken.push([performance.now(), region.ariaLive, region.textContent]))
      .observe(region, { childList: true, characterData: true, subtree: true });
  }
}"""
WHERE: Final = """() => ({ x: scrollX, y: scrollY, scale: visualViewport.scale, born: performance.timeOrigin,
  wide: document.documentElement.scrollWidth - innerWidth })"""


@pytest.fixture
def sit_down(site: Site) -> Callable[..., Hands]:
    """Sits down against the slowest computer, at another game if told: `sit_down(page, "speed")`."""

    def sit(page: Page, game: str = "spit", **ways: str) -> Hands:
        page.goto(site.url)
        page.locator(f"input[name=game][value={game}]").check(force=True)
        if ways:
            page.locator(".play-more > summary").click()
        for name, value in ways.items():
            page.locator(f"input[name='{name.replace('_', '-')}'][value='{value}']").check(force=True)
        page.get_by_role("button", name="Play now").click()
        page.wait_for_url("**/match/**")
        hands = Hands(page)
        hands.wait_for_phase("ready")
        return hands

    return sit


def test_b34_nothing_scrolls_zooms_or_reloads(
    people: Callable[..., Page], sit_down: Callable[..., Hands], site: Site
) -> None:
    """B34: drags from the board and its edge, fast taps, a pull down, two fingers, a device that is turned."""
    page = people(**PHONE)
    hands = sit_down(page)
    page.get_by_role("button", name="Ready").tap()
    hands.wait_for_phase("playing", "stuck")
    line = page.context.new_cdp_session(page)
    before = page.evaluate(WHERE)

    def swipe(x: float, y: float, to_x: float, to_y: float) -> None:
        line.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for step in range(1, 9):
            point = {"x": x + (to_x - x) * step / 8, "y": y + (to_y - y) * step / 8}
            line.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
        line.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def pinch(x: float, y: float) -> None:
        for spread in range(10, 90, 8):
            points = [{"x": x - spread, "y": y - spread, "id": 0}, {"x": x + spread, "y": y + spread, "id": 1}]
            if spread == 10:
                line.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points[:1]})
                line.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})
            line.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": points})
        line.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    felt = page.locator(".table-felt").bounding_box()
    assert felt is not None
    middle = felt["y"] + felt["height"] / 3
    for start, end in (
        ((180, middle), (180, middle + 300)),
        ((180, felt["y"] + 2), (180, felt["y"] + 400)),
        ((2, middle), (340, middle)),
        ((180, felt["y"] + felt["height"] - 4), (180, 60)),
    ):
        swipe(*start, *end)
    for pile in page.locator("[data-role=centre]").all():
        box = pile.bounding_box()
        assert box is not None
        for _ in range(4):
            page.touchscreen.tap(box["x"] + 20, box["y"] + 20)
    pinch(180, middle)
    assert page.evaluate(WHERE) == before
    # On its side all of it is there, and nothing has to be scrolled to.
    page.set_viewport_size({"width": 740, "height": 360})
    page.wait_for_function(
        """() => innerWidth === 740 && [...document.querySelectorAll(".place:not([data-role=pack])")].every((place) => {
          const { left, top, right, bottom } = place.querySelector(".place-stack").getBoundingClientRect();
          return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight; })"""
    )
    assert page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")
    # Elsewhere two fingers zoom, as everywhere.
    page.goto(f"{site.url}/rules/")
    pinch(300, 180)
    page.wait_for_function("() => visualViewport.scale > 1.2")


def test_b07_two_tabs_and_a_phone(people: Callable[..., Page], seat_two: Callable[..., str]) -> None:
    """B07: one player in three pages: they play by turns in them, all are right, and closing one is no absence."""
    host, visitor = people(), people()
    url = seat_two(host, visitor)
    tab = host.context.new_page()
    phone = people(**PHONE, storage_state=host.context.storage_state())
    for page in (tab, phone):
        page.goto(url)
        Hands(page).wait_for_phase("ready")
        expect(page.locator("#table")).to_have_attribute("data-you", "0")
    phone.get_by_role("button", name="Ready").tap()
    expect(visitor.locator(".board-seat-above .plate-badge")).to_have_text("ready")
    for page in (host, tab):
        expect(page.locator(".board-seat-below .plate-badge")).to_have_text("ready")
    visitor.keyboard.press("Space")
    mine = [Hands(host), Hands(tab), Hands(phone)]
    other = Hands(visitor)
    for turn in range(6):
        hands = mine[turn % 3]
        for _ in range(40):
            seen = hands.look()
            plays = [play for play in hands.plays(seen) if play.target.startswith("centre")]
            if seen["phase"] == "playing" and plays:
                (hands.tap_play if turn % 3 == 2 else hands.key_play)(seen, plays[0])
                hands.wait_for_seq(seen["seq"] + 1)
                break
            if not (hands.act() or other.act()):
                hands.page.wait_for_timeout(50)
        same_table(*mine, other)
    tab.close()
    phone.close()
    # The lag of each is measured by the server and told; the seat is still here.
    expect(visitor.locator(".board-seat-above .plate-lag")).to_have_text(re.compile(r"^\d+ ms$"))
    expect(visitor.locator(".board-seat-above .plate-dot")).to_have_attribute("data-here", "true")
    expect(host.locator("[data-part=lag]")).to_have_text(re.compile(r"^\d+ ms$"))


def test_b35_by_keyboard_and_ear(people: Callable[..., Page], sit_down: Callable[..., Hands]) -> None:
    """B35: a game with the keyboard alone; what is spoken is short, said once, and no flood; focus survives redraws."""
    page = people()
    hands = sit_down(page, "speed", speed_length="1")
    page.evaluate(SPOKEN)
    # Every control is reached, and what has the focus is seen to have it.
    reached: list[str] = []
    for _ in range(40):
        page.keyboard.press("Tab")
        found = page.evaluate(
            """() => { const it = document.activeElement;
              const { outlineStyle, outlineWidth } = getComputedStyle(it.querySelector?.(".place-stack") ?? it);
              const name = it.dataset.place ?? it.dataset.part ?? it.className;
              return [name, outlineStyle !== "none" && parseFloat(outlineWidth) > 0]; }"""
        )
        reached.append(found[0])
        if found[0] in ("sound", "resign", "hub") or "." in found[0]:
            assert found[1], f"{found[0]} has no ring"
    assert {"0.hand.1", "0.hand.5", "centre.0", "centre.1", "hub", "sound", "resign"} <= set(reached)
    place = page.locator("[data-place='0.hand.3']")
    place.focus()
    hands.play_by_itself("quick")
    hands.wait_for_phase("over", seconds=120)
    expect(place).to_be_focused()
    said: list[tuple[float, str, str]] = [tuple(each) for each in page.evaluate("spoken")]
    texts = [text for _, _, text in said]
    assert max(map(len, texts)) < 120
    assert any(text.startswith("Turned: ") for text in texts)
    assert sum(bool(re.search(r"You (won|lost)\. |Draw\. ", text)) for text in texts) == 1, texts[-5:]
    # What the other one does is told at most every 0.7 s, however fast that is.
    calm = [at for at, politeness, _ in said if politeness == "polite"]
    assert all(after - before > 600 for before, after in pairwise(calm))


def test_b36_without_motion(people: Callable[..., Page], sit_down: Callable[..., Hands]) -> None:
    """B36: cards change places at once, an outline says where, and nothing shakes."""
    page = people(reduced_motion="reduce")
    hands = sit_down(page)
    page.keyboard.press("Space")
    page.evaluate(
        """() => { window.moved = []; window.outlined = 0;
          const animate = Element.prototype.animate;
          Element.prototype.animate = function (frames, timing) {
            const names = Object.keys(Array.isArray(frames) ? Object.assign({}, ...frames) : frames);
            if (names.some((name) => ["translate", "scale", "rotate", "transform"].includes(name))) moved.push(names);
            if (names.includes("outlineColor")) window.outlined += 1;
            return animate.call(this, frames, timing); }; }"""
    )
    seen, play = own_play(hands)
    hands.key_play(seen, play)
    hands.wait_for_seq(seen["seq"] + 1)
    assert page.evaluate("moved") == []
    assert page.evaluate("outlined") > 0


def test_b37_nothing_by_colour_alone(people: Callable[..., Page], sit_down: Callable[..., Hands]) -> None:
    """B37: in forced colours marks differ in their line; suits differ in shape; a dark page is dark from the start."""
    page = people(forced_colors="active", color_scheme="dark")
    hands = sit_down(page)
    page.keyboard.press("Space")
    seen, play = own_play(hands)
    page.keyboard.press(hands.key_of(seen, play.source))
    lines = page.evaluate(
        """([from, to]) => {
          const lines = (selector) => [...document.querySelectorAll(`${selector} .place-stack > [data-depth='0']`)]
            .map((card) => getComputedStyle(card).outlineStyle);
          return { held: lines(`[data-place='${from}']`)[0], target: lines(`[data-place='${to}']`)[0],
                   plain: lines(".place:not(.is-selected, .is-target)") }; }""",
        [play.source, play.target],
    )
    assert (lines["held"], set(lines["plain"])) == ("solid", {"none"})
    assert lines["target"] in ("dashed", "none"), "the computer may have been faster"
    shapes = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll(".card[data-face=up][data-suit]")].map((card) =>
          [card.dataset.suit, card.querySelector("path").getAttribute("d")]))"""
    )
    assert len(set(shapes.values())) == len(shapes)


def test_live_pages_have_no_violations(people: Callable[..., Page], sit_down: Callable[..., Hands]) -> None:
    """B37: axe at a table that is ready, in play, asked whether to resign, and over; as a player and as a watcher."""
    page, watcher = people(reduced_motion="reduce"), people(reduced_motion="reduce")
    hands = sit_down(page)
    watcher.goto(page.url)
    Hands(watcher).wait_for_phase("ready")

    def look(about: str, *pages: Page) -> None:
        for each in pages:
            for width, scheme in ((1280, "dark"), (360, "light")):
                each.set_viewport_size({"width": width, "height": 800})
                each.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
                assert violations(each) == [], f"{about} {width} {scheme}"

    look("ready", page, watcher)
    page.keyboard.press("Space")
    hands.wait_for_phase("playing", "stuck")
    look("in play", page, watcher)
    page.locator("[data-part=resign]").click()
    look("asked", page)
    page.locator("[data-part=resign-sure]").click()
    hands.wait_for_phase("over")
    look("over", page, watcher)
    # The last table stays to be seen: what is said of the end lies over no card.
    for width, height in ((1440, 900), (360, 740), (740, 360)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(
            """() => { const panel = document.getElementById("table-panel").getBoundingClientRect();
              return [...document.querySelectorAll(".place:not([data-role=pack]) .place-stack")].every((stack) => {
                const box = stack.getBoundingClientRect();
                return box.right <= panel.left + 1 || box.bottom <= panel.top + 1; }); }"""
        )


def test_a_paced_match(people: Callable[..., Page], sit_down: Callable[..., Hands]) -> None:
    """Turns of the centre come when both ask, and no clock runs for them."""
    page = people()
    hands = sit_down(page, pace="paced")
    page.keyboard.press("Space")
    hands.wait_for_phase("playing", "stuck")
    for _ in range(400):
        seen: dict[str, Any] = hands.look()
        if seen["phase"] == "stuck":
            break
        if not hands.act():
            page.wait_for_timeout(100)
    hands.wait_for_phase("stuck")
    expect(page.locator(".hub")).to_have_attribute("data-kind", "button")
    expect(page.locator(".hub-time")).to_have_text("")
    page.keyboard.press("Space")
    hands.wait_for_seq(hands.look()["seq"] + 1)
    # The computer asks, too.
    hands.wait_for_phase("playing", "stuck", "slap", "ready")


STOP_BETWEEN: Final = """() => new MutationObserver(() => {
  if (document.querySelector("#table-panel .score")) window.autoplay.isOn = false;
}).observe(document.getElementById("table-panel"), { childList: true })"""
APART: Final = """() => {
  const box = (name) => document.querySelector(name).getBoundingClientRect();
  const button = box(".hub-label");
  const others = [...document.querySelectorAll(".place-stack")].map((each) => each.getBoundingClientRect());
  return button.width >= 80 && button.height >= 44 && others.every(({ left, right, top, bottom }) =>
    right < button.left || left > button.right || bottom < button.top || top > button.bottom);
}"""


def test_on_a_phone_the_button_between_two_games_keeps_off_the_cards(
    people: Callable[..., Page], sit_down: Callable[..., Hands]
) -> None:
    """In Speed cards lie in the centre before the first turn."""
    page = people(viewport={"width": 360, "height": 740})
    hands = sit_down(page, "speed", speed_length="3", speed_side="5")
    hands.play_by_itself("quick")
    page.evaluate(STOP_BETWEEN)
    expect(page.locator("#table-panel .score")).to_be_visible(timeout=120_000)
    expect(page.get_by_role("button", name="Ready")).to_be_visible()
    page.wait_for_function(APART)
