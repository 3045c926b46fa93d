"""SVG that fits any width without a script: places across are percentages, heights are pixels, text keeps its size.

Colours are classes; the style sheet has them for light and dark.

Axes say where a value goes, and which ticks a reader sees.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, log10

from skipscan.report.card import Markup, joined, tag

DAY = 86_400.0
CLOCK: tuple[tuple[float, str, tuple[float, ...]], ...] = (
    (1.0, "s", (1, 2, 5, 10, 15, 20, 30)),
    (60.0, "min", (1, 2, 5, 10, 15, 20, 30)),
    (3600.0, "h", (1, 2, 3, 4, 6, 12)),
    (DAY, "d", (1, 2, 5, 10, 20, 50, 100)),
)
"""Units of time with the steps that people count them in."""


@dataclass(frozen=True)
class Axis:
    """From 0 to `high`. `ticks`: values with their labels."""

    high: float
    ticks: tuple[tuple[float, str], ...]

    def at(self, value: float) -> float:
        """Return the place of a value: 1 at the high end."""
        return value / self.high


def linear(high: float, most_ticks: int = 4, headroom: float = 1.06) -> Axis:
    """Return an axis from 0 to somewhat above `high`, with steps of 1, 2, 2.5 or 5."""
    high = max(high, 1e-9)
    step = _step(high / most_ticks)
    count = int(high * headroom / step + 1e-9)
    return Axis(max(high * headroom, count * step), tuple((i * step, short_number(i * step)) for i in range(count + 1)))


MOST_TIMES = 5
"""The most ticks of a time axis, without that of 0."""


def clock(end_seconds: float) -> Axis:
    """Return a time axis from 0 to `end_seconds`, with ticks such as 0.5 s, 20 s, 5 min, 3 h or 2 d."""
    least = end_seconds / MOST_TIMES
    step, size, unit = next(
        ((step, size, unit) for size, unit, steps in CLOCK for step in steps if step * size >= least),
        (_step(least / DAY), DAY, "d"),
    )
    if least < 1:
        step = _step(least)
    count = int(end_seconds / (step * size) + 1e-9)
    ticks = tuple((i * step * size, f"{short_number(i * step)} {unit}" if i else "0") for i in range(count + 1))
    return Axis(end_seconds, ticks)


def short_number(value: float) -> str:
    """Return a number as an axis shows it: 0.5, 800, 12k, 1.5M, 4B."""
    for size, letter in ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= size:
            return f"{value / (1e3 if letter == 'k' else size):.3g}{letter}"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:.3g}"


def _step(least: float) -> float:
    """Return the smallest step of 1, 2, 2.5 or 5 times a power of ten that is at least so large."""
    power = 10.0 ** (ceil(log10(least)) - 1)
    return next(step * power for step in (1, 2, 2.5, 5, 10) if step * power >= least * (1 - 1e-9))


ACROSS = 1000
"""Units of a path across the plot; SVG stretches them to its width."""

TICKS_BELOW = 22
"""Pixels for the labels under the plot."""

Points = Sequence[tuple[float, float]]
"""Places, each 0 to 1 across and up."""


def plot(height: int, x: Axis | None, y: Axis, says: str, *layers: Markup) -> Markup:
    """Return a plot: grid and tick labels, then the layers. `says`: the same in words, for screen readers."""
    rows = (
        joined(
            tag("line", class_="grid", x1="0", x2="100%", y1=level, y2=level),
            tag("text", label, class_="tick y", x=-8, y=level, dy="0.32em"),
        )
        for value, label in y.ticks
        for level in [height * (1 - y.at(value))]
    )
    places = [(x.at(value), label) for value, label in x.ticks] if x else []
    columns = (tag("text", label, class_=f"tick {_anchor(at)}", x=percent(at), y=height + 17) for at, label in places)
    below = TICKS_BELOW if x else 10  # for half of the lowest label
    return tag(
        "svg", rows, columns, layers, class_="plot", width="100%", height=height + below, role="img", aria_label=says
    )


def area(points: Points, height: int, colour: str) -> Markup:
    """Return a line through the points with the area under it."""
    line = _path(points, height)
    under = f"{line}L{ACROSS * points[-1][0]:.0f},{height}L{ACROSS * points[0][0]:.0f},{height}Z"
    return _stretched(height, _shape("area", colour, under), _shape("line", colour, line))


def steps(edges: Sequence[float], levels: Sequence[float], height: int, colour: str) -> Markup:
    """Return a step for each level, between its edge and the next, with the area under them."""
    places = zip(edges, edges[1:], levels, strict=False)
    return area([point for begin, end, level in places for point in ((begin, level), (end, level))], height, colour)


def bars(levels: Sequence[float], height: int, colour: str) -> Markup:
    """Return upright bars side by side, with a gap where there is room for one."""
    wide = 1 / len(levels)
    gap = 0.2 if len(levels) <= 60 else 0.0
    places = ((ACROSS * wide * (i + gap / 2), height * (1 - level)) for i, level in enumerate(levels))
    right = f"h{ACROSS * wide * (1 - gap):.1f}"
    path = "".join(f"M{left:.1f},{height}V{top:.1f}{right}V{height}Z" for left, top in places)
    return _stretched(height, _shape("solid", colour, path))


def across(level: float, height: int, label: str, *, is_left: bool = False) -> Markup:
    """Return a dashed line across the plot with its label above the right end, or the left."""
    at = height * (1 - level)
    return joined(
        tag("line", class_="dashed", x1="0", x2="100%", y1=at, y2=at),
        tag("text", label, class_=f"label {'first' if is_left else 'last'}", x="0" if is_left else "100%", y=at - 6),
    )


def label(words: str, x: float, y: float, height: int) -> Markup:
    """Return words above a place."""
    return tag("text", words, class_=f"label {_anchor(x)}", x=percent(x), y=height * (1 - y) - 8)


def track(pieces: Iterable[tuple[float, float]], colour: str, *, hollow: bool = False) -> Markup:
    """Return a horizontal strip in a row of a table; each piece has its begin and its end, 0 to 1."""
    kind = "hollow" if hollow else "solid"
    rects = (
        tag("rect", class_=f"{kind} {colour}", x=percent(begin), y=2, width=percent(max(0.003, end - begin)), height=10)
        for begin, end in pieces
    )
    return tag("svg", rects, class_="track", width="100%", height=14, aria_hidden="true")


def bar(part: float, colour: str, *, hollow: bool = False) -> Markup:
    """Return a bar in a row of a table, from 0 to `part`; nothing is drawn for nothing."""
    return track([(0.0, part)] if part else [], colour, hollow=hollow)


def interval(low: float, estimate: float, high: float, truth: float, colour: str) -> Markup:
    """Return an interval as a strip, its estimate as a dot, and the truth as a mark; places 0 to 1."""
    return tag(
        "svg",
        tag(
            "rect", class_=f"pale {colour}", x=percent(low), y=4, width=percent(max(0.003, high - low)), height=6, rx=3
        ),
        tag("line", class_="mark", x1=percent(truth), x2=percent(truth), y1=0, y2=14),
        tag("circle", class_=f"solid {colour}", cx=percent(estimate), cy=7, r=4),
        class_="track",
        width="100%",
        height=14,
        aria_hidden="true",
    )


def percent(place: float) -> str:
    return f"{100 * place:.2f}".rstrip("0").rstrip(".") + "%"


def _stretched(height: int, *shapes: Markup) -> Markup:
    return tag("svg", shapes, width="100%", height=height, viewBox=f"0 0 {ACROSS} {height}", preserveAspectRatio="none")


def _shape(kind: str, colour: str, path: str) -> Markup:
    return tag("path", class_=f"{kind} {colour}", d=path)


def _path(points: Points, height: int) -> str:
    places = (f"{ACROSS * x:.1f},{height * (1 - y):.1f}" for x, y in points)
    return "M" + "L".join(places)


def _anchor(x: float) -> str:
    """Return where a text at a place begins, so that it stays inside the plot."""
    return "first" if x < 0.02 else "last" if x > 0.94 else "middle"
