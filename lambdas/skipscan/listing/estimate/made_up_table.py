"""Pages of an imaginary table that resembles the sampled one."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from random import Random
from typing import NamedTuple, Self

from skipscan.dynamodb.page import STEP_BYTES
from skipscan.listing.estimate.lengths import Lengths
from skipscan.scan.limit.item_size import ItemSize
from skipscan.scan.limit.policy import PAGE_BYTES

MODEL_PAGES = 6.0
"""The weight of the model, in pages of a Limit whose steps were seen."""

MEAN_ERROR, SPREAD_ERROR = 0.06, 0.25
"""Relative error of a sample's mean item size and spread, as seen in simulation."""


class MadeUpPage(NamedTuple):
    """`places`: positions of new keys. `steps`: of 4 KB. `is_last`: the last page of its segment."""

    evaluated: int
    places: list[int]
    steps: int
    is_last: bool


@dataclass(frozen=True)
class SimulatedTable:
    """Draws the length of a collection when a page reaches it, and the size of a page's items all at once."""

    lengths: Iterator[int]
    mean_bytes: float
    spread: float
    seen: ItemSize
    random: Random

    @classmethod
    def like(cls, lengths: Lengths, size: ItemSize, random: Random, described_bytes: float = 0.0) -> Self:
        """Return one of the tables that may have produced such a sample.

        `described_bytes`: the mean item size by DescribeTable, 0 if unknown. A small sample meets few large, rare
        items, and a run may meet more of them: the true mean is anywhere between the two figures.
        """
        mean_bytes = size.average_bytes * random.lognormvariate(0, MEAN_ERROR)
        if described_bytes:
            mean_bytes *= (described_bytes / mean_bytes) ** random.random()
        spread = size.spread * random.lognormvariate(0, SPREAD_ERROR)
        return cls(lengths.drawn(random), mean_bytes, spread, size, random)

    def page(self, limit: int, ahead: int) -> MadeUpPage:
        """Return the next page, of at most `limit` items, of a segment that has `ahead` keys left."""
        limit = min(limit, max(1, int(PAGE_BYTES / self.mean_bytes)))
        places: list[int] = []
        end = 0
        while end < limit and len(places) < ahead:
            places.append(end)
            end += next(self.lengths)
        evaluated = min(end, limit)
        return MadeUpPage(evaluated, places, self._steps(evaluated), is_last=end < limit)

    def _steps(self, evaluated: int) -> int:
        if not evaluated:
            return 1
        if counts := self.seen.pages.get(evaluated):
            pages = sum(counts.values())
            if self.random.random() < pages / (pages + MODEL_PAGES):
                return self.random.choices(list(counts), weights=list(counts.values()))[0]
        shape = 1 / self.spread**2
        bytes_ = self.random.gammavariate(evaluated * shape, self.mean_bytes / shape)
        return max(1, ceil(bytes_ / STEP_BYTES))
