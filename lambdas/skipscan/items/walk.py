"""One segment, walked page by page. The cursor passes an item only when the item is settled.

The items of a page whose turn has not come are held as bytes: as objects of Python deeply nested ones take up to a
hundred times the bytes that DynamoDB counts, and every walk may hold a page.

A worker's progress in its walks over all items is the content of state and checkpoint.
"""

import marshal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeVar

from skipscan.dynamodb.page import Page, Progression
from skipscan.dynamodb.source import Item
from skipscan.items.plan import ItemPlan
from skipscan.pace.bill import Spending
from skipscan.pace.counts import Counts
from skipscan.scan.cursor import Cursor


@dataclass(frozen=True)
class Settled:
    """How one item ended. `seen`: the item when it was last read; `None` if it was gone."""

    key: Item
    outcome: StrEnum
    reason: str
    seen: Item | None = None


class Steps(Protocol):
    """One item being processed: `step` is next; `None` once there is an `outcome`."""

    @property
    def key(self) -> Item: ...
    @property
    def step(self) -> object | None: ...
    @property
    def outcome(self) -> StrEnum | None: ...
    @property
    def reason(self) -> str: ...
    @property
    def seen(self) -> Item | None: ...


OneItem = TypeVar("OneItem", bound=Steps)


class ItemWalk(Generic[OneItem]):
    """A walk from a cursor to its segment's end. `begin`: returns the steps for an item of a page.

    Items are handed out in their order and may be settled in any order. The cursor stays behind the last item before
    which all are settled: work that is lost with a batch is done again, and no item is left out.
    """

    def __init__(self, cursor: Cursor, begin: Callable[[Item], OneItem]) -> None:
        self._begin = begin
        self._behind = cursor.start_key
        self._packed: deque[bytes] = deque()
        self._page: deque[OneItem] = deque()
        self._waiting: deque[OneItem] = deque()
        self._put_off: deque[OneItem] = deque()
        self._next: Item | None = None
        self._progression = Progression()
        self.segment = cursor.segment
        self.finished = False

    @property
    def start_key(self) -> Item | None:
        """Return the ExclusiveStartKey of the next page."""
        return self._behind

    @property
    def cursor(self) -> Cursor:
        return Cursor(self.segment, self._behind, skipping=False)

    @property
    def wants_page(self) -> bool:
        return not (self._page or self._packed or self.finished)

    def receive(self, page: Page) -> None:
        """Take the page that began at `start_key`."""
        self._progression.check(page.last_evaluated_key)
        self._packed.extend(marshal.dumps(dict(item)) for item in page.items)
        self._next = page.last_evaluated_key
        if not self._packed:
            self._pass_page()

    def take(self) -> OneItem | None:
        """Return the next item that has a step to do, and that no thread is doing; `None` if there is none."""
        while self._packed and not self._waiting:
            self._begin_next()
        ready = self._waiting or self._put_off
        return ready.popleft() if ready else None

    def give_back(self, settling: OneItem) -> None:
        """Take back an item whose step was answered or not done; it is next if it has another step."""
        if settling.step is not None:
            self._waiting.appendleft(settling)

    def put_off(self, settling: OneItem) -> None:
        """Take back an item whose next step has to wait, behind all others."""
        self._put_off.append(settling)

    def settled(self) -> Iterator[Settled]:
        """Return the items that the cursor now passes, each once."""
        while self._page or self._packed:
            if not self._page:
                self._begin_next()
            settling = self._page[0]
            if (outcome := settling.outcome) is None:
                return
            self._page.popleft()
            self._behind = settling.key
            yield Settled(settling.key, outcome, settling.reason, settling.seen)
            if not (self._page or self._packed):
                self._pass_page()

    def _begin_next(self) -> None:
        settling = self._begin(marshal.loads(self._packed.popleft()))  # noqa: S302 (our own, of this process)
        self._page.append(settling)
        if settling.step is not None:
            self._waiting.append(settling)

    def _pass_page(self) -> None:
        self._behind = self._next
        self.finished = self._next is None


def cursors(walks: Iterable[ItemWalk[Any]]) -> tuple[Cursor, ...]:
    return tuple(walk.cursor for walk in walks)


@dataclass(frozen=True)
class ItemCounts(Counts):
    """`items`: those that the job was to write, each once. `conflicts`: writes whose condition failed.

    `write_units`: as DynamoDB reported them; those of conflicts are computed, because DynamoDB does not report them.
    `throttles`: throttled requests, which were made again.
    """

    items: int = 0
    requests: int = 0
    conflicts: int = 0
    throttles: int = 0
    read_units: float = 0.0
    write_units: float = 0.0


@dataclass(frozen=True)
class ItemProgress:
    """A worker's place between two batches.

    `batch`: the number of the next part. `opened`: how many walks the worker has begun, in all passes. `cursors`: those
    begun and not ended, all of one pass.
    """

    worker: int
    batch: int = 0
    opened: int = 0
    cursors: tuple[Cursor, ...] = ()
    counts: ItemCounts = field(default_factory=ItemCounts)
    spending: Spending = field(default_factory=Spending)

    @property
    def under_way(self) -> int:
        return len(self.cursors)

    def left(self, plan: ItemPlan) -> int:
        """Return how many of the worker's walks have not ended."""
        return len(self.cursors) + plan.passes * plan.segments_of(self.worker) - self.opened

    def done(self, plan: ItemPlan) -> bool:
        """Return whether the loop ends for this worker: no walk is left, or its share of a budget is used up."""
        return not self.left(plan) or plan.limits.are_spent(self.spending.consumed(self.counts, plan.prices))


Step = TypeVar("Step")


@dataclass(frozen=True)
class ReadPage:
    """The next page of one walk. `number`: of its pass. `units`: the read units expected of it."""

    walk: ItemWalk[Any]
    number: int
    segment: int
    start_key: Item | None
    limit: int
    units: float


@dataclass(frozen=True)
class OnItem(Generic[Step]):
    """A step of an item. `units`: the read or write units expected of it."""

    walk: ItemWalk[Any]
    item: Any
    step: Step
    units: float


class LookAtItem(OnItem[Step]):
    """A strongly consistent read."""


class Writable(Steps, Protocol):
    """An item that may have to be written."""

    def written(self) -> None: ...
    def conflicted(self, item: Item | None) -> None: ...
    def lost(self) -> None: ...
    def refused(self, reason: str) -> None: ...


@dataclass(frozen=True)
class WriteItem(OnItem[Step]):
    """A conditional write."""

    item: Writable


@dataclass(frozen=True)
class Written:
    """A write was made."""

    write_units: float


@dataclass(frozen=True)
class Looked:
    """The result of a read; without `item`, the item is gone."""

    item: Item | None
    read_units: float
