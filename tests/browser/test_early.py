"""The table's line, begun before the page's scripts are there (static/js/net/early.js)."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, Route, WebSocket, expect

from tests.site_process import Site


def at_a_table(people: Callable[..., Page], site: Site) -> tuple[Page, list[WebSocket]]:
    """Somebody at a table against the computer, and the lines to it that the page opens from now on."""
    page = people()
    page.goto(site.url)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/match/**")
    expect(page.locator("#table")).to_have_attribute("data-line", "open")
    lines: list[WebSocket] = []
    page.on("websocket", lambda line: lines.append(line) if "/ws/match/" in line.url else None)
    return page, lines


def test_it_is_there_before_the_tables_script_and_taken_over(people: Callable[..., Page], site: Site) -> None:
    page, lines = at_a_table(people, site)
    held: list[Route] = []
    page.route("**/js/table/main.*", lambda route: held.append(route))
    with page.expect_websocket() as early, page.expect_request("**/js/table/main.*"):
        page.reload(wait_until="commit")
    early.value.wait_for_event("framereceived")
    held[0].continue_()
    expect(page.locator("#table")).to_have_attribute("data-line", "open")
    expect(page.locator(".hub")).to_be_enabled()
    assert page.evaluate("window.earlyLine") is None
    assert len(lines) == 1


def test_where_it_comes_too_late_it_opens_nothing(people: Callable[..., Page], site: Site) -> None:
    page, lines = at_a_table(people, site)
    held: list[Route] = []
    page.route("**/js/net/early.*", lambda route: held.append(route))
    page.reload(wait_until="commit")
    expect(page.locator(".hub")).to_be_enabled()
    with page.expect_response("**/js/net/early.*"):
        held[0].continue_()
    page.wait_for_load_state("load")
    assert page.evaluate("window.earlyLine") is None
    assert len(lines) == 1
