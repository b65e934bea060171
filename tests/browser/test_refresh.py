"""Lists that are fetched anew while one looks at them."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from tests.browser.hands import Hands
from tests.site_process import Site


def test_a_press_that_began_before_a_list_was_fetched_anew_opens_what_was_pressed(
    people: Callable[..., Page], site: Site
) -> None:
    player, page = people(), people()
    player.goto(site.url)
    player.get_by_role("button", name="Play now").click()
    player.wait_for_url("**/match/**")
    Hands(player).wait_for_phase("ready")
    page.goto(f"{site.url}/watch/")
    card = page.locator(f".live-card:has(a[href='{player.url.removeprefix(site.url)}'])")
    expect(card.locator(".live-left").first).to_be_visible()
    box = card.bounding_box()
    assert box is not None
    fetched = 0

    def other_figures(route: Route) -> None:
        """Each time something in every card is another."""
        nonlocal fetched
        fetched += 1
        html = route.fetch().text()
        route.fulfill(content_type="text/html", body=html.replace("<b>", f"<b>#{fetched} "))

    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.route("**/watch/?cards", other_figures)
    page.mouse.down()
    expect(card.locator(".live-left b").first).to_contain_text("#2 ", timeout=20_000)
    page.mouse.up()
    page.wait_for_url(player.url)
