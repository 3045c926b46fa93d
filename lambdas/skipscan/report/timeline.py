"""The run over time: all batches of all workers together, in equal stretches."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import exp, log

from skipscan.report.record import Record

STRETCHES = 60


@dataclass(frozen=True)
class Stretch:
    """`end_seconds`: since the first batch began. The other figures are of this stretch alone."""

    end_seconds: float
    keys: float = 0.0
    read_units: float = 0.0
    requests: float = 0.0
    throttles: float = 0.0
    limits: tuple[float, float, float] | None = None


@dataclass(frozen=True)
class Timeline:
    """`seconds`: of each stretch."""

    seconds: float
    stretches: tuple[Stretch, ...]

    @property
    def keys_by_then(self) -> list[float]:
        return list(accumulate(stretch.keys for stretch in self.stretches))

    @property
    def end_seconds(self) -> float:
        return self.stretches[-1].end_seconds if self.stretches else 0.0


class _Gathered:
    def __init__(self) -> None:
        self.figures = [0.0, 0.0, 0.0, 0.0]
        self.weight = 0.0
        self.limits = [0.0, 0.0, 0.0]

    def stretch(self, end_seconds: float) -> Stretch:
        keys, read_units, requests, throttles = self.figures
        limits = None
        if self.weight:
            low, half, high = (exp(limit / self.weight) for limit in self.limits)
            limits = (low, half, high)
        return Stretch(end_seconds, keys, read_units, requests, throttles, limits)


def timeline(record: Record) -> Timeline:
    """Return the run as at most `STRETCHES` stretches; what a slot brought is spread evenly over its time."""
    slots = [slot for batch in record.batches for slot in batch.slots]
    ends = [(batch.finished - record.begun).total_seconds() for batch in record.batches]
    if not slots or max(ends) <= 0:
        return Timeline(0.0, ())
    seconds = max(ends) / STRETCHES
    gathered = [_Gathered() for _ in range(STRETCHES)]
    for batch in record.batches:
        for slot in batch.slots:
            begin = max(0.0, (slot.began - record.begun).total_seconds())
            end = max(begin, min(begin + slot.seconds, (batch.finished - record.begun).total_seconds()))
            counts = slot.counts
            figures = (counts.keys, counts.read_units, counts.requests, counts.throttles)
            for number, part in _parts(begin, end, seconds):
                into = gathered[number]
                into.figures = [sum_ + part * figure for sum_, figure in zip(into.figures, figures, strict=True)]
                if slot.limits and counts.requests:
                    weight = part * counts.requests
                    into.weight += weight
                    logs = map(log, slot.limits)
                    into.limits = [sum_ + weight * limit for sum_, limit in zip(into.limits, logs, strict=True)]
    return Timeline(seconds, tuple(into.stretch((n + 1) * seconds) for n, into in enumerate(gathered)))


def middle(numbers: Sequence[float]) -> float:
    """Return the median; 0 of nothing."""
    ordered = sorted(numbers)
    return ordered[len(ordered) // 2] if ordered else 0.0


def _parts(begin: float, end: float, seconds: float) -> Iterator[tuple[int, float]]:
    """Return the stretches that lie in a time, with the part of the time that each has."""
    first = min(STRETCHES - 1, int(begin / seconds))
    last = min(STRETCHES - 1, int(end / seconds))
    if first == last:
        yield first, 1.0
        return
    for number in range(first, last + 1):
        overlap = min(end, (number + 1) * seconds) - max(begin, number * seconds)
        yield number, max(0.0, overlap) / (end - begin)
