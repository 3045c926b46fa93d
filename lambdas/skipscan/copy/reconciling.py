"""One key, brought to agree in both tables: as steps that the caller does, and the answers to them.

Look at the item in both tables, strongly consistent. If the new table's item differs from the transformed item of the
old one, write it, then look again, until both agree. Two rules keep this correct beside any other writers, in any
order:

- Every write to the new table is followed by a look: its writer's own, and a late one, promised *before* the write, for
  the writer that dies or whose write arrives after its death.
- Every change of the old table is followed by a look: its record's on the stream, delivered until it succeeded.

The look that comes after the last of all writes and changes finds both tables as they stay, and it ends only when they
agree. So no order of events is required, and duplicates do no harm.
"""

from dataclasses import dataclass
from enum import Enum, StrEnum

from skipscan.copy.transform import Transform
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


class Promise(Enum):
    """Have the key looked at again after `DELAY_SECONDS`."""

    PROMISE = "promise"


@dataclass(frozen=True)
class PutTarget:
    """PutItem in the new table, without a condition."""

    item: Item


class DeleteTarget(Enum):
    """DeleteItem in the new table."""

    DELETE = "delete"


Step = LookAt | Promise | PutTarget | DeleteTarget


class Ending(StrEnum):
    """How work on a key ended."""

    RIGHT = "right"  # both tables agreed at the first look
    WRITTEN = "written"  # both agree now
    REFUSED = "refused"  # the new table does not accept the item
    CONTENDED = "contended"  # it kept changing


class Reconciling:
    """`step`: the next one; `None` once there is an `ending`. `promised`: a late look is certain."""

    def __init__(self, transform: Transform, key: Item, *, promised: bool) -> None:
        self.key = key
        self._transform = transform
        self._promised = promised
        self._wanted: Item | None = None
        self._rounds = 0
        self.ending: Ending | None = None
        self.step: Step | None = LookAt(Side.SOURCE)

    def found(self, item: Item | None) -> None:
        """Record the answer of a look; `None`: no such item."""
        if self.step == LookAt(Side.SOURCE):
            self._wanted = None if item is None else self._transform.of(item).item
            self.step = LookAt(Side.TARGET)
        elif is_same_item(item, self._wanted):
            self._end(Ending.WRITTEN if self._rounds else Ending.RIGHT)
        elif self._rounds == ROUNDS:
            self._end(Ending.CONTENDED)
        else:
            self.step = self._write() if self._promised else Promise.PROMISE

    def promise_kept(self) -> None:
        """Record that the queue has accepted the key."""
        self._promised = True
        self.step = self._write()

    def written(self) -> None:
        """Record that the write was made; the next step looks whether it was right."""
        self._rounds += 1
        self.step = LookAt(Side.SOURCE)

    def refused(self) -> None:
        """Record that the new table does not accept the item."""
        self._end(Ending.REFUSED)

    def _write(self) -> Step:
        return DeleteTarget.DELETE if self._wanted is None else PutTarget(self._wanted)

    def _end(self, ending: Ending) -> None:
        self.step, self.ending = None, ending
