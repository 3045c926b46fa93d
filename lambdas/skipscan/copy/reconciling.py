"""Makes both tables agree about one key: by steps, which the caller does and answers.

Look at the item in both tables, strongly consistent. If the new table's item differs from the transformed item of the
old one, write it, then look again, until both agree. This is correct beside any other writers, in any order:

- A write can only be wrong if the old table changed after the look that the write rests on.
- Every change of the old table has a record on its stream, which is delivered until it is handled. Before anything else
  its handler promises a late look, when no request can still arrive that rests on a look before the change.

So the late look of the last change finds both tables as they stay, and it ends only when they agree. No order of events
is required, and duplicates do no harm. A late look needs no late look after it.
"""

from dataclasses import dataclass
from enum import Enum, StrEnum

from skipscan.copy.replica import Transform
from skipscan.dynamodb.equality import is_same_item
from skipscan.dynamodb.source import Item

ROUNDS = 5
"""Writes of one key before giving up for now: others are changing it all the time."""


class Side(StrEnum):
    SOURCE = "source"
    TARGET = "target"


@dataclass(frozen=True)
class LookAt:
    """GetItem, strongly consistent."""

    side: Side


@dataclass(frozen=True)
class PutTarget:
    """PutItem in the new table, without a condition."""

    item: Item


class DeleteTarget(Enum):
    """DeleteItem in the new table."""

    DELETE = "delete"


CopyStep = LookAt | PutTarget | DeleteTarget


class Ending(StrEnum):
    """How work on a key ended."""

    RIGHT = "right"  # both tables agreed at the first look
    WRITTEN = "written"  # both agree now
    REFUSED = "refused"  # the new table does not accept the item
    CONTENDED = "contended"  # it kept changing


class Reconciling:
    """`step`: the next one; `None` once there is an `ending`."""

    def __init__(self, transform: Transform, key: Item) -> None:
        self.key = key
        self._transform = transform
        self._wanted: Item | None = None
        self._rounds = 0
        self.ending: Ending | None = None
        self.step: CopyStep | None = LookAt(Side.SOURCE)

    def found(self, item: Item | None) -> None:
        """Record the answer of a read; `None`: no such item."""
        if self.step == LookAt(Side.SOURCE):
            self._wanted = None if item is None else self._transform.of(item).item
            self.step = LookAt(Side.TARGET)
        elif is_same_item(item, self._wanted):
            self._end(Ending.WRITTEN if self._rounds else Ending.RIGHT)
        elif self._rounds == ROUNDS:
            self._end(Ending.CONTENDED)
        else:
            self.step = DeleteTarget.DELETE if self._wanted is None else PutTarget(self._wanted)

    def written(self) -> None:
        """Record that the write was made; the next step reads whether the tables agree."""
        self._rounds += 1
        self.step = LookAt(Side.SOURCE)

    def refused(self) -> None:
        """Record that the new table does not accept the item."""
        self._end(Ending.REFUSED)

    def _end(self, ending: Ending) -> None:
        self.step, self.ending = None, ending
