"""The number of partition keys, from walks of random segments of different lengths, some of which were broken off.

A hash deals keys like rain: a part `p` of the hash space holds a Poisson number of them, with mean `N p`. Every walk
counts, also one that only searched for a number of segments and one that was broken off, so nothing that was read is
lost; which pages are read next never changes what the pages say (the likelihood principle), so the search cannot
favour the figures that decided it.
"""

from bisect import bisect
from collections.abc import Iterable
from itertools import accumulate
from math import erfc, exp, inf, lgamma, log, sqrt
from typing import NamedTuple

from skipscan.listing.estimate.interval import Interval

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


class Seen(NamedTuple):
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


def keys_in_all(walks: Iterable[Seen]) -> Interval:
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


def _apart(ended: Iterable[Seen]) -> list[Seen]:
    """Return walks that have no keys in common: of two that overlap, the one that holds the other."""
    apart: list[Seen] = []
    for walk in sorted(ended, key=lambda walk: walk.segments):
        place = bisect(apart, walk.begin, key=lambda other: other.begin)
        before, after = apart[place - 1 : place], apart[place : place + 1]
        is_apart = all(other.begin + other.part <= walk.begin + SLIGHTLY for other in before)
        if is_apart and all(walk.begin + walk.part <= other.begin + SLIGHTLY for other in after):
            apart.insert(place, walk)
    return apart


def _quantiles(found: int, part: float, cut: list[Seen]) -> tuple[float, float, float]:
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


def _at_least(walk: Seen, size: float) -> float:
    """Return the logarithm of the chance that the walk's part holds at least its keys, by Wilson and Hilferty."""
    mean, count = size * walk.part, walk.keys
    deviation = ((mean / count) ** (1 / 3) - 1 + 1 / (9 * count)) * 3 * sqrt(count)
    if deviation < -30:
        return count * log(mean) - mean - lgamma(count + 1)
    return log(erfc(-deviation / sqrt(2)) / 2)
