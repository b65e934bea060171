"""The replay page in a real browser, against what Python folds from the same log (B11 to B13, B29, B36)."""

from __future__ import annotations

import random
import re
import shutil
from bisect import bisect_right
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.stored_replays import BY_HAND, CLASSIC, DELETED, LONG, fill_in_server, times, views
from tests.site_process import Site, start

READ: Final = """() => {
  const root = document.getElementById("replay");
  const board = root.querySelector(".board");
  const places = {};
  for (const element of board.querySelectorAll("[data-place]")) {
    const cards = [...element.querySelectorAll(".place-stack > .card")];
    cards.sort((a, b) => b.dataset.depth - a.dataset.depth);
    places[element.dataset.place] = [Number(element.dataset.count), cards.map((card) => card.dataset.shows)];
  }
  const slider = root.querySelector("[role=slider]");
  return {
    index: Number(root.dataset.index), places, seq: Number(board.dataset.seq), phase: board.dataset.phase,
    round: Number(board.dataset.round), ms: Number(slider.ariaValueNow), words: slider.ariaValueText,
    time: root.querySelector("[data-part=time]").textContent + root.querySelector("[data-part=fraction]").textContent,
    current: root.querySelector(".moment[aria-selected=true]")?.dataset.index ?? null,
  };
}"""
WALK: Final = f"""keys => keys.map((key) => {{
  document.dispatchEvent(new KeyboardEvent("keydown", {{ key }}));
  return ({READ})();
}})"""
DRAWN: Final = 4
"""As many cards of a pile are drawn, from the top."""


@pytest.fixture(scope="module")
def replay_site(fresh_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One server with finished matches for all tests of this module, which only read."""
    var = tmp_path_factory.mktemp("replays")
    shutil.copytree(fresh_site, var, dirs_exist_ok=True)
    fill_in_server(var)
    site = start(var)
    yield site
    site.kill()


@pytest.fixture
def show(replay_site: Site, people: Callable[..., Page]) -> Callable[..., Page]:
    """Opens a replay: `show(slug, "?t=5000", viewport=…)`."""

    def opened(slug: str, tail: str = "", **options: Any) -> Page:
        page = people(**options)
        page.goto(f"{replay_site.url}/replay/{slug}/{tail}")
        expect(page.locator("#replay")).to_have_attribute("data-state", "ready")
        return page

    return opened


def look(page: Page) -> dict[str, Any]:
    seen: dict[str, Any] = page.evaluate(READ)
    return seen


def walk(page: Page, *keys: str) -> list[dict[str, Any]]:
    """Press these keys within the page, as fast as it goes; what is seen after each."""
    seen: list[dict[str, Any]] = page.evaluate(WALK, list(keys))
    return seen


def clock(ms: int) -> str:
    return f"{ms // 60_000}:{ms // 1000 % 60:02}.{ms % 1000:03}"


def assert_is(slug: str, seen: dict[str, Any], reveal: bool = False) -> None:
    """What is drawn is the table that Python folds for that step, and all parts of the page say the same."""
    index = seen["index"]
    view = views(slug)[index]
    wanted = {
        name: [len(pile), [card if reveal or card[0] != "-" else "-" for card in pile[-DRAWN:]]]
        for name, pile in view["places"].items()
    }
    assert seen["places"] == wanted, index
    assert (seen["seq"], seen["phase"], seen["round"]) == (
        index,
        view["status"]["phase"],
        view["status"]["round"],
    )
    assert seen["time"] == clock(seen["ms"])
    assert times(slug)[index] <= seen["ms"]
    assert index == len(times(slug)) - 1 or seen["ms"] <= times(slug)[index + 1]
    assert seen["current"] == (str(index) if index else None)


def reads_right(slug: str, page: Page, index: int | None = None, **how: bool) -> None:
    seen = look(page)
    assert_is(slug, seen, **how)
    if index is not None:
        assert seen["index"] == index


# The same fold


@pytest.mark.parametrize("slug", [CLASSIC, BY_HAND])
def test_every_view_is_the_one_that_python_folds(show: Callable[..., Page], slug: str) -> None:
    page = show(slug)
    found = page.evaluate(
        """async slug => {
          const { fetchDocument } = await import("/static/js/replay/document.js");
          const { Track } = await import("/static/js/replay/track.js");
          return new Track(await fetchDocument(`/replay/${slug}.json`)).views;
        }""",
        slug,
    )
    wanted = views(slug)
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        assert {"warned": None, **one} == {"warned": None, **other}


# Scrubbing (B11)


@pytest.mark.parametrize("slug", [CLASSIC, BY_HAND])
def test_every_road_leads_to_the_same_step(show: Callable[..., Page], slug: str) -> None:
    page = show(slug, "?t=0&e=0")
    last = len(views(slug)) - 1
    page.keyboard.press("h")
    reads_right(slug, page, 0, reveal=True)
    forward = walk(page, *["ArrowRight"] * last)
    for name in ("step", "end"):
        expect(page.locator(f"[data-part={name}]")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("ArrowRight")
    reads_right(slug, page, last, reveal=True)
    back = walk(page, *["ArrowLeft"] * last)
    for name in ("home", "step-back"):
        expect(page.locator(f"[data-part={name}]")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("ArrowLeft")
    reads_right(slug, page, 0, reveal=True)
    assert [seen["index"] for seen in forward] == list(range(1, last + 1))
    assert [seen["index"] for seen in back] == list(range(last - 1, -1, -1))
    for seen in (*forward, *back):
        assert_is(slug, seen, reveal=True)
    page.keyboard.press("End")
    reads_right(slug, page, last, reveal=True)
    page.keyboard.press("Home")
    reads_right(slug, page, 0, reveal=True)
    page.get_by_role("button", name="To the end").click()
    reads_right(slug, page, last, reveal=True)
    page.get_by_role("button", name="One event back").click()
    reads_right(slug, page, last - 1, reveal=True)


def test_drags_on_the_timeline_show_the_state_of_their_time(show: Callable[..., Page]) -> None:
    page = show(CLASSIC)
    box = page.locator(".timeline-lanes").bounding_box()
    assert box is not None
    chance = random.Random(11)
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 5, y)
    page.mouse.down()
    for _ in range(30):
        page.mouse.move(box["x"] + chance.uniform(-40, box["width"] + 40), y)
        if chance.random() < 0.5:
            page.mouse.move(box["x"] + chance.uniform(0, box["width"]), y)
        seen = page.evaluate(f"() => new Promise(requestAnimationFrame).then({READ})")
        assert_is(CLASSIC, seen)
        assert seen["index"] == bisect_right(times(CLASSIC), seen["ms"]) - 1
    page.mouse.up()
    for _ in range(20):
        page.mouse.click(box["x"] + chance.uniform(0, box["width"]), y)
        reads_right(CLASSIC, page)
    # Beyond the edges lie the first and the last moment.
    for x, ms in ((-300, 0), (box["width"] + 300, times(CLASSIC)[-1])):
        page.mouse.move(box["x"] + 50, y)
        page.mouse.down()
        page.mouse.move(box["x"] + x, y)
        page.mouse.up()
        assert look(page)["ms"] == ms


def test_a_held_key_and_keys_pressed_in_a_rush(show: Callable[..., Page]) -> None:
    page = show(CLASSIC, "?t=0&e=0")
    for _ in range(40):
        page.keyboard.down("ArrowRight")
    page.keyboard.up("ArrowRight")
    reads_right(CLASSIC, page, 40)
    for key in random.Random(4).choices(
        ["ArrowLeft", "ArrowRight", "Home", "End", ",", ".", "PageDown", "PageUp"], k=120
    ):
        page.keyboard.press(key)
        reads_right(CLASSIC, page)
    page.keyboard.press("Home")
    for key in ("Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowLeft"):
        page.keyboard.press(key)
        reads_right(CLASSIC, page)
        assert re.search(r"late|slaps", look(page)["words"])


@pytest.mark.parametrize("key", ["Space", "b"])
def test_while_it_plays_every_frame_is_right(show: Callable[..., Page], key: str) -> None:
    page = show(CLASSIC, f"?t={times(CLASSIC)[-1] // 2}")
    page.keyboard.press("6")
    page.keyboard.press(key)
    frames = page.evaluate(
        f"""async () => {{
          const read = {READ};
          const frames = [];
          const isOn = () => document.querySelector("[data-part=play]").dataset.on === "true"
            || document.querySelector("[data-part=back]").ariaPressed === "true";
          for (let frame = 0; isOn(); frame += 1) {{
            await new Promise(requestAnimationFrame);
            frames.push(read());
            // In the middle of it all: home, and on it plays.
            if (frame === 30) document.dispatchEvent(new KeyboardEvent("keydown", {{ key: "Home" }}));
          }}
          return frames;
        }}"""
    )
    assert len({frame["index"] for frame in frames}) > 5
    for frame in frames:
        view = views(CLASSIC)[frame["index"]]
        assert frame["seq"] == frame["index"]
        assert {name: count for name, (count, _) in frame["places"].items()} == {
            name: len(pile) for name, pile in view["places"].items()
        }
    last = len(views(CLASSIC)) - 1
    # Forwards it ends at the end; backwards there is nothing before the start.
    reads_right(CLASSIC, page, last if key == "Space" else 0)


def test_a_drag_while_it_plays_goes_on_playing_from_there(show: Callable[..., Page]) -> None:
    page = show(CLASSIC)
    page.keyboard.press("Space")
    box = page.locator(".timeline-lanes").bounding_box()
    assert box is not None
    y = box["y"] + 8
    page.mouse.move(box["x"] + 30, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, y)
    page.mouse.up()
    middle = look(page)["ms"]
    assert abs(middle - times(CLASSIC)[-1] / 2) < times(CLASSIC)[-1] / 50
    page.wait_for_function(
        "ms => Number(document.querySelector('[role=slider]').ariaValueNow) > ms", arg=middle, timeout=8000
    )
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("Space")
    reads_right(CLASSIC, page)


def test_the_moments_lead_to_their_step(show: Callable[..., Page]) -> None:
    page = show(CLASSIC, "?t=0&e=0")
    row = page.get_by_role("option").nth(3)
    index = int(row.get_attribute("data-index") or 0)
    row.click()
    reads_right(CLASSIC, page, index)
    page.get_by_role("listbox").focus()
    page.keyboard.press("ArrowDown")
    reads_right(CLASSIC, page, index + 1)
    page.keyboard.press("ArrowUp")
    reads_right(CLASSIC, page, index)
    # The chosen one is always in view.
    page.keyboard.press("End")
    for _ in range(12):
        page.keyboard.press("ArrowLeft")
        page.wait_for_function(
            """() => {
              const list = document.querySelector("[role=listbox]").getBoundingClientRect();
              const row = document.querySelector(".moment[aria-selected=true]").getBoundingClientRect();
              return row.top >= list.top - 1 && row.bottom <= list.bottom + 1;
            }"""
        )


# Links to a moment (B12)


def settled_address(page: Page, index: int) -> str:
    """The address once it has caught up with the page."""
    at = times(CLASSIC)[index]
    wanted = {"t": [str(at)]}
    if bisect_right(times(CLASSIC), at) - 1 != index:
        # Of several events in one millisecond.
        wanted["e"] = [str(index)]
    page.wait_for_url(lambda url: parse_qs(urlsplit(url).query) == wanted)
    return page.url


@pytest.mark.parametrize("place", ["first", "second", "middle", "last but one", "last"])
def test_a_link_opens_exactly_its_moment(show: Callable[..., Page], place: str) -> None:
    last = len(views(CLASSIC)) - 1
    index = {"first": 1, "second": 2, "middle": last // 2, "last but one": last - 1, "last": last}[place]
    page = show(CLASSIC, "?t=0&e=0")
    if index > last // 2:
        page.keyboard.press("End")
    now = look(page)["index"]
    walk(page, *["ArrowRight" if now < index else "ArrowLeft"] * abs(index - now))
    link = settled_address(page, index)
    tail = f"?{urlsplit(link).query}"
    for how in ({}, {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}):
        reads_right(CLASSIC, show(CLASSIC, tail, **how), index)
    reads_right(CLASSIC, show(CLASSIC, tail.replace("?", "#")), index)
    page.reload()
    expect(page.locator("#replay")).to_have_attribute("data-state", "ready")
    reads_right(CLASSIC, page, index)


@pytest.mark.parametrize("tail", ["?t=-1", "?t=abc", "?t=", "#t=-999", "?t=%3Cb%3E", "?t=0&e=-4", "?t=0&e=zzz", ""])
def test_what_is_no_moment_opens_at_the_start(show: Callable[..., Page], tail: str) -> None:
    reads_right(CLASSIC, show(CLASSIC, tail), bisect_right(times(CLASSIC), 0) - 1)


@pytest.mark.parametrize("tail", ["?t=999999999", "#t=999999999", "?t=1e400", "?t=99999999999999999999"])
def test_a_moment_after_the_end_is_the_end(show: Callable[..., Page], tail: str) -> None:
    reads_right(CLASSIC, show(CLASSIC, tail), len(views(CLASSIC)) - 1)


def test_the_link_of_a_moment_is_copied(replay_site: Site, show: Callable[..., Page]) -> None:
    page = show(CLASSIC, "?t=20000", permissions=["clipboard-read", "clipboard-write"])
    page.keyboard.press("ArrowRight")
    index = look(page)["index"]
    page.keyboard.press("l")
    expect(page.locator("[data-part=share]")).to_have_text("Copied")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{replay_site.url}/replay/{CLASSIC}/?t=")
    assert page.url == link
    reads_right(CLASSIC, show(CLASSIC, f"?{urlsplit(link).query}"), index)


def test_without_a_clipboard_the_link_is_there_to_be_copied(show: Callable[..., Page]) -> None:
    page = show(CLASSIC, "?t=20000")
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }")
    page.locator("[data-part=share]").click()
    expect(page.get_by_role("dialog").get_by_role("textbox")).to_have_value(page.url)


def test_an_address_changed_by_hand_is_followed(show: Callable[..., Page]) -> None:
    page = show(CLASSIC)
    page.evaluate("location.hash = 't=20000'")
    page.wait_for_function("() => document.querySelector('[role=slider]').ariaValueNow === '20000'")
    reads_right(CLASSIC, page)


# The rest of the page


def test_keys_and_buttons_say_how_things_stand(show: Callable[..., Page]) -> None:
    page = show(CLASSIC, "?t=20000")
    for key, name in zip("123456", ["¼×", "½×", "1×", "2×", "4×", "8×"], strict=True):
        page.keyboard.press(key)
        expect(page.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "true")
        assert page.locator("[data-speed][aria-pressed=true]").count() == 1
    page.keyboard.press("w")
    expect(page.get_by_role("button", name="Skip waits")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("h")
    expect(page.get_by_role("button", name="Open cards")).to_have_attribute("aria-pressed", "true")
    reads_right(CLASSIC, page, reveal=True)
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog")
    expect(sheet).to_be_visible()
    page.keyboard.press("ArrowRight")
    assert look(page)["ms"] == 20000, "behind the sheet nothing moves"
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    # A focused button has the space bar to itself.
    page.get_by_role("button", name="Skip waits").focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Skip waits")).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_the_table_turns_and_names_and_colours_with_it(show: Callable[..., Page]) -> None:
    page = show(CLASSIC, "?t=20000")
    below = page.locator(".board-seat-below .plate-name")
    expect(below).to_have_text("Marta")
    colour = below.evaluate("element => getComputedStyle(element).color")
    page.keyboard.press("f")
    expect(below).to_have_text("Ondřej")
    reads_right(CLASSIC, page)
    for name in (
        ".moment-name[data-seat='1']",
        "h1 .seat-name[data-seat='1']",
        ".figures-table .seat-name[data-seat='1']",
    ):
        assert page.locator(name).first.evaluate("element => getComputedStyle(element).color") == colour, name


def test_a_deleted_player_is_called_so(show: Callable[..., Page]) -> None:
    page = show(DELETED, "?t=20000")
    expect(page.get_by_role("heading", level=1)).to_contain_text("deleted player")
    expect(page.locator(".board-seat-below .plate-name")).to_have_text("deleted player")
    expect(page.locator(".moment-name[data-seat='0']").first).to_have_text("deleted player")
    reads_right(DELETED, page)


def test_a_lost_race_is_told_beside_its_pile(show: Callable[..., Page]) -> None:
    page = show(CLASSIC, "?t=0&e=0")
    page.keyboard.press("Shift+ArrowRight")
    while "late" not in look(page)["words"]:
        page.keyboard.press("Shift+ArrowRight")
    index = look(page)["index"]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    assert look(page)["index"] == index
    expect(page.locator(".board-note")).to_have_text(re.compile(r"^(Marta|Ondřej) was \d+ ms late$"))
    expect(page.locator(".moment[aria-selected=true]")).to_contain_text(re.compile(r"\d+ ms late$"))
    expect(page.locator("[data-part=spoken]")).to_contain_text("milliseconds late")


def test_a_document_that_does_not_come_is_said(replay_site: Site, people: Callable[..., Page]) -> None:
    page = people()
    page.route("**/*.json", lambda route: route.abort())
    page.goto(f"{replay_site.url}/replay/{CLASSIC}/")
    expect(page.get_by_role("status")).to_contain_text("could not be loaded")


@pytest.mark.parametrize("width", [360, 800, 1440])
@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_all_of_it_fits_every_width(show: Callable[..., Page], width: int, motion: str) -> None:
    page = show(CLASSIC, "?t=20000", viewport={"width": width, "height": 800}, reduced_motion=motion)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for part in (".board", ".timeline-lanes", "[data-part=play]"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= 800, f"{part} is in the first view"
    page.keyboard.press("ArrowRight")
    reads_right(CLASSIC, page)


def test_the_timeline_comes_closer_and_follows(show: Callable[..., Page]) -> None:
    page = show(CLASSIC, "?t=30000")
    for _ in range(5):
        page.keyboard.press("+")
    expect(page.locator(".timeline")).to_have_attribute("data-zoomed", "true")
    for key in ("End", "Home", "PageDown", "PageDown"):
        page.keyboard.press(key)
        expect(page.locator(".timeline-playhead")).to_be_visible()
        box = page.locator(".timeline-lanes").bounding_box()
        head = page.locator(".timeline-playhead").bounding_box()
        assert box is not None
        assert head is not None
        assert box["x"] <= head["x"] <= box["x"] + box["width"]
    for _ in range(8):
        page.keyboard.press("-")
    expect(page.locator(".timeline")).to_have_attribute("data-zoomed", "false")


# A long one (B13)


WATCH: Final = """() => {
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


def test_a_long_replay(show: Callable[..., Page], capsys: pytest.CaptureFixture[str]) -> None:
    page = show(LONG)
    slowed = page.context.new_cdp_session(page)
    slowed.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.add_init_script(f"({WATCH})()")
    page.reload()
    page.wait_for_function("() => globalThis.shownAt")
    shown = page.evaluate("globalThis.shownAt")
    sent, whole = page.evaluate(
        """() => {
          const found = performance.getEntriesByType("resource").find((entry) => entry.name.endsWith(".json"));
          return [found.encodedBodySize, found.decodedBodySize];
        }"""
    )
    seeks = page.evaluate(SEEK)
    slowed.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    last = len(views(LONG)) - 1
    for key, index in (("End", last), ("Home", 0)):
        page.keyboard.press(key)
        reads_right(LONG, page, index)
    chance = random.Random(5)
    for _ in range(30):
        ms = chance.randrange(times(LONG)[-1])
        page.evaluate("ms => { location.hash = `t=${ms}`; }", ms)
        page.wait_for_function("ms => document.querySelector('[role=slider]').ariaValueNow === String(ms)", arg=ms)
        reads_right(LONG, page, bisect_right(times(LONG), ms) - 1)
    with capsys.disabled():
        print(
            f"\n{last} events: {sent / 1000:.0f} kB sent ({whole / 1000:.0f} kB of JSON); on a processor slowed 4 times"
            f" first shown after {shown:.0f} ms, a seek takes {median(seeks):.1f} ms, at most {max(seeks):.1f} ms"
        )
