"""The colours of every theme, computed from static/css/tokens.css: what is written can be read."""

import re
from itertools import product
from pathlib import Path
from typing import Final

import pytest

TOKENS_FILE: Final = Path(__file__).resolve().parents[2] / "static/css/tokens.css"
TOKENS: Final = TOKENS_FILE.read_text()
GROUNDS: Final = ("bg", "surface", "surface-2")
WORDS: Final = ("text", "text-dim", "accent", "danger", "seat-a", "seat-b")
ON_FILL: Final = (("accent-ink", "accent-fill"), ("danger-ink", "danger"))
SUITS: Final = ("card-ink", "card-red", "card-blue", "card-green")

Colours = dict[str, tuple[float, float, float]]


def block(selector: str) -> str:
    """The declarations of the first rule with that selector."""
    found = re.search(rf"(?m)^\s*{re.escape(selector)} \{{(.*?)^\s*\}}", TOKENS, re.DOTALL)
    assert found is not None
    return found[1]


def declared(text: str) -> dict[str, str]:
    return {name: value.strip() for name, value in re.findall(r"--([\w-]+):\s*([^;]+);", text)}


BASE: Final = declared(block(":root"))
CONTRAST: Final = declared(block(':root[data-theme="contrast"]'))


def colours(theme: str, scheme: str) -> Colours:
    """All plain colours of a theme as it is on a light or a dark device, red, green and blue from 0 to 1."""
    found: Colours = {}
    for name, value in {**BASE, **(CONTRAST if theme == "contrast" else {})}.items():
        pair = re.fullmatch(r"light-dark\((#\w+), (#\w+)\)", value)
        text = (pair[1] if scheme == "light" else pair[2]) if pair else value
        if re.fullmatch(r"#[0-9a-f]{6}", text):
            red, green, blue = (int(text[at : at + 2], 16) / 255 for at in (1, 3, 5))
            found[name] = (red, green, blue)
    return found


def luminance(colour: tuple[float, float, float]) -> float:
    """As the Web Content Accessibility Guidelines define it."""
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: tuple[float, float, float], other: tuple[float, float, float]) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


THEMES: Final = tuple(product(("plain", "contrast"), ("light", "dark")))


@pytest.mark.parametrize(("theme", "scheme"), THEMES)
class TestContrast:
    """B37."""

    def test_of_words(self, theme: str, scheme: str) -> None:
        found = colours(theme, scheme)
        least = 7 if theme == "contrast" else 4.5
        pairs = [*product(WORDS, GROUNDS), *ON_FILL]
        poor = {(one, on) for one, on in pairs if contrast(found[one], found[on]) < least}
        assert poor == set()

    def test_of_edges_and_of_what_has_the_focus(self, theme: str, scheme: str) -> None:
        found = colours(theme, scheme)
        assert {on for on in GROUNDS for each in ("edge", "focus") if contrast(found[each], found[on]) < 3} == set()

    def test_of_ranks_on_cards(self, theme: str, scheme: str) -> None:
        found = colours(theme, scheme)
        assert {suit for suit in SUITS if contrast(found[suit], found["card-face"]) < 4.5} == set()


def test_a_device_that_asks_for_contrast_gets_the_same_colours() -> None:
    asked = TOKENS[TOKENS.index("@media (prefers-contrast: more)") :]
    rule = re.search(r":root \{(.*?)\}", asked, re.DOTALL)
    assert rule is not None
    assert declared(rule[1]) == CONTRAST


@pytest.mark.parametrize("name", ["board", "table", "replay", "timeline", "stands"])
def test_type_grows_with_the_readers_own(name: str) -> None:
    """A size in px is that of something drawn: what is printed on cards, or in a ring as wide as one."""
    styles = (TOKENS_FILE.parent / f"{name}.css").read_text()
    drawn = re.compile(r"\.mini-|var\(--card\)")
    fixed = [
        line for line in styles.splitlines() if re.search(r"font-size: [^;]*\dpx", line) and not drawn.search(line)
    ]
    assert fixed == []
