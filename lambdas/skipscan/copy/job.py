"""What a copy's worker does with the items of its passes: one copies, and one over each table verifies.

No request is handed out after `bounds.seconds`. The replicator's late look depends on that, see `skipscan.copy`.
"""

from zlib import crc32

from skipscan.copy.item import CopyCounts, CopyOutcome, compare, copy_item
from skipscan.copy.plan import VERIFYING, CopyPlan
from skipscan.copy.replica import Side
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import ItemSteps
from skipscan.items.progress import ItemResult
from skipscan.items.segments import ItemJob
from skipscan.pace.ledger import Ledger


class CopyJob(ItemJob):
    """Each batch goes on with the counts of those before it, which decide what is compared."""

    plan: CopyPlan

    def __init__(self, plan: CopyPlan, ledger: Ledger) -> None:
        super().__init__(plan, ledger)
        counts: CopyCounts = ledger.progress.counts
        self._items, self._target_items = counts.items, counts.target_items
        """How many the worker's cursors have passed until now."""
        self._compared = counts.compared

    def begin(self, item: Item) -> ItemSteps:
        replica, key = self.plan.replica, {name: item[name] for name in self.plan.source.key_names}
        side = self.plan.verified_side(self.number)
        if side is None:
            return copy_item(replica, key, item)
        is_compared = self._draws(key, side)
        self._compared += is_compared
        return compare(replica, key, counts_only=not is_compared)

    def _draws(self, key: Item, side: Side) -> bool:
        """Return whether a key is compared: its hash draws it, by a share that depends on the items counted so far."""
        plan, worker = self.plan, self._worker
        if self._compared >= plan.most_compared(worker) * (VERIFYING.index(side) + 1):
            return False
        counted = self._items if side is VERIFYING[0] else max(self._items, self._target_items)
        drawn = crc32(repr(sorted(key.items())).encode("utf-8", "surrogatepass")) / 2**32
        return drawn < plan.share_of(worker, counted)

    def counts_of(self, result: ItemResult) -> CopyCounts:
        # Called once for each item: the share that is compared depends on those before it.
        outcome, listed = CopyOutcome(result.outcome), int(bool(result.reason))
        if (side := self.plan.verified_side(self.number)) is None:
            unset = listed and int(outcome is not CopyOutcome.REFUSED)
            counts = CopyCounts(items=1, unset=unset, listed=listed, **{outcome.value: 1})
        else:
            found = {outcome.value: 1} if listed else {}  # a difference; each has a reason
            compared = int(outcome is not CopyOutcome.COUNTED)
            counts = CopyCounts(compared=compared, listed=listed, **{f"{side}_items": 1}, **found)
        self._items += counts.items
        self._target_items += counts.target_items
        return counts
