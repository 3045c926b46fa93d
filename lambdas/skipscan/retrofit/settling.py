"""One item, brought to the state its retrofit wants: as steps that the caller does, and the answers to them.

An update is conditional on everything it rests on: the attributes its values are made of, and those it replaces, are
what was read. So it never overwrites what a writer did in between, and however late it comes it is right. If
the condition fails, the item as it is now is judged anew. After an update that was made there is nothing to look at
again: it was right at the moment it was made, and whatever changes the item later is a later write.
"""

from enum import Enum, StrEnum

from skipscan.dynamodb.source import Item
from skipscan.items.assignments import Assignments, Update
from skipscan.items.concatenation import Problem, Unmade

ROUNDS = 5
"""Updates of one item before giving up on it: somebody else is changing it all the time."""


class Look(Enum):
    """GetItem of the item's key, strongly consistent."""

    LOOK = "look"


class RetrofitOutcome(StrEnum):
    """How an item was settled."""

    WRITTEN = "written"
    RIGHT = "right"  # nothing was to be done
    GONE = "gone"  # it was deleted meanwhile
    LACKING = "lacking"
    REFUSED = "refused"
    CONTENDED = "contended"  # it changed all the while
    WRONG = "wrong"  # found by a verification, which writes nothing


class Settling:
    """`step`: what is to be done next, `None` once there is an `outcome`. `reason`: why, where an item is to be listed.

    `writes`: `False` for a verification, which looks again at what seems wrong (an eventually consistent read may be
    old) and leaves it.
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
        self.step: Update | Look | None = Look.LOOK
        if item is not None:
            self._judge(item)

    def found(self, item: Item | None) -> None:
        """Take the answer of a look; `None`: there is no such item."""
        self._has_looked = True
        self.seen = item
        if item is None:
            self._end(RetrofitOutcome.GONE)
        else:
            self._judge(item)

    def written(self) -> None:
        """Take in that the update was made."""
        self._end(RetrofitOutcome.WRITTEN)

    def conflicted(self, item: Item | None) -> None:
        """Take in that the update's condition failed, with the item as it is now; `None` if the answer held none."""
        if item is None:  # it may be gone, or the engine does not tell: only a look can say
            self.step = Look.LOOK
        else:
            self._judge(item)

    def lost(self) -> None:
        """Take in that no answer came: the update may have been made. The same step is done again."""
        self._may_be_written |= isinstance(self.step, Update)

    def refused(self, reason: str) -> None:
        """Take in that DynamoDB will not have the update."""
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
                self._end(RetrofitOutcome.CONTENDED, f"it was changed during each of {ROUNDS} updates")
            case Update() if self._writes:
                self._rounds += 1
                self.step = verdict
            case Update() if self._has_looked:
                self._end(RetrofitOutcome.WRONG, f"{', '.join(verdict.values)} is not what the template makes")
            case Update():
                self.step = Look.LOOK

    def _end(self, outcome: RetrofitOutcome, reason: str = "") -> None:
        self.step, self.outcome, self.reason = None, outcome, reason
