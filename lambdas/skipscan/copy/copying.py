"""The steps that copy one item of a page into the new table.

The item is put only where none exists. An existing one came from a change that is younger than the page, or from an
earlier attempt. If it differs, the copy does not decide, because the page may be old: the replicator gets the key.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Self

from skipscan.copy.reconciling import LookAt, PutTarget, Side
from skipscan.copy.replica import Transform
from skipscan.dynamodb.equality import is_same_item
from skipscan.dynamodb.source import Item
from skipscan.items.walk import ItemCounts, ItemProgress


class HandOver(Enum):
    """Let the replicator recheck the key now."""

    HAND_OVER = "hand over"


class CopyOutcome(StrEnum):
    """The result for an item of a page."""

    COPIED = "copied"
    PRESENT = "present"  # the new table already had the same item
    DIFFERING = "differing"  # the new table had another item; the replicator looks
    REFUSED = "refused"  # the new table does not accept the item
    COUNTED = "counted"  # by a verification, which compares a sample only
    SAME = "same"
    MISSING = "missing"  # only the old table has it
    SURPLUS = "surplus"  # only the new table has it
    DIFFERENT = "different"


class Copying:
    """`step`: the next one; `None` once there is an `outcome`. `reason`: why the item is listed, if it is."""

    def __init__(self, transform: Transform, key: Item, item: Item) -> None:
        made = transform.of(item)
        self.key = key
        self._item = made.item
        self._may_be_written = False
        self.outcome: CopyOutcome | None = None
        self.reason = made.reason
        self.seen: Item | None = item
        self.step: PutTarget | HandOver | None = PutTarget(made.item)

    def written(self) -> None:
        """Record that the item was put."""
        self._end(CopyOutcome.COPIED)

    def conflicted(self, item: Item | None) -> None:
        """Record that an item existed; `None` if the answer did not contain it."""
        if item is not None and is_same_item(item, self._item):
            self._end(CopyOutcome.COPIED if self._may_be_written else CopyOutcome.PRESENT)
        else:
            self.step = HandOver.HAND_OVER

    def lost(self) -> None:
        """Record a missing answer: the item may have been put. The same step is done again."""
        self._may_be_written |= isinstance(self.step, PutTarget)

    def handed_over(self) -> None:
        self._end(CopyOutcome.DIFFERING)

    def refused(self, reason: str) -> None:
        """Record that the new table does not accept the item."""
        self._end(CopyOutcome.REFUSED, reason)

    def _end(self, outcome: CopyOutcome, reason: str = "") -> None:
        self.step, self.outcome, self.reason = None, outcome, reason or self.reason


PAUSE_SECONDS = 5.0

REASONS = {
    CopyOutcome.MISSING: "it is in the source and not in the target",
    CopyOutcome.SURPLUS: "it is in the target and not in the source",
    CopyOutcome.DIFFERENT: "the target item differs from the transformed source item",
}


class Comparing:
    """One key of a verification: read in both tables, and again after a pause before it counts as a difference.

    Reads are strongly consistent. A replicator is some seconds behind; what it has not done yet is no difference.

    `step`: the next one, not before the time `not_before`; `None` once there is an `outcome`.

    `counts_only`: the item is counted but not compared.
    """

    def __init__(self, transform: Transform, key: Item, *, counts_only: bool) -> None:
        self.key = key
        self.not_before = 0.0
        self.reason = ""
        self.seen: Item | None = None
        self._transform = transform
        self._wanted: Item | None = None
        self._looks = 0
        self.outcome: CopyOutcome | None = CopyOutcome.COUNTED if counts_only else None
        self.step: LookAt | None = None if counts_only else LookAt(Side.SOURCE)

    def found(self, item: Item | None, now: float) -> None:
        """Record the answer of a read; `None`: no such item."""
        if self.step == LookAt(Side.SOURCE):
            self._wanted = None if item is None else self._transform.of(item).item
            self.step = LookAt(Side.TARGET)
            return
        self._looks += 1
        if is_same_item(item, self._wanted):
            self._end(CopyOutcome.SAME)
        elif self._looks == 1:
            self.step, self.not_before = LookAt(Side.SOURCE), now + PAUSE_SECONDS
        elif self._wanted is None:
            self._end(CopyOutcome.SURPLUS)
        else:
            self._end(CopyOutcome.MISSING if item is None else CopyOutcome.DIFFERENT)

    def _end(self, outcome: CopyOutcome) -> None:
        self.step, self.outcome, self.reason = None, outcome, REASONS.get(outcome, "")


COMPARED = {CopyOutcome.SAME, CopyOutcome.MISSING, CopyOutcome.SURPLUS, CopyOutcome.DIFFERENT}


@dataclass(frozen=True)
class CopyCounts(ItemCounts):
    """Each of the `items` is one of `copied`, `present`, `differing` and `refused`.

    `unset`: items copied without the attributes that were to be set. `source_items`, `target_items`: counted by a
    verification; it compared `compared` of them and found `missing`, `surplus` and `different` ones. `listed`: lines in
    the parts.
    """

    copied: int = 0
    present: int = 0
    differing: int = 0
    refused: int = 0
    unset: int = 0
    source_items: int = 0
    target_items: int = 0
    compared: int = 0
    missing: int = 0
    surplus: int = 0
    different: int = 0
    listed: int = 0

    @classmethod
    def of(cls, outcome: CopyOutcome, *, listed: bool) -> Self:
        """Return the counts of one item to copy."""
        unset = int(listed and outcome is not CopyOutcome.REFUSED)
        return cls(items=1, unset=unset, listed=int(listed), **{outcome.value: 1})

    @classmethod
    def verifying(cls, side: Side, outcome: CopyOutcome) -> Self:
        """Return the counts of one item that a verification read in one of the tables."""
        counted = {f"{side}_items": 1, "compared": int(outcome in COMPARED)}
        if outcome in COMPARED - {CopyOutcome.SAME}:
            counted |= {outcome.value: 1, "listed": 1}
        return cls(**counted)

    @property
    def outcomes(self) -> Mapping[str, int]:
        copied = self.nonzero("copied", "present", "differing", "refused", "unset")
        found = {"compared": self.compared, "missing": self.missing}
        found |= {"surplus": self.surplus, "different": self.different}
        return copied | (found if self.compared else {})

    @property
    def lines(self) -> int:
        return self.listed

    @property
    def units_done(self) -> int:
        return self.items + self.source_items + self.target_items


@dataclass(frozen=True)
class CopyProgress(ItemProgress):
    counts: CopyCounts = field(default_factory=CopyCounts)
