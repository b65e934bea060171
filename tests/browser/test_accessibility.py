"""Every page of the site, light and dark, wide and narrow, through axe: no violations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from games.rules.registry import BOOKS
from tests.browser import stored_reports
from tests.browser.stored_replays import CLASSIC
from tests.site_process import Site

RULES: Final = {"resultTypes": ["violations"], "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}
COLOURS: Final = {**RULES, "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
"""What a scheme or a theme can break: it changes colours and nothing else (static/css/tokens.css)."""

PAGES: Final = {
    "home": "/",
    "watch": "/watch/",
    "replays": "/replays/",
    "replay": f"/replay/{CLASSIC}/",
    "open a replay": "/replays/open/",
    "replay in a frame": f"/replay/{CLASSIC}/embed/",
    "clip": f"/replay/{CLASSIC}/clip/5000-9000-0/",
    "rules": "/rules/",
    **{f"rules of {game}": f"/rules/{game}/" for game in BOOKS},
    "practice": "/practice/",
    "about": "/about/",
    "preferences": "/preferences/",
    "sign in": "/accounts/login/",
    "sign up": "/accounts/signup/",
    "reset": "/accounts/password/reset/",
    "profile": "/player/Marta/",
    "challenge": "/challenge/Marta/",
    "players by name": "/players/?q=ma",
    "nowhere": "/nowhere/",
}

MODERATION: Final = {
    "front page": "/admin/",
    "queue": "/admin/moderation/report/queue/",
    "case": "/admin/moderation/report/person/{marta}/",
    "case of somebody banned": "/admin/moderation/report/person/{boris}/",
    "suspects": "/admin/replays/replay/suspects/",
    "all reports": "/admin/moderation/report/",
    "log of measures": "/admin/moderation/measure/",
    "a measure": "/admin/moderation/measure/{measure}/change/",
    "bans": "/admin/moderation/banned/",
    "matches": "/admin/games/match/",
}
"""What moderators see."""
REPORTING: Final = {
    "report from a match": f"/report/match/{CLASSIC}/?t=5000",
    "report from a profile": "/report/player/Marta/",
    "what was decided": "/decisions/",
}
"""What those see who report, and of whom something was decided."""


def violations(page: Page, rules: dict[str, Any] = RULES) -> list[str]:
    """What axe finds, a line each. `COLOURS`: it has found nothing in other colours."""
    # Contrast is that of what stands still: two frames later, what a new scheme changes by and by has begun to change.
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.wait_for_function("() => document.getAnimations().every((each) => each.playState !== 'running')")
    if not page.evaluate("() => 'axe' in globalThis"):
        page.evaluate(AXE_SCRIPT)
    found: list[dict[str, Any]] = page.evaluate("async (options) => (await axe.run(options)).violations", rules)
    return [
        f"{each['id']}: {node['html'][:160]} {node.get('failureSummary', '')}"
        for each in found
        for node in each["nodes"]
    ]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_none(people: Callable[..., Page], site: Site, name: str) -> None:
    page = people(reduced_motion="reduce")
    page.goto(site.url + PAGES[name])
    if page.locator("[data-picture], #board").count():
        expect(page.locator("[data-place]").first).to_be_attached()
    if name == "home":
        page.locator("details.more > summary").click()
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 800})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            for theme in ("auto", "contrast") if width == 1280 else ("auto",):
                page.evaluate("(theme) => (document.documentElement.dataset.theme = theme)", theme)
                rules = RULES if (scheme, theme) == ("light", "auto") else COLOURS
                assert violations(page, rules) == [], f"{width} {scheme} {theme}"
            page.evaluate("() => delete document.documentElement.dataset.theme")


@pytest.mark.parametrize("path", ["/practice/", f"/replay/{CLASSIC}/"])
def test_the_sheet_of_keys_and_the_quick_menu_have_none(people: Callable[..., Page], site: Site, path: str) -> None:
    page = people(reduced_motion="reduce")
    page.goto(site.url + path)
    expect(page.locator("[data-place]").first).to_be_attached()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.keyboard.press("?")
        expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
        assert violations(page) == [], scheme
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Looks and sounds").click()
        assert violations(page) == [], scheme
        page.keyboard.press("Escape")


def test_the_menus_have_none(people: Callable[..., Page], sign_up: Callable[[Page, str], None], site: Site) -> None:
    page = people(reduced_motion="reduce")
    sign_up(page, "Agnes")
    page.goto(f"{site.url}/player/Agnes/")
    page.locator("button[popovertarget=user-menu]").click()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert violations(page) == [], scheme


@pytest.fixture(scope="module")
def reported(site: Site) -> dict[str, Any]:
    """Work for moderators: who is who, and the sessions of the moderator and of somebody who is banned."""
    return stored_reports.fill_in_server(site.var)


@pytest.mark.parametrize(("who", "pages"), [(0, MODERATION), (1, REPORTING)], ids=["moderator", "reported"])
def test_the_pages_of_moderation_have_none(
    people: Callable[..., Page], site: Site, reported: dict[str, Any], who: int, pages: dict[str, str]
) -> None:
    page = people(reduced_motion="reduce")
    page.context.add_cookies([{"name": "sessionid", "value": reported["cookies"][who], "url": site.url}])
    found = []
    for name, path in pages.items():
        answer = page.goto(site.url + path.format(**reported))
        assert answer is not None
        assert answer.status == 200, name
        if name == "report from a match":
            # What is wrong is said, too.
            page.get_by_role("button", name="Send the report").click()
            expect(page.locator(".field-error, [role=alert]").first).to_be_visible()
        for width in (1280, 360):
            page.set_viewport_size({"width": width, "height": 800})
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
                found += [f"{name} {width} {scheme}: {each}" for each in violations(page)]
    assert found == []
