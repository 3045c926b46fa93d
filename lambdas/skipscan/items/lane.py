"""One segment, walked page by page. The cursor passes an item only when it has ended, and all before it.

The items of a page whose turn has not come are held as bytes: as objects of Python deeply nested ones take up to a
hundred times the bytes that DynamoDB counts, and every lane may hold a page.
"""

import marshal
from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

from skipscan.dynamodb.page import Page, Progression
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import LOST
from skipscan.items.job import Unit
from skipscan.items.progress import ItemResult
from skipscan.pace.ledger import Account
from skipscan.pace.pace import Fault
from skipscan.scan.cursor import Cursor


class ReadPage(NamedTuple):
    """A step: the next page of a segment. `number`: of the pass."""

    number: int
    segment: int
    start_key: Item | None
    limit: int


class SegmentLane:
    """A walk from a cursor to its segment's end. `begin`: returns the work on an item of a page.

    Items are handed out in their order and may end in any order. The cursor stays behind the last item before which all
    have ended: work that is lost with a batch is done again, and no item is left out.
    """

    def __init__(self, cursor: Cursor, begin: Callable[[Item], Unit]) -> None:
        self._begin = begin
        self._packed: deque[bytes] = deque()
        self._page: deque[Unit] = deque()
        self._ready: deque[Unit] = deque()
        self._later: deque[Unit] = deque()
        self._next: Item | None = None
        self._progression = Progression()
        self.segment = cursor.segment
        self.start_key = cursor.start_key
        """The ExclusiveStartKey of the next page."""
        self.is_finished = False
        self.is_reading = False

    @property
    def cursor(self) -> Cursor:
        return Cursor(self.segment, self.start_key, skipping=False)

    @property
    def needs_page(self) -> bool:
        return not (self._page or self._packed or self.is_finished or self.is_reading)

    def receive(self, page: Page) -> None:
        """Take the page that started at `start_key`."""
        self._progression.check(page.last_evaluated_key)
        self._packed.extend(marshal.dumps(dict(item)) for item in page.items)
        self._next = page.last_evaluated_key
        if not self._packed:
            self._pass_page()

    def take(self) -> Unit | None:
        """Return the next item that has a step to do, and that no thread is doing; `None` if there is none."""
        while self._packed and not self._ready:
            self._begin_next()
        ready = self._ready or self._later
        return ready.popleft() if ready else None

    def give_back(self, unit: Unit, *, waits: bool = False) -> None:
        """Take back an item; it is next if it has another step. `waits`: it is behind all others."""
        if unit.step is not None:
            self._later.append(unit) if waits else self._ready.appendleft(unit)

    def answered(self, unit: Unit, account: Account, *, waits: bool) -> None:
        account.recovered(self.segment)
        self.give_back(unit, waits=waits)

    def visited(self, unit: Unit | None) -> int:
        return self.segment

    def failed(self, unit: Unit, fault: Fault) -> None:
        # Only whoever knows what a unit does knows what a lost answer means; a refused step is simply made again.
        if fault is Fault.PASSING:
            unit.go_on(LOST)
        self.give_back(unit)

    def passed(self) -> Iterator[ItemResult]:
        """Yield the results of the items that the cursor now passes, each once."""
        while self._page or self._packed:
            if not self._page:
                self._begin_next()
            if (result := self._page[0].result) is None:
                return
            self._page.popleft()
            self.start_key = result.key
            yield result
            if not (self._page or self._packed):
                self._pass_page()

    def _begin_next(self) -> None:
        unit = self._begin(marshal.loads(self._packed.popleft()))  # noqa: S302 (our own, of this process)
        self._page.append(unit)
        if unit.step is not None:
            self._ready.append(unit)

    def _pass_page(self) -> None:
        self.start_key = self._next
        self.is_finished = self._next is None
