"""A table as prefix sums: the items and the cost of any page, without any stored item."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

STEP_BYTES = 4096
STEP_UNITS = 0.5  # read units per step of 4 KB, eventually consistent
PAGE_BYTES = 1 << 20


def steps_of(page_bytes: int) -> int:
    """Return the billed steps of 4 KB of a page: a started step counts, and an empty page counts as one."""
    return max(1, -(-page_bytes // STEP_BYTES))


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


@dataclass(frozen=True)
class Table:
    """Item collections in the order of a scan.

    `starts`: the first item of each collection, and then the number of items. `bytes`: the bytes before each item,
    and then those of all items. At the end of the table an empty page can follow: it is collection number
    `collections`. The number after it means that the walk is over.
    """

    starts: Integers
    bytes: Integers

    @classmethod
    def of(cls, lengths: Integers, item_bytes: Integers) -> Self:
        return cls(np.concatenate([[0], np.cumsum(lengths)]), np.concatenate([[0], np.cumsum(item_bytes)]))

    @property
    def collections(self) -> int:
        return len(self.starts) - 1

    @property
    def items(self) -> int:
        return len(self.bytes) - 1

    @cached_property
    def start_items(self) -> list[int]:
        """The starts as a list, in which a single one is found faster."""
        found: list[int] = self.starts.tolist()
        return found

    @cached_property
    def full(self) -> Integers:
        """Where pages without a Limit end: after the item that reaches 1 MB, or past the end."""
        return np.searchsorted(self.bytes, self.bytes[self.starts] + PAGE_BYTES)

    def pages(self, limit: int) -> tuple[Integers, Integers]:
        """Return the steps and the following collection of the page that begins at each collection."""
        stops = np.minimum(self.starts + limit, self.full)
        ends = np.minimum(stops, self.items)
        steps = np.maximum(1, -(-(self.bytes[ends] - self.bytes[self.starts]) // STEP_BYTES))
        following = np.where(stops > self.items, self.collections + 1, np.searchsorted(self.starts, ends))
        return steps, following
