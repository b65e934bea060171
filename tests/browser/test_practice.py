"""The practice table: learnt with a mouse and keys, with fingers, and skipped through."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hands import Hands, Play
from tests.site_process import Site

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
LESSONS = ["ready", "press", "drag", "keys", "space", "stuck", "race", "slap"]

NINE = Play("9c", "0.stockpile.1", "centre.1")
QUEEN = Play("Qd", "0.stockpile.2", "centre.0")
JACK = Play("Jh", "0.stockpile.4", "centre.0")
FOUR = Play("4s", "0.stockpile.3", "0.stockpile.1")
SIX = Play("6c", "0.stockpile.5", "centre.1")


@pytest.fixture
def sit(site: Site) -> Callable[[Page], Hands]:
    def sit(page: Page) -> Hands:
        requests: list[str] = []
        page.goto(f"{site.url}/practice/")
        page.on("websocket", lambda socket: requests.append(socket.url))
        page.on("request", lambda request: requests.append(request.url))
        is_at(page, "ready")
        page.requests = requests  # type: ignore[attr-defined]
        return Hands(page)

    return sit


def is_at(page: Page, lesson: str) -> None:
    expect(page.locator("#board")).to_have_attribute("data-lesson", lesson)


def look(page: Page) -> dict[str, Any]:
    """What is drawn, once nothing flies any more: the middle of a flying card is not its place."""
    page.wait_for_function("() => document.getAnimations().every((each) => each.playState !== 'running')")
    return Hands(page).look()


def card_on(page: Page, place: str, card: str) -> None:
    expect(page.locator(f"[data-place='{place}'][data-card='{card}']")).to_be_visible()


def is_learnt(page: Page) -> None:
    """The end is shown, and nothing was asked of the server; then the way to the first match."""
    expect(page.get_by_role("heading", name="That is all")).to_be_focused()
    assert [url for url in page.requests if "/static/" not in url] == []  # type: ignore[attr-defined]
    page.get_by_role("button", name="Play the computer, level Deuce").click()
    page.wait_for_url("**/match/**")
    expect(page.get_by_text("Deuce").first).to_be_visible()


def test_with_a_mouse_and_keys(people: Callable[..., Page], sit: Callable[[Page], Hands]) -> None:
    page = people()
    hands = sit(page)
    page.keyboard.press("Space")
    is_at(page, "press")
    hands.click_play(look(page), NINE)
    card_on(page, "centre.1", "9c")
    is_at(page, "drag")
    hands.drag_play(look(page), QUEEN)
    card_on(page, "centre.0", "Qd")
    card_on(page, "0.stockpile.2", "4d")
    is_at(page, "keys")
    expect(page.locator("#lesson-text")).to_contain_text("F, then K")
    page.keyboard.press("f")
    page.keyboard.press("k")
    is_at(page, "space")
    hands.click_play(look(page), FOUR)
    card_on(page, "0.stockpile.3", "2s")
    is_at(page, "stuck")
    page.keyboard.press("Space")
    is_at(page, "race")
    page.keyboard.press("g")
    page.keyboard.press("j")
    # The other one was faster.
    card_on(page, "centre.1", "6s")
    card_on(page, "0.stockpile.5", "6c")
    expect(page.locator("#lesson-text")).to_contain_text("Too late")
    page.keyboard.press("Space")
    is_at(page, "slap")
    page.keyboard.press("k")
    expect(page.get_by_text("take the other")).to_be_visible()
    page.keyboard.press("j")
    is_learnt(page)


def test_with_fingers_on_a_narrow_screen(people: Callable[..., Page], sit: Callable[[Page], Hands]) -> None:
    page = people(**PHONE)
    hands = sit(page)
    expect(page.locator("#lesson-text")).to_contain_text("tap Ready")
    page.get_by_role("button", name="Ready").tap()
    for lesson, play in [("press", NINE), ("drag", QUEEN), ("keys", JACK), ("space", FOUR)]:
        is_at(page, lesson)
        hands.tap_play(look(page), play)
    is_at(page, "stuck")
    page.get_by_role("button", name="spit", exact=True).tap()
    is_at(page, "race")
    hands.tap_play(look(page), SIX)
    page.get_by_role("button", name="Next").tap()
    is_at(page, "slap")
    place = look(page)["places"]["centre.1"]
    page.touchscreen.tap(place["x"], place["y"])
    is_learnt(page)


def test_what_comes_too_early_is_not_done(people: Callable[..., Page], sit: Callable[[Page], Hands]) -> None:
    page = people()
    hands = sit(page)
    page.keyboard.press("Space")
    is_at(page, "press")
    hands.click_play(look(page), QUEEN)
    expect(page.get_by_text("first what it says above")).to_be_visible()
    hands.click_play(look(page), Play("6c", "0.stockpile.5", "centre.0"))
    expect(page.get_by_text("The 6 is not one higher or lower")).to_be_visible()
    page.keyboard.press("Space")
    card_on(page, "centre.0", "Ks")
    is_at(page, "press")


def test_it_can_be_skipped_and_done_again(people: Callable[..., Page], sit: Callable[[Page], Hands]) -> None:
    page = people()
    sit(page)
    for lesson in LESSONS:
        is_at(page, lesson)
        page.get_by_role("button", name="Skip").click()
    expect(page.get_by_role("heading", name="That is all")).to_be_visible()
    page.get_by_role("button", name="Once more").click()
    is_at(page, "ready")
    expect(page.get_by_role("heading", name="That is all")).to_be_hidden()
