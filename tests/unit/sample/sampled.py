"""A sample of a table in arrays, taken without a client."""

from contextlib import suppress
from math import inf
from typing import Protocol

from skipscan.sample.sample import Sample
from skipscan.sample.sampler import random_segments
from skipscan.sample.walks import Walks
from skipscan.scan.plan import Plan
from tests.unit.sample.random_table import Scanned


class Counted(Scanned, Protocol):
    @property
    def items(self) -> int: ...


def sampled(
    table: Counted,
    plan: Plan,
    *,
    items: int | None = None,
    seed: int = 0,
    knows: bool = True,
    most_pages: int | None = None,
    taken: list[float] | None = None,
) -> Sample:
    """Return the sample. `items`: as DescribeTable counts them; the truth if left out, 0 unless it `knows`.

    `most_pages`: after which its time is over. `taken`: gets what each page takes.
    """
    counted = 0 if not knows else table.items if items is None else items
    pages = 0
    walks = Walks(plan, counted, seed, lambda: 0.0 if most_pages is None or pages < most_pages else inf)
    steps = random_segments(walks)
    with suppress(StopIteration):
        ask = next(steps)
        while True:
            pages += 1
            page = table.scan(ask.segments, ask.request)
            if taken is not None:
                taken.append(page.read_units)
            ask = steps.send(page)
    return walks.sample
