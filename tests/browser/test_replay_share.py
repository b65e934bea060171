"""What goes from a replay to elsewhere, and comes from there, in a real browser (B12, B31)."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.replay_page import look, reads_right
from tests.browser.stored_replays import CLASSIC, times
from tests.site_process import Site


@pytest.fixture
def elsewhere() -> Iterator[Callable[[str], str]]:
    """Another site: the address of a page with that body."""
    bodies: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f"<!doctype html><title>Mine</title>{bodies[-1]}".encode())

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def page_of(body: str) -> str:
        bodies.append(body)
        return f"http://127.0.0.1:{server.server_port}/"

    yield page_of
    server.shutdown()
    server.server_close()


def test_from_the_sheet_to_a_clip_a_picture_and_a_frame(
    site: Site, show: Callable[..., Page], elsewhere: Callable[[str], str]
) -> None:
    page = show(CLASSIC, "?t=30000")
    page.keyboard.press("s")
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_label("Link to this moment")).to_have_value(f"{site.url}/replay/{CLASSIC}/?t=30000")
    snippet = sheet.get_by_label("For a page of your own").input_value()
    picture = page.request.get(sheet.get_by_role("link", name="Picture").get_attribute("href") or "")
    assert picture.headers["content-type"] == "image/png"
    clip = sheet.get_by_role("link", name=re.compile("Clip")).get_attribute("href") or ""

    # A clip is made beside the page, in the thread of the server's tasks, and appears by itself.
    page.goto(site.url + clip)
    # Tried once more, the clip may be there already.
    if page.get_by_role("button", name="Make the clip").count():
        page.get_by_role("button", name="Make the clip").click()
    moving = page.get_by_role("img", name=re.compile("moving"))
    expect(moving).to_be_visible(timeout=60_000)
    page.wait_for_function("() => document.querySelector('.clip-picture').naturalWidth === 480")

    # The snippet in a page of another site.
    page.goto(elsewhere(f"<h1>Mine</h1>{snippet}"))
    frame = page.frame_locator("iframe")
    expect(frame.locator("#replay")).to_have_attribute("data-state", "ready", timeout=30_000)
    frame.locator("[data-part=step]").click()
    expect(frame.locator("#replay")).not_to_have_attribute("data-index", "0")
    expect(frame.get_by_role("link", name=re.compile("Open on"))).to_be_visible()
    # And no other page of this site may be put there.
    refused = page.request.get(f"{site.url}/replay/{CLASSIC}/")
    assert refused.headers["x-frame-options"] == "DENY"


def drop(page: Page, text: str) -> None:
    """Drop a file with that text onto the page."""
    page.evaluate(
        """(text) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([text], "replay.json", { type: "application/json" }));
          for (const type of ["dragenter", "dragover", "drop"]) {
            document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
          }
        }""",
        text,
    )


def test_a_file_that_is_dropped_is_judged_and_shown(site: Site, people: Callable[..., Page]) -> None:
    page = people()
    page.goto(f"{site.url}/replays/open/")
    replay: dict[str, Any] = page.request.get(f"{site.url}/replay/{CLASSIC}.json").json()
    drop(page, "no replay")
    expect(page.get_by_role("alert")).to_have_text("This is not a replay.")

    # Names are text, whatever they are (B31).
    replay["match"]["seats"][0]["name"] = "<img src=x onerror=alert(1)>"
    drop(page, json.dumps(replay))
    expect(page.locator("#replay")).to_have_attribute("data-state", "ready")
    expect(page.get_by_text("Every event agrees with the rules.")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_contain_text("<img src=x onerror=alert(1)>")
    page.keyboard.press("End")
    reads_right(CLASSIC, page, len(times(CLASSIC)) - 1)
    assert page.url == f"{site.url}/replays/open/"

    page.reload()
    seq, event = next((at, each) for at, each in enumerate(replay["events"], 1) if at > 60 and each["kind"] == "played")
    move = event["moves"][0]
    move[2] = "centre.0" if move[2] == "centre.1" else "centre.1"
    drop(page, json.dumps(replay))
    fault = page.get_by_role("button", name=re.compile(f"Event {seq} does not agree with the rules"))
    fault.click()
    assert look(page)["index"] == seq

    # The list of replays leads there, and takes a file along; once.
    page.goto(f"{site.url}/replays/")
    drop(page, json.dumps(replay))
    page.wait_for_url("**/replays/open/")
    expect(page.locator("#replay")).to_have_attribute("data-state", "ready")
    page.reload()
    expect(page.locator("#replay")).to_have_attribute("data-state", "empty")
    expect(page.get_by_text("Drop a replay file here")).to_be_visible()


def test_while_a_file_is_judged_no_other_is_taken(site: Site, people: Callable[..., Page]) -> None:
    """The judge takes some seconds: that is said, and what is dropped meanwhile is not shown as a second replay."""
    page = people()
    page.goto(f"{site.url}/replays/open/")
    text = page.request.get(f"{site.url}/replay/{CLASSIC}.json").text()
    held: list[Route] = []
    page.route("**/judge/", lambda route: held.append(route))
    with page.expect_request("**/judge/"):
        drop(page, text)
    expect(page.get_by_role("status").filter(has_text="replay.json is being judged")).to_be_visible()
    expect(page.get_by_text("Choose a file")).to_be_hidden()
    drop(page, text)
    held[0].continue_()
    expect(page.locator("#replay")).to_have_attribute("data-state", "ready")
    expect(page.locator("#replay h1")).to_be_focused()
    assert page.locator("[role=slider]").count() == 1
    assert len(held) == 1
    expect(page.locator("[data-part=facts]")).to_contain_text(re.compile("^Spit · "))


def test_a_clip_that_fails_while_one_waits_can_be_tried_again(site: Site, people: Callable[..., Page]) -> None:
    page = people()
    page.route("**/clip/*/state/", lambda route: route.fulfill(body="<p data-failed>It could not be made.</p>"))
    page.goto(f"{site.url}/replay/{CLASSIC}/clip/2000-4000-0/")
    again = page.get_by_role("button", name="Make the clip")
    with page.expect_request("**/clip/*/state/"):
        again.click()
    expect(page.get_by_text("It could not be made.")).to_be_visible()
    expect(again).to_be_visible()
