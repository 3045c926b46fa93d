"""What a request of a batch over items may consume, and what is learned of it."""

from typing import NamedTuple

from skipscan.dynamodb.page import ITEM_STEPS, STEP_BYTES, Page, most_page_units
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import WRITTEN, Answer, Get, Write
from skipscan.items.job import Size
from skipscan.items.lane import SegmentLane
from skipscan.items.plan import ItemPlan
from skipscan.pace.bill import NOTHING, amounts
from skipscan.pace.ledger import Booking, Ledger
from skipscan.scan.limit import UNKNOWN_BYTES


class Mean:
    """The mean of all measurements; the `expected` value counts as four of them."""

    def __init__(self, expected: float) -> None:
        self._sum, self._count = 4 * expected, 4.0

    def add(self, units: float, count: int) -> None:
        self._sum += units
        self._count += count

    def of(self, count: int) -> float:
        return self._sum / self._count * count


PAGE_ITEMS = 1000
"""The most items a page: 25 half read units for 100 KB, and little to read again after the end of a batch."""

PAGE_BYTES = 1 << 18
"""About the most bytes of a page. 16 pages may arrive at the same moment, and deeply nested items take up to a hundred
times their bytes as objects of Python: some 400 MB of the 1,769 MB of a worker, until `SegmentLane` holds them."""

PAGE_WRITE_SECONDS = 2.0
"""A page holds no more items than the worker may write in this time, so that a slow worker does not read far ahead."""


class ReadPage(NamedTuple):
    """A step: the next page of a segment. `number`: of the pass."""

    number: int
    segment: int
    start_key: Item | None
    limit: int


class Sizes:
    """Expected sizes come from the plan at first, and then from what requests consumed."""

    def __init__(self, plan: ItemPlan, ledger: Ledger) -> None:
        self._plan, self._ledger = plan, ledger
        self._reads, self._writes = ledger.reads(), ledger.writes()
        self._write_units = Mean(plan.units_per_write or 1.0)
        step_bytes = STEP_BYTES / plan.reading.step_units
        self._item_units = Mean((plan.reading.item_bytes or UNKNOWN_BYTES) / step_bytes)
        self._page_units = PAGE_BYTES / step_bytes

    def page(self, lane: SegmentLane, number: int, *, is_written: bool) -> tuple[ReadPage, Size]:
        """Return a lane's next page. `is_written`: its items are written to, not only read."""
        limit = self._page_items(is_written=is_written)
        most = amounts(self._plan.prices, most_page_units(self._plan.reading.step_units, limit))
        booking = Booking(lane.segment, self._item_units.of(limit), most, most.units)
        # A page needs room for the smallest write, too.
        return ReadPage(number, lane.segment, lane.start_key, limit), Size(
            self._reads, booking, self._plan.limits.least, is_page=True
        )

    def _page_items(self, *, is_written: bool) -> int:
        each, write = self._item_units.of(1), self._write_units.of(1) if is_written else 0.0
        most = [PAGE_ITEMS, self._page_units / each]
        if is_written and (rate := self._plan.limits.worker_writes):
            most.append(PAGE_WRITE_SECONDS * rate / write)
        if (units := self._reads.page_units) is not None:
            most.append(units / each)
        # Whatever is read has to be written as well, or it is read for nothing.
        left, item = vars(self._ledger.left), vars(amounts(self._plan.prices, each, write))
        most += [left[name] / 2 / consumed for name, consumed in item.items() if consumed]
        return max(1, int(min(most)))

    def step(self, step: object, segment: int) -> Size:
        """Return the size of an item's step: of a write, the most that the plan expects.

        The page that the item came with is paid for, and may have exceeded the budget of reads.
        """
        prices = self._plan.prices
        if isinstance(step, Get):
            most = amounts(prices, float(ITEM_STEPS))  # of the largest item
            return Size(self._reads, Booking(segment, 1.0, most, most.units), amounts(prices, 1.0))
        if isinstance(step, Write):
            units = self._write_units.of(1)
            most = amounts(prices, 0.0, max(units, self._plan.most_units_per_write))
            return Size(self._writes, Booking(segment, units, most, most.units), amounts(prices, 0.0, 1.0))
        return Size(self._writes, Booking(segment, 0.0, NOTHING, 0.0), NOTHING)

    def learn(self, answer: Page | Answer) -> None:
        """Record what a page's items, or a write, consumed. A condition that failed says nothing of a write."""
        if isinstance(answer, Page):
            if answer.items:
                self._item_units.add(answer.read_units, len(answer.items))
        elif answer.value is WRITTEN:
            self._write_units.add(answer.write_units, 1)
