"""A section of a profile: its figures for programs and for people, and the advice that they lead to.

Each section has a file with a function that makes all of these from the counts, so that a figure has one place.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any

from skipscan.inputs.quantities import enumerated, rounded, size
from skipscan.report import svg
from skipscan.report.card import Markup, chart, joined, tag
from skipscan.sample.interval import Interval
from skipscan.stored.figures import Figure


@dataclass(frozen=True)
class Section:
    """`figures`: for programs, with the members of its JSON Schema; `None` for a section that is missing.

    `card`: for people. `top`: its figures at the top of the page. `advice`: a sentence for each rule that applies.
    """

    figures: Any = None
    card: Markup | None = None
    top: Sequence[Figure] = ()
    advice: Mapping[str, str] = field(default_factory=dict)


Words = Callable[[float], str]

UNKNOWN = "too few to say"
DESCRIBED = "by DescribeTable, hours old"
NOTABLE = 0.01
"""A share below which nothing is worth a sentence of advice."""

LEAST_DOLLARS = 1.0
"""Dollars a month below which nothing is worth one."""


def told(interval: Interval, words: Words) -> str:
    """Return an estimate with its interval, "or more" without a high end, or that it is not known."""
    if interval.low == interval.high:
        return words(interval.estimate)
    if words is percentage and (interval.low, interval.high) == (0.0, 1.0):
        return f"{words(interval.estimate)} of what was read"
    return f"{words(interval.estimate)} ({within(interval, words)})" if interval.is_bounded else within(interval, words)


def within(interval: Interval, words: Words = rounded) -> str:
    """Return how an estimate is known."""
    return "exact" if interval.low == interval.high else interval.ends(words)


def percentage(part: float) -> str:
    """Return a share for a table of figures."""
    # Less would have an exponent.
    return "<0.001 %" if 0 < part < 1e-5 else f"{100 * part:.3g} %"


def attributes_named(*names: str) -> str:
    """Return the beginning of a sentence about attributes."""
    return f"{'Attribute' if len(names) == 1 else 'Attributes'} {enumerated(names)}"


def shortened(text: str, most: int) -> str:
    """Return a text of at most so many letters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


HEIGHT = 130
MOST_SIZES = 7
"""The sizes below a histogram that a card has room for; a phone shows every second of them."""


def histogram(title: str, classes: Sequence[tuple[float, float]], says: str) -> Markup:
    """Return the share of each size, or nothing if there is none. `says`: what the picture shows, for who hears it."""
    shown = [place for place, (_, share) in enumerate(classes) if share]
    if not shown:
        return joined()
    kept = classes[: shown[-1] + 1]
    top = svg.linear(100 * max(share for _, share in kept))
    levels = [top.at(100 * share) for _, share in kept]
    step = ceil(len(kept) / MOST_SIZES)
    ends = [
        tag(
            "text",
            size(edge),
            class_="tick middle roomy" if place // step % 2 else "tick middle",
            x=svg.percent((place + 0.5) / len(kept)),
            y=HEIGHT + 17,
        )
        for place, (edge, _) in enumerate(kept)
        if place % step == 0
    ]
    picture = svg.plot(HEIGHT, None, top, says, svg.bars(levels, HEIGHT, "keys"), *ends)
    return chart(title, "keys", tag("div", picture, class_="below"))
