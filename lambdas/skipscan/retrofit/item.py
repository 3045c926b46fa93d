"""What a retrofit does with each item, until it is as its retrofit wants it, and what its workers count.

An update has a condition on everything it depends on: the attributes that its values are made of, and those it
replaces or removes, must be as they were read. So it never overwrites a change that came in between, and it is right
however late it arrives. If the condition fails, the current item is judged again. A successful update needs no second
look: it was right at that moment, and any later change is a later write.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import LOST, Conflict, Get, ItemSteps, Refused, Write, answered
from skipscan.inputs.quantities import enumerated
from skipscan.items.assignments import Assignments, Update
from skipscan.items.concatenation import Unmade
from skipscan.items.progress import REFUSAL, ItemCounts, ItemResult
from skipscan.items.segments import ItemJob
from skipscan.pace.ledger import Ledger
from skipscan.retrofit.plan import RetrofitPlan

ROUNDS = 5
"""Updates of one item before giving up: others are changing it all the time."""


class RetrofitOutcome(StrEnum):
    """The result for an item."""

    WRITTEN = "written"
    RIGHT = "right"  # nothing to do
    GONE = "gone"  # deleted in the meantime
    LACKING = "lacking"
    REFUSED = "refused"
    CONTENDED = "contended"  # it kept changing
    WRONG = "wrong"  # found by a verification, which writes nothing


def set_attributes(
    assignments: Assignments,
    table: str,
    names: tuple[str, ...],
    key: Item,
    item: Item | None = None,
    *,
    writes: bool = True,
) -> ItemSteps:
    """Set and remove attributes of one item, however others change it meanwhile; return the `ItemResult`.

    `names`: of the attributes that are read of it. `item`: as a page holds it, which is paid for; else it is read.
    Unless it `writes`, it says whether they are right: it reads an item that seems wrong again, because an eventually
    consistent read may be old.
    """
    updates, may_be_written, is_read = 0, False, False
    while True:
        if item is None:
            item, is_read = (yield from answered(Get(table, key, names))), True
        if item is None:
            return ItemResult(key, RetrofitOutcome.GONE)
        verdict = assignments.judge(item)
        if verdict is None:
            outcome = RetrofitOutcome.WRITTEN if may_be_written else RetrofitOutcome.RIGHT
            return ItemResult(key, outcome, seen=item)
        if isinstance(verdict, Unmade):
            # Only the pass that writes lists it.
            return ItemResult(key, RetrofitOutcome(verdict.problem.value), verdict.reason if writes else "", item)
        if not writes:
            if is_read:
                return ItemResult(key, RetrofitOutcome.WRONG, _difference(verdict), item)
            item = None
            continue
        if updates == ROUNDS:
            reason = f"another writer changed it during each of {ROUNDS} updates"
            return ItemResult(key, RetrofitOutcome.CONTENDED, reason)
        updates += 1
        update = Write(table, key, sets=verdict.values, removes=verdict.removes, expects=verdict.read)
        while (answer := (yield update)) is LOST:  # it may have been made: the same update is sent again
            may_be_written = True
        if not isinstance(answer, Conflict):
            is_refused = isinstance(answer, Refused)
            outcome = RetrofitOutcome.REFUSED if is_refused else RetrofitOutcome.WRITTEN
            return ItemResult(key, outcome, REFUSAL if is_refused else "")
        # Without an item it may be gone, or the engine does not return it: only a read can show.
        item = answer.item


def _difference(update: Update) -> str:
    differing = [f"{name} differs from the value that the template makes" for name in update.values]
    return enumerated([*differing, *(f"{name} is still there" for name in update.removes)])


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


class RetrofitJob(ItemJob):
    """One pass writes, and one verifies."""

    plan: RetrofitPlan

    def __init__(self, plan: RetrofitPlan, ledger: Ledger) -> None:
        super().__init__(plan, ledger)
        self._steps = partial(set_attributes, plan.assignments, plan.table, plan.projected)

    def begin(self, item: Item) -> ItemSteps:
        return self._steps({name: item[name] for name in self.plan.source.key_names}, item, writes=not self.number)

    def counts_of(self, result: ItemResult) -> RetrofitCounts:
        outcome = RetrofitOutcome(result.outcome)
        if not self.number:
            return RetrofitCounts(items=1, **{outcome.value: 1})
        # An item that could not be set is counted already.
        is_wrong = outcome is RetrofitOutcome.WRONG
        return RetrofitCounts(verified=1, wrong=int(is_wrong), indexed=self.plan.entries(result.seen or {}))
