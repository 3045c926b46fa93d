"""Figures that only a profile shows, from what sampled segments hold: shares, quantiles, the largest, the fullest part.

As in `sample.clusters`, each function takes one number a segment, and `part` is the sampled part of all segments.
"""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from math import exp, sqrt
from operator import add, mul, sub

from skipscan.sample.clusters import LEAST_SEGMENTS, poisson, ratio, unseen
from skipscan.sample.interval import Interval

FEW = 25
"""A property in fewer segments, or missing in fewer, gets Poisson's limits, which are wider than the spread."""

DOMINATES = 0.4
"""If one segment has this part of the variance, it may be the only one of its kind, or others may be missing."""

Counts = Sequence[Sequence[float]]
"""Of each segment, by class."""


def is_known(above: Sequence[float], below: Sequence[float]) -> bool:
    """Return whether segments bound a total or a ratio: enough have any, and none of them decides it."""
    return sum(1 for count in below if count) >= LEAST_SEGMENTS and not is_dominated(above, below)


def share(above: Sequence[float], below: Sequence[float], part: float) -> Interval:
    """Return the part of a count that has a property, between 0 and 1."""
    filled = sum(1 for count in below if count)
    estimate = sum(above) / sum(below) if filled else 0.0
    if part == 1:
        return Interval.exactly(estimate)
    if filled < LEAST_SEGMENTS:
        return Interval(estimate, 0.0, 1.0)
    have = sum(1 for count in above if count)
    lack = sum(1 for one, of in zip(above, below, strict=True) if one < of)
    if not have or not lack:
        most = unseen(filled)
        return Interval(0.0, 0.0, most) if not have else Interval(1.0, 1 - most, 1.0)
    if is_dominated(above, below):
        return Interval(estimate, 0.0, 1.0)
    rest = 1 - estimate
    wide = (ratio(above, below, part).high - estimate) / (estimate * rest)
    low, high = (1 / (1 + rest / estimate * exp(sign * wide)) for sign in (1, -1))
    fewest, most = _of_few(have, estimate)
    fewest_lack, most_lack = _of_few(lack, rest)
    return Interval(estimate, max(0.0, min(low, fewest, 1 - most_lack)), min(1.0, max(high, most, 1 - fewest_lack)))


def is_dominated(above: Sequence[float], below: Sequence[float]) -> bool:
    """Return whether one segment holds most of the numerator or the denominator of a ratio."""
    whole = sum(below)
    estimate = sum(above) / whole
    squares = [(one - estimate * of) ** 2 for one, of in zip(above, below, strict=True)]
    return max(below) > DOMINATES * whole or max(squares) > DOMINATES * sum(squares) > 0


def largest_share(largest: float, keys: Counts, amounts: Counts, part: float) -> Interval:
    """Return the share that the `largest` part of the collections holds, with an interval from segments' spread.

    `keys`, `amounts`: of each segment by class, the largest first; no class is empty.
    """
    of_class = [sum(each) for each in zip(*keys, strict=True)]
    left, taken, size = largest * sum(of_class), list[float](), 0.0
    for count, held in zip(of_class, zip(*amounts, strict=True), strict=True):
        if left > 0:
            size = sum(held) / count
        taken.append(min(1.0, left / count))
        left = max(0.0, left - count)
    # A segment with more large collections than its part moves the size from which on they are the largest, too.
    above = [
        sum(map(mul, taken, held)) - size * (sum(map(mul, taken, found)) - largest * sum(found))
        for found, held in zip(keys, amounts, strict=True)
    ]
    below = [sum(held) for held in amounts]
    found = ratio(above, below, part)
    if part < 1 and (len(below) < LEAST_SEGMENTS or is_dominated(above, below)):
        return Interval(found.estimate, 0.0, 1.0)
    return found


def quantile(first: float, counts: Counts, part: float) -> tuple[int, int | None, int | None]:
    """Return the class in which the `first` part of the collections ends, and those at the ends of its interval.

    Woodruff's: the classes at the ends of the interval of that part (R. S. Woodruff, "Confidence Intervals for Medians
    and Other Position Measures", 1952); `None` for an end of which the sample has too few collections. `counts`: of
    each segment by class, ascending.
    """
    of_class, of_segment = [sum(each) for each in zip(*counts, strict=True)], [sum(each) for each in counts]
    sums = [*accumulate(of_class)]

    def at(portion: float) -> int:
        return min(bisect_left(sums, portion * sums[-1] - 1e-9), len(sums) - 1)

    here = at(first)
    # The part below the class, and up to its end: a class may hold most of the collections.
    inside = [share([sum(each[:end]) for each in counts], of_segment, part) for end in (here, here + 1)]
    low = first - max(found.high - found.estimate for found in inside)
    high = first + max(found.estimate - found.low for found in inside)
    few = LEAST_TOP / 4 / sums[-1]  # the largest of a sample are known to so many places
    return here, at(low) if low > few else None, at(high) if high < 1 - few else None


LEAST_TOP = 10
"""Collections of the sample that "the largest part" must have, to be known at all."""

DEVIATIONS_OF_FULLEST = 3.0
"""Standard deviations on either side: the fullest of ten is one of several chances, and known from few segments."""


def fullest(parts: Counts, part: float) -> Interval:
    """Return the share of the fullest of several equal parts of the hash space; each part's segments were drawn."""
    means = [sum(each) / len(each) for each in parts]
    whole, equal = sum(means), 1 / len(means)
    shares = [each / whole for each in means]
    if part == 1:
        return Interval.exactly(max(shares))
    sizes = [size for each in parts for size in each]
    if not is_known(sizes, [1.0] * len(sizes)):
        return Interval(max(shares), equal, 1.0)
    variances = [
        sum((size - mean) ** 2 for size in each) / (len(each) - 1) / len(each) * (1 - part) / whole**2
        for each, mean in zip(parts, means, strict=True)
    ]
    halves = [
        DEVIATIONS_OF_FULLEST * sqrt((1 - each) ** 2 * variance + each**2 * (sum(variances) - variance))
        for each, variance in zip(shares, variances, strict=True)
    ]
    low, high = max(map(sub, shares, halves)), max(map(add, shares, halves))
    return Interval(max(shares), max(0.0, low), min(1.0, high))


def _of_few(count: int, share: float) -> tuple[float, float]:
    """Return the 95 % limits of a share that so many segments have: Poisson's, unless these are many."""
    low, high = poisson(count) if count < FEW else (count, count)
    return share * low / count, share * high / count
