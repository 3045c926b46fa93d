"""One item of a page on its way into the new table.

The item is put only where none exists. An existing one came from a change that is younger than the page, or from an
earlier attempt. If it differs, the copy does not decide, because the page may be old: the replicator gets the key.
"""

from enum import Enum, StrEnum

from skipscan.copy.reconciling import PutTarget
from skipscan.copy.transform import Transform
from skipscan.dynamodb.equality import is_same_item
from skipscan.dynamodb.source import Item


class HandOver(Enum):
    """Let the replicator look at the key now."""

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
