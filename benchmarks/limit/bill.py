"""The read units and requests that a way of listing a table's keys consumes."""

from collections.abc import Sequence
from typing import NamedTuple, Self

from benchmarks.limit.table import STEP_UNITS


class Bill(NamedTuple):
    """Read units and requests of a whole table."""

    read_units: float
    requests: int

    @classmethod
    def of(cls, steps: Sequence[int]) -> Self:
        """Return the bill of pages that took so many steps of 4 KB each."""
        return cls(STEP_UNITS * sum(steps), len(steps))

    def cost(self, request_units: float) -> float:
        """Return the cost in read units, if a request counts as so many of them."""
        return self.read_units + request_units * self.requests
