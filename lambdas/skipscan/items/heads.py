"""The sample of a retrofit's or a copy's forecast: whole items, the first of some random segments."""

from collections.abc import Callable, Sequence
from itertools import chain
from math import inf
from random import Random

from skipscan.dynamodb.page import STEP_BYTES, Page, most_page_units
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.write_units import item_bytes
from skipscan.items.forecast import Sampled
from skipscan.items.plan import ItemPlan
from skipscan.loop.allotment import PlanAttempt
from skipscan.pace.bill import affordable_reads
from skipscan.pace.rate import most_page_units_at
from skipscan.sample.sampler import MOST_SECONDS, SegmentPage, Steps

SEGMENTS, ITEMS = 8, 250
"""How many segments are read, and how many items of each: mostly some KB a segment, 1 MB at most."""

BUDGET_PART = 0.05
READS_OF_A_WRITE = 5.0
"""A write unit costs as much as five read units (price list of DynamoDB)."""


class Heads:
    """Reads all items of a table of one page, else the first items of segments. The budget says how many of each.

    With a budget, the first page has one item, because DescribeTable's sizes are hours old. The sample ends when
    another item would exceed a twentieth of the budget, and no later page can exceed all of it. With a rate, it ends
    when its next page would have to wait too long, by the `clock`.
    """

    def __init__(self, segments: int, budget: "SampleBudget", seed: int, clock: Callable[[], float]) -> None:
        self.chance = Random(seed)
        self._segments, self._budget = segments, budget
        self._clock, self._start = clock, clock()
        self._first, self._found = list[Item](), list[Sequence[Item]]()
        self._is_whole, self._is_ended = False, True

    def begin(self) -> Steps[SegmentPage, tuple[int, int] | None]:
        """Read the table's first page, and with a budget another one of as many items as it allows."""
        page: Page = yield SegmentPage(1, 0)
        if self._budget.is_bounded and page.last_evaluated_key and self._budget.limit:
            page = yield SegmentPage(1, 0)
        self._first, self._is_whole = [*page.items], page.last_evaluated_key is None
        return None if self._is_whole else (self._segments, SEGMENTS)

    def read(self, segments: int, segment: int) -> Steps[SegmentPage, bool]:
        """Read the first items of a segment, if time and budget allow it."""
        if self._clock() - self._start > MOST_SECONDS or not self._budget.limit:
            self._is_ended = False
            return False
        page: Page = yield SegmentPage(segments, segment)
        self._found.append(page.items)
        self._is_ended = self._is_ended and page.last_evaluated_key is None
        return True

    @property
    def sample(self) -> Sampled:
        """Return what was read."""
        items, read_units = tuple(chain.from_iterable(self._found)), self._budget.read_units
        if not items:  # of any segment: the first page is the sample, and it is of the whole table
            return Sampled(tuple(self._first), self._segments, self._is_whole, read_units)
        return Sampled(items, len(self._found), self._is_ended, read_units, tuple(map(len, self._found)))


class SampleBudget:
    """What a sample may read. `limit`: the items of its next page, 0 if another item would exceed its part.

    `read_units`: of its pages. The attempt also counts the most of requests without an answer.
    """

    def __init__(self, decided: ItemPlan, attempt: PlanAttempt) -> None:
        plan, budget = decided.reading, decided.limits.budget
        self._plan, self._attempt = plan, attempt
        self._budget = affordable_reads(plan.prices, budget)
        self._part = BUDGET_PART * min(self._budget, READS_OF_A_WRITE * budget.write_units)
        rate = plan.max_read_units_per_second
        self._page = most_page_units_at(rate) if rate else inf
        self._item_bytes = plan.item_bytes
        self.read_units = 0.0
        self.is_bounded = budget.is_bounded
        self.limit = 1 if self.is_bounded else max(1, self._items(self._page))

    @property
    def ceiling(self) -> float:
        """Return the most read units: the last page may exceed the sample's part, and a page of one item the budget."""
        item, page = (most_page_units(self._plan.step_units, limit) for limit in (1, None))
        return min(self._budget + item, self._part + page)

    def receive(self, page: Page) -> None:
        """Record a page: what it has consumed, and how large its items are."""
        self.read_units += page.read_units
        if page.items:
            self._item_bytes = max(self._plan.item_bytes, sum(map(item_bytes, page.items)) / len(page.items))
        self._take(page.read_units)

    def lose(self) -> None:
        """Count a page without an answer with the most that it can have consumed."""
        self._take(most_page_units(self._plan.step_units, self.limit))

    def _take(self, read_units: float) -> None:
        self._attempt.read_units += read_units
        left = self._part - self._attempt.read_units
        self.limit = min(max(1, self._items(self._page)), self._items(left), self._within())

    def _items(self, units: float) -> int:
        """Return how many items of average size so many units read."""
        each = max(self._item_bytes * self._plan.step_units / STEP_BYTES, 1e-9)
        # A page is rounded up to 4 KB.
        return 0 if units < self._plan.step_units else min(ITEMS, int(min(units, 1e9) / each))

    def _within(self) -> int:
        """Return the most items of a page that stays within the budget, however large they are."""
        return ITEMS if most_page_units(self._plan.step_units) <= self._budget - self._attempt.read_units else 1
