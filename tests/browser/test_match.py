"""Whole matches through the page: two people and a watcher; and a server that dies in the middle."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as NothingHappened

from tests.browser.hands import Hands
from tests.site_process import Site


def play_on(quick: Hands, slow: Hands, until: Callable[[], bool]) -> None:
    """Play by turns of attention: the quick one plays whatever fits, the slow one only when nothing else happens."""
    for _ in range(6000):
        if until():
            return
        if quick.act():
            continue
        if slow.act(plays=False) or slow.act():
            continue
        wait_for_change(quick)
    raise AssertionError(f"no end in sight: {quick.look()}")


def wait_for_change(hands: Hands, ms: int = 1500) -> None:
    """Until something happens on the table; it may be that nothing does."""
    before = hands.look()
    try:
        hands.page.wait_for_function(
            """([seq, act]) => Number(document.getElementById('board').dataset.seq) !== seq
                || document.querySelector('.hub').disabled !== !act""",
            arg=[before["seq"], before["act"]],
            timeout=ms,
        )
    except NothingHappened:
        return


def cards(seen: dict[str, Any]) -> dict[str, Any]:
    """What of a look is the same for everybody: the top and the number of each place."""
    return {name: (place["card"], place["count"]) for name, place in seen["places"].items()}


def texts_of(page: Page) -> list[str]:
    """Collects every frame that the page is sent from now on."""
    frames: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda data: frames.append(str(data))))
    return frames


def same_table(*all_hands: Hands) -> None:
    """All are drawn the same table, as soon as they are at the same event."""
    newest = max(hands.look()["seq"] for hands in all_hands)
    for hands in all_hands:
        hands.wait_for_seq(newest)
    looks = [hands.look() for hands in all_hands]
    if len({look["seq"] for look in looks}) == 1:
        assert all(cards(look) == cards(looks[0]) for look in looks)


def test_two_people_and_a_watcher(people: Callable[..., Page], seat_two: Callable[..., str]) -> None:
    host, visitor, watcher = people(), people(), people()
    frames = texts_of(watcher)
    url = seat_two(host, visitor)
    watcher.goto(url)
    quick, slow, stands = Hands(host), Hands(visitor), Hands(watcher)
    stands.wait_for_phase("ready")
    expect(host.locator("[data-part=watchers]")).to_have_text("1")
    assert stands.look()["you"] == "watcher"
    expect(watcher.locator("button.place, .hub:not(:disabled)")).to_have_count(0)

    rounds: set[int] = set()

    def over() -> bool:
        seen = quick.look()
        if seen["round"] not in rounds and seen["phase"] == "playing":
            rounds.add(seen["round"])
            same_table(quick, slow, stands)
            # What lies face down is written nowhere in the page.
            for hands in (quick, slow, stands):
                assert not re.search(r'data-(card|shows)="-[A2-9TJQK]', hands.page.content())
        return seen["phase"] == "over"

    play_on(quick, slow, over)
    for hands in (quick, slow, stands):
        hands.wait_for_phase("over")
    same_table(quick, slow, stands)
    expect(host.get_by_role("heading", name="You won")).to_be_visible()
    expect(visitor.get_by_role("heading", name="You lost")).to_be_visible()
    expect(watcher.get_by_role("link", name="Replay").last).to_be_visible()
    # No face of a face-down card was sent while the match was live.
    live = [frame for frame in frames if '"phase":"over"' not in frame]
    assert live
    assert not [frame for frame in live if re.search(r'"-[A2-9TJQK][cdhs]', frame)]


def test_server_killed_in_mid_match(
    start_site: Callable[..., Site], people: Callable[..., Page], seat_two: Callable[..., str]
) -> None:
    site = start_site()
    host, visitor = people(), people()
    seat_two(host, visitor, at=site)
    quick, slow = Hands(host), Hands(visitor)
    play_on(quick, slow, lambda: quick.look()["seq"] > 25)
    seen = quick.look()["seq"]
    site.kill()
    expect(host.locator("#table")).to_have_attribute("data-line", "reconnecting")
    expect(host.get_by_text("Connection lost")).to_be_visible()
    # Nothing can be played into the void.
    before = cards(quick.look())
    host.keyboard.press("a")
    host.keyboard.press("j")
    assert cards(quick.look()) == before

    start_site(port=site.port)
    for page in (host, visitor):
        expect(page.locator("#table")).to_have_attribute("data-line", "open", timeout=20_000)
        expect(page.locator("#table")).to_have_attribute("data-sync", "true")
    assert quick.look()["seq"] >= seen
    same_table(quick, slow)
    play_on(quick, slow, quick.is_over)
    slow.wait_for_phase("over")
    same_table(quick, slow)
