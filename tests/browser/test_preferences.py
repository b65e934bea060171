"""Preferences in a real browser: at once, everywhere, without a flash, with and without an account or a script."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PASSWORD
from tests.browser.hands import Hands, Play
from tests.browser.stored_replays import CLASSIC
from tests.site_process import Site

DARK = "rgb(15, 21, 28)"
LIGHT = "rgb(238, 241, 244)"


def ground(page: Page) -> str:
    """The colour behind the page."""
    colour: str = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    return colour


def choose(page: Page, question: str, answer: str) -> None:
    """On the page of preferences, as somebody does it: by pressing what it says."""
    page.get_by_role("group", name=question, exact=True).get_by_role("radio", name=answer, exact=True).check()


def test_a_guests_choice_survives_and_follows_into_the_account(
    people: Callable[..., Page], site: Site, sign_up: Callable[[Page, str], None]
) -> None:
    page = people(color_scheme="light")
    page.goto(f"{site.url}/preferences/")
    assert ground(page) == LIGHT
    choose(page, "Theme", "Dark")
    assert ground(page) == DARK
    choose(page, "Suits", "Four colours")
    diamond = page.locator("#preview .card[data-suit=d]").first
    expect(diamond).to_have_css("color", "rgb(22, 89, 184)")
    expect(diamond.locator("path")).to_have_css("fill", "none")
    page.goto(site.url)
    assert ground(page) == DARK
    sign_up(page, "Chooser")
    assert ground(page) == DARK

    # On another device it is there once one is signed in, and what is changed there is here, too.
    other = people(color_scheme="light")
    other.goto(f"{site.url}/accounts/login/")
    assert ground(other) == LIGHT
    other.locator("input[name=login]").fill("Chooser")
    other.locator("input[name=password]").fill(PASSWORD)
    other.locator("main form [type=submit]").first.click()
    other.wait_for_url(f"{site.url}/")
    assert ground(other) == DARK
    other.get_by_role("button", name="Looks and sounds").click()
    with other.expect_response("**/preferences/"):
        other.get_by_role("button", name="Light", exact=True).click()
    assert ground(other) == LIGHT
    page.reload()
    assert ground(page) == LIGHT

    # What is of the account alone takes effect at once too, and is there when one comes back.
    page.goto(f"{site.url}/preferences/")
    with page.expect_response("**/preferences/"):
        choose(page, "Who may challenge you", "Nobody")
    assert not [each for each in page.context.cookies() if "challenges" in each["value"]]
    other.goto(f"{site.url}/preferences/")
    expect(other.get_by_role("radio", name="Nobody", exact=True)).to_be_checked()


def test_the_first_paint_is_right_whatever_the_device_has(people: Callable[..., Page], site: Site) -> None:
    """B37: no flash of another theme; no script has to run before, so none is let through."""
    page = people(color_scheme="light")
    page.goto(site.url)
    page.get_by_role("button", name="Looks and sounds").click()
    page.get_by_role("button", name="Dark").click()
    page.route("**/*.js", lambda route: route.abort())
    for path in ("/", "/watch/", "/practice/", f"/replay/{CLASSIC}/"):
        page.goto(site.url + path)
        assert ground(page) == DARK
        assert page.locator("meta[name=color-scheme]").get_attribute("content") == "dark"


def test_another_tab_follows(people: Callable[..., Page], site: Site) -> None:
    page = people(color_scheme="light")
    page.goto(f"{site.url}/practice/")
    tab = page.context.new_page()
    tab.goto(f"{site.url}/preferences/")
    choose(tab, "Theme", "High contrast")
    choose(tab, "Cards", "Small")
    expect(page.locator("html")).to_have_attribute("data-theme", "contrast")
    expect(page.locator("html")).to_have_attribute("data-cards", "small")


def test_without_a_script_it_is_a_form(people: Callable[..., Page], site: Site) -> None:
    page = people(java_script_enabled=False, color_scheme="light")
    page.goto(f"{site.url}/preferences/")
    choose(page, "Theme", "Dark")
    page.get_by_label("Left pile: play on it, slap it").fill("s")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("is already the key for: Second place")).to_be_visible()
    page.get_by_label("Left pile: play on it, slap it").fill("u")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Your preferences are kept.")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.get_by_label("Left pile: play on it, slap it")).to_have_value("U")
    page.get_by_role("button", name="Everything as it was").click()
    expect(page.get_by_label("Left pile: play on it, slap it")).to_have_value("J")


def test_keys_that_were_changed_play_a_card_and_are_printed(people: Callable[..., Page], site: Site) -> None:
    page = people()
    page.goto(f"{site.url}/preferences/")
    fourth = page.get_by_label("Fourth place")
    fourth.focus()
    page.keyboard.press("r")
    expect(fourth).to_have_value("R")
    # A key that is in use is told, and can be had for one's own.
    right = page.get_by_label("Right pile: play on it, slap it")
    right.focus()
    page.keyboard.press("j")
    expect(page.get_by_text("J is already the key for: Left pile: play on it, slap it")).to_be_visible()
    expect(right).to_have_value("K")
    page.get_by_role("button", name="Swap the two").click()
    expect(right).to_have_value("J")
    expect(page.get_by_label("Left pile: play on it, slap it")).to_have_value("K")
    expect(page.locator("#preview [data-place='0.stockpile.4'] .place-key")).to_have_text("R")
    page.get_by_label("Ready; spit").focus()
    page.keyboard.press("Control")
    page.keyboard.press("F5")
    expect(page.get_by_text("That key cannot be used.")).to_be_visible()
    page.keyboard.press("b")
    expect(page.get_by_label("Ready; spit")).to_have_value("B")

    page.goto(f"{site.url}/practice/")
    board = page.locator("#board")
    expect(board).to_have_attribute("data-lesson", "ready")
    page.keyboard.press("b")
    expect(board).to_have_attribute("data-lesson", "press")
    expect(page.locator("[data-place='0.stockpile.4'] .place-key")).to_have_text("R")
    expect(page.locator("[data-place='centre.0'] .place-key")).to_have_text("J")
    page.wait_for_function("() => document.getAnimations().every((each) => each.playState !== 'running')")
    hands = Hands(page)
    hands.click_play(hands.look(), Play("9c", "0.stockpile.1", "centre.1"))
    expect(board).to_have_attribute("data-lesson", "drag")
    page.wait_for_function("() => document.getAnimations().every((each) => each.playState !== 'running')")
    hands.drag_play(hands.look(), Play("Qd", "0.stockpile.2", "centre.0"))
    expect(page.locator("#lesson-text")).to_contain_text("R, then J")
    for key in ("f", "k"):
        page.keyboard.press(key)
    expect(board).to_have_attribute("data-lesson", "keys")
    for key in ("r", "j"):
        page.keyboard.press(key)
    expect(page.locator("[data-place='centre.0'][data-card='Jh']")).to_be_visible()


def test_the_sheet_of_keys_is_the_same_everywhere(people: Callable[..., Page], site: Site) -> None:
    """At the table, watching, in a replay and at the practice table; with the keys that were chosen."""
    page = people()
    page.goto(f"{site.url}/preferences/")
    page.locator("[data-key][name='key.replay.back']").focus()
    page.keyboard.press("x")
    page.locator("[data-key][name='key.table.left']").focus()
    page.keyboard.press("u")
    page.goto(site.url)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/match/**")
    table = page.url.removeprefix(site.url)
    said = {table: ("Left pile: play on it, slap it", "U"), "/practice/": ("Left pile: play on it, slap it", "U")}
    for path, (label, key) in {**said, f"/replay/{CLASSIC}/": ("Play backwards", "X")}.items():
        page.goto(site.url + path)
        expect(page.locator("[data-place]").first).to_be_attached()
        page.keyboard.press("?")
        sheet = page.get_by_role("dialog", name="Keys")
        expect(sheet).to_be_visible()
        row = sheet.locator("div", has=page.get_by_text(label, exact=True)).last
        expect(row.locator("kbd").first).to_have_text(key)
        page.keyboard.press("Escape")
        expect(sheet).to_be_hidden()
    # In the replay the new key does what the old one did, and the old one nothing.
    back = page.locator("[data-part=back]")
    page.keyboard.press("End")
    page.keyboard.press("b")
    expect(back).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("x")
    expect(back).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("options", [{}, {"viewport": {"width": 360, "height": 740}, "has_touch": True}])
def test_the_quick_menu_at_the_table(people: Callable[..., Page], site: Site, options: dict[str, Any]) -> None:
    """Sounds and looks without leaving the table; the button of the bar and the menu agree."""
    page = people(**options)
    page.goto(site.url)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/match/**")
    hands = Hands(page)
    hands.wait_for_phase("ready")
    page.get_by_role("button", name="Looks and sounds").click()
    wide = page.locator("[data-place='0.stockpile.1'], [data-place='1.stockpile.1']").last
    before = wide.bounding_box()
    page.get_by_role("button", name="Small").click()
    after = wide.bounding_box()
    assert before is not None
    assert after is not None
    assert after["width"] < before["width"] * 0.9
    page.get_by_role("group", name="Sounds", exact=True).get_by_role("button", name="Off").click()
    expect(page.locator("[data-part=sound]")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("Escape")
    page.locator("[data-part=sound]").click()
    expect(page.locator("[data-choose='sounds=on']")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Looks and sounds").click()
    page.get_by_role("link", name="All preferences").click()
    page.wait_for_url("**/preferences/")
    # B36: less motion, by choice.
    choose(page, "Motion", "Less")
    page.goto(f"{site.url}/practice/")
    page.get_by_role("button", name="Ready").click()
    expect(page.locator("[data-place='centre.1'][data-count='1']")).to_be_visible()
    assert (
        page.evaluate("() => document.getAnimations().filter((each) => 'translate' in each.effect.getKeyframes()[0])")
        == []
    )
