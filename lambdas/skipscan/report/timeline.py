"""A run or job over time: all batches of all workers together, in equal stretches, in bounded memory."""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise
from math import ceil

STRETCHES = 96
"""The maximum number of stretches of time in the drawing."""

BINS, FIRST_BIN_SECONDS = 1024, 1 / 64
"""While it is gathered; when the bins do not suffice, two become one."""


@dataclass(frozen=True)
class Timeline:
    """Stretches of time that follow each other without a gap.

    `ends`: in seconds since the first batch started. `figures`: by name, those of each stretch alone.
    """

    ends: tuple[float, ...] = ()
    figures: Mapping[str, Sequence[float]] = field(default_factory=dict)

    @property
    def end_seconds(self) -> float:
        return self.ends[-1] if self.ends else 0.0

    def totals(self, figure: str) -> list[float]:
        """Return the running total at the end of each stretch."""
        return list(accumulate(self.figures[figure]))

    def rates(self, figure: str) -> list[float]:
        """Return the figure per second in each stretch."""
        stretches = zip(self.figures[figure], (0.0, *self.ends), self.ends, strict=False)
        return [amount / (end - begin) for amount, begin, end in stretches]

    def scaled(self, factor: float) -> "Timeline":
        """Return the timeline with every figure multiplied."""
        return replace(self, figures={name: [one * factor for one in each] for name, each in self.figures.items()})


class Gathering:
    """Takes in what happened when, in any order; the memory it takes depends on `names` alone.

    `begin_seconds`: the first moment that anything happened in.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._width = FIRST_BIN_SECONDS
        self._figures = {name: array("d", bytes(8 * BINS)) for name in names}
        self.begin_seconds, self._end = float("inf"), 0.0

    def add(self, begin_seconds: float, step_seconds: float, running: Mapping[str, Sequence[float]]) -> None:
        """Take in figures by their running totals at the end of equal steps, in each of which they grow evenly."""
        steps = max(map(len, running.values()))
        if not steps:
            return
        begin = max(0.0, begin_seconds)
        end = begin + steps * max(0.0, step_seconds)
        self.begin_seconds, self._end = min(self.begin_seconds, begin), max(self._end, end)
        while end >= BINS * self._width:
            self._double()
        first, last = int(begin / self._width), int(end / self._width)
        edges = [((number + 1) * self._width - begin) / step_seconds for number in range(first, last)]
        for name, totals in running.items():
            if not totals[-1]:  # as throttles mostly are
                continue
            bins, before = self._figures[name], 0.0
            for number, edge in enumerate(edges, start=first):
                now = _total(totals, edge)
                bins[number] += now - before
                before = now
            bins[last] += totals[-1] - before

    def timeline(self) -> Timeline:
        """Return at most `STRETCHES` stretches, from the first moment to the last that anything happened in."""
        if self._end <= self.begin_seconds:
            return Timeline()
        first, last = int(self.begin_seconds / self._width), int(self._end / self._width)
        each = ceil((last - first + 1) / STRETCHES)
        edges = [number * self._width for number in range(first + each, last + 1, each)]
        if edges and self._end - edges[-1] < each * self._width / 2:
            edges.pop()  # the last stretch takes in what would be a sliver
        cuts = [first, *(int(edge / self._width) for edge in edges), last + 1]  # exact: widths are powers of two
        figures = {name: [sum(bins[a:b]) for a, b in pairwise(cuts)] for name, bins in self._figures.items()}
        return Timeline(tuple(end - self.begin_seconds for end in (*edges, self._end)), figures)

    def _double(self) -> None:
        self._width *= 2
        for bins in self._figures.values():
            for number in range(BINS // 2):
                bins[number] = bins[2 * number] + bins[2 * number + 1]
            for number in range(BINS // 2, BINS):
                bins[number] = 0.0


def _total(running: Sequence[float], steps: float) -> float:
    """Return the running total after so many steps, of which the last may be a part."""
    last = min(int(steps), len(running) - 1)
    before = running[last - 1] if last else 0.0
    return before + (steps - last) * (running[last] - before)
