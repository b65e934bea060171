"""How smooth the table is: both sides play five cards a second, on a processor slowed four times, in Chromium's own trace.

`python -m tests.scale.smooth`, or with the width of a phone: `--width 360 --height 740`. Needs a Chromium and no idle machine, but
what else the processors do is in the figures: the number of frames that the machine makes of an empty page with one moving box
is printed beside them.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from tests.chromium import ARGUMENTS, executable
from tests.site_process import Site, start

RALLY: Final = (Path(__file__).parent / "rally.js").read_text()
KEYS: Final = (("KeyA", "K"), ("KeyS", "K"), ("KeyD", "K"), ("KeyF", "K"))
CATEGORIES: Final = (
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
    "disabled-by-default-devtools.timeline.frame",
    "benchmark",
    "cc",
    "latencyInfo",
    "toplevel",
    "blink.user_timing",
    "disabled-by-default-devtools.timeline.stack",
)
WORK: Final = (
    "FunctionCall", "UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize", "Commit", "EventDispatch", "RunTask",
    "TimerFire", "FireAnimationFrame", "HitTest", "UpdateLayerTree", "MinorGC", "MajorGC",
)  # fmt: skip
EVERY_MS: Final = 200
FLOOR: Final = """<!doctype html><style>div { width: 90px; height: 126px; background: red; animation: go 1s infinite alternate }
@keyframes go { to { transform: translateX(400px) } }</style><div></div><script>
const tick = () => { document.title = performance.now(); requestAnimationFrame(tick) }; tick()</script>"""


def traced(page: Page, seconds: float, slow: float, during: Any) -> list[dict[str, Any]]:
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
        press(line, KEYS[turn % 4][0])
        press(line, "KeyK")


def idle(page: Page, line: CDPSession, seconds: float) -> None:
    page.wait_for_timeout(seconds * 1000)


def figures(events: list[dict[str, Any]]) -> dict[str, Any]:
    """Frames a second, how even they are, where the main thread's time goes, and from the key to the screen."""
    marks = {event["name"]: event for event in events if str(event.get("name", "")).startswith("rally-")}
    first, last, pid, tid = (
        marks["rally-begin"]["ts"], marks["rally-end"]["ts"], marks["rally-begin"]["pid"], marks["rally-begin"]["tid"],
    )  # fmt: skip
    inside = [event for event in events if first <= event.get("ts", 0) <= last and event.get("pid") == pid]
    seconds = (last - first) / 1e6
    draws = sorted({event["ts"] for event in inside if event.get("name") == "DrawFrame"})
    gaps = [(b - a) / 1000 for a, b in zip(draws, draws[1:], strict=False)]
    reports: dict[str, int] = defaultdict(int)
    for event in inside:
        if event.get("name") == "PipelineReporter" and event.get("ph") in ("b", "X"):
            report = event.get("args", {}).get("chrome_frame_reporter") or event.get("args", {})
            state = report.get("state")
            if state:
                reports[str(state)] += 1
    spent: dict[str, list[float]] = defaultdict(list)
    for event in inside:
        if event.get("tid") == tid and event.get("ph") == "X" and event["name"] in WORK:
            spent[event["name"]].append(event.get("tdur", event.get("dur", 0)) / 1000)
    latency: list[float] = []
    for event in inside:
        if event.get("name") == "EventTiming" and event.get("ph") == "b":
            data = event["args"].get("data", {})
            if data.get("type") == "keydown":
                latency.append(data.get("duration", 0))
    ordered = sorted(gaps)
    return {
        "seconds": round(seconds, 2),
        "fps": round(len(draws) / seconds, 1),
        "gap p50/p95/max": [round(ordered[int(len(ordered) * q)], 1) for q in (0.5, 0.95)] + [round(ordered[-1], 1)] if ordered else [],
        "over 25 ms": sum(gap > 25 for gap in gaps),
        "reports": dict(reports),
        "keydown duration": [round(statistics.median(latency), 1), max(latency)] if latency else [],
        "work": {name: {"n": len(each), "ms/s": round(sum(each) / seconds, 1), "max": round(max(each), 1)} for name, each in sorted(spent.items())},
    }


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
            floor = figures(traced(page, 3, options.slow, lambda line, seconds: idle(page, line, seconds)))
            print("the machine:", json.dumps({key: floor[key] for key in ("fps", "gap p50/p95/max", "over 25 ms")}))
            page.close()
            page = table(browser, site, options.width, options.height)
            events = traced(page, options.seconds, options.slow, lambda line, seconds: rally(page, line, seconds))
            if options.trace:
                options.trace.write_text(json.dumps({"traceEvents": events}))
            print("played:", page.evaluate("rally.played"))
            for key, value in figures(events).items():
                print(f"{key}: {json.dumps(value)}" if key != "work" else "work:")
            for name, value in figures(events)["work"].items():
                print(f"  {name}: {json.dumps(value)}")
        finally:
            browser.close()
            site.kill()


if __name__ == "__main__":
    main()
