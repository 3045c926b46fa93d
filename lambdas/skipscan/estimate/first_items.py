"""The steps of 4 KB of the first items of all item collections, read one by one, as Limit=1 does."""

from collections import Counter
from math import inf, sqrt

from skipscan.estimate.interval import Interval, Z
from skipscan.estimate.sample import Sample


def first_item_steps(sample: Sample) -> Interval:
    """Return the steps of all keys together. Every first item takes at least one; the rest is estimated."""
    keys, seen = sample.keys, sample.first_steps
    if sum(seen.values()) == keys.low == keys.high:
        return Interval.exactly(sum(steps * count for steps, count in seen.items()))
    if not keys.is_bounded:
        return Interval(keys.estimate, keys.low, inf)
    if not sum(seen.values()):
        # The steps of a page after its first are an upper bound for those of its first items.
        most = sample.more_steps / (sample.part or 1.0)
        modelled = min(most, keys.estimate * (sample.size.steps(1) - 1))
        return keys.plus(Interval(modelled, 0.0, most))
    return keys.times(_more_steps(seen, keys.estimate).plus(1.0)) if keys.estimate else keys


def _more_steps(seen: Counter[int], keys: float) -> Interval:
    """Return the average number of further steps, after its first, of a key's first item.

    Large items are rare, so a sample may meet few or none although they exist. The upper end is therefore raised by the
    size of one large item, as often as the sample can have missed it.
    """
    count = sum(seen.values())
    rest = max(0.0, 1 - count / keys)
    sums = [sum((steps - 1) ** power * met for steps, met in seen.items()) for power in (1, 2, 3)]
    average = sums[0] / count
    half = Z * sqrt(max(0.0, sums[1] / count - average**2) / max(1, count - 1) * rest)
    large = sums[2] / sums[1] if sums[1] else 1.0
    return Interval(average, max(0.0, average - half), average + half + Z * Z * large / count * rest)
