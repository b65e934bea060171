"""A table drawn as a picture, for previews in messengers and for clips: a view in, pixels out. Pure.

The same places in the same order as on the pages (`replays.arrangement`). All measures are those of a picture of
1200 by 630; it is drawn at twice the size asked for and made smaller, for Pillow draws shapes without smooth edges.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from msgspec import Struct
from PIL import Image, ImageDraw, ImageFont

from games.rules.cards import BACK, Card, Pile, face_up, is_face_down, is_red
from games.rules.places import Place, Role
from games.rules.view import View
from replays.arrangement import arrange
from replays.suits import polygons

WIDTH: Final = 1200
HEIGHT: Final = 630
SMOOTH: Final = 2
FONTS: Final = tuple(
    Path(__file__).parent / "fonts" / f"inter-{part}.woff" for part in ("latin", "latin-ext", "cyrillic", "greek")
)

GROUND: Final = "#0f151c"
FELT: Final = "#18212b"
LINE: Final = "#2c3a48"
TEXT: Final = "#eef2f6"
DIM: Final = "#9fb0c0"
ABOVE: Final = "#5cb5ff"
BELOW: Final = "#ffb454"
GO: Final = "#4fd27f"
FACE: Final = "#fdfcf9"
EDGE: Final = "#d8d4ca"
INK: Final = "#171b21"
RED: Final = "#c42332"
BACKS: Final = ("#2f5d92", "#4a7ab3", "#f4f2ec")
COLOURS: Final = (GROUND, FELT, LINE, TEXT, DIM, ABOVE, BELOW, GO, FACE, EDGE, INK, RED, *BACKS)
"""All there are, for a palette; what lies between two of them is the smoothing of an edge."""
LONGEST_NAME: Final = 24


class Sitter(Struct, frozen=True):
    """Who sits at a seat, as it is written on the picture."""

    name: str
    left: int
    """Cards yet to get rid of."""
    note: str = ""


def draw(view: View, sitters: Sequence[Sitter], bottom: int, clock: str, width: int = WIDTH) -> Image.Image:
    """A picture of the table with everything in it that lies open there; what lies face down stays so.

    :param sitters: seat 0, seat 1.
    :param bottom: the seat drawn below.
    :param clock: what is written in the middle.
    :param width: px; the height follows.
    """
    painter = _Painter(width * SMOOTH / WIDTH)
    painter.table()
    layout = arrange(view.places, bottom)
    top = 1 - bottom
    painter.plate(sitters[top], 34, ABOVE)
    painter.row([view.places[name] for name in layout.rows[top]], y=66, w=84, gap=16)
    painter.row([view.places[name] for name in layout.rows[bottom]], y=414, w=108, gap=18)
    painter.plate(sitters[bottom], 598, BELOW)
    for side, names in ((-1, layout.left), (1, layout.right)):
        x = 600 + side * 164
        # From the clock outwards.
        for name in names[::-1] if side < 0 else names:
            w = 84 if Place.parse(name).role is Role.SIDE else 124
            painter.pile(view.places[name], x, 307, w)
            x += side * 126
    for side, seat, y in ((-1, top, 276), (1, bottom, 338)):
        for name in layout.supplies[seat]:
            painter.pile(view.places[name], 600 + side * 424, y, 84)
    painter.clock(clock, view.status.phase.value)
    return painter.image.resize((width, round(width * HEIGHT / WIDTH)), Image.Resampling.LANCZOS)


class _Painter:
    """Draws in the measures of the large picture; `scale` are the pixels of each."""

    def __init__(self, scale: float) -> None:
        self.scale = scale
        self.image = Image.new("RGB", (round(WIDTH * scale), round(HEIGHT * scale)), GROUND)
        self.pen = ImageDraw.Draw(self.image)

    def table(self) -> None:
        self._box(14, 14, WIDTH - 14, HEIGHT - 14, 28, FELT, LINE)

    def row(self, piles: Sequence[Pile], *, y: float, w: float, gap: float) -> None:
        """Piles beside each other, their tops at `y`, around the middle."""
        x = WIDTH / 2 - (len(piles) - 1) * (w + gap) / 2
        for pile in piles:
            self.pile(pile, x, y + w * 0.7, w)
            x += w + gap

    def pile(self, pile: Pile, x: float, y: float, w: float) -> None:
        """A pile around that point, with the edges of up to three cards under its top, and how many there are."""
        h = w * 1.4
        if not pile:
            self._box(x - w / 2, y - h / 2, x + w / 2, y + h / 2, w * 0.1, None, LINE)
            return
        deep = min(len(pile), 4)
        for at in range(deep):
            off = -(deep - 1 - at) * max(2.4, w * 0.03)
            self.card(pile[at - deep], x + off, y + off, w, is_top=at == deep - 1)
        if len(pile) > 1:
            self._count(str(len(pile)), x + w / 2 - 2, y - h / 2 + 4)

    def card(self, card: Card, x: float, y: float, w: float, *, is_top: bool) -> None:
        h = w * 1.4
        corners = x - w / 2, y - h / 2, x + w / 2, y + h / 2
        if is_face_down(card):
            plain, light, rim = BACKS
            self._box(*corners, w * 0.1, rim, EDGE)
            inset = w * 0.055
            left, above, right, below = (corners[0] + inset, corners[1] + inset, corners[2] - inset, corners[3] - inset)
            self._box(left, above, right, below, w * 0.07, plain, None)
            if is_top:
                self._box(x - w * 0.2, y - w * 0.2, x + w * 0.2, y + w * 0.2, w * 0.2, light, None)
            return
        self._box(*corners, w * 0.1, FACE, EDGE)
        if not is_top or face_up(card) == BACK:
            return
        ink = RED if is_red(card) else INK
        rank = "10" if card[0] == "T" else card[0]
        self.text(rank, x, y - h * 0.1, w * 0.66, ink)
        size = w * 0.27 / 24 * self.scale
        left, above = (x - w * 0.135) * self.scale, (y + h * 0.23) * self.scale
        for polygon in polygons(card[1]):
            self.pen.polygon([(left + px * size, above + py * size) for px, py in polygon], fill=ink)

    def clock(self, text: str, phase: str) -> None:
        self.text(text, 600, 307, 50 if len(text) < 6 else 36, GO if phase in ("countdown", "slap") else TEXT)

    def plate(self, sitter: Sitter, y: float, ink: str) -> None:
        """Who sits there and how many cards are left, in one line around the middle."""
        name = sitter.name if len(sitter.name) <= LONGEST_NAME else sitter.name[: LONGEST_NAME - 1] + "…"
        parts = [(name, 28, ink), (str(sitter.left), 34, TEXT)]
        if sitter.note:
            parts.append((sitter.note, 24, GO))
        widths = [self._width(text, size) for text, size, _ in parts]
        x = 600 - (sum(widths) + 18 * (len(parts) - 1)) / 2
        for (text, size, colour), width in zip(parts, widths, strict=True):
            self.text(text, x + width / 2, y, size, colour)
            x += width + 18

    def text(self, text: str, x: float, y: float, size: float, ink: str) -> None:
        """Around that point; each letter from the first font that has it."""
        at = x * self.scale - self._width(text, size) * self.scale / 2
        for letter in text:
            font = _font(letter, round(size * self.scale))
            self.pen.text((at, y * self.scale), letter, fill=ink, font=font, anchor="lm")
            at += font.getlength(letter)

    def _width(self, text: str, size: float) -> float:
        return sum(_font(letter, round(size * self.scale)).getlength(letter) for letter in text) / self.scale

    def _count(self, text: str, x: float, y: float) -> None:
        half = 15 + 6 * (len(text) - 1)
        self._box(x - half, y - 15, x + half, y + 15, 15, LINE, DIM)
        self.text(text, x, y, 21, TEXT)

    def _box(
        self, left: float, top: float, right: float, bottom: float, radius: float, fill: str | None, line: str | None
    ) -> None:
        corners = [round(value * self.scale) for value in (left, top, right, bottom)]
        wide = max(1, round(1.5 * self.scale))
        self.pen.rounded_rectangle(corners, radius * self.scale, fill=fill, outline=line, width=wide)


@lru_cache(256)
def _font(letter: str, size: int) -> ImageFont.FreeTypeFont:
    """The first font that has the letter; the first of all when none has."""
    fonts = [_face(path, size) for path in FONTS]
    nothing = fonts[0].getmask("\ufffe")
    for font in fonts:
        found = font.getmask(letter)
        if letter == " " or (found.size, bytes(found)) != (nothing.size, bytes(nothing)):
            return font
    return fonts[0]


@lru_cache(64)
def _face(path: Path, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, max(size, 1))
