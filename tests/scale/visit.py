"""What the first visit of the table costs: bytes sent and the time until a card can be pressed, on a slow phone.

`python -m tests.scale.visit`: nothing cached, processor slowed four times, "fast 3G" (1.6 Mbit/s, 150 ms). With
`--slow 1` the processor is as it is: what is left then is mostly the line.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import sync_playwright

from tests.chromium import ARGUMENTS, executable
from tests.site_process import start

FAST_3G: Final = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}


STEPS: Final = """() => {
    const at = (name) => performance.getEntriesByType("resource").find((it) => it.name.includes(name))?.responseEnd;
    const page = performance.getEntriesByType("navigation")[0];
    return {
        page: page.responseEnd, styles: at("css/table."), script: at("js/table/main."),
        "page read": page.domInteractive, "scripts ran": page.domContentLoadedEventEnd,
    };
}"""


USABLE: Final = """new MutationObserver((_, observer) => {
    if (!document.querySelector(".hub[aria-disabled='false']")) return;
    observer.disconnect();
    // The next frame shows it.
    requestAnimationFrame(() => { window.usableAt = performance.now(); });
}).observe(document, { subtree: true, childList: true, attributeFilter: ["aria-disabled", "class"] });"""
"""To ask the page from outside takes it longer than the page itself needs."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slow", type=float, default=4)
    slow = parser.parse_args().slow
    path = executable()
    with tempfile.TemporaryDirectory() as var, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        site = start(Path(var))
        try:
            phone: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
            host = browser.new_context(**phone)
            page = host.new_page()
            page.goto(site.url)
            page.get_by_role("button", name="Play now").click()
            page.wait_for_url("**/match/**")
            url = page.url
            visit = browser.new_context(**phone, storage_state=host.storage_state())
            page = visit.new_page()
            line = visit.new_cdp_session(page)
            line.send("Network.enable")
            line.send("Network.emulateNetworkConditions", FAST_3G)
            line.send("Emulation.setCPUThrottlingRate", {"rate": slow})
            names: dict[str, str] = {}
            sizes: dict[str, int] = {}
            line.on("Network.requestWillBeSent", lambda it: names.update({it["requestId"]: it["request"]["url"]}))
            line.on("Network.loadingFinished", lambda it: sizes.update({it["requestId"]: int(it["encodedDataLength"])}))
            page.add_init_script(USABLE)
            page.goto(url, wait_until="commit")
            usable = page.wait_for_function("() => window.usableAt").json_value()
            painted = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
            page.wait_for_load_state("networkidle")
            print(f"sent: {sum(sizes.values()) / 1000:.1f} kB in {len(sizes)} answers")
            print(f"first paint: {painted:.0f} ms, usable: {usable:.0f} ms")
            print(", ".join(f"{name}: {ms:.0f} ms" for name, ms in page.evaluate(STEPS).items() if ms is not None))
            for request, size in sorted(sizes.items(), key=lambda it: -it[1]):
                print(f"{size:8,} {names.get(request, '?').removeprefix(site.url)}")
        finally:
            browser.close()
            site.kill()


if __name__ == "__main__":
    main()
