"""The Chromium that the JavaScript and browser tests run in.

`python tests/chromium.py` gets one where there is none: Debian's by apt-get where that is allowed, else Playwright's
own. Where neither works it says what is missing and fails.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from playwright.sync_api import Error, sync_playwright

ARGUMENTS: Final = (
    "--no-sandbox",  # In a container, and as root, Chromium has no sandbox; it only ever visits our own pages.
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""For every start of the browser. It fetches nothing by itself."""

NAMES: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


PACKAGES: Final = ("chromium-headless-shell", "chromium")
"""Debian's, the lighter one first: without windows the same tests take a fifth less time."""


class NoBrowser(Exception):
    """No Chromium that starts; says why."""


def candidates() -> Iterator[str]:
    """Programs that may be a Chromium, the preferred one first. `CHROMIUM` in the environment names one."""
    if named := os.environ.get("CHROMIUM"):
        yield named
        return
    for name in NAMES:
        if found := shutil.which(name):
            yield found
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    if Path(own).exists():
        yield own


@cache
def executable() -> str:
    """A Chromium that starts; looked for once, for each look starts it.

    :raises NoBrowser: there is none.
    """
    reasons = []
    for path in candidates():
        try:
            with sync_playwright() as playwright:
                playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS)).close()
        except Error as error:
            reasons.append(f"{path} does not start: {error.message.strip()}")
        else:
            return path
    raise NoBrowser("\n".join(reasons) or "No Chromium was found.")


def install() -> list[str]:
    """Try to get one; what was tried and how it went, for people."""
    ways = []
    if os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get"):
        for package in PACKAGES:
            ways.append(["apt-get", "install", "--yes", "--no-install-recommends", package, "fonts-dejavu-core"])
    ways.append([sys.executable, "-m", "playwright", "install", "chromium"])
    tried = []
    for way in ways:
        steps = [["apt-get", "update"], way] if way[0] == "apt-get" else [way]
        for step in steps:
            print("Getting Chromium:", *step, flush=True)
            done = subprocess.run(
                step,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
                check=False,
            )
            said = (done.stderr or done.stdout).strip().splitlines()[-3:]
            tried.append(f"{' '.join(step)}: " + ("done" if done.returncode == 0 else " | ".join(said)))
        try:
            executable()
        except NoBrowser:
            continue
        break
    return tried


def main() -> int:
    try:
        executable()
    except NoBrowser:
        tried = install()
        try:
            executable()
        except NoBrowser as why:
            print(
                "The browser tests need Chromium, and it could not be had.",
                *tried,
                why,
                "Install one of Debian's packages (as root: apt-get install chromium-headless-shell, or chromium),",
                "or name a Chromium by the variable CHROMIUM.",
                sep="\n",
                file=sys.stderr,
            )
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
