"""One bounded batch of a retrofit's worker: the steps for each item of a page, until it is as its retrofit wants it.

An update has a condition on everything it depends on: the attributes that its values are made of, and those it
replaces, must be as they were read. So it never overwrites a change that came in between, and it is right however late
it arrives. If the condition fails, the current item is judged again. A successful update needs no second look: it was
right at that moment, and any later change is a later write.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Self

from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.write_units import Conflict
from skipscan.items.assignments import Assignments, Update
from skipscan.items.batch import ItemBatch
from skipscan.items.concatenation import Problem, Unmade
from skipscan.items.walk import (
    ItemCounts,
    ItemProgress,
    ItemWalk,
    LookAtItem,
    Looked,
    ReadPage,
    Settled,
    WriteItem,
    Written,
)
from skipscan.retrofit.plan import RetrofitPlan

ROUNDS = 5
"""Updates of one item before giving up: others are changing it all the time."""


class ItemRead(Enum):
    """GetItem of the item's key, strongly consistent."""

    LOOK = "look"


class RetrofitOutcome(StrEnum):
    """The result for an item."""

    WRITTEN = "written"
    RIGHT = "right"  # nothing to do
    GONE = "gone"  # deleted in the meantime
    LACKING = "lacking"
    REFUSED = "refused"
    CONTENDED = "contended"  # it kept changing
    WRONG = "wrong"  # found by a verification, which writes nothing


class ItemUpdate:
    """`step`: the next one; `None` once there is an `outcome`. `reason`: why the item is listed, if it is.

    `writes`: `False` for a verification. It reads an item that seems wrong again, because an eventually consistent read
    may be old, and changes nothing.
    """

    def __init__(self, assignments: Assignments, key: Item, item: Item | None = None, *, writes: bool = True) -> None:
        self.key = key
        self._assignments = assignments
        self._writes = writes
        self._rounds = 0
        self._has_looked = False
        self._may_be_written = False
        self.outcome: RetrofitOutcome | None = None
        self.reason = ""
        self.seen: Item | None = None
        self.step: Update | ItemRead | None = ItemRead.LOOK
        if item is not None:
            self._judge(item)

    def found(self, item: Item | None) -> None:
        """Record the answer of a read; `None`: no such item."""
        self._has_looked = True
        self.seen = item
        if item is None:
            self._end(RetrofitOutcome.GONE)
        else:
            self._judge(item)

    def written(self) -> None:
        """Record that the update was made."""
        self._end(RetrofitOutcome.WRITTEN)

    def conflicted(self, item: Item | None) -> None:
        """Record that the update's condition failed, with the current item; `None` if the answer did not contain it."""
        if item is None:  # the item may be gone, or the engine does not return it: only a read can show
            self.step = ItemRead.LOOK
        else:
            self._judge(item)

    def lost(self) -> None:
        """Record a missing answer: the update may have been made. The same step is done again."""
        self._may_be_written |= isinstance(self.step, Update)

    def refused(self, reason: str) -> None:
        """Record that DynamoDB refuses the update."""
        self._end(RetrofitOutcome.REFUSED, reason)

    def _judge(self, item: Item) -> None:
        self.seen = item
        verdict = self._assignments.judge(item)
        match verdict:
            case None:
                self._end(RetrofitOutcome.WRITTEN if self._may_be_written else RetrofitOutcome.RIGHT)
            case Unmade(problem, reason):
                self._end(RetrofitOutcome.LACKING if problem is Problem.LACKING else RetrofitOutcome.REFUSED, reason)
            case Update() if self._writes and self._rounds == ROUNDS:
                self._end(RetrofitOutcome.CONTENDED, f"another writer changed it during each of {ROUNDS} updates")
            case Update() if self._writes:
                self._rounds += 1
                self.step = verdict
            case Update() if self._has_looked:
                self._end(
                    RetrofitOutcome.WRONG, f"{', '.join(verdict.values)} differs from the value that the template makes"
                )
            case Update():
                self.step = ItemRead.LOOK

    def _end(self, outcome: RetrofitOutcome, reason: str = "") -> None:
        self.step, self.outcome, self.reason = None, outcome, reason


@dataclass(frozen=True)
class RetrofitCounts(ItemCounts):
    """Each of the `items` is one of `written` to `contended`.

    `verified`: items that were read again at the end. `wrong`: those without the template's value. `indexed`: entries
    that the counted indexes must have for them.
    """

    written: int = 0
    right: int = 0
    gone: int = 0
    lacking: int = 0
    refused: int = 0
    contended: int = 0
    verified: int = 0
    wrong: int = 0
    indexed: int = 0

    @classmethod
    def of(cls, outcome: RetrofitOutcome) -> Self:
        """Return the counts of one item to set."""
        return cls(items=1, **{outcome.value: 1})

    @classmethod
    def verifying(cls, outcome: RetrofitOutcome, entries: int) -> Self:
        """Return the counts of one item that was read again. An item that could not be set is counted already."""
        return cls(verified=1, wrong=int(outcome is RetrofitOutcome.WRONG), indexed=entries)

    @property
    def outcomes(self) -> Mapping[str, int]:
        set_ = self.nonzero("written", "right", "gone", "lacking", "refused", "contended")
        return set_ | ({"verified": self.verified, "wrong": self.wrong} if self.verified else {})

    @property
    def lines(self) -> int:
        """Return the lines: of items that could not be set, and of those found wrong."""
        return self.lacking + self.refused + self.contended + self.wrong

    @property
    def units_done(self) -> int:
        return self.items + self.verified


@dataclass(frozen=True)
class RetrofitProgress(ItemProgress):
    counts: RetrofitCounts = field(default_factory=RetrofitCounts)


RetrofitItemRequest = WriteItem[Update] | LookAtItem[ItemRead]
RetrofitRequest = ReadPage | RetrofitItemRequest
RetrofitAnswer = Page | Written | Conflict | Looked


class RetrofitBatch(ItemBatch[RetrofitPlan, ItemUpdate, RetrofitItemRequest]):
    """A worker's progress during a batch: one pass writes, and one verifies."""

    counts: RetrofitCounts

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
