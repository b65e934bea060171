"""JavaScript's own tests: ES modules in a real Chromium, without a server: the page's files are read from the disk."""

import mimetypes
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.browsing import chromium_browser as chromium_browser

ROOT: Final = Path(__file__).resolve().parent.parent.parent
SITE: Final = "http://js.test"


@pytest.fixture
def blank(chromium_browser: Browser) -> Iterator[Page]:
    """An empty page of a made-up site with this project's `/static/…` and `/tests/…`; errors in it fail the test."""
    page = chromium_browser.new_page(viewport={"width": 1000, "height": 800})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))

    def serve(route: Route) -> None:
        path = route.request.url.removeprefix(SITE).partition("?")[0]
        file = ROOT / path.lstrip("/")
        if path == "/":
            route.fulfill(body="<!doctype html><meta charset=utf-8><title>tests</title>", content_type="text/html")
        elif file.is_file() and file.is_relative_to(ROOT):
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            route.fulfill(body=file.read_bytes(), content_type=kind)
        else:
            route.fulfill(status=404)

    page.route(f"{SITE}/**", serve)
    page.goto(f"{SITE}/")
    yield page
    page.close()
    assert not errors
