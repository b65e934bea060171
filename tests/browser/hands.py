"""A pair of hands at the table page: reads what is drawn, plays with keys, mouse or fingers as a person would."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from playwright.sync_api import Page, expect

RANKS: Final = "A23456789TJQK"
ROW_KEYS: Final = "asdfg"
AUTOPLAY: Final = (Path(__file__).parent / "autoplay.js").read_text()

READ: Final = """() => {
  const board = document.getElementById("board");
  const places = {};
  for (const element of board.querySelectorAll("[data-place]")) {
    const stack = element.querySelector(".place-stack").getBoundingClientRect();
    places[element.dataset.place] = {
      card: element.dataset.card ?? null,
      count: Number(element.dataset.count),
      side: element.dataset.side ?? null,
      glows: element.classList.contains("is-glowing"),
      x: stack.x + stack.width / 2,
      y: stack.y + stack.height / 2,
    };
  }
  const table = document.getElementById("table");
  const { phase, seq, round } = board.dataset;
  return { places, phase, seq: Number(seq), round: Number(round), line: table.dataset.line, you: table.dataset.you,
           act: document.querySelector(".hub")?.ariaDisabled === "false" };
}"""


@dataclass(frozen=True)
class Play:
    """A card of the own row that goes on a pile, or into an empty place of the row."""

    card: str
    source: str
    target: str


class Hands:
    """One person at the table."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def look(self) -> dict[str, Any]:
        """What is drawn."""
        seen: dict[str, Any] = self.page.evaluate(READ)
        return seen

    @property
    def phase(self) -> str:
        return str(self.look()["phase"])

    def is_over(self) -> bool:
        return self.phase == "over"

    def wait_for_phase(self, *phases: str, seconds: float = 15) -> None:
        expect(self.page.locator("#board")).to_have_attribute(
            "data-phase", re.compile(f"^({'|'.join(phases)})$"), timeout=seconds * 1000
        )

    def wait_for_seq(self, seq: int, seconds: float = 10) -> None:
        """Until at least that event is drawn."""
        self.page.wait_for_function(
            "seq => Number(document.getElementById('board').dataset.seq) >= seq", arg=seq, timeout=seconds * 1000
        )

    # By itself

    def play_by_itself(self, pace: Literal["quick", "slow", "watch"]) -> None:
        """From now on the page plays its seat, by keys, as fast as the quickest; and keeps all that it is shown."""
        self.page.evaluate(AUTOPLAY, pace)

    def pause(self) -> None:
        """Hold still."""
        self.page.evaluate("() => { window.autoplay.isOn = false; }")

    def seen(self) -> dict[int, dict[str, list[Any]]]:
        """The top and the number of each place, by the number of events that had happened."""
        seen: dict[str, dict[str, list[Any]]] = self.page.evaluate("() => window.autoplay.seen")
        return {int(seq): places for seq, places in seen.items()}

    # What could be done

    @staticmethod
    def plays(seen: dict[str, Any]) -> list[Play]:
        """Every legal play, and every move into an empty place that turns up a card."""
        if seen["phase"] not in ("playing", "stuck"):
            return []
        you = seen["you"]
        own = {name: place for name, place in seen["places"].items() if name.startswith(f"{you}.stockpile")}
        piles = {name: place for name, place in seen["places"].items() if name.startswith("centre.")}
        found = []
        for source, place in own.items():
            card = place["card"]
            if card is None or card == "-":
                continue
            found += [Play(card, source, target) for target, pile in piles.items() if fits(card, pile["card"])]
        spaces = [name for name, place in own.items() if place["card"] is None]
        if not found and spaces:
            found = [
                Play(place["card"], source, spaces[0])
                for source, place in own.items()
                if place["count"] > 1 and place["card"] not in (None, "-")
            ]
        return found

    # Doing it

    def key_of(self, seen: dict[str, Any], name: str) -> str:
        if name.startswith("centre."):
            return "j" if seen["places"][name]["side"] == "left" else "k"
        return ROW_KEYS[int(name.rpartition(".")[2]) - 1]

    def key_play(self, seen: dict[str, Any], play: Play) -> None:
        self.page.keyboard.press(self.key_of(seen, play.source))
        self.page.keyboard.press(self.key_of(seen, play.target))

    def click_play(self, seen: dict[str, Any], play: Play) -> None:
        for name in (play.source, play.target):
            self.page.mouse.click(seen["places"][name]["x"], seen["places"][name]["y"])

    def drag_play(self, seen: dict[str, Any], play: Play) -> None:
        start, end = (seen["places"][name] for name in (play.source, play.target))
        self.page.mouse.move(start["x"], start["y"])
        self.page.mouse.down()
        self.page.mouse.move((start["x"] + end["x"]) / 2, (start["y"] + end["y"]) / 2, steps=3)
        self.page.mouse.move(end["x"], end["y"], steps=3)
        self.page.mouse.up()

    def tap_play(self, seen: dict[str, Any], play: Play) -> None:
        for name in (play.source, play.target):
            self.page.touchscreen.tap(seen["places"][name]["x"], seen["places"][name]["y"])

    def act(self, how: str = "key", plays: bool = True) -> bool:
        """Do one thing that there is to do now, without `plays` only what is asked for; whether there was any."""
        seen = self.look()
        match seen["phase"]:
            case "ready" if seen["act"]:
                self.page.keyboard.press("Space")
                return True
            case "slap":
                glowing = [name for name, place in seen["places"].items() if place["glows"]]
                if not glowing:
                    return False
                smaller = min(glowing, key=lambda name: seen["places"][name]["count"])
                self.page.keyboard.press(self.key_of(seen, smaller))
                return True
            case "playing" | "stuck" if plays:
                found = self.plays(seen)
                if found:
                    getattr(self, f"{how}_play")(seen, found[0])
                    return True
                if seen["phase"] == "stuck" and seen["act"]:
                    self.page.keyboard.press("Space")
                    return True
        return False


def fits(card: str, top: str | None) -> bool:
    """Whether a card may go on that top (G2)."""
    return top not in (None, "-") and (RANKS.index(card[0]) - RANKS.index(top[0])) % 13 in (1, 12)
