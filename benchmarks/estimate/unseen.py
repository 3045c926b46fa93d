"""`python -m benchmarks.estimate.unseen [DRAW] [SHAPES]`: the coverage over the random shapes of the Limit's benchmark.

They have what the random tables beside it lack: sizes by place in a collection, a single giant, mixed lengths. The
default DRAW is another one in each run, and is printed.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from secrets import randbelow
from typing import Any

import numpy as np

from benchmarks.estimate.coverage import Sampled, coverage_of, show
from benchmarks.limit.fixed import full_scan
from benchmarks.limit.random_shapes import random_shapes
from benchmarks.limit.simulated import Simulated, description
from benchmarks.limit.table import STEP_UNITS, Table, steps_of
from skipscan.dynamodb.page import Page
from skipscan.listing.estimate.estimate import estimate
from skipscan.listing.execution_input import parse
from skipscan.listing.plan import plan_listing
from skipscan.scan.batch import Request
from skipscan.scan.plan import Plan
from tests.unit.listing.estimate.sampled import sampled

SHAPES = 120
LEAST_KEYS, MOST_KEYS = 300, 20_000
UNKNOWN = 0.3
"""How often DescribeTable does not know the table's size."""


@dataclass(frozen=True)
class InSegments:
    """A table that can be scanned in any number of segments."""

    table: Table
    seed: int
    _in: dict[int, Simulated] = field(default_factory=dict)

    @property
    def keys(self) -> int:
        return self.table.collections

    @property
    def items(self) -> int:
        return self.table.items

    @property
    def size_bytes(self) -> int:
        return int(self.table.bytes[-1])

    def plan(self, *, knows: bool, **asked: Any) -> Plan:
        return plan_listing(parse({"table": "Unseen", **asked}), description(self.table, is_known=knows))

    def scan(self, segments: int, request: Request) -> Page:
        if segments not in self._in:
            self._in[segments] = Simulated(self.table, segments, self.seed)
        return self._in[segments].scan(request)

    def first_steps(self) -> int:
        starts = self.table.starts[:-1]
        sizes = self.table.bytes[starts + 1] - self.table.bytes[starts]
        return sum(map(steps_of, sizes.tolist()))

    def full_scan(self, segments: int) -> tuple[float, int]:
        edges = self.table.starts[Simulated.edges_of(self.table, segments, self.seed)]
        bills = [full_scan(self._part(int(begin), int(end))) for begin, end in pairwise(edges)]
        return sum(bill.read_units for bill in bills), sum(bill.requests for bill in bills)

    def _part(self, begin: int, end: int) -> Table:
        """Return the items of a segment as a table of a single collection."""
        return Table(np.array([0, end - begin]), self.table.bytes[begin : end + 1] - self.table.bytes[begin])


def cases(draw: int, shapes: int) -> Iterator[Sampled]:
    """Return a sample and its estimate for each shape."""
    for number, shape in enumerate(random_shapes(draw, shapes)):
        chance = np.random.default_rng([draw, number, 9])
        keys = round(np.exp(chance.uniform(np.log(LEAST_KEYS), np.log(MOST_KEYS))))
        knows = bool(chance.random() >= UNKNOWN)
        table = InSegments(shape.table(keys, draw), draw + number)
        plan = table.plan(knows=knows, strategy="skip")
        sample = sampled(table, plan, seed=number, knows=knows)
        yield Sampled(table, plan, sample, estimate(sample, plan.step_units))


def main() -> None:
    draw = int(sys.argv[1]) if sys.argv[1:] else randbelow(100_000)
    shapes = int(sys.argv[2]) if sys.argv[2:] else SHAPES
    sys.stdout.write(f"draw {draw}, {shapes} shapes, read units per 4 KB {STEP_UNITS}\n")
    show(coverage_of(cases(draw, shapes)))


if __name__ == "__main__":
    main()
