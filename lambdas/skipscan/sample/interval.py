"""An estimate with its 95 % confidence interval."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any, Self

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

    def at_least(self, least: float) -> "Interval":
        return Interval(max(self.estimate, least), max(self.low, least), max(self.high, least))

    def plus(self, other: "Interval | float") -> "Interval":
        """Return the sum with a number, or with another estimate: both may be at the same end."""
        more = other if isinstance(other, Interval) else Interval.exactly(other)
        return Interval(self.estimate + more.estimate, self.low + more.low, self.high + more.high)

    def times(self, other: "Interval | float") -> "Interval":
        """Return the product with a number, or with another estimate: both may be at the same end."""
        by = other if isinstance(other, Interval) else Interval.exactly(other)
        high = self.high * by.high if self.high and by.high else 0.0  # nothing, of however many
        return Interval(self.estimate * by.estimate, self.low * by.low, high)

    def skewed(self) -> "Interval":
        """Return the interval for a sum with a few large parts: it extends around the estimate by a factor.

        A sample is more likely to miss such parts than to meet too many, so the upper factor is squared.
        """
        factor = 1 + self.relative_error
        if factor == 1 or not self.estimate:
            return self
        return Interval(self.estimate, self.estimate / factor, self.estimate * factor * factor)

    def ends(self, words: Callable[[float], str]) -> str:
        """Return both ends in words, or the low one of an interval without a high one."""
        return f"{words(self.low)} to {words(self.high)}" if self.is_bounded else f"{words(self.low)} or more"

    def to_json(self, digits: int = 0) -> dict[str, Any]:
        """Return rounded figures; an unknown end is null."""
        return {
            name: (round(value, digits) if digits else round(value)) if isfinite(value) else None
            for name, value in vars(self).items()
        }


@dataclass(frozen=True)
class Consumption:
    """Read units and requests, each with a 95 % interval."""

    read_units: Interval
    requests: Interval
