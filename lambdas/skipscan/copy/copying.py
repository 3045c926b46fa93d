"""One item of a page on its way into the new table.

It is put only where no item is: whatever is there came from a change that is younger than the page, or from an earlier
attempt. What is there and differs is not judged here, for the page may be old: the key goes to the replicator.
"""

from enum import Enum, StrEnum

from skipscan.copy.reconciling import PutTarget
from skipscan.copy.transform import Transform
from skipscan.dynamodb.equality import is_same_item
from skipscan.dynamodb.source import Item


class HandOver(Enum):
    """Have the replicator look at the key now."""

    HAND_OVER = "hand over"


class CopyOutcome(StrEnum):
    """What became of an item of a page."""

    COPIED = "copied"
    PRESENT = "present"  # the new table had it already, and right
    DIFFERING = "differing"  # it had another; the replicator looks
    REFUSED = "refused"  # it does not take the item
    COUNTED = "counted"  # by a verification, which does not compare every item
    SAME = "same"
    MISSING = "missing"  # the old table has it, the new one not
    SURPLUS = "surplus"  # the new table has it, the old one not
    DIFFERENT = "different"


class Copying:
    """`step`: what is to be done next, `None` once there is an `outcome`. `reason`: why it is listed, if it is."""

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
        """Take in that the item was put."""
        self._end(CopyOutcome.COPIED)

    def conflicted(self, item: Item | None) -> None:
        """Take in that an item was there; `None` if the answer did not hold it."""
        if item is not None and is_same_item(item, self._item):
            self._end(CopyOutcome.COPIED if self._may_be_written else CopyOutcome.PRESENT)
        else:
            self.step = HandOver.HAND_OVER

    def lost(self) -> None:
        """Take in that no answer came: the item may have been put. The same step is done again."""
        self._may_be_written |= isinstance(self.step, PutTarget)

    def handed_over(self) -> None:
        self._end(CopyOutcome.DIFFERING)

    def refused(self, reason: str) -> None:
        """Take in that the new table will not have the item."""
        self._end(CopyOutcome.REFUSED, reason)

    def _end(self, outcome: CopyOutcome, reason: str = "") -> None:
        self.step, self.outcome, self.reason = None, outcome, reason or self.reason
