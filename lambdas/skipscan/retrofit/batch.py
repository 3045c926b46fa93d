"""One bounded batch of a retrofit's worker: the steps for each item of a page."""

from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.write_units import Conflict
from skipscan.items.assignments import Update
from skipscan.items.batch import ItemBatch
from skipscan.items.request import LookAtItem, Looked, ReadPage, WriteItem, Written
from skipscan.items.walk import ItemWalk, Settled
from skipscan.retrofit.plan import RetrofitPlan
from skipscan.retrofit.settling import ItemRead, ItemUpdate, RetrofitCounts, RetrofitOutcome

RetrofitItemRequest = WriteItem[Update] | LookAtItem[ItemRead]
RetrofitRequest = ReadPage | RetrofitItemRequest
RetrofitAnswer = Page | Written | Conflict | Looked


class RetrofitBatch(ItemBatch[RetrofitPlan, RetrofitCounts, ItemUpdate, RetrofitItemRequest]):
    """A worker's progress during a batch: one pass writes, and one verifies."""

    def _begin(self, item: Item) -> ItemUpdate:
        key = {attribute.name: item[attribute.name] for attribute in self._plan.reading.source.key}
        return ItemUpdate(self._plan.assignments, key, item, writes=not self._number)

    def _request(self, walk: ItemWalk[ItemUpdate], item: ItemUpdate) -> RetrofitItemRequest:
        if isinstance(item.step, Update):
            return WriteItem(walk, item, item.step, self._allowance.write_units)
        return LookAtItem(walk, item, ItemRead.LOOK, 1.0)

    def _found(self, item: ItemUpdate, found: Item | None) -> None:
        item.found(found)

    def _count(self, settled: Settled) -> RetrofitCounts:
        outcome = RetrofitOutcome(settled.outcome)
        if not self._number:
            return RetrofitCounts.of(outcome)
        return RetrofitCounts.verifying(outcome, self._plan.entries(settled.seen or {}))

    def _is_listed(self, settled: Settled) -> bool:
        """Only the pass that writes lists an item that could not be set."""
        return bool(settled.reason) and (not self._number or settled.outcome == RetrofitOutcome.WRONG)
