"""An estimate with its 95 % confidence interval.

`ratio` and `mean` are for figures that vary between sampled segments; `counted` has the number of keys.

A hash deals keys like rain: a part `p` of the hash space holds a Poisson number of them, with mean `N p`. Every walk
counts, also one that only searched for a number of segments and one that was broken off, so nothing that was read is
lost; which pages are read next never changes what the pages say (the likelihood principle), so the search cannot
favour the figures that decided it.
"""

from bisect import bisect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import erfc, exp, hypot, inf, isfinite, lgamma, log, sqrt
from typing import Any, NamedTuple, Self

from skipscan.inputs.quantities import approximate

Z = 1.959963984540054
"""The number of standard deviations around the mean that hold 95 % of a normal distribution."""


@dataclass(frozen=True)
class Interval:
    """`high` may be infinite: then the sample gives only a lower bound."""

    estimate: float
    low: float
    high: float

    @classmethod
    def exactly(cls, value: float) -> Self:
        return cls(value, value, value)

    @property
    def relative_error(self) -> float:
        """Half of the interval's width, as a part of the estimate."""
        if self.low == self.high:
            return 0.0
        return (self.high - self.low) / 2 / self.estimate if self.estimate else inf

    @property
    def is_bounded(self) -> bool:
        """Whether the sample gives an upper bound."""
        return isfinite(self.high)

    @property
    def about(self) -> str:
        """The estimate for people; without an upper bound it ends in "or more". Rounded as in the table of ways."""
        return approximate(self.estimate) if self.is_bounded else f"{approximate(self.low)} or more"

    def scaled(self, factor: float) -> "Interval":
        return Interval(self.estimate * factor, self.low * factor, self.high * factor)

    def at_least(self, least: float) -> "Interval":
        return Interval(max(self.estimate, least), max(self.low, least), max(self.high, least))

    def plus(self, other: "Interval | float") -> "Interval":
        """Return the sum with a number, or with an independent estimate."""
        if not isinstance(other, Interval):
            other = Interval.exactly(other)
        estimate = self.estimate + other.estimate
        below = hypot(self.estimate - self.low, other.estimate - other.low)
        return Interval(estimate, estimate - below, estimate + hypot(self._above, other._above))

    def times(self, other: "Interval") -> "Interval":
        """Return the product with an independent estimate: squares of relative errors add up."""
        estimate = self.estimate * other.estimate
        if not estimate:
            return Interval(estimate, estimate, self.high * other.high if self.high and other.high else 0.0)
        below = hypot(1 - self.low / self.estimate, 1 - other.low / other.estimate)
        above = hypot(self._above / self.estimate, other._above / other.estimate)
        return Interval(estimate, estimate * max(0.0, 1 - below), estimate * (1 + above))

    def widened(self, by: float) -> "Interval":
        return Interval(self.estimate, max(0.0, self.low - by), self.high + by)

    def spread(self, error: float) -> "Interval":
        """Return the interval with a further standard deviation of so much, as a part."""
        factor = 1 + Z * error
        return Interval(self.estimate, self.low / factor, self.high * factor)

    def skewed(self) -> "Interval":
        """Return the interval for a sum with a few large parts: it extends around the estimate by a factor.

        A sample is more likely to miss such parts than to meet too many, so the upper factor is squared.
        """
        factor = 1 + self.relative_error
        if factor == 1:
            return self
        return Interval(self.estimate, self.estimate / factor, self.estimate * factor * factor)

    @property
    def _above(self) -> float:
        return self.high - self.estimate

    def to_json(self, digits: int = 0) -> dict[str, Any]:
        """Return rounded figures; an unknown end is null."""
        rounded = {"estimate": self.estimate, "low": self.low, "high": self.high}
        return {
            name: (round(value, digits) if digits else round(value)) if isfinite(value) else None
            for name, value in rounded.items()
        }


def ratio(above: Sequence[float], below: Sequence[float], part: float) -> Interval:
    """Return sum(above) / sum(below) over sampled segments, `part` of all, with an interval from their spread."""
    total = sum(below)
    if not total:
        return Interval(0.0, 0.0, 0.0 if part == 1 else inf)
    estimate = sum(above) / total
    if part == 1:
        return Interval.exactly(estimate)
    if len(above) < 3:
        return Interval(estimate, 0.0, inf)
    residuals = sum((a - estimate * b) ** 2 for a, b in zip(above, below, strict=True))
    count = len(above)
    deviation = sqrt(residuals * count / (count - 1) * (1 - part)) / total
    half = _student(count - 1) * deviation
    return Interval(estimate, max(0.0, estimate - half), estimate + half)


def mean(values: Sequence[float], part: float) -> Interval:
    """Return the mean over all segments; `values` are those of a sampled part."""
    return ratio(values, [1.0] * len(values), part)


def _student(freedom: int) -> float:
    """Return Student's two-sided 95 % point, by Cornish and Fisher's expansion (within 2 % from 3 on)."""
    first = (Z**3 + Z) / 4
    second = (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96
    return Z + first / freedom + second / freedom**2


@dataclass(frozen=True)
class Consumption:
    """Read units and requests, each with a 95 % interval."""

    read_units: Interval
    requests: Interval


POINTS, FAR, NOTHING = 200, log(1000), 1e-9
"""The posterior is weighed at so many sizes, first within this factor of the figure of all walks (as a logarithm), and
then where its weight is more than nothing."""

PRIOR = 0.5
"""Jeffreys' prior of a Poisson mean, the square root of 1/N: its intervals hold as often as they say also for few keys.
"""

TAIL = 0.025
"""What a 95 % interval leaves out at either end."""


SLIGHTLY = 1e-12
"""Neighbours that touch do not overlap."""


class SampledWalk(NamedTuple):
    """A walk of one `segment` of so many `segments`: its keys, all of them or (unless `ended`) at least so many."""

    segments: int
    segment: int
    keys: int
    ended: bool

    @property
    def part(self) -> float:
        return 1 / self.segments

    @property
    def begin(self) -> float:
        return self.segment / self.segments


def keys_in_all(walks: Iterable[SampledWalk]) -> Interval:
    """Return the number of keys in the whole hash space, never below the keys of the walk that met the most.

    Without an ended walk there is no upper bound.
    """
    walks = list(walks)
    ended = _apart(walk for walk in walks if walk.ended)
    cut = [walk for walk in walks if not walk.ended and walk.keys]
    found, part = sum(walk.keys for walk in ended), sum(walk.part for walk in ended)
    least = float(max([found, *(walk.keys for walk in cut)]))
    if not part:
        return Interval(least, least, inf)
    if part > 1 - 1e-9:
        return Interval.exactly(float(found))
    if not found and not cut:  # as many as would have left these walks empty with a chance of 5 %
        return Interval(0.0, 0.0, -log(2 * TAIL) / part)
    low, middle, high = _quantiles(found, part, cut)
    rest = sqrt(1 - part)  # what is known of the walked part needs no interval
    return Interval(middle, middle * (low / middle) ** rest, middle * (high / middle) ** rest).at_least(least)


def _apart(ended: Iterable[SampledWalk]) -> list[SampledWalk]:
    """Return walks that have no keys in common: of two that overlap, the one that holds the other."""
    apart: list[SampledWalk] = []
    for walk in sorted(ended, key=lambda walk: walk.segments):
        place = bisect(apart, walk.begin, key=lambda other: other.begin)
        before, after = apart[place - 1 : place], apart[place : place + 1]
        is_apart = all(other.begin + other.part <= walk.begin + SLIGHTLY for other in before)
        if is_apart and all(walk.begin + walk.part <= other.begin + SLIGHTLY for other in after):
            apart.insert(place, walk)
    return apart


def _quantiles(found: int, part: float, cut: list[SampledWalk]) -> tuple[float, float, float]:
    """Return the lower end of the posterior's 95 %, its median, and the upper end."""

    def weighed(begin: float, end: float) -> list[tuple[float, float]]:
        logarithms = [begin + (end - begin) * place / POINTS for place in range(POINTS + 1)]
        likely = [
            (found + PRIOR) * each - exp(each) * part + sum(_at_least(walk, exp(each)) for walk in cut)
            for each in logarithms
        ]
        best = max(likely)
        return [(each, exp(chance - best)) for each, chance in zip(logarithms, likely, strict=True)]

    about = log(max([max(found, 1) / part, *(walk.keys / walk.part for walk in cut)]))
    held = [each for each, weight in weighed(about - FAR, about + FAR) if weight > NOTHING]
    step = 2 * FAR / POINTS
    points = weighed(held[0] - step, held[-1] + step)
    sums = list(accumulate(weight for _, weight in points))
    low, middle, high = (exp(points[bisect(sums, part * sums[-1])][0]) for part in (TAIL, 0.5, 1 - TAIL))
    return low, middle, high


def _at_least(walk: SampledWalk, size: float) -> float:
    """Return the logarithm of the chance that the walk's part holds at least its keys, by Wilson and Hilferty."""
    mean, count = size * walk.part, walk.keys
    deviation = ((mean / count) ** (1 / 3) - 1 + 1 / (9 * count)) * 3 * sqrt(count)
    if deviation < -30:
        return count * log(mean) - mean - lgamma(count + 1)
    return log(erfc(-deviation / sqrt(2)) / 2)
