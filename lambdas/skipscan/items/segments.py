"""The items of a table: a worker's segments, walked page by page, once for each pass.

A repeat does no harm, because every write has a condition on all that it was made of. So an item is counted and listed
when the cursor passes it, and what lies between the cursor and the end of a batch is done again by the next one.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import Answer, Conflict, ItemSteps
from skipscan.items.engine import Lane, Size, UnitRequest, UnitSource
from skipscan.items.lane import SegmentLane
from skipscan.items.plan import ItemPlan
from skipscan.items.progress import ItemCounts, ItemPosition, ItemProgress, ItemResult
from skipscan.items.sizes import ReadPage, Sizes
from skipscan.items.unit import Unit
from skipscan.pace.ledger import Ledger
from skipscan.scan.cursor import Cursor
from skipscan.scan.plan import segment_at


class ItemJob(ABC):
    """What a kind of work does with an item of a page. `number`: of the page's pass."""

    plan: ItemPlan
    done = "items"

    def open(
        self, progress: ItemProgress, ledger: Ledger, clock: Callable[[], float], counts: Callable[[], Any]
    ) -> "Segments":
        return Segments(self, progress, ledger, clock, counts)

    @abstractmethod
    def begin(self, item: Item, number: int, counts: Any) -> ItemSteps:
        """Return the work on an item. `counts`: of the batch until now."""

    @abstractmethod
    def count(self, result: ItemResult, number: int) -> ItemCounts:
        """Return the counts of an item that the cursor passes."""

    def is_listed(self, result: ItemResult, number: int) -> bool:
        return bool(result.reason)


class Segments(UnitSource):
    def __init__(
        self,
        job: ItemJob,
        progress: ItemProgress,
        ledger: Ledger,
        clock: Callable[[], float],
        counts: Callable[[], Any],
    ) -> None:
        self._job, self._plan, self._clock, self._counts = job, job.plan, clock, counts
        position = progress.position
        self._worker, self._opened = progress.worker, position.opened
        self._sizes, self._new_counts = Sizes(self._plan, ledger), type(progress.counts)
        self._segments = self._plan.segments_of(progress.worker)
        self._number = self._plan.pass_of(position.opened - 1, progress.worker) if position.cursors else 0
        lanes: deque[Lane] = deque(SegmentLane(cursor, self._begin) for cursor in position.cursors)
        self.lanes = lanes

    def open(self) -> None:
        """Open as many lanes as may be open. A pass begins only when all lanes of the pass before have ended."""
        plan = self._plan
        while len(self.lanes) < plan.reading.walks and self._opened < plan.passes * self._segments:
            number = plan.pass_of(self._opened, self._worker)
            if number != self._number:
                if self.lanes:
                    return
                self._number = number
            visit = self._worker + self._opened % self._segments * plan.workers
            self._opened += 1
            self.lanes.append(
                SegmentLane(Cursor(segment_at(visit, plan.reading.segments), skipping=False), self._begin)
            )

    def read(self, lane: SegmentLane) -> tuple[ReadPage, Size]:
        return self._sizes.page(lane, self._number, is_written=not self._number)

    def size(self, unit: Unit, lane: SegmentLane) -> Size:
        return self._sizes.step(unit.step, lane.segment)

    def count(self, request: UnitRequest, answer: Page | Answer) -> ItemCounts:
        if isinstance(answer, Page) is not isinstance(request.step, ReadPage):
            raise TypeError(f"{type(answer).__name__} is no answer to {type(request.step).__name__}")
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
        listed = [result] if self._job.is_listed(result, self._number) else []
        return lane.segment, self._job.count(result, self._number), listed

    def reached(self, progress: ItemProgress) -> ItemProgress:
        position = ItemPosition(self._opened, tuple(lane.cursor for lane in self.lanes))
        return replace(progress, position=position)

    def _begin(self, item: Item) -> Unit:
        return Unit(self._job.begin(item, self._number, self._counts()), self._clock)
