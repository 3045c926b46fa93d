"""What each segment took, from the most expensive to the cheapest, in bounded memory; how long counted groups are."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from operator import add, attrgetter
from typing import Any

EXACT = 2048
"""The most expensive segments are kept one by one, the others in groups of nearly the same units."""

STEPS = 16
"""Groups for each doubling of units."""


@dataclass
class WalkedSegment:
    """A segment or slice over all batches of its worker. `done`: its keys or items."""

    segment: int
    worker: int
    done: int = 0
    requests: int = 0
    units: float = 0.0
    seconds: float = 0.0
    ended: bool = False


@dataclass(frozen=True)
class SegmentBar:
    """`segments` of them, with the mean units, and keys or items, of one."""

    segments: float
    units: float
    done: float


@dataclass(frozen=True)
class SegmentSpread:
    """`named`: the most expensive segments, in that order. `bars`: all of them, in the same order.

    `segments`: how many were walked. `per_bar`: how many share a bar.
    """

    named: tuple[WalkedSegment, ...]
    slowest: WalkedSegment
    bars: tuple[SegmentBar, ...]
    segments: int
    mean_units: float

    @property
    def per_bar(self) -> float:
        return self.segments / len(self.bars)


class SegmentGathering:
    """Sums up the segments of all batches. The batches of a worker must come one after the other."""

    def __init__(self) -> None:
        self._walked: dict[int, WalkedSegment] = {}
        self._groups: dict[int, list[float]] = {}  # segments, units, done; by logarithm of units
        self._slowest = WalkedSegment(0, 0)

    def add(self, worker: int, visits: Iterable[Sequence[Any]], others: Sequence[Any]) -> None:
        """Add the visits of a batch's profile. `others`: the sum of the segments that `visits` leaves out."""
        for segment, done, requests, units, first_seconds, last_seconds, is_ended in visits:
            walked = self._walked.get(segment)
            if walked is None:
                walked = self._walked[segment] = WalkedSegment(segment, worker)
            walked.done += done
            walked.requests += requests
            walked.units += units
            walked.seconds += last_seconds - first_seconds
            walked.ended = walked.ended or is_ended
            if walked.seconds > self._slowest.seconds:
                self._slowest = walked
        left_out, done, _, units = others
        if left_out:
            self._group(left_out, units, done)
        if len(self._walked) > 2 * EXACT:
            self._shrink(worker)

    def spread(self, most_bars: int) -> SegmentSpread | None:
        """Return the segments, in at most `most_bars` bars; `None` if no segment was walked."""
        named = sorted(self._walked.values(), key=attrgetter("units"), reverse=True)
        exact = [SegmentBar(1.0, walked.units, float(walked.done)) for walked in named]
        groups = (SegmentBar(count, units / count, done / count) for count, units, done in self._groups.values())
        ranked = sorted([*exact, *groups], key=attrgetter("units"), reverse=True)
        segments = round(sum(one.segments for one in ranked))
        if not segments:
            return None
        mean = sum(one.segments * one.units for one in ranked) / segments
        bars = tuple(_bars(ranked, segments / min(segments, most_bars)))
        slowest = self._slowest if self._slowest.seconds or not named else named[0]
        return SegmentSpread(tuple(named), slowest, bars, segments, mean)

    def _shrink(self, worker: int) -> None:
        """Put the cheapest into groups, but none that this worker is still walking."""
        ended = [walked for walked in self._walked.values() if walked.ended or walked.worker != worker]
        ended.sort(key=attrgetter("units"), reverse=True)
        for walked in ended[EXACT:]:
            del self._walked[walked.segment]
            self._group(1, walked.units, walked.done)

    def _group(self, segments: int, units: float, done: float) -> None:
        place = round(STEPS * log2(max(units / segments, 0.01)))
        self._groups[place] = [*map(add, self._groups.get(place, (0.0, 0.0, 0.0)), (segments, units, done))]


def _bars(ranked: Iterable[SegmentBar], each: float) -> Iterator[SegmentBar]:
    """Return bars of `each` segments, cut from others."""
    count = units = done = 0.0
    for one in ranked:
        left = one.segments
        while left > 1e-9:
            taken = min(left, each - count)
            count, units, done = count + taken, units + taken * one.units, done + taken * one.done
            left -= taken
            if each - count < 1e-6:
                yield SegmentBar(count, units / count, done / count)
                count = units = done = 0.0
    if count > each / 100:
        yield SegmentBar(count, units / count, done / count)


PARTS = {10: "tenth", 100: "hundredth", 1000: "thousandth"}
"""The largest groups, as parts of all."""


@dataclass(frozen=True)
class LengthSpread:
    """`whole`: groups counted to their last item. `cut`: those counted up to the requested number.

    `shares`: of all groups, by the range of their lengths in words; the last range is open if some were cut.
    `largest`: the share of all items counted that the largest tenth, hundredth and thousandth of the groups hold.
    `most_units`: the read units of the group that took the most; 0.0 of runs that do not count.
    """

    whole: int
    cut: int
    shares: Mapping[str, float]
    largest: tuple[float, ...]
    most_units: float


def length_spread(whole: Mapping[int, int], cut: Mapping[int, int], most_units: float = 0.0) -> LengthSpread:
    """Return the shares of counted groups by length, in doubling ranges.

    `whole`, `cut`: number of groups by length, counted to their end and up to the requested number.
    The last range is open if some groups were not counted to their end; others may have as many items, and no more.
    """
    lengths = Counter(whole) + Counter(cut)
    known = min(cut) - 1 if cut else 2 * max(whole)
    octaves = [1 << power for power in range(known.bit_length()) if 2 << power <= known + 1]
    labels = [f"{octave:,} to {2 * octave - 1:,}" if octave > 1 else "1" for octave in octaves]
    counts = [sum(whole.get(n, 0) for n in range(octave, 2 * octave)) for octave in octaves]
    shares = {label: count / lengths.total() for label, count in zip(labels, counts, strict=True)}
    if cut:
        shares[f"{1 << len(octaves):,} or more"] = 1 - sum(shares.values())
    return LengthSpread(sum(whole.values()), sum(cut.values()), shares, tuple(_held_by(lengths)), most_units)


def _held_by(lengths: Counter[int]) -> Iterator[float]:
    """Yield the shares of all items that the largest groups hold; those of fewer than one are left out."""
    count, items = lengths.total(), sum(length * times for length, times in lengths.items())
    for part in PARTS:
        left = count // part
        if not left:
            return
        held = 0
        for length in sorted(lengths, reverse=True):
            held += length * min(left, lengths[length])
            left -= min(left, lengths[length])
        yield held / items
