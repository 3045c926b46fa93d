"""The items of a table: a worker's segments, walked page by page, once for each pass.

A repeat does no harm, because every write has a condition on all that it was made of. So an item is counted and listed
when the cursor passes it, and what lies between the cursor and the end of a batch is done again by the next one.
"""

from abc import abstractmethod
from collections import deque
from collections.abc import Sequence
from dataclasses import replace

from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import Answer, Conflict, ItemSteps
from skipscan.items.job import Job, Size, UnitRequest
from skipscan.items.lane import SegmentLane
from skipscan.items.plan import ItemPlan
from skipscan.items.progress import ItemCounts, ItemPosition, ItemProgress, ItemResult
from skipscan.items.sizes import ReadPage, Sizes
from skipscan.items.unit import Unit
from skipscan.pace.ledger import Ledger
from skipscan.scan.cursor import Cursor
from skipscan.scan.plan import segment_at


class ItemJob(Job):
    """A job over the items of a worker's segments. `number`: of the pass; one pass follows the other."""

    plan: ItemPlan
    done = "items"

    def __init__(self, plan: ItemPlan, ledger: Ledger) -> None:
        position = ledger.progress.position
        self.plan = plan
        self._clock = ledger.clock.now
        self._worker = ledger.progress.worker
        self._opened = position.opened
        self._sizes = Sizes(plan, ledger)
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

    def is_listed(self, result: ItemResult) -> bool:
        return bool(result.reason)

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
        return self._sizes.page(lane, self.number, is_written=not self.number)

    def size(self, unit: Unit, lane: SegmentLane) -> Size:
        return self._sizes.step(unit.step, lane.segment)

    def count(self, request: UnitRequest, answer: Page | Answer) -> ItemCounts:
        self._sizes.learn(answer)
        if isinstance(answer, Page):
            return self._new_counts(requests=1, read_units=answer.read_units)
        return self._new_counts(
            requests=answer.requests,
            conflicts=int(isinstance(answer.value, Conflict)),
            read_units=answer.read_units,
            write_units=answer.write_units,
        )

    def ended(self, result: ItemResult, lane: SegmentLane) -> tuple[int, ItemCounts, Sequence[ItemResult]]:
        return lane.segment, self.counts_of(result), [result] if self.is_listed(result) else []

    def reached(self, progress: ItemProgress) -> ItemProgress:
        position = ItemPosition(self._opened, tuple(lane.cursor for lane in self.lanes))
        return replace(progress, position=position)

    def _begin(self, item: Item) -> Unit:
        return Unit(self.begin(item), self._clock)
