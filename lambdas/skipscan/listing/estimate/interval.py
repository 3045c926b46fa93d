"""An estimate with its 95 % confidence interval.

`ratio` and `mean` are for figures that vary between sampled segments; `counted` has the number of keys.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, hypot, inf, isfinite, log, sqrt
from statistics import fmean, stdev
from typing import Any, Self

Z = 1.959963984540054
"""95 % of a normal distribution are within so many standard deviations."""


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
        return f"{round(self.estimate, 1):,.0f}" if self.is_bounded else f"{round(self.low, 1):,.0f} or more"

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


def predicted(draws: Sequence[float], error: float) -> Interval:
    """Return the interval of another draw, with a further standard deviation of so much, as a part.

    In logarithms, because draws differ by a factor rather than by a number.
    """
    logarithms = [log(max(draw, 1e-9)) for draw in draws]
    middle, count = fmean(logarithms), len(logarithms)
    half = hypot(_student(count - 1) * stdev(logarithms) * sqrt(1 + 1 / count), Z * error)
    return Interval(exp(middle), exp(middle - half), exp(middle + half))


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
