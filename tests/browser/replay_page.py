"""The replay page as it is drawn, held against what Python folds from the same log."""

from __future__ import annotations

from typing import Any, Final

from playwright.sync_api import Page

from tests.browser.stored_replays import times, views

READ: Final = """() => {
  const root = document.getElementById("replay");
  const board = root.querySelector(".board");
  const places = {};
  for (const element of board.querySelectorAll("[data-place]")) {
    const cards = [...element.querySelectorAll(".place-stack > .card:not([data-depth=none])")];
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
