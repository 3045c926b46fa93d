"""What each worker did and when."""

from collections.abc import Mapping
from dataclasses import dataclass

MOST_SPANS = 32
"""Stretches of work that one worker is drawn with; those with the shortest pauses between them become one."""


@dataclass(frozen=True)
class Worker:
    """`spans`: when it was at work, begin and end in seconds since the first batch of all began.

    `figures`: its counts by name. `busy_seconds`: the sum of its batches, without the pauses between them.
    """

    worker: int
    figures: Mapping[str, float]
    batches: int
    busy_seconds: float
    spans: tuple[tuple[float, float], ...]

    @property
    def end_seconds(self) -> float:
        return self.spans[-1][1]


class WorkerGathering:
    """Takes in the batches of one worker, in any order. Times in seconds."""

    def __init__(self) -> None:
        self.figures: Mapping[str, float] = {}
        self._batches = 0
        self._busy = 0.0
        self._spans: list[tuple[float, float]] = []

    def add(self, begin: float, seconds: float, figures: Mapping[str, float]) -> None:
        """Take in a batch. `figures`: the worker's counts at its end."""
        self.figures = figures
        self._batches += 1
        self._busy += seconds
        self._spans.append((begin, begin + seconds))
        if len(self._spans) > 2 * MOST_SPANS:
            self._spans = _merged(self._spans)

    def worker(self, number: int, first: float) -> Worker:
        """Return what it did; `first`: when the first batch of all workers began."""
        spans = tuple((begin - first, end - first) for begin, end in _merged(self._spans))
        return Worker(number, self.figures, self._batches, self._busy, spans)


def _merged(spans: list[tuple[float, float]]) -> list[tuple[float, float]]:
    spans = sorted(spans)
    pauses = sorted(range(1, len(spans)), key=lambda i: spans[i][0] - spans[i - 1][1])
    joins = set(pauses[: max(0, len(spans) - MOST_SPANS)])
    merged: list[tuple[float, float]] = []
    for number, (begin, end) in enumerate(spans):
        if number in joins:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((begin, end))
    return merged
