"""The four suits as polygons in a box of 24 by 24, the shapes of the pages (`static/js/cards/suits.js`). Pure."""

import math
import re
from collections.abc import Iterator
from functools import cache
from typing import Final

Point = tuple[float, float]

OUTLINES: Final = {
    "h": "M12 21.2C6.4 16.9 2 13.2 2 8.6 2 5.4 4.4 3 7.4 3c1.9 0 3.6 1 4.6 2.6C13 4 14.7 3 16.6 3 19.6 3 22 5.4 22 8.6"
    "c0 4.6-4.4 8.3-10 12.6",
    "d": "M12 1.6c2.2 4 4.9 7.4 8.4 10.4-3.5 3-6.2 6.4-8.4 10.4-2.2-4-4.9-7.4-8.4-10.4 3.5-3 6.2-6.4 8.4-10.4",
    "s": "M12 1.8c4.7 4.1 9.6 7.5 9.6 12 0 2.9-2.2 5-4.9 5-1.5 0-2.8-.7-3.7-1.8.2 2.2 1 3.9 2.6 5.4"
    "C13.2 22.4 10.8 22.4 8.4 22.4c1.6-1.5 2.4-3.2 2.6-5.4-.9 1.1-2.2 1.8-3.7 1.8-2.7 0-4.9-2.1-4.9-5"
    "c0-4.5 4.9-7.9 9.6-12",
    "c": "M13 16c.2 2.6 1 4.6 2.900 6.400C13.3 22.4 10.7 22.4 8.100 22.400c1.900-1.800 2.700-3.800 2.900-6.400",
}
"""Moves and cubic curves alone; of clubs the stem, to which `DISCS` are added."""
DISCS: Final = {"c": ((12.0, 6.7), (7.2, 14.1), (16.8, 14.1))}
RADIUS: Final = 4.9
STEPS: Final = 8
"""Into how many straight lines a curve is cut."""


@cache
def polygons(suit: str) -> tuple[tuple[Point, ...], ...]:
    """The shapes that a suit is made of; they overlap."""
    discs = tuple(tuple(_disc(centre)) for centre in DISCS.get(suit, ()))
    middle = ((9.5, 9.5), (14.5, 9.5), (14.5, 16.0), (9.5, 16.0))
    return (tuple(_flatten(OUTLINES[suit])), *discs, *((middle,) if discs else ()))


def _disc(centre: Point) -> Iterator[Point]:
    for step in range(48):
        angle = step * math.tau / 48
        yield centre[0] + RADIUS * math.cos(angle), centre[1] + RADIUS * math.sin(angle)


def _flatten(outline: str) -> Iterator[Point]:
    x = y = 0.0
    for command, rest in re.findall(r"([MCc])([^MCc]*)", outline):
        numbers = [float(number) for number in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", rest)]
        if command == "M":
            x, y = numbers
            yield x, y
            continue
        for at in range(0, len(numbers), 6):
            dx, dy = (x, y) if command == "c" else (0.0, 0.0)
            one, two, end = ((numbers[at + i] + dx, numbers[at + i + 1] + dy) for i in (0, 2, 4))
            for step in range(1, STEPS + 1):
                t = step / STEPS
                a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
                yield a * x + b * one[0] + c * two[0] + d * end[0], a * y + b * one[1] + c * two[1] + d * end[1]
            x, y = end
