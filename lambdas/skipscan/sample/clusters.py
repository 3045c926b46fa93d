"""Statistics of clusters: figures of the whole table from what sampled segments hold, each with a 95 % interval.

Segments are the sampled units (cluster sampling): items of one collection are alike, so a sample of a million items in
three collections says little. Each function takes one number a segment; `part` is the sampled part of all segments.
"""

from collections.abc import Sequence
from math import inf, sqrt

from skipscan.sample.interval import Interval, Z

MISSED = 0.025
"""The chance on either side of a 95 % interval."""

FEWEST_SEGMENTS = 4
"""With fewer segments their spread bounds nothing, by Student's point either."""

LEAST_SEGMENTS = 8
"""With fewer segments that have any items, the spread between segments says nothing."""


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
    half = _student(len(above) - 1) * (sqrt(_residual(above, below) * (1 - part)) / total)
    return Interval(estimate, max(0.0, estimate - half), estimate + half)


def _residual(above: Sequence[float], below: Sequence[float]) -> float:
    """Return the variance of the first sum that its ratio to the second does not explain."""
    mean, count = sum(above) / sum(below), len(above)
    return sum((a - mean * b) ** 2 for a, b in zip(above, below, strict=True)) * count / (count - 1)


def total(values: Sequence[float], segments: int) -> Interval:
    """Return the sum over all segments. It may have a few large parts, so its upper end is farther."""
    return ratio(values, [1.0] * len(values), len(values) / segments).skewed().times(segments)


def unseen(count: int, chance: float = MISSED) -> float:
    """Return the part of all that has a property with which `count` of them have none with this chance."""
    return 1 - chance ** (1 / count) if count else 1.0


def _student(freedom: int) -> float:
    """Return Student's two-sided 95 % point, by Cornish and Fisher's expansion (within 4 % from 3 on)."""
    first = (Z**3 + Z) / 4
    second = (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96
    return Z + first / freedom + second / freedom**2


def poisson(count: float) -> tuple[float, float]:
    """Return the 95 % limits of a Poisson mean of which so many were seen.

    By Wilson and Hilferty: within 0.2 % above, and wider below for one or two.
    """
    low, high = (
        at * max(0.0, 1 - 1 / (9 * at) + z / (3 * sqrt(at))) ** 3 if at else 0.0
        for at, z in ((count, -Z), (count + 1, Z))
    )
    return low, high


def unevenness(values: Sequence[float], counts: Sequence[float]) -> float:
    """Return the relative variance of the values' sum that the number of counted things does not explain.

    Infinite where too few segments, one number of each kind a segment, show it.
    """
    found, segments = sum(values), len(values)
    if segments < FEWEST_SEGMENTS or not found:
        return inf
    return _residual(values, counts) * (_student(segments - 1) / Z / found) ** 2


def count_in_all(found: int, part: float, uneven: float = 0.0) -> Interval:
    """Return the number in the whole hash space of what `part` of it, random segments of it, has so many of.

    A hash deals keys like rain, so the segments hold a Poisson number. Without a segment there is no upper bound. Of a
    sum of what each of them has, `uneven` varies more: as the number of fewer equal ones does (a scaled Poisson
    distribution; Bohm and Zech, NIM A 748, 2014). It is more likely to miss the largest than to meet too many, so its
    upper end is farther by the share of the variance that comes from these.
    """
    if part > 1 - 1e-9:
        return Interval.exactly(float(found))
    if not part or uneven == inf:
        return Interval(found / part if part else 0.0, 0.0, inf)
    alike = found / (1 + found * uneven)
    low, high = poisson(alike)
    if found and uneven:
        low, high = low / alike * found, (high / alike) ** (2 - alike / found) * found
    rest = sqrt(1 - part)  # what is known of the read part needs no interval
    return Interval(found / part, (found - rest * (found - low)) / part, (found + rest * (high - found)) / part)
