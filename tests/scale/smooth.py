"""How smooth the table is: both sides play five cards a second, the processor is slowed four times; Chromium's trace.

`python -m tests.scale.smooth`, or as a phone: `--width 360 --height 740`. What else the machine does is in the figures:
so the frames that it makes of an empty page with one moving box are printed beside them.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from tests.chromium import ARGUMENTS, executable
from tests.site_process import Site, start

RALLY: Final = (Path(__file__).parent / "rally.js").read_text()
KEYS: Final = ("KeyA", "KeyS", "KeyD", "KeyF")
CATEGORIES: Final = (
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
    "disabled-by-default-devtools.timeline.frame",
    "benchmark",
    "cc",
    "latencyInfo",
    "toplevel",
    "blink.user_timing",
)
WORK: Final = (
    "EventDispatch",
    "FunctionCall",
    "UpdateLayoutTree",
    "Layout",
    "Paint",
    "Layerize",
    "ProxyMain::BeginMainFrame",
    "RunTask",
)
"""Work of the main thread. `ProxyMain::BeginMainFrame` is all that a frame costs there: style, layout, paint."""

EVERY_MS: Final = 200
FLOOR: Final = """<!doctype html><style>
div { width: 90px; height: 126px; background: red; animation: go 1s infinite alternate }
@keyframes go { to { transform: translateX(400px) } }</style><div></div><script>
const tick = () => { document.title = performance.now(); requestAnimationFrame(tick) }; tick()</script>"""


def traced(
    page: Page, seconds: float, slow: float, during: Callable[[CDPSession, float], None]
) -> list[dict[str, Any]]:
    """The trace of what happens meanwhile."""
    line = page.context.new_cdp_session(page)
    line.send("Emulation.setCPUThrottlingRate", {"rate": slow})
    events: list[dict[str, Any]] = []
    done: list[bool] = []
    line.on("Tracing.dataCollected", lambda data: events.extend(data["value"]))
    line.on("Tracing.tracingComplete", lambda _: done.append(True))
    config = {"includedCategories": list(CATEGORIES), "excludedCategories": ["*"]}
    line.send("Tracing.start", {"traceConfig": config, "transferMode": "ReportEvents"})
    page.evaluate("performance.mark('rally-begin')")
    during(line, seconds)
    page.evaluate("performance.mark('rally-end')")
    line.send("Tracing.end")
    while not done:
        page.wait_for_timeout(50)
    line.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    return events


def press(line: CDPSession, code: str) -> None:
    """A key as the system gives it to the browser, without waiting for anything but that it was taken."""
    key = code.removeprefix("Key").lower()
    known = {"code": code, "key": key, "windowsVirtualKeyCode": ord(key.upper())}
    line.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", **known})
    line.send("Input.dispatchKeyEvent", {"type": "keyUp", **known})


def rally(page: Page, line: CDPSession, seconds: float) -> None:
    """Both sides play a card every `EVERY_MS`: this one with its keys, two presses a card."""
    page.evaluate(f"rally.start({EVERY_MS})")
    begin = time.monotonic()
    for turn in range(int(seconds * 1000 / EVERY_MS)):
        pause = begin + turn * EVERY_MS / 1000 - time.monotonic()
        if pause > 0:
            time.sleep(pause)
        press(line, KEYS[turn % 4])
        press(line, "KeyK")


def share(values: list[float], part: float) -> float:
    """The value that so large a part of them does not exceed; 0 for none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else 0.0


def figures(events: list[dict[str, Any]]) -> Iterator[str]:
    """Frames a second, how even they are, what a press costs, and where the main thread's time goes. Lines for people.

    Work is counted in processor time, which other programs do not lengthen as they do the time on the clock.
    """
    marks = {event["name"]: event for event in events if str(event.get("name", "")).startswith("rally-")}
    begin, end = marks["rally-begin"], marks["rally-end"]
    inside = [
        event for event in events if begin["ts"] <= event.get("ts", 0) <= end["ts"] and event.get("pid") == begin["pid"]
    ]
    seconds = (end["ts"] - begin["ts"]) / 1e6
    draws = sorted({event["ts"] for event in inside if event.get("name") == "DrawFrame"})
    gaps = [(after - before) / 1000 for before, after in pairwise(draws)]
    apart = f"{share(gaps, 0.5):.1f} ms apart, p95 {share(gaps, 0.95):.1f} ms"
    yield f"frames: {len(draws) / seconds:.1f} a second; {apart}"
    presses = [
        event["args"]["data"]["duration"]
        for event in inside
        if event.get("name") == "EventTiming" and event.get("args", {}).get("data", {}).get("type") == "keydown"
    ]
    if presses:
        on_the_clock = f"p50 {share(presses, 0.5):.0f} ms, p95 {share(presses, 0.95):.0f} ms"
        yield f"from a key to the screen, on the clock: {on_the_clock}"
    spent: dict[str, list[float]] = defaultdict(list)
    for event in inside:
        if event.get("tid") == begin["tid"] and event.get("ph") == "X" and event["name"] in WORK:
            keys = event["name"] != "EventDispatch" or event["args"]["data"]["type"] == "keydown"
            if keys:
                spent[event["name"]].append(event.get("tdur", event.get("dur", 0)) / 1000)
    for name in WORK:
        each = spent[name]
        yield (
            f"  {name}: {sum(each) / seconds:.0f} ms a second, {len(each) / seconds:.0f} times; "
            f"p50 {share(each, 0.5):.1f} ms, p95 {share(each, 0.95):.1f} ms"
        )


def table(browser: Browser, site: Site, width: int, height: int) -> Page:
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.goto(site.url)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/match/**")
    page.add_init_script(RALLY)
    page.reload()
    page.locator("[data-place='0.row.1'][data-card='2s']").wait_for()
    return page


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--height", type=int, default=800)
    parser.add_argument("--seconds", type=float, default=9)
    parser.add_argument("--slow", type=float, default=4)
    parser.add_argument("--trace", type=Path, help="keep the trace there, to be opened in the browser's own tools")
    options = parser.parse_args()
    path = executable()
    with tempfile.TemporaryDirectory() as var, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        site = start(Path(var))
        try:
            page = browser.new_page()
            page.set_content(FLOOR)
            floor = traced(page, 3, options.slow, lambda _, seconds: page.wait_for_timeout(seconds * 1000))
            print("one moving box:", next(figures(floor)))
            page.close()
            page = table(browser, site, options.width, options.height)
            events = traced(page, options.seconds, options.slow, lambda line, seconds: rally(page, line, seconds))
            if options.trace:
                options.trace.write_text(json.dumps({"traceEvents": events}))
            print(f"{page.evaluate('rally.played')} cards played", *figures(events), sep="\n")
        finally:
            browser.close()
            site.kill()


if __name__ == "__main__":
    main()
