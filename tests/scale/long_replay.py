"""What a long replay costs in the browser (B13): bytes sent, the time until it is first shown, the time of a jump.

`python -m tests.scale.long_replay`: a match of 5,696 events, 1280 by 800, the processor slowed four times; with
`--slow 1` as it is. Times are by the clock, with whatever else the machine has to do.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from statistics import median
from typing import Final

from playwright.sync_api import sync_playwright

from tests.chromium import ARGUMENTS, executable
from tests.site_process import manage, start

LONG: Final = "longlong"
"""The slug in `tests.browser.stored_replays`."""

SHOWN: Final = """{
  // When the cards are first on the screen: the second frame after the page says that it is ready.
  const seen = new MutationObserver(() => {
    if (document.getElementById("replay")?.dataset.state !== "ready") return;
    seen.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => (globalThis.shownAt = performance.now())));
  });
  seen.observe(document, { subtree: true, attributes: true, childList: true });
}"""
SEEK: Final = """() => {
  const taken = [];
  for (const key of ["End", "Home", ...Array(30).fill("PageDown"), ...Array(15).fill("PageUp"), "End", "Home"]) {
    const start = performance.now();
    document.dispatchEvent(new KeyboardEvent("keydown", { key }));
    // The layout that the change makes necessary is a part of its cost.
    document.querySelector(".board").getBoundingClientRect();
    taken.push(performance.now() - start);
  }
  return taken;
}"""
SENT: Final = """() => {
  const found = performance.getEntriesByType("resource").find((entry) => entry.name.includes(".packed.json"));
  return [found.encodedBodySize, found.decodedBodySize];
}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slow", type=float, default=4)
    parser.add_argument("--visits", type=int, default=3, help="first visits; the median is told")
    options = parser.parse_args()
    path = executable()
    with tempfile.TemporaryDirectory() as var, sync_playwright() as playwright:
        manage(Path(var), "migrate", "-v", "0")
        manage(Path(var), "shell", "-v", "0", "-c", "from tests.browser.stored_replays import fill; fill()")
        site = start(Path(var))
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        try:
            shown, seeks = [], []
            for _ in range(options.visits):
                visitor = browser.new_context(viewport={"width": 1280, "height": 800})
                page = visitor.new_page()
                page.add_init_script(SHOWN)
                slowed = visitor.new_cdp_session(page)
                slowed.send("Emulation.setCPUThrottlingRate", {"rate": options.slow})
                page.goto(f"{site.url}/replay/{LONG}/")
                shown.append(page.wait_for_function("() => globalThis.shownAt").json_value())
                sent, whole = page.evaluate(SENT)
                seeks += page.evaluate(SEEK)
                visitor.close()
        finally:
            browser.close()
            site.kill()
    print(f"sent of the match: {sent / 1000:.0f} kB ({whole / 1000:.0f} kB of JSON)")
    print(f"first shown after {median(shown):.0f} ms ({', '.join(f'{ms:.0f}' for ms in sorted(shown))})")
    print(f"a jump takes {median(seeks):.1f} ms, at most {max(seeks):.1f} ms")


if __name__ == "__main__":
    main()
