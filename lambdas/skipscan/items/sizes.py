"""The page that a batch over items reads, and the mean of what was measured of pages and writes."""

from typing import NamedTuple

from skipscan.dynamodb.source import Item


class Mean:
    """The mean of all measurements; the `expected` value counts as four of them."""

    def __init__(self, expected: float) -> None:
        self._sum, self._count = 4 * expected, 4.0

    def add(self, units: float, count: int) -> None:
        self._sum += units
        self._count += count

    def of(self, count: int) -> float:
        return self._sum / self._count * count


class ReadPage(NamedTuple):
    """A step: the next page of a segment. `number`: of the pass."""

    number: int
    segment: int
    start_key: Item | None
    limit: int
