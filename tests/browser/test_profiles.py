"""Players' pages in a browser: every width and scheme, charts that can be pointed at, following and blocking."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser import stored_season
from tests.browser.stored_season import LAST, ONE, OTHER
from tests.browser.test_accessibility import COLOURS, RULES, violations
from tests.site_process import Site

PAGES: Final = {
    "profile": f"/player/{OTHER}/?opponent=nobody",
    "leaderboard": "/ratings/spit/",
    "ratings": "/ratings/",
    "head to head": f"/player/{ONE}/against/{OTHER}/",
    "whom to compare with": f"/player/{OTHER}/against/?name=nobody",
    "an empty leaderboard": "/ratings/two_deck/",
    "players by name": f"/players/?q={OTHER[:3]}",
    "no player of that name": "/players/?q=xqx",
    "replays of somebody": f"/replays/?player={OTHER}&rated=yes",
    "replays of nobody": "/replays/?player=nobody",
    "no replays": "/replays/?game=two_deck&rated=yes",
}


@pytest.fixture(scope="module", autouse=True)
def season(site: Site) -> None:
    stored_season.fill_in_server(site.var)


def test_they_fit_every_width_and_axe_finds_nothing(people: Callable[..., Page], site: Site) -> None:
    page = people(reduced_motion="reduce")
    for name, path in PAGES.items():
        page.goto(site.url + path)
        for width in (1440, 800, 360):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, f"{name} {width}"
            if width != 800:
                for scheme in ("light", "dark"):
                    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
                    assert violations(page, RULES if scheme == "light" else COLOURS) == [], f"{name} {width} {scheme}"


def test_pointing_at_a_chart_tells_and_a_press_opens_the_match(people: Callable[..., Page], site: Site) -> None:
    page = people()
    page.goto(f"{site.url}/player/{ONE}/")
    plot = page.locator(".chart-plot").first
    tip = plot.locator(".chart-tip")
    expect(tip).to_be_hidden()
    box = plot.bounding_box()
    assert box is not None
    plot.hover(position={"x": 1, "y": 20})
    expect(tip).to_contain_text("1500")
    plot.hover(position={"x": box["width"] - 2, "y": 20})
    rating = page.locator(".game-card-value").first.inner_text().strip()
    expect(tip).to_contain_text(rating.removesuffix("?"))
    tip_box = tip.bounding_box()
    assert tip_box is not None
    assert tip_box["x"] + tip_box["width"] <= box["x"] + box["width"] + 1
    page.mouse.down()
    page.mouse.up()
    page.wait_for_url(f"**/replay/{LAST}/")


def test_follow_block_and_undo(people: Callable[..., Page], sign_up: Callable[[Page, str], None], site: Site) -> None:
    page = people()
    sign_up(page, "Berit")
    page.goto(f"{site.url}/player/{OTHER}/")
    page.get_by_role("button", name="Follow").click()
    expect(page.get_by_role("button", name="Following")).to_be_visible()
    page.get_by_role("link", name="You two").click()
    expect(page.get_by_text("have not finished a match")).to_be_visible()
    page.goto(f"{site.url}/people/")
    page.set_viewport_size({"width": 360, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert violations(page) == []
    page.get_by_role("button", name="stop following").click()
    expect(page.get_by_text(f"You do not follow {OTHER} any more.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text(f"You follow {OTHER}.", exact=True)).to_be_visible()
    page.goto(f"{site.url}/player/{OTHER}/")
    page.get_by_role("button", name="Block").click()
    expect(page.get_by_text("You have blocked this person")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Follow"))).to_have_count(0)
    page.goto(f"{site.url}/people/")
    page.get_by_role("button", name="Unblock").click()
    expect(page.get_by_text(f"{OTHER} is not blocked any more.")).to_be_visible()


def test_a_player_is_found_while_one_types(people: Callable[..., Page], site: Site) -> None:
    page = people(reduced_motion="reduce")
    page.goto(f"{site.url}/about/")
    page.get_by_role("button", name="Find a player").click()
    field = page.get_by_role("searchbox")
    expect(field).to_be_focused()
    field.press_sequentially(OTHER[:3].lower(), delay=20)
    names = page.locator("#find-menu .found a")
    expect(names.filter(has_text=OTHER)).to_be_visible()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert violations(page, RULES if scheme == "light" else COLOURS) == [], scheme
    field.press_sequentially("xqx")
    expect(page.locator("#find-menu")).to_contain_text("Nobody here has a name that begins so.")
    field.fill(OTHER)
    expect(names).to_have_count(1)
    page.keyboard.press("ArrowDown")
    expect(names.first).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/player/{OTHER}/")

    # On a narrow page it is in the menu, and a page of its own.
    page.set_viewport_size({"width": 360, "height": 740})
    page.get_by_role("button", name="Menu", exact=True).click()
    page.get_by_role("link", name="Find a player").click()
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type(OTHER[:3])
    expect(page.locator("main .found a").filter(has_text=OTHER)).to_be_visible()
    page.keyboard.type(OTHER[3:])
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/player/{OTHER}/")
