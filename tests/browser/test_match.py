"""Whole matches through the page: two people and a watcher; and a server that dies in the middle."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as NothingHappened

from tests.browser.hands import Hands
from tests.site_process import Site, manage

A_MATCH = 180
"""Seconds in which a match between two who never hesitate ends, on a slow machine."""


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
                || (document.querySelector('.hub').ariaDisabled === 'false') !== act""",
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
        expect(hands.page.locator(".is-pending")).to_have_count(0)
    looks = [hands.look() for hands in all_hands]
    if len({look["seq"] for look in looks}) == 1:
        assert all(cards(look) == cards(looks[0]) for look in looks)


def log_of(site: Site, slug: str) -> dict[str, Any]:
    """What the database holds of a finished match."""
    document: dict[str, Any] = json.loads(manage(site.var, "export_match", slug).stdout)
    return document


def tops(places: dict[str, list[str]]) -> dict[str, list[Any]]:
    """A table as everybody may see it: the top and the number of each place."""
    return {
        name: [None if not pile else "-" if pile[-1][0] == "-" else pile[-1], len(pile)]
        for name, pile in places.items()
    }


def tables(log: dict[str, Any]) -> list[dict[str, list[Any]]]:
    """The table before the first event and after each, by the moves alone."""
    places = {name: list(pile) for name, pile in log["start"].items()}
    found = [tops(places)]
    for event in log["events"]:
        places |= {name: list(pile) for name, pile in event.get("orders", {}).items()}
        for card, source, target in event.get("moves", ()):
            places[source].pop()
            places[target].append(card)
        found.append(tops(places))
    return found


def rating_on_profile(page: Page, site: Site, name: str) -> str:
    """The rating that the profile shows, as soon as the match is counted there."""
    page.goto(f"{site.url}/player/{name}/")
    rated = page.get_by_text("1 rated match, highest")
    for _ in range(100):
        if rated.count():
            break
        page.reload()
    expect(rated).to_be_visible()
    return page.locator(".game-card:has-text('rated match') .game-card-value").inner_text().strip()


def test_two_people_and_a_watcher(
    site: Site, people: Callable[..., Page], sign_up: Callable[[Page, str], None], seat_two: Callable[..., str]
) -> None:
    """A rated match from the link to the end, then its replay, then the ratings."""
    host, visitor, watcher = people(), people(), people()
    frames = texts_of(watcher)
    sign_up(host, "Maren")
    sign_up(visitor, "Henrik")
    url = seat_two(host, visitor, rated=True)
    slug = url.rstrip("/").rpartition("/")[2]
    watcher.goto(url)
    quick, slow, stands = Hands(host), Hands(visitor), Hands(watcher)
    stands.wait_for_phase("ready")
    expect(host.locator("[data-part=watchers]")).to_have_text("1")
    assert stands.look()["you"] == "watcher"
    expect(watcher.locator("button.place, .hub[aria-disabled=false]")).to_have_count(0)
    stands.play_by_itself("watch")
    slow.play_by_itself("slow")
    quick.play_by_itself("quick")
    stands.wait_for_phase("playing", "stuck")
    # What lies face down is written nowhere in the page.
    for hands in (quick, slow, stands):
        assert not re.search(r'data-(card|shows)="-[A2-9TJQK]', hands.page.content())
    for hands in (quick, slow, stands):
        hands.wait_for_phase("over", seconds=A_MATCH)
    same_table(quick, slow, stands)
    expect(host.get_by_role("heading", name="You won")).to_be_visible()
    expect(visitor.get_by_role("heading", name="You lost")).to_be_visible()
    # What it did to the ratings is told there, too, as soon as it is counted.
    expect(host.locator(".panel-dim")).to_contain_text("your rating: 1520 +20")
    expect(visitor.locator(".panel-dim")).to_contain_text("your rating: 1480 −20")
    expect(watcher.locator(".panel-dim")).to_contain_text("Maren 1520 +20 · Henrik 1480 −20")
    expect(host.locator(".plate-rating")).to_have_text(["1480?", "1520?"])

    # Everybody saw what the log says, after every event.
    log = log_of(site, slug)
    assert log["match"]["rated"]
    truth = tables(log)
    for hands, least in ((stands, len(truth) // 2), (quick, 20), (slow, 20)):
        seen = hands.seen()
        assert len(seen) >= least
        assert max(seen) == len(truth) - 1
        for seq, table in seen.items():
            assert table == truth[seq], (seq, hands.look()["you"])
    # No face of a face-down card was sent while the match was live.
    live = [frame for frame in frames if '"phase":"over"' not in frame]
    assert live
    assert not [frame for frame in live if re.search(r'"-[A2-9TJQK][cdhs]', frame)]

    # The replay, from the panel at the end.
    watcher.get_by_role("link", name="Replay").last.click()
    replay = watcher.locator("#replay")
    expect(replay).to_have_attribute("data-state", "ready")
    slider = watcher.get_by_role("slider")
    for key, index in (("Home", 0), ("End", len(truth) - 1)):
        slider.press(key)
        expect(replay).to_have_attribute("data-index", str(index))
        assert drawn(watcher) == truth[index]
    box = slider.bounding_box()
    assert box is not None
    for part in (0.5, 0.25, 0.75):
        watcher.mouse.click(box["x"] + box["width"] * part, box["y"] + box["height"] / 2)
        index = int(str(replay.get_attribute("data-index")))
        assert 0 < index < len(truth) - 1
        assert drawn(watcher) == truth[index]

    # Both ratings have changed, one up and one down.
    ratings = [int(rating_on_profile(watcher, site, name).rstrip("?")) for name in ("Maren", "Henrik")]
    assert ratings[0] > 1500 > ratings[1]


def drawn(page: Page) -> dict[str, list[Any]]:
    """The table that is drawn."""
    found: dict[str, list[Any]] = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll(".board [data-place]")].map(({ dataset }) =>
             [dataset.place, [dataset.card ?? null, Number(dataset.count)]]))"""
    )
    return found


def test_server_killed_in_mid_match(
    start_site: Callable[..., Site], people: Callable[..., Page], seat_two: Callable[..., str]
) -> None:
    site = start_site()
    host, visitor = people(), people()
    seat_two(host, visitor, at=site)
    quick, slow = Hands(host), Hands(visitor)
    quick.play_by_itself("quick")
    slow.play_by_itself("slow")
    quick.wait_for_seq(25, seconds=30)
    quick.pause()
    slow.pause()
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
    for hands in (quick, slow):
        hands.page.evaluate("() => { window.autoplay.isOn = true; }")
    for hands in (quick, slow):
        hands.wait_for_phase("over", seconds=A_MATCH)
    same_table(quick, slow)
