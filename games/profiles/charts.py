"""The charts of players' pages: geometry only, drawn as SVG by `games/chart.html`. Pure.

A chart is stretched to whatever room there is; so its lines are in units of `WIDTH` × `HEIGHT`, and its labels, which
must not be stretched, stand beside it at even distances.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from math import ceil, floor
from typing import Final

from msgspec import Struct

WIDTH: Final = 1000
HEIGHT: Final = 300
STEPS: Final = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000)
"""The distances that lines of a grid may have."""
LINES: Final = 4
"""How many distances of a grid there are at most."""


class Spot(Struct, frozen=True):
    """One value of a chart."""

    value: float
    at: datetime
    url: str | None = None
    """What is behind it: the replay of a match."""


class Chart(Struct, frozen=True):
    """A line over evenly spaced values, from the left to the right."""

    line: str
    """The `d` of a path."""
    early: str
    """The part of it at the left that is not certain yet; may be empty."""
    area: str
    """What lies below the line."""
    dots: str
    """The values one by one, where the line is an average of them; may be empty."""
    grid: str
    ticks: tuple[str, ...]
    """What is written at the grid's lines, the highest first."""
    labels: tuple[str, ...]
    """Along the lower edge, evenly spaced."""
    points: tuple[tuple[float, float, int, int, str | None], ...]
    """For pointing at: place from 0 to 1 each way, the value, its time in milliseconds since 1970, its address."""
    last: str
    """The last value, as a dot."""
    zero: str = ""
    """The line of 0, where what is above it has another colour than what is below."""
    above: str = ""
    """What lies above that line."""
    below: str = ""

    width: int = WIDTH
    height: int = HEIGHT


def grid_of(low: float, high: float, least: float = 0) -> tuple[int, ...]:
    """Round values around `low` and `high`, the highest first; at least two.

    :param least: what lies closer together than this is shown in the middle of so much.
    """
    if high - low < least:
        low, high = (low + high - least) / 2, (low + high + least) / 2
    for step in STEPS:
        first, last = floor(low / step), ceil(high / step)
        if last == first:
            last += 1
        if last - first <= LINES:
            return tuple(number * step for number in range(last, first - 1, -1))
    return (ceil(high), floor(low))


def chart_of(
    spots: Sequence[Spot],
    name: Callable[[datetime], str],
    *,
    certain_from: int = 0,
    average: int = 0,
    around_zero: bool = False,
    least: float = 0,
    write: Callable[[int], str] = str,
) -> Chart | None:
    """The chart of these values; None below two.

    :param name: what a time is called along the lower edge.
    :param certain_from: the index of the first value that is certain.
    :param average: draw the mean of so many values, and the values as dots.
    :param around_zero: what is above 0 is one person's, what is below another's.
    :param least: the smallest distance from the lowest to the highest line of the grid.
    :param write: how a value is written at a line of the grid.
    """
    if len(spots) < 2:
        return None
    values = [spot.value for spot in spots]
    ticks = grid_of(min(*values, 0), max(*values, 0)) if around_zero else grid_of(min(values), max(values), least)
    high, low = ticks[0], ticks[-1]

    def place(index: int, value: float) -> tuple[float, float]:
        return round(index * WIDTH / (len(spots) - 1), 1), round((high - value) * HEIGHT / (high - low), 1)

    shown = means(values, average) if average else values
    places = [place(index, value) for index, value in enumerate(shown)]
    own = [place(index, value) for index, value in enumerate(values)]
    zero = place(0, 0)[1]
    certain = min(certain_from, len(spots) - 1)
    return Chart(
        line=_path(places[certain:]),
        early=_path(places[: certain + 1]) if certain else "",
        area=f"{_path(places)}V{zero if around_zero else HEIGHT:g}H0Z",
        dots=_dots(own) if average else "",
        grid="".join(f"M0 {place(0, tick)[1]:g}H{WIDTH}" for tick in ticks),
        ticks=tuple(write(tick) for tick in ticks),
        labels=_labels(spots, name),
        points=tuple(
            (round(x / WIDTH, 4), round(y / HEIGHT, 4), round(spot.value), round(spot.at.timestamp() * 1000), spot.url)
            for (x, y), spot in zip(own, spots, strict=True)
        ),
        last=_dots(places[-1:]),
        zero=f"M0 {zero:g}H{WIDTH}" if around_zero else "",
        above=f"M-9-20H{WIDTH + 9}V{zero:g}H-9z" if around_zero else "",
        below=f"M-9 {zero:g}H{WIDTH + 9}V{HEIGHT + 20}H-9z" if around_zero else "",
    )


def spark_of(values: Sequence[float]) -> str:
    """The `d` of a small line without grid or labels, in 100 × 30; empty below two values."""
    if len(values) < 2:
        return ""
    low, high = min(values), max(values)
    room = high - low or 1
    return _path(
        [
            (round(index * 100 / (len(values) - 1), 1), round(27 - (value - low) * 24 / room, 1))
            for index, value in enumerate(values)
        ]
    )


def means(values: Sequence[float], width: int) -> list[float]:
    """For each value the mean of it and up to `width` - 1 values before it."""
    found: list[float] = []
    for index in range(len(values)):
        window = values[max(0, index + 1 - width) : index + 1]
        found.append(sum(window) / len(window))
    return found


def sample(count: int, most: int) -> list[int]:
    """At most `most` numbers from 1 to `count`, evenly spaced, both ends among them."""
    if count <= most:
        return list(range(1, count + 1))
    return sorted({1 + round(index * (count - 1) / (most - 1)) for index in range(most)})


def _labels(spots: Sequence[Spot], name: Callable[[datetime], str]) -> tuple[str, ...]:
    shown = [name(spot.at) for spot in (spots[0], spots[len(spots) // 2], spots[-1])]
    return tuple(shown) if len(set(shown)) == len(shown) else (shown[0], shown[-1]) if shown[0] != shown[-1] else ()


def _dots(places: Sequence[tuple[float, float]]) -> str:
    """Lines of no length, whose round ends are dots."""
    return "".join(f"M{x:g} {y:g}h0" for x, y in places)


def _path(places: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in places)
