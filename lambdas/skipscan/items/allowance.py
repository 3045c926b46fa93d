"""What a batch over items may consume: its read and write rates, and its budget."""

from collections.abc import Callable
from typing import Any

from skipscan.dynamodb.page import ITEM_STEPS, STEP_BYTES, most_page_units
from skipscan.items.plan import ItemPlan
from skipscan.items.walk import ItemProgress, LookAtItem, OnItem, ReadPage
from skipscan.pace.bill import Amounts, Spending, amounts
from skipscan.pace.bounds import Bounds, Clock
from skipscan.pace.ledger import Account, Booking, Ledger, Reserved
from skipscan.pace.pace import Fault
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
times their bytes as objects of Python: some 400 MB of the 1,769 MB that a worker has, until `ItemWalk` holds them."""

PAGE_WRITE_SECONDS = 2.0
"""A page holds no more items than the worker may write in this time, so that a slow worker does not read far ahead."""

MOST_LOOK_UNITS = float(ITEM_STEPS)
"""The read units of a strongly consistent read of the largest item."""

LEAST_LOOK_UNITS = 1.0


class Allowance:
    """Decides which request may begin, and records what each one consumed."""

    def __init__(
        self,
        plan: ItemPlan,
        progress: ItemProgress,
        *,
        bounds: Bounds,
        clock: Clock,
        random: Callable[[], float],
    ) -> None:
        self._plan = plan
        of_worker = (progress.worker, progress.spending, progress.counts)
        self._ledger = Ledger(plan.limits, *of_worker, bounds=bounds, clock=clock, random=random)
        self._reads = self._ledger.reads()
        self._writes = self._ledger.writes()
        self._write_units = Mean(plan.units_per_write or 1.0)
        step_bytes = STEP_BYTES / plan.reading.step_units
        self._item_units = Mean((plan.reading.item_bytes or UNKNOWN_BYTES) / step_bytes)
        self._page_units = PAGE_BYTES / step_bytes

    @property
    def has_room_for_page(self) -> bool:
        """Return whether the budget has room for the smallest page and write, if no request were under way."""
        return self._ledger.has_room(self._plan.limits.least)

    def has_room(self, request: OnItem[Any]) -> bool:
        """Return whether the budget has room for the smallest request of its kind, if no other were under way.

        The page that the item came with is paid for, and may have exceeded the budget of reads.
        """
        is_look = isinstance(request, LookAtItem)
        least = amounts(self._plan.prices, LEAST_LOOK_UNITS) if is_look else amounts(self._plan.prices, 0.0, 1.0)
        return not request.units or self._ledger.has_room(least)

    @property
    def write_units(self) -> float:
        """Return the expected write units of one write, from those until now."""
        return self._write_units.of(1)

    def page_wait_seconds(self, segment: int, now: float) -> float:
        """Return how long a page of the segment has to wait."""
        return max(self._reads.wait_seconds(now), self._reads.walk_wait_seconds(segment, now))

    def wait_seconds(self, request: OnItem[Any], now: float) -> float:
        """Return how long a request about an item has to wait."""
        account = self._account(request)
        return max(account.wait_seconds(now), account.walk_wait_seconds(request.walk.segment, now))

    def page_size(self, *, is_written: bool) -> tuple[int, float]:
        """Return the most items of the next page, and the read units expected of it.

        `is_written`: the page's items are written to, not only read.
        """
        bounds = [PAGE_ITEMS, self._page_units / self._item_units.of(1)]
        if is_written and (rate := self._plan.limits.worker_writes):
            bounds.append(PAGE_WRITE_SECONDS * rate / self._write_units.of(1))
        if (most := self._reads.page_units) is not None:
            bounds.append(most / self._item_units.of(1))
        # Whatever is read has to be written as well, or it is read for nothing.
        item = amounts(self._plan.prices, self._item_units.of(1), self.write_units if is_written else 0.0)
        for left, each in zip(vars(self._ledger.left).values(), vars(item).values(), strict=True):
            if each:
                bounds.append(left / 2 / each)
        limit = max(1, int(min(bounds)))
        return limit, self._item_units.of(limit)

    def begin(self, request: ReadPage | OnItem[Any], now: float) -> bool:
        """Reserve a request if it may begin beside those under way; return whether it may."""
        return self._account(request).reserve(self._booking(request), now) is Reserved.YES

    def settle(
        self, request: ReadPage | OnItem[Any], *, read_units: float = 0.0, write_units: float = 0.0, items: int = 0
    ) -> None:
        """Replace an answered request's reservation by what it consumed. `items`: in a page."""
        account, consumed = self._account(request), amounts(self._plan.prices, read_units, write_units)
        account.settle(self._booking(request), consumed, read_units + write_units)
        account.recovered(request.walk.segment)
        if items:
            self._item_units.add(read_units, items)

    def written(self, write_units: float) -> None:
        """Record what a write consumed."""
        self._write_units.add(write_units, 1)

    def fail(self, request: ReadPage | OnItem[Any], fault: Fault) -> bool:
        """Cancel a failed request's reservation; return whether its walk may continue."""
        return self._account(request).fail(self._booking(request), fault)

    @property
    def spending(self) -> Spending:
        """The worker's spending now, including that before the batch."""
        return self._ledger.spending

    def _booking(self, request: ReadPage | OnItem[Any]) -> Booking:
        most = self._most(request)
        return Booking(request.walk.segment, request.units, most, most.units)

    def _most(self, request: ReadPage | OnItem[Any]) -> Amounts:
        """Return the most that a request can consume; of a write, the most that the plan expects."""
        plan = self._plan
        if isinstance(request, ReadPage):
            return amounts(plan.prices, most_page_units(plan.reading.step_units, request.limit))
        if isinstance(request, LookAtItem):
            return amounts(plan.prices, MOST_LOOK_UNITS)
        return amounts(plan.prices, 0.0, max(request.units, plan.most_units_per_write) if request.units else 0.0)

    def _account(self, request: ReadPage | OnItem[Any]) -> Account:
        return self._reads if isinstance(request, ReadPage | LookAtItem) else self._writes
