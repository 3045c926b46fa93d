"""One key of a verification: read in both tables, and read again after a pause before it counts as a difference.

Reads are strongly consistent. A replicator is some seconds behind; what it has not done yet is no difference.
"""

from skipscan.copy.copying import CopyOutcome
from skipscan.copy.reconciling import LookAt, Side
from skipscan.copy.transform import Transform
from skipscan.dynamodb.equality import is_same_item
from skipscan.dynamodb.source import Item

PAUSE_SECONDS = 5.0

REASONS = {
    CopyOutcome.MISSING: "it is in the source and not in the target",
    CopyOutcome.SURPLUS: "it is in the target and not in the source",
    CopyOutcome.DIFFERENT: "the target item differs from the transformed source item",
}


class Comparing:
    """`step`: the next one, not before the time `not_before`; `None` once there is an `outcome`.

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
