"""One bounded batch of a copy's worker: the steps for each item of a page.

No request is handed out after `bounds.seconds`. The replicator's late look depends on that, see
`skipscan.copy.replica`.
"""

from dataclasses import dataclass
from typing import Any
from zlib import crc32

from skipscan.copy.copying import Comparing, CopyCounts, Copying, CopyOutcome, CopyProgress, HandOver
from skipscan.copy.plan import VERIFYING, CopyPlan
from skipscan.copy.reconciling import LookAt, PutTarget, Side
from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.write_units import Conflict
from skipscan.items.batch import ItemBatch
from skipscan.items.walk import (
    ItemWalk,
    LookAtItem,
    Looked,
    OnItem,
    ReadPage,
    Settled,
    WriteItem,
    Written,
)


@dataclass(frozen=True)
class HandKeyOver(OnItem[HandOver]):
    """A message to the replicator, delivered at once."""

    item: Copying


@dataclass(frozen=True)
class HandedOver:
    """The queue has accepted the key."""


CopyItem = Copying | Comparing
CopyItemRequest = WriteItem[PutTarget] | HandKeyOver | LookAtItem[LookAt]
CopyRequest = ReadPage | CopyItemRequest
CopyAnswer = Page | Written | Conflict | Looked | HandedOver


class CopyBatch(ItemBatch[CopyPlan, CopyItem, CopyItemRequest]):
    """A worker's progress during a batch: one pass copies, and one over each table verifies."""

    _progress: CopyProgress
    counts: CopyCounts

    def __init__(self, plan: CopyPlan, progress: CopyProgress, **how: Any) -> None:
        super().__init__(plan, progress, **how)
        self._compared = progress.counts.compared

    def _begin(self, item: Item) -> CopyItem:
        key = {name: item[name] for name in self._plan.key_names}
        side = self._plan.verified_side(self._number)
        if side is None:
            return Copying(self._plan.transform, key, item)
        is_compared = self._draws(key, side)
        self._compared += is_compared
        return Comparing(self._plan.transform, key, counts_only=not is_compared)

    def _draws(self, key: Item, side: Side) -> bool:
        """Return whether a key is compared: its hash draws it, by a share that depends on the items counted so far."""
        plan, worker = self._plan, self._progress.worker
        if self._compared >= plan.most_compared(worker) * (VERIFYING.index(side) + 1):
            return False
        counted = self._progress.counts.items + self.counts.items
        if side is not VERIFYING[0]:
            counted = max(counted, self._progress.counts.target_items + self.counts.target_items)
        drawn = crc32(repr(sorted(key.items())).encode("utf-8", "surrogatepass")) / 2**32
        return drawn < plan.share_of(worker, counted)

    def _request(self, walk: ItemWalk[CopyItem], item: CopyItem) -> CopyItemRequest:
        match item, item.step:
            case Comparing(), LookAt() as look:
                return LookAtItem(walk, item, look, 1.0)
            case Copying(), PutTarget() as put:
                return WriteItem(walk, item, put, self._allowance.write_units)
            case Copying(), HandOver() as hand_over:
                return HandKeyOver(walk, item, hand_over, 0.0)
        raise TypeError("an item that waits has a step")

    def _found(self, item: CopyItem, found: Item | None) -> None:
        if isinstance(item, Comparing):
            item.found(found, self._clock())

    def _take_answer(self, request: OnItem[Any], answer: object) -> None:
        match request, answer:
            case HandKeyOver(item=item), HandedOver():
                self._allowance.settle(request)
                item.handed_over()
            case _:
                super()._take_answer(request, answer)

    def _not_before(self, item: CopyItem) -> float:
        return item.not_before if isinstance(item, Comparing) else 0.0

    def _count(self, settled: Settled) -> CopyCounts:
        outcome, side = CopyOutcome(settled.outcome), self._plan.verified_side(self._number)
        if side is None:
            return CopyCounts.of(outcome, listed=bool(settled.reason))
        return CopyCounts.verifying(side, outcome)
