"""Pictures of every page, wide and narrow, dark and light: `python -m tests.screenshots DIRECTORY`.

To be looked at. The picture in the README is `table-wide-dark.png`.
"""

import re
import sys
import tempfile
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.hands import Hands
from tests.chromium import ARGUMENTS, executable
from tests.site_process import Site, manage, start

SIZES: Final = {"wide": {"width": 1280, "height": 800}, "narrow": {"width": 360, "height": 740}}
SCHEMES: Final = ("dark", "light")
PAGES: Final = {
    "home": "/",
    "sign-up": "/accounts/signup/",
    "sign-in": "/accounts/login/",
    "reset": "/accounts/password/reset/",
    "rules": "/rules/",
    **{f"rules-{game}": f"/rules/{game}/" for game in ("spit", "two_deck", "speed", "japanese_speed")},
    "practice": "/practice/",
    "about": "/about/",
    "preferences": "/preferences/",
    "watch": "/watch/",
    "tv": "/tv/",
    "replays": "/replays/",
    "replays-filtered": "/replays/?game=spit&rated=yes",
    "players": "/players/?q=ma",
    "not-found": "/nowhere/",
}


class Camera:
    """Takes a page in every size and scheme."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        directory.mkdir(parents=True, exist_ok=True)

    def take(self, page: Page, name: str) -> None:
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            for size, viewport in SIZES.items():
                page.set_viewport_size(viewport)  # type: ignore[arg-type]
                # Two frames later what depends on the size has been drawn anew.
                page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
                page.screenshot(path=self.directory / f"{name}-{size}-{scheme}.png", full_page=True)


def play_some(hands: Hands, events: int) -> None:
    """Play against the computer until so many events have happened, or to the end."""
    hands.wait_for_phase("ready")
    while hands.look()["seq"] < events and not hands.is_over():
        hands.act()
        hands.page.wait_for_timeout(300)


def photograph(site: Site, browser: Browser, camera: Camera) -> None:
    """All pages: first a visitor's, then a match, then what is left of it."""
    page = browser.new_page(viewport=SIZES["wide"])  # type: ignore[arg-type]
    page.goto(site.url)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/match/**")
    hands = Hands(page)
    hands.wait_for_phase("ready")
    camera.take(page, "table-ready")
    play_some(hands, 40)
    camera.take(page, "table")
    address = page.url
    onlooker = browser.new_page()
    onlooker.goto(address)
    Hands(onlooker).wait_for_phase("ready", "countdown", "playing", "stuck", "slap", "over")
    camera.take(onlooker, "table-watched")
    for name, path in PAGES.items():
        onlooker.goto(site.url + path)
        camera.take(onlooker, name)
    manage(site.var, "selfplay", "--game", "spit", "--matches", "3", "--seed", "1")
    for name in ("home", "replays"):
        onlooker.goto(site.url + PAGES[name])
        camera.take(onlooker, f"{name}-with-matches")
    found = re.search(r'href="(/replay/[^"/]+/)"', onlooker.content())
    if found:
        onlooker.goto(site.url + found[1])
        expect(onlooker.locator("[data-place]").first).to_be_visible()
        onlooker.goto(f"{site.url}{found[1]}#40")
        camera.take(onlooker, "replay")


def main(directory: str) -> None:
    with tempfile.TemporaryDirectory() as var, sync_playwright() as playwright:
        site = start(Path(var))
        browser = playwright.chromium.launch(executable_path=executable_path, args=list(ARGUMENTS))
        try:
            photograph(site, browser, Camera(Path(directory)))
        finally:
            browser.close()
            site.kill()


if __name__ == "__main__":
    executable_path = executable()
    main(sys.argv[1])
