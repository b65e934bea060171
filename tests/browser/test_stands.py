"""Watching: the television, the page of a watcher with rewind and chat, the overlay and the frame on another page."""

from __future__ import annotations

import http.server
import json
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.hands import Hands
from tests.live.test_secrets import faces
from tests.site_process import Site


def frames_of(page: Page, url: str) -> list[dict[str, Any]]:
    """What comes over the page's sockets whose address holds that, from now on."""
    messages: list[dict[str, Any]] = []

    def take(payload: str | bytes) -> None:
        messages.append(json.loads(payload))

    page.on("websocket", lambda socket: url in socket.url and socket.on("framereceived", take))
    return messages


def sound(page: Page) -> None:
    found = Axe().run(page).response["violations"]
    assert [(each["id"], each["nodes"][0]["html"][:120]) for each in found] == []


def seen(page: Page) -> int:
    return int(page.locator("#board").get_attribute("data-seq") or 0)


def begin_alone(page: Page, site: Site, level: str = "queen") -> str:
    page.goto(site.url)
    page.locator(f"input[name=level][value={level}]").check(force=True)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/match/**")
    Hands(page).wait_for_phase("ready")
    return page.url


@pytest.fixture
def other_page() -> Iterator[Callable[[str], str]]:
    """A page of somebody else's site, on another origin: `other_page(html)` is its address."""
    body = b""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def page(html: str) -> str:
        nonlocal body
        body = f"<!doctype html><title>x</title>{html}".encode()
        return f"http://127.0.0.1:{server.server_port}/"

    yield page
    server.shutdown()
    server.server_close()


def test_a_watcher_looks_back_and_comes_back(site: Site, people: Callable[..., Page]) -> None:
    """Also B09 and B08 on the page: the count, and no card that the frames should not have."""
    player, watcher = people(), people()
    url = begin_alone(player, site)
    frames = frames_of(watcher, "/ws/match/")
    watcher.goto(url)
    hands, stands = Hands(player), Hands(watcher)
    stands.wait_for_phase("ready")
    expect(player.locator("[data-part=watchers]")).to_have_text("1")
    expect(watcher.locator("[data-part=count]")).to_have_text("1 watching")
    hands.play_by_itself("quick")
    stands.wait_for_seq(20, seconds=30)
    rewind = watcher.locator(".rewind")
    expect(rewind).to_have_attribute("data-live", "true")

    watcher.keyboard.press("Space")
    held = seen(watcher)
    expect(rewind).to_have_attribute("data-live", "false")
    for _ in range(3):
        watcher.keyboard.press("ArrowLeft")
    assert seen(watcher) == held - 3
    watcher.keyboard.press("ArrowRight")
    assert seen(watcher) == held - 2
    hands.wait_for_seq(held + 4, seconds=30)
    assert seen(watcher) == held - 2, "what happens meanwhile does not show"
    watcher.keyboard.press("Home")
    first = next(message["seq"] for message in frames if message["t"] == "state")
    assert seen(watcher) == first
    watcher.locator("[data-part=range]").fill(watcher.locator("[data-part=range]").get_attribute("max") or "0")
    sound(watcher)
    watcher.keyboard.press("ArrowLeft")
    watcher.get_by_role("button", name="Back to live").click()
    expect(rewind).to_have_attribute("data-live", "true")
    stands.wait_for_seq(held + 4, seconds=30)
    below = watcher.locator("#board").get_attribute("data-bottom")
    watcher.keyboard.press("f")
    assert watcher.locator("#board").get_attribute("data-bottom") != below

    over = next(
        (at for at, message in enumerate(frames) if message["t"] == "state" and not message["match"]["live"]), None
    )
    for message in frames[:over]:
        assert not [face for face in faces(message) if face.startswith("-")], message
    watcher.close()
    expect(player.locator("[data-part=watchers]")).to_have_text("0")


def test_chat_of_watchers(site: Site, people: Callable[..., Page], sign_up: Callable[[Page, str], None]) -> None:
    """B31 in the chat. Who watches reads at once; who plays sees it when the match is over."""
    player, ann, other = people(), people(), people()
    url = begin_alone(player, site)
    sign_up(ann, "Chatterine")
    for page in (ann, other):
        page.goto(url)
        Hands(page).wait_for_phase("ready")
    expect(other.locator("[data-part=chat-note]")).to_contain_text("With an account you can write here.")
    expect(other.locator("[data-part=chat-form]")).to_be_hidden()
    evil = "<img src=x onerror=alert(1)> </script>"
    ann.get_by_label("What do you want to say?").fill(evil)
    ann.get_by_role("button", name="Send").click()
    for page in (ann, other):
        expect(page.locator(".stands-lines p")).to_contain_text(evil)
        expect(page.locator(".stands-lines p b")).to_have_text("Chatterine")
    assert other.locator(".stands-lines img").count() == 0
    # By name only who allows it.
    assert ann.locator(".stands-name").count() == 0
    ann.get_by_label("Show my name here").check()
    expect(other.locator(".stands-name")).to_have_text("Chatterine")
    expect(other.locator("[data-part=names]")).to_contain_text("and 1 more")
    sound(ann)
    # Switched off, it is gone and stays so; on again, it is back.
    other.locator("[data-part=chat-on]").uncheck()
    expect(other.locator(".stands-lines p")).to_have_count(0)
    other.reload()
    expect(other.locator("[data-part=chat-note]")).to_have_text("The chat is off.")
    other.locator("[data-part=chat-on]").check()
    expect(other.locator(".stands-lines p")).to_contain_text(evil)
    # The player.
    assert player.locator("#after-chat").is_hidden()
    player.locator("[data-part=resign]").click()
    player.locator("[data-part=resign-sure]").click()
    expect(player.locator("#after-chat")).to_be_visible()
    player.locator("#after-chat summary").click()
    expect(player.locator("#after-chat .stands-lines p")).to_contain_text(evil)


def test_the_way_to_report_is_shown_once(
    site: Site, people: Callable[..., Page], sign_up: Callable[[Page, str], None], seat_two: Callable[..., str]
) -> None:
    """While the match goes on beside the table, afterwards on its panel."""
    host, visitor, watcher = people(), people(), people()
    sign_up(watcher, "Watchman")
    watcher.goto(seat_two(host, visitor))
    Hands(watcher).wait_for_phase("ready")
    way = watcher.get_by_role("link", name="Report a player")
    expect(way).to_have_count(1)
    host.locator("[data-part=resign]").click()
    host.locator("[data-part=resign-sure]").click()
    Hands(watcher).wait_for_phase("over")
    expect(watcher.locator("#table-panel").get_by_role("link", name="Report a player")).to_be_visible()
    expect(way).to_have_count(1)


def test_a_player_may_begin_the_chat_when_the_match_is_over(
    site: Site, people: Callable[..., Page], sign_up: Callable[[Page, str], None]
) -> None:
    """Where nobody has said anything it is there for who may write, and nothing is there for who may not."""
    for name in ("Beginner", ""):
        player = people()
        if name:
            sign_up(player, name)
        player.goto(site.url)
        player.get_by_role("button", name="Play now").click()
        Hands(player).wait_for_phase("ready")
        player.locator("[data-part=resign]").click()
        with player.expect_event("websocket"):
            player.locator("[data-part=resign-sure]").click()
        Hands(player).wait_for_phase("over")
        if not name:
            player.wait_for_function("() => document.querySelector('link[href*=\"css/stands\"]')")
            expect(player.locator("#after-chat [data-part=chat-note]")).to_contain_text("account")
            expect(player.locator("#after-chat")).to_be_hidden()
            continue
        player.locator("#after-chat summary").click()
        player.get_by_label("What do you want to say?").fill("Well played")
        player.get_by_role("button", name="Send").click()
        expect(player.locator("#after-chat .stands-lines p")).to_contain_text("Well played")


def test_television(start_site: Callable[..., Site], people: Callable[..., Page]) -> None:
    """Nobody plays, then the computer, then people; thumbnails move; the next match comes up by itself, or does not."""
    site = start_site()
    tv = people()
    frames = frames_of(tv, "/ws/tv/")
    tv.goto(f"{site.url}/tv/")
    expect(tv.locator("#tv")).to_have_attribute("data-state", "empty")
    sound(tv)
    tv.get_by_role("button", name="Let the computer play itself").click()
    expect(tv.locator(".tv-table [data-place]").first).to_be_visible()
    expect(tv.locator("[data-part=alone]")).to_be_visible()
    exhibition = tv.locator("[data-part=open]").get_attribute("href") or ""

    player = people()
    url = begin_alone(player, site)
    slug = url.rstrip("/").rpartition("/")[2]
    thumb = tv.locator(f".thumb[data-slug='{slug}']")
    expect(thumb).to_be_visible()
    Hands(player).play_by_itself("quick")
    expect(thumb).to_have_attribute("data-phase", "playing")
    expect(thumb.locator(".card").first).to_be_visible()
    before = int(thumb.get_attribute("data-seq") or 0)
    tv.wait_for_function(
        "([slug, seq]) => Number(document.querySelector(`.thumb[data-slug='${slug}']`).dataset.seq) > seq + 5",
        arg=[slug, before],
    )
    sound(tv)
    # One frame for all of it, twice a second at most, and nothing in it but what lies open.
    shown = [message for message in frames if message["t"] == "thumbnails"]
    assert not [face for message in shown for face in faces(message) if face.startswith("-")]
    # Chosen, it comes to the front; when it ends, the other one does.
    thumb.locator("button").click()
    expect(tv.locator("[data-part=open]")).to_have_attribute("href", f"/match/{slug}/")
    player.goto(url)
    Hands(player).wait_for_phase("ready", "countdown", "playing", "stuck", "slap")
    player.locator("[data-part=resign]").click()
    player.locator("[data-part=resign-sure]").click()
    expect(tv.locator("[data-part=next]")).to_contain_text("The next match in")
    # Said once: the seconds are only to be seen.
    expect(tv.get_by_role("status")).to_have_text(re.compile(r"^\S.* won\. The next match follows\.$"))
    expect(tv.locator("[data-part=next]")).to_have_attribute("aria-hidden", "true")
    expect(tv.locator("[data-part=open]")).to_have_attribute("href", exhibition, timeout=15_000)
    # By game: nobody plays Speed.
    tv.get_by_role("link", name="Speed", exact=True).click()
    expect(tv.locator("#tv")).to_have_attribute("data-state", "empty")
    expect(tv.get_by_text("Nobody plays Speed at this moment.")).to_be_visible()


def test_overlay_and_a_frame_on_another_page(
    site: Site, people: Callable[..., Page], other_page: Callable[[str], str]
) -> None:
    player, guest = people(), people()
    url = begin_alone(player, site)
    guest.goto(url)
    guest.get_by_role("button", name="Share").click()
    code = guest.locator("#embed-code").input_value()
    assert re.fullmatch(rf'<iframe src="{re.escape(url)}embed/" [^<>]*></iframe>', code)
    guest.goto(other_page(code))
    frame = guest.frame_locator("iframe")
    expect(frame.locator("#board [data-place]").first).to_be_visible()
    expect(frame.get_by_role("link", name="Watch on Spit")).to_have_attribute("target", "_blank")
    # No other page of the site can be shown so.
    for path in ("", "overlay/"):
        answer = guest.request.get(url + path)
        assert answer.headers["x-frame-options"] == "DENY"
    assert "x-frame-options" not in guest.request.get(f"{url}embed/").headers

    guest.goto(f"{url}overlay/")
    expect(guest.locator("#board [data-place]").first).to_be_visible()
    assert guest.locator("header, footer, nav").count() == 0
    ground = "getComputedStyle(document.{}).backgroundColor"
    for element in ("documentElement", "body"):
        assert guest.evaluate(ground.format(element)) == "rgba(0, 0, 0, 0)"
    assert guest.goto(f"{site.url}/match/nowhere1/embed/").status == 404  # type: ignore[union-attr]


def test_on_a_phone_a_watcher_has_all_buttons_and_the_round_in_one_line(
    site: Site, people: Callable[..., Page]
) -> None:
    url = begin_alone(people(), site)
    watcher = people(viewport={"width": 360, "height": 740})
    watcher.goto(url)
    expect(watcher.locator("[data-part=round]")).to_have_text("round 1")
    for name in ("One event back", "One event on"):
        expect(watcher.get_by_role("button", name=name)).to_be_visible()
    assert watcher.evaluate(
        """() => { const round = document.querySelector("[data-part=round]");
          return round.offsetHeight < 1.5 * parseFloat(getComputedStyle(round).lineHeight); }"""
    )
    for fits in (
        "document.documentElement",
        "document.getElementById('table-bar')",
        "document.querySelector('.rewind')",
    ):
        assert watcher.evaluate(f"() => {fits}.scrollWidth <= {fits}.clientWidth"), fits
