"""Axes: where a value goes, and which ticks a reader sees."""

from dataclasses import dataclass
from math import ceil, log10

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
    """From `low` to `high`. `ticks`: values with their labels."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    is_log: bool = False

    def at(self, value: float) -> float:
        """Return the place of a value, 0 at the low end and 1 at the high end."""
        if self.is_log:
            return (log10(value) - log10(self.low)) / (log10(self.high) - log10(self.low))
        return (value - self.low) / (self.high - self.low)


def linear(high: float, most_ticks: int = 4, headroom: float = 1.06) -> Axis:
    """Return an axis from 0 to somewhat above `high`, with steps of 1, 2, 2.5 or 5."""
    high = max(high, 1e-9)
    step = _step(high / most_ticks)
    count = int(high * headroom / step + 1e-9)
    return Axis(
        0.0, max(high * headroom, count * step), tuple((i * step, short_number(i * step)) for i in range(count + 1))
    )


def clock(end_seconds: float, most_ticks: int = 5) -> Axis:
    """Return a time axis from 0 to `end_seconds`, with ticks such as 0.5 s, 20 s, 5 min, 3 h or 2 d."""
    least = end_seconds / most_ticks
    step, size, unit = next(
        ((step, size, unit) for size, unit, steps in CLOCK for step in steps if step * size >= least),
        (_step(least / DAY), DAY, "d"),
    )
    if least < 1:
        step = _step(least)
    count = int(end_seconds / (step * size) + 1e-9)
    ticks = tuple((i * step * size, f"{short_number(i * step)} {unit}" if i else "0") for i in range(count + 1))
    return Axis(0.0, end_seconds, ticks)


def logarithmic(low: float, high: float) -> Axis:
    """Return a logarithmic axis over a range of numbers above 0, with ticks at 1, 2, 5, 10 …, at least two of them."""
    ticks = [digit * 10.0**power for power in range(-4, 13) for digit in (1, 2, 5)]
    low = max((tick for tick in ticks if tick <= low), default=low)
    high = min((tick for tick in ticks if tick >= high), default=high)
    if high <= low:
        high = low * 2
    inside = [tick for tick in ticks if low <= tick <= high]
    if len(inside) > 6:
        inside = [tick for tick in inside if log10(tick).is_integer()]
    return Axis(low, high, tuple((tick, short_number(tick)) for tick in inside), is_log=True)


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
