"""Figures of the whole table, from the segments that were read: each with a 95 % interval, or exact.

Segments are the sampled units (cluster sampling): items of one collection are alike, so a sample of a million items in
three collections says little. Where few segments decide a figure, or where DescribeTable shows that the sample missed a
part of the table, the interval becomes wider, up to all that is possible: such a figure is not known.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import copysign, inf, log, sqrt
from typing import Any

from skipscan.profile.form import bin_ends
from skipscan.profile.segments import TENTHS, ReadSegments
from skipscan.profile.shares import LEAST_TOP, fullest, is_known, largest_share, quantile, share
from skipscan.profile.tally import CountName
from skipscan.sample.clusters import MISSED, count_in_all, ratio, total
from skipscan.sample.interval import Interval

LEAST_OF_TENTH = 4
"""The segments of each tenth of the hash space that a sample must have."""

KEYS, ITEMS, BYTES = ("keys",), ("items",), ("bytes",)


@dataclass(frozen=True)
class Figures:
    """`described_items`, `described_bytes`: by DescribeTable, 0 if unknown; hours old."""

    read: ReadSegments
    described_items: int = 0
    described_bytes: int = 0

    @property
    def has_items(self) -> bool:
        """Whether items could be read."""
        return self.read.requests > 0

    @property
    def part(self) -> float:
        """The part of the hash space that was read."""
        return len(self.read.tallies) / self.read.segments

    @cached_property
    def counts(self) -> Counter[CountName]:
        """The counts of everything that was read."""
        total = Counter(self.read.details)
        for tally in self.read.tallies:
            total.update(tally.counts)
        return total

    @cached_property
    def under(self) -> Mapping[CountName, Mapping[Any, int]]:
        """The counts of what is told apart under a figure: by attribute, prefix, type, form or bin."""
        found: dict[CountName, dict[Any, int]] = defaultdict(dict)
        for (*figure, name), count in self.counts.items():
            found[tuple(figure)][name] = count
        return found

    def names(self, figure: str) -> list[str]:
        """Return the names counted under a figure, the most frequent first."""
        found = self.under[figure,]
        return sorted(found, key=lambda name: (-found[name], name))

    @cached_property
    def keys(self) -> Interval:
        """The number of item collections."""
        found = count_in_all(self.counts[KEYS], self.part)
        return Interval(found.estimate, found.low, inf) if self.read.is_cut else found

    def total(self, figure: CountName) -> Interval:
        """Return the sum over the whole table."""
        values = self._of(figure)
        if self.read.is_whole:
            return Interval.exactly(sum(values))
        least = float(self.counts[figure])
        estimate = sum(values) / self.part if self.part else least
        described = self._described.get(figure, 0)
        is_bounded = not self.read.is_cut and is_known(values, [1.0] * len(values))
        found = total(values, self.read.segments) if is_bounded else Interval(estimate, least, inf)
        low, high = min(found.low, described or found.low), max(found.high, described) if described else inf
        return Interval(estimate, max(least, low), high)

    def share(self, *figures: CountName, of: CountName = ITEMS) -> Interval:
        """Return the ratio of a count, or of several together, to the count `of`. Nothing is in two of them."""
        above = [float(sum(tally.counts[one] for one in figures)) for tally in self.read.tallies]
        return self._as_described(share(above, self._of(of), self.part), of)

    def item_bytes(self) -> Interval:
        """Return the size of an average item."""
        return self._mean(BYTES, self.described_bytes / self.described_items if self._is_described else 0.0)

    def steps(self, figure: CountName, step_bytes: int) -> Interval:
        """Return the mean number of steps that an item is billed for, each item rounded up.

        What the sample missed takes at most its bytes, and one step for each item.
        """
        found = self._mean(figure, 0.0)
        if self.read.is_whole or not self._is_described:
            return found
        items, size = (abs(1 - found) for found in (self._excess(ITEMS), self._excess(BYTES)))
        more = items + size * self.described_bytes / self.described_items / step_bytes
        return Interval(found.estimate, max(1.0, found.low * (1 - min(1.0, items + size))), found.high + more)

    def _mean(self, figure: CountName, described: float) -> Interval:
        """Return the mean per item; the interval includes DescribeTable's mean."""
        above, below = self._of(figure), self._of(ITEMS)
        total = sum(below)
        estimate = sum(above) / total if total else 0.0
        if self.read.is_whole or not total:
            return Interval.exactly(estimate)
        if self.read.is_cut or not is_known(above, below) or not self._is_described:
            return Interval(estimate, 0.0, inf)
        found = ratio(above, below, self.part).skewed()
        return Interval(estimate, min(found.low, described or found.low), max(found.high, described))

    def largest(self, measure: str) -> int:
        """Return the most items or bytes of a collection, or levels of maps and lists, that were read."""
        return max((tally.largest[measure] for tally in self.read.tallies), default=0)

    def quantile(self, part: float, measure: str) -> Interval:
        """Return the quantile `part` of the collections' sizes, in items or bytes; never above the largest."""
        by = f"keys by {measure}"
        places = sorted(self.under[by,])
        if not places:
            return Interval.exactly(0.0)
        counts = [[float(tally.counts[by, place]) for place in places] for tally in self.read.tallies]
        here, below, above = quantile(part, counts, self.part)
        least, most = bin_ends(places[here])
        largest = self.largest(measure)
        middle = min(sqrt(least * most), largest)
        if self.read.is_whole:
            return Interval(middle, least, min(most, largest))
        low = 1.0 if below is None or self.read.is_cut else bin_ends(places[below])[0]
        return Interval(middle, low, inf if above is None or self.read.is_cut else bin_ends(places[above])[1])

    def top(self, part: float) -> Interval | None:
        """Return the share of all bytes in the largest `part` of the collections.

        `None` if the sample has too few such collections.
        """
        if self.counts[KEYS] * part < (1 if self.read.is_whole else LEAST_TOP):
            return None
        by, of = "keys by bytes", "bytes by bytes"
        places = sorted(self.under[by,], reverse=True)
        keys, held = (
            [[float(tally.counts[one, place]) for place in places] for tally in self.read.tallies] for one in (by, of)
        )
        return self._as_described(largest_share(part, keys, held, self.part), BYTES)

    def fullest_tenth(self) -> Interval | None:
        """Return the share of all bytes in the fullest of ten equal parts of the hash space.

        `None` if too few segments of a part were read: small tables have few, and so have samples of a small budget.
        Whatever the number of segments, the figure is of the same ten parts.
        """
        parts: list[list[float]] = [[] for _ in range(TENTHS)]
        for tally in self.read.tallies:
            parts[tally.segment * TENTHS // self.read.segments].append(float(tally.counts[BYTES]))
        of_whole = 1 if self.read.segments % TENTHS == 0 else inf  # else the ends of tenths lie within segments
        least = of_whole if self.read.is_whole else LEAST_OF_TENTH
        if min(map(len, parts)) < least or not any(map(any, parts)):
            return None
        return self._as_described(fullest(parts, self.part), BYTES).at_least(1 / TENTHS)

    def unseen_larger(self) -> float | None:
        """Return the upper 95 % bound of the number of collections that are larger than the largest of the sample.

        With `part` of the hash space read, none of `number` such collections is in the sample with the chance (1 -
        part) ** number. `None` if there is none, or if reading stopped within a segment.
        """
        return None if self.read.is_whole or self.read.is_cut or not self.part else log(2 * MISSED) / log(1 - self.part)

    def _of(self, figure: CountName) -> list[float]:
        return [float(tally.counts[figure]) for tally in self.read.tallies]

    @property
    def _described(self) -> Mapping[CountName, int]:
        """What DescribeTable counts."""
        return {ITEMS: self.described_items, BYTES: self.described_bytes}

    @property
    def _is_described(self) -> bool:
        return all(self._described.values())

    def _excess(self, figure: CountName) -> float:
        """Return the ratio of the sample's estimate to DescribeTable's count, of items or bytes."""
        return sum(self._of(figure)) / max(self.part, 1e-12) / self._described[figure]

    def _as_described(self, found: Interval, of: CountName) -> Interval:
        """Return a share of items or bytes, with an interval for what the sample missed or over-represents.

        Both happen where few collections hold most of a table, and only DescribeTable shows it: without its counts
        nothing bounds the share. Shares of collections need no bound, because each counts once.
        """
        if self.read.is_whole or (of not in self._described and not self.read.is_cut):
            return found
        if self.read.is_cut or not self._is_described:
            return Interval(found.estimate, 0.0, 1.0)
        times, error = self._excess(of), self.keys.relative_error
        if abs(times - 1) > error:
            times = max(0.0, times + copysign(error, times - 1))
        low, high = found.low * times + min(0.0, 1 - times), found.high * times + max(0.0, 1 - times)
        return Interval(found.estimate, max(0.0, low), min(1.0, high))
