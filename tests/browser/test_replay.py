"""The replay page in a real browser, against what Python folds from the same log: every road to a step (B11, B13)."""

from __future__ import annotations

import random
import re
from bisect import bisect_right
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.replay_page import READ, assert_is, look, reads_right, walk
from tests.browser.stored_replays import BY_HAND, CLASSIC, LONG, times, views

# The same fold


@pytest.mark.parametrize("slug", [CLASSIC, BY_HAND])
def test_every_view_is_the_one_that_python_folds(show: Callable[..., Page], slug: str) -> None:
    page = show(slug)
    found = page.evaluate(
        """async slug => {
          const { parseDocument } = await import("/static/js/replay/document.js");
          const { Track } = await import("/static/js/replay/track.js");
          const answer = await fetch(`/replay/${slug}.json`);
          return new Track(parseDocument(await answer.text())).views;
        }""",
        slug,
    )
    wanted = views(slug)
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        assert {"warned": None, **one} == {"warned": None, **other}


@pytest.mark.parametrize("slug", [CLASSIC, BY_HAND])
def test_what_the_page_is_sent_says_what_the_document_says(show: Callable[..., Page], slug: str) -> None:
    """But for the ids of commands, and the keyframes after the first."""
    page = show(slug)
    document, course = page.evaluate(
        """async slug => {
          const { fetchCourse, parseDocument } = await import("/static/js/replay/document.js");
          const answer = await fetch(`/replay/${slug}.json`);
          const document = parseDocument(await answer.text());
          return [document, await fetchCourse(`/replay/${slug}.packed.json`, document.match)];
        }""",
        slug,
    )
    for event in document["events"]:
        event.pop("command", None)
    del document["keyframes"][1:]
    assert course == document


# Scrubbing (B11)


@pytest.mark.parametrize(("slug", "steps"), [(CLASSIC, 1000), (BY_HAND, 150)])
def test_every_road_leads_to_the_same_step(show: Callable[..., Page], slug: str, steps: int) -> None:
    """Step by step from either end, by rounds, and with a leap; at most so many steps of a long match."""
    page = show(slug, "?t=0&e=0")
    last = len(views(slug)) - 1
    steps = min(steps, last)
    page.keyboard.press("h")
    reads_right(slug, page, 0, reveal=True)
    forward = walk(page, *["ArrowRight"] * steps)
    rounds = walk(page, *["PageDown"] * 12, *["PageUp"] * 12, "End")
    for name in ("step", "end"):
        expect(page.locator(f"[data-part={name}]")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("ArrowRight")
    reads_right(slug, page, last, reveal=True)
    back = walk(page, *["ArrowLeft"] * steps)
    page.keyboard.press("Home")
    for name in ("home", "step-back"):
        expect(page.locator(f"[data-part={name}]")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("ArrowLeft")
    reads_right(slug, page, 0, reveal=True)
    assert [seen["index"] for seen in forward] == list(range(1, steps + 1))
    assert [seen["index"] for seen in back] == list(range(last - 1, last - steps - 1, -1))
    for seen in (*forward, *rounds, *back):
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
    for _ in range(180):
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
    keys = ["ArrowLeft", "ArrowRight", "Home", "End", ",", ".", "PageDown", "PageUp"]
    for seen in walk(page, *random.Random(4).choices(keys, k=120)):
        assert_is(CLASSIC, seen)
    page.keyboard.press("Home")
    for key in ("Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowLeft"):
        page.keyboard.press(key)
        reads_right(CLASSIC, page)
        assert re.search(r"late|slaps", look(page)["words"])


@pytest.mark.parametrize(("key", "part"), [(" ", 7 / 8), ("b", 1 / 8)], ids=["forwards", "backwards"])
def test_while_it_plays_every_frame_is_right(show: Callable[..., Page], key: str, part: float) -> None:
    """To the end by itself; then from the far end again, and in the middle of it all home."""
    last = len(views(CLASSIC)) - 1
    page = show(CLASSIC, f"?t={int(times(CLASSIC)[-1] * part)}")
    page.keyboard.press("6")
    ended, frames, plays = page.evaluate(
        f"""async (key) => {{
          const read = {READ};
          const frames = [];
          const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", {{ key }}));
          const isOn = () => document.querySelector("[data-part=play]").dataset.on === "true"
            || document.querySelector("[data-part=back]").ariaPressed === "true";
          const watch = async (most) => {{
            for (let frame = 0; isOn() && frame < most; frame += 1) {{
              await new Promise(requestAnimationFrame);
              frames.push(read());
            }}
          }};
          press(key);
          await watch(Infinity);
          const ended = read().index;
          press(key);
          await watch(30);
          press("Home");
          await watch(60);
          return [ended, frames, isOn()];
        }}""",
        key,
    )
    assert ended == (last if key == " " else 0)
    assert len({frame["index"] for frame in frames}) > 5
    for frame in frames:
        view = views(CLASSIC)[frame["index"]]
        assert frame["seq"] == frame["index"]
        assert {name: count for name, (count, _) in frame["places"].items()} == {
            name: len(pile) for name, pile in view["places"].items()
        }
    # Forwards it goes on playing from there; backwards there is nothing before the start.
    assert plays == (key == " ")
    assert (frames[-1]["index"] > 0) == plays
    page.keyboard.press("End")
    reads_right(CLASSIC, page, last)


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


def test_a_part_is_played_again_and_again(show: Callable[..., Page]) -> None:
    """Between its ends at any speed and in both directions, and every frame is right."""
    page = show(CLASSIC, "?t=24000")
    page.keyboard.press("[")
    page.evaluate("location.hash = 't=25000'")
    page.wait_for_function("() => document.querySelector('[role=slider]').ariaValueNow === '25000'")
    page.keyboard.press("]")
    expect(page.get_by_role("button", name="Loop")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("6")
    for key in ("k", "b"):
        frames = page.evaluate(
            f"""async (key) => {{
              const read = {READ};
              const time = () => document.querySelector("[data-part=time]").textContent
                + document.querySelector("[data-part=fraction]").textContent;
              document.dispatchEvent(new KeyboardEvent("keydown", {{ key }}));
              const frames = [];
              let rounds = 0;
              for (let before = 0; rounds < 4 && frames.length < 900; ) {{
                await new Promise(requestAnimationFrame);
                const index = read().index;
                if (key === "k" ? index < before : index > before) rounds += 1;
                before = index;
                frames.push([index, read().seq, time(), rounds]);
              }}
              return frames;
            }}""",
            key,
        )
        assert frames[-1][3] == 4
        for index, seq, time, _ in frames[2:]:
            assert index == seq
            assert "0:23.9" < time <= "0:25.000"
            assert times(CLASSIC)[index] <= 25_000
    page.keyboard.press("r")
    expect(page.get_by_role("button", name="Loop")).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".timeline-part")).to_be_hidden()
    # With Shift a new one is drawn.
    box = page.locator(".timeline-lanes").bounding_box()
    assert box is not None
    page.keyboard.down("Shift")
    page.mouse.move(box["x"] + 200, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 300, box["y"] + 20)
    page.mouse.up()
    page.keyboard.up("Shift")
    expect(page.locator(".timeline-part")).to_be_visible()


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


# A long one (B13)


def test_a_long_replay(show: Callable[..., Page]) -> None:
    """What it costs in time is measured by `python -m tests.scale.long_replay`."""
    page = show(LONG)
    sent = page.evaluate(
        """() => performance.getEntriesByType("resource").find((entry) => entry.name.includes(".packed.json"))
          .encodedBodySize"""
    )
    assert 0 < sent < 100_000
    last = len(views(LONG)) - 1
    for key, index in (("End", last), ("Home", 0)):
        page.keyboard.press(key)
        reads_right(LONG, page, index)
    chance = random.Random(5)
    for _ in range(12):
        ms = chance.randrange(times(LONG)[-1])
        page.evaluate("ms => { location.hash = `t=${ms}`; }", ms)
        page.wait_for_function("ms => document.querySelector('[role=slider]').ariaValueNow === String(ms)", arg=ms)
        reads_right(LONG, page, bisect_right(times(LONG), ms) - 1)
