"""The sample of a profile: segments that are read whole, how many, and when to stop.

No page is ever read twice: reading all segments costs what a parallel scan with so many segments costs.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Self

from skipscan.dynamodb.page import PAGE_STEPS, STEP_BYTES, STEP_UNITS, Page, most_page_units
from skipscan.dynamodb.prices import Prices
from skipscan.dynamodb.source import Item
from skipscan.errors import InputError, named
from skipscan.inputs.fields import MAX_SEGMENTS
from skipscan.pace.bill import Amounts, affordable_reads, amounts
from skipscan.profile.circumstances import Circumstances
from skipscan.profile.tally import CountName, SegmentTally, TallyRules
from skipscan.sample.sampler import UNKNOWN_SEGMENTS, SegmentPage, Steps

AT_ONCE_PAGES = 4
"""A table of at most this many pages is read whole."""

TARGET_SEGMENTS = 120
"""Enough for the spread between segments to be reliable, and few enough to keep all of their counts."""

TENTHS = 10
"""The parts of the hash space whose bytes are compared. Segment 3 of 40 has the hashes from 3/40 to 4/40."""

PLANNED_PART = 0.85
"""The part of the budget that segments of average size take. The rest is for larger ones: a sample that ends because
its budget does would mostly end within the largest segments, and favour the small ones."""

LEAST_SEGMENT_STEPS = 8
"""The end of each segment costs up to a step of 4 KB."""


@dataclass(frozen=True)
class ReadingPlan:
    """A random sample of `sampled` of the table's `segments`, for at most the `budget`.

    `expected_units`: the read units, from DescribeTable's size; `None` if it shows no size.
    """

    segments: int
    sampled: int
    budget: Amounts
    expected_units: float | None

    @classmethod
    def of(cls, size_bytes: int, budget: Amounts, prices: Prices) -> Self:
        """Return the plan for a table; raise `InputError` for a budget below one page or one segment.

        `size_bytes`: by DescribeTable, hours old, 0 if unknown. It decides how much is read, never the figures.
        """
        budget_units = affordable_reads(prices, budget)
        by_units = budget.read_units <= budget_units
        bound = "max_read_units" if by_units else "max_dollars"
        given, most = budget.read_units if by_units else budget.dollars, most_page_units(STEP_UNITS)
        way = f"raise {named(bound)}"
        if budget_units < most:
            rule = f"it pays for {budget_units:,.1f} read units, and one page may take {most:,.1f}"
            raise InputError(bound, given, rule, way)
        if not size_bytes:
            return cls(UNKNOWN_SEGMENTS, UNKNOWN_SEGMENTS, budget, None)
        steps = size_bytes / STEP_BYTES
        units, room = steps * STEP_UNITS, budget_units * PLANNED_PART
        if units <= room:
            pages = steps / PAGE_STEPS
            # The same number of segments in each tenth of the hash space: then its bytes are known exactly.
            segments = 1 if pages <= AT_ONCE_PAGES else max(TENTHS, min(TARGET_SEGMENTS, int(pages)) // TENTHS * TENTHS)
            return cls(segments, segments, budget, units)
        segments = int(min(TARGET_SEGMENTS * units / room, steps / LEAST_SEGMENT_STEPS, MAX_SEGMENTS))
        segments = max(segments, 1)
        sampled = max(1, min(segments, int(room / units * segments)))
        if units * sampled / segments > budget_units:
            rule = (
                f"it pays for {budget_units:,.1f} read units, and the smallest segment of a table of this size takes "
                f"about {units / segments:,.1f}"
            )
            raise InputError(bound, given, rule, way)
        return cls(segments, sampled, budget, units * sampled / segments)

    @property
    def is_whole(self) -> bool:
        """Whether the plan reads every item."""
        return self.sampled == self.segments


@dataclass
class ReadSegments:
    """The `tallies` of the segments that were read, out of so many `segments`, and the `details` of all together.

    `is_cut`: reading stopped within the last of them, which was already larger than all others and so the most
    important one. A smaller one is left out, like a segment that was not started.
    """

    segments: int
    tallies: list[SegmentTally]
    is_cut: bool = False
    details: Counter[CountName] = field(default_factory=Counter)
    read_units: float = 0.0
    requests: int = 0

    @property
    def ended(self) -> int:
        """How many segments were read to their end."""
        return len(self.tallies) - self.is_cut

    @property
    def is_whole(self) -> bool:
        """Whether everything was read, so that no figure is an estimate."""
        return self.ended == self.segments

    def add(self, tally: SegmentTally, *, is_cut: bool = False) -> None:
        """Add a segment that was read to its end, or up to where reading stopped."""
        tally.end()
        largest = max((one.counts["bytes",] for one in self.tallies), default=0)
        if is_cut and tally.counts["bytes",] <= largest:
            return
        self.is_cut = is_cut
        self.tallies.append(tally)
        self.details.update(tally.details)
        tally.details.clear()


class SegmentReader:
    """Reads random segments, a page at a time. It can be stopped between any two pages.

    `elapsed`: dollars of the time since the reading started, where time is billed.
    """

    def __init__(
        self,
        plan: ReadingPlan,
        of: Circumstances,
        elapsed: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._plan, self._of, self._elapsed = plan, of, elapsed
        self._rules = TallyRules(of.description, of.expiry.attribute if of.expiry else None, of.now)
        self.chance = Random(of.seed)
        self._open: SegmentTally | None = None
        self.found = ReadSegments(plan.segments, [])

    def finish(self) -> ReadSegments:
        """Return what was read."""
        if self._open is not None:  # one that was read to its end is not larger than itself
            self.found.add(self._open, is_cut=True)
        return self.found

    def begin(self) -> Steps[SegmentPage, tuple[int, int] | None]:
        """Read one page of a table of unknown size. It counts only if that was all."""
        if self._plan.expected_units is None:
            tally = SegmentTally(self._rules)
            page = yield from self._page(SegmentPage(1, 0))
            if page.last_evaluated_key is None:
                tally.add(page.items)
                self.found.segments = 1
                self.found.add(tally)
                return None
        return self._plan.segments, self._plan.sampled

    def read(self, segments: int, segment: int) -> Steps[SegmentPage, bool]:
        """Read a segment; return whether its end was reached within the budget."""
        self._open = SegmentTally(self._rules, segment)
        start_key: Item | None = None
        while self._has_room():
            page = yield from self._page(SegmentPage(segments, segment, start_key))
            self._open.add(page.items)
            start_key = page.last_evaluated_key
            del page  # not held while the next one is read
            if start_key is None:
                self.found.add(self._open)
                return True
        return False

    def _has_room(self) -> bool:
        """Return whether the budget pays for another page, however large."""
        consumed = amounts(self._of.prices, self.found.read_units) + Amounts(dollars=self._elapsed())
        return amounts(self._of.prices, most_page_units(STEP_UNITS)).fits(self._plan.budget - consumed)

    def _page(self, ask: SegmentPage) -> Steps[SegmentPage, Page]:
        page: Page = yield ask
        self.found.read_units += page.read_units
        self.found.requests += 1
        return page
