"""The Chromium of the JavaScript and browser tests, as a fixture.

A conftest that wants it imports `chromium_browser`. It lives for one module only: while Playwright's own event loop is
there, no other test could run one.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests import chromium


@pytest.fixture(scope="module")
def chromium_browser() -> Iterator[Browser]:
    path = chromium.executable()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(chromium.ARGUMENTS))
        yield browser
        browser.close()
