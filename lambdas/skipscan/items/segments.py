"""The items of a table: a worker's segments, walked page by page, once for each pass.

A repeat does no harm, because every write has a condition on all that it was made of. So an item is counted and listed
when the cursor passes it, and what lies between the cursor and the end of a batch is done again by the next one.
"""

from abc import abstractmethod
from collections import deque
from collections.abc import Sequence
from dataclasses import replace

from skipscan.dynamodb.page import ITEM_STEPS, STEP_BYTES, Page, most_page_units
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import WRITTEN, Answer, Conflict, Get, ItemSteps, Write
from skipscan.items.job import Job, Size, Unit
from skipscan.items.lane import ReadPage, SegmentLane
from skipscan.items.plan import ItemPlan
from skipscan.items.progress import ItemCounts, ItemPosition, ItemProgress, ItemResult
from skipscan.pace.bill import NOTHING, amounts
from skipscan.pace.ledger import Booking, Ledger
from skipscan.scan.cursor import Cursor
from skipscan.scan.limit import UNKNOWN_BYTES
from skipscan.scan.plan import segment_at

PAGE_ITEMS = 1000
"""The most items a page: 25 half read units for 100 KB, and little to read again after the end of a batch."""

PAGE_BYTES = 1 << 18
"""About the most bytes of a page. 16 pages may arrive at the same moment, and deeply nested items take up to a hundred
times their bytes as objects of Python: some 400 MB of the 1,769 MB of a worker, until `SegmentLane` holds them."""

PAGE_WRITE_SECONDS = 2.0
"""A page holds no more items than the worker may write in this time, so that a slow worker does not read far ahead."""


class Mean:
    """The mean of all measurements; the `expected` value counts as four of them."""

    def __init__(self, expected: float) -> None:
        self._sum, self._count = 4 * expected, 4.0

    def add(self, units: float, count: int) -> None:
        self._sum += units
        self._count += count

    def of(self, count: int) -> float:
        return self._sum / self._count * count


class ItemJob(Job):
    """A job over the items of a worker's segments. `number`: of the pass; one pass follows the other.

    Expected sizes come from the plan at first, and then from what requests consumed.
    """

    plan: ItemPlan
    done = "items"

    def __init__(self, plan: ItemPlan, ledger: Ledger) -> None:
        position = ledger.progress.position
        self.plan = plan
        self._clock = ledger.clock.now
        self._worker = ledger.progress.worker
        self._opened = position.opened
        self._ledger = ledger
        self._reads = ledger.reads()
        self._writes = ledger.writes()
        self._others = ledger.others()  # of a queue, whose answers say nothing of the table's capacity
        step_bytes = STEP_BYTES / plan.reading.step_units
        self._page_units = PAGE_BYTES / step_bytes
        self._item_units = Mean((plan.reading.item_bytes or UNKNOWN_BYTES) / step_bytes)
        self._write_units = Mean(plan.units_per_write or 1.0)
        self._new_counts: type[ItemCounts] = type(ledger.progress.counts)
        self._segments = plan.segments_of(self._worker)
        self.number = plan.pass_of(position.opened - 1, self._worker) if position.cursors else 0
        self.lanes = deque(SegmentLane(cursor, self._begin) for cursor in position.cursors)

    @abstractmethod
    def begin(self, item: Item) -> ItemSteps:
        """Return the work on an item of a page."""

    @abstractmethod
    def counts_of(self, result: ItemResult) -> ItemCounts:
        """Return the counts of an item that the cursor passes; called once for each."""

    def open(self) -> None:
        """Open as many lanes as may be open. A pass begins only when all lanes of the pass before have ended."""
        plan = self.plan
        while len(self.lanes) < plan.reading.walks and self._opened < plan.passes * self._segments:
            number = plan.pass_of(self._opened, self._worker)
            if number != self.number:
                if self.lanes:
                    return
                self.number = number
            visit = self._worker + self._opened % self._segments * plan.workers
            self._opened += 1
            self.lanes.append(SegmentLane(Cursor(segment_at(visit, plan.reading.segments)), self._begin))

    def read(self, lane: SegmentLane) -> tuple[ReadPage, Size]:
        """Return a lane's next page, and its size."""
        limit = self._page_items()
        most = amounts(self.plan.prices, most_page_units(self.plan.reading.step_units, limit))
        booking = Booking(lane.segment, self._item_units.of(limit), most, most.units)
        # A page needs room for the smallest write, too.
        size = Size(self._reads, booking, self.plan.limits.least, is_page=True)
        return ReadPage(self.number, lane.segment, lane.start_key, limit), size

    def _page_items(self) -> int:
        is_written = not self.number
        each, write = self._item_units.of(1), self._write_units.of(1) if is_written else 0.0
        most = [PAGE_ITEMS, self._page_units / each]
        if is_written and (rate := self.plan.limits.worker_writes):
            most.append(PAGE_WRITE_SECONDS * rate / write)
        if (units := self._reads.page_units) is not None:
            most.append(units / each)
        # Whatever is read has to be written as well, or it is read for nothing.
        left, item = vars(self._ledger.left), vars(amounts(self.plan.prices, each, write))
        most += [left[name] / 2 / consumed for name, consumed in item.items() if consumed]
        return max(1, int(min(most)))

    def size(self, unit: Unit, lane: SegmentLane) -> Size:
        """Return the size of an item's step: of a write, the most that the plan expects.

        The page that the item came with is paid for, and may have exceeded the budget of reads.
        """
        prices = self.plan.prices
        if isinstance(unit.step, Get):
            most = amounts(prices, float(ITEM_STEPS))  # of the largest item
            return Size(self._reads, Booking(lane.segment, 1.0, most, most.units), amounts(prices, 1.0))
        if isinstance(unit.step, Write):
            units = self._write_units.of(1)
            most = amounts(prices, 0.0, max(units, self.plan.most_units_per_write))
            return Size(self._writes, Booking(lane.segment, units, most, most.units), amounts(prices, 0.0, 1.0))
        return Size(self._others, Booking(lane.segment, 0.0, NOTHING, 0.0), NOTHING, is_of_table=False)

    def count(self, answer: Page | Answer) -> ItemCounts:
        if isinstance(answer, Page):
            if answer.items:
                self._item_units.add(answer.read_units, len(answer.items))
            return self._new_counts(requests=1, read_units=answer.read_units)
        if answer.value is WRITTEN:  # a condition that failed says nothing of a write
            self._write_units.add(answer.write_units, 1)
        return self._new_counts(
            requests=answer.requests,
            conflicts=int(isinstance(answer.value, Conflict)),
            read_units=answer.read_units,
            write_units=answer.write_units,
        )

    def ended(self, result: ItemResult, lane: SegmentLane) -> tuple[int, ItemCounts, Sequence[ItemResult]]:
        return lane.segment, self.counts_of(result), [result] if result.reason else []

    def reached(self, progress: ItemProgress) -> ItemProgress:
        position = ItemPosition(self._opened, tuple(lane.cursor for lane in self.lanes))
        return replace(progress, position=position)

    def _begin(self, item: Item) -> Unit:
        return Unit(self.begin(item), self._clock)
