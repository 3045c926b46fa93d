"""Which segments of a table to read whole, in which order, and when to stop.

A hash distributes item collections over the segments, so random segments are an unbiased sample of collections. No
page is ever read twice: reading all segments costs what a parallel scan with so many segments costs.
"""

from collections.abc import Generator
from dataclasses import dataclass
from random import Random
from typing import NamedTuple, Self

from skipscan.dynamodb.page import PAGE_STEPS, STEP_BYTES, Page, most_page_units
from skipscan.dynamodb.source import Item
from skipscan.errors import InputError
from skipscan.inputs.fields import MAX_SEGMENTS
from skipscan.listing.estimate.sampling import UNKNOWN_SEGMENTS
from skipscan.pace.amounts import Amounts
from skipscan.pace.budget import Budget
from skipscan.profile.tally import SegmentTally, TallyRules

PAGE_BYTES = PAGE_STEPS * STEP_BYTES
AT_ONCE_PAGES = 4
"""A table of at most so many pages is read in one go."""

WANTED_SEGMENTS = 120
"""Enough for the spread between segments to be reliable, and few enough to keep all of their counts."""

PLANNED_PART = 0.85
"""The part of the budget that segments of average size take. The rest is for larger ones: a sample that ends because
its budget does would mostly end within the largest segments, and favour the small ones."""

LEAST_SEGMENT_STEPS = 8
"""The end of each segment costs up to a step of 4 KB."""


@dataclass(frozen=True)
class ReadingPlan:
    """Of so many `segments`, `wanted` random ones are read, for at most `budget_units`.

    `expected_units`: what that takes by DescribeTable's size; `None` if it shows none.
    """

    segments: int
    wanted: int
    budget_units: float
    expected_units: float | None
    step_units: float

    @classmethod
    def of(cls, size_bytes: int, budget_units: float, step_units: float) -> Self:
        """Return the plan for a table; raise `InputError` for a budget below one page.

        `size_bytes`: by DescribeTable, hours old, 0 if unknown. It decides how much is read, never the figures.
        """
        if budget_units < most_page_units(step_units):
            raise InputError(
                f"the budget pays for {budget_units:,.1f} read units, and one page may take "
                f"{most_page_units(step_units):,.1f}: raise --max-dollars"
            )
        if not size_bytes:
            return cls(UNKNOWN_SEGMENTS, UNKNOWN_SEGMENTS, budget_units, None, step_units)
        steps = size_bytes / STEP_BYTES
        units, room = steps * step_units, budget_units * PLANNED_PART
        if units <= room:
            pages = steps / PAGE_STEPS
            segments = 1 if pages <= AT_ONCE_PAGES else min(WANTED_SEGMENTS, int(pages))
            return cls(segments, segments, budget_units, units, step_units)
        segments = int(min(WANTED_SEGMENTS * units / room, steps / LEAST_SEGMENT_STEPS, MAX_SEGMENTS))
        segments = max(segments, 1)
        wanted = max(1, min(segments, int(room / units * segments)))
        if units * wanted / segments > budget_units:
            raise InputError(
                f"the budget pays for {budget_units:,.1f} read units, and the smallest segment of a table of this size "
                f"takes about {units / segments:,.1f}: raise --max-dollars"
            )
        return cls(segments, wanted, budget_units, units * wanted / segments, step_units)

    @property
    def is_whole(self) -> bool:
        """Whether the plan is to read every item."""
        return self.wanted == self.segments


class SegmentPage(NamedTuple):
    """A page to scan, of up to 1 MB."""

    segments: int
    segment: int
    start_key: Item | None


@dataclass
class ReadSegments:
    """What was read. `tallies`: of the segments that were read to their ends, of so many `segments`.

    `cut`: the segment in which reading stopped, if it was already larger than all others: it then is the most important
    one. Otherwise it is left out, like a segment that was never begun.
    """

    segments: int
    tallies: list[SegmentTally]
    cut: SegmentTally | None = None
    read_units: float = 0.0
    requests: int = 0

    @property
    def is_whole(self) -> bool:
        return len(self.tallies) == self.segments


class SegmentReader:
    """Reads random segments, a page at a time. It can be stopped between any two pages."""

    def __init__(self, plan: ReadingPlan, rules: TallyRules, seed: int) -> None:
        self._plan, self._rules = plan, rules
        self._random = Random(seed)
        self._budget = Budget(Amounts(read_units=plan.budget_units))
        self._most = Amounts(read_units=most_page_units(plan.step_units))
        self._open: SegmentTally | None = None
        self.read = ReadSegments(plan.segments, [])

    def pages(self) -> Generator[SegmentPage, Page, None]:
        """Yield the pages to read; send each back."""
        if self._plan.expected_units is None and not (yield from self._begin_unknown()):
            return
        for segment in self._random.sample(range(self._plan.segments), self._plan.wanted):
            if not (yield from self._segment(self._plan.segments, segment)):
                return

    def finish(self) -> ReadSegments:
        """Return what was read."""
        if self._open is not None:
            self._open.end()
            largest = max((tally.item_bytes for tally in self.read.tallies), default=0)
            if self._open.item_bytes > largest:
                self.read.cut = self._open
            self._open = None
        return self.read

    def _begin_unknown(self) -> Generator[SegmentPage, Page, bool]:
        """Read one page of a table of unknown size; return whether it has more. The page counts only if not."""
        tally = SegmentTally(self._rules)
        page = yield from self._page(SegmentPage(1, 0, None))
        if page.last_evaluated_key is None:
            tally.add(page.items)
            tally.end()
            self.read.segments, self.read.tallies = 1, [tally]
            return False
        return True

    def _segment(self, segments: int, segment: int) -> Generator[SegmentPage, Page, bool]:
        """Read a segment; return whether its end was reached within the budget."""
        self._open = SegmentTally(self._rules)
        start_key: Item | None = None
        while self._budget.has_room(self._most):
            page = yield from self._page(SegmentPage(segments, segment, start_key))
            self._open.add(page.items)
            start_key = page.last_evaluated_key
            if start_key is None:
                self._open.end()
                self.read.tallies.append(self._open)
                self._open = None
                return True
        return False

    def _page(self, ask: SegmentPage) -> Generator[SegmentPage, Page, Page]:
        page = yield ask
        consumed = Amounts(read_units=page.read_units)
        self._budget.begin(self._most)
        self._budget.settle(self._most, consumed)
        self.read.read_units += page.read_units
        self.read.requests += 1
        return page
