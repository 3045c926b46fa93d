"""The replicator's steps for a key as requests: they make both tables agree on it."""

from collections.abc import Callable, Sequence

from botocore.exceptions import ClientError

from skipscan.aws.faults import fault
from skipscan.copy.aws.tables import PairedItems
from skipscan.copy.reconciling import DeleteTarget, Ending, LookAt, PutTarget, Reconciling
from skipscan.copy.transform import Transform
from skipscan.pace.backoff import Fault
from skipscan.stream.aws.follower import Spent
from skipscan.stream.delivery import Change


class Replication:
    """Reconciles one key at a time. Safe to use from several threads. `by`: the tables' key attributes.

    `is_late`: these are late looks. What the new table refuses is left to the late look at the key. A refusal there
    makes its message come again, and end in the dead-letter queue.

    `check`: raises before a write unless the old table still is the one that is followed.
    """

    quiet = frozenset(map(str, (Ending.RIGHT, Ending.WRITTEN)))

    def __init__(
        self,
        transform: Transform,
        items: PairedItems,
        by: Sequence[str],
        *,
        is_late: bool,
        check: Callable[[], None],
    ) -> None:
        self._transform = transform
        self._items = items
        self._check = check
        self.by = by
        self.done = self.quiet if is_late else self.quiet | {str(Ending.REFUSED)}
        self.spent = Spent()

    def settle(self, change: Change) -> str:
        """Do all steps for a key; raises what DynamoDB raises."""
        one = Reconciling(self._transform, change.key)
        while one.ending is None:
            match one.step:
                case LookAt(side=side):
                    looked = self._items.look(side, one.key)
                    self.spent.count(read_units=looked.read_units)
                    one.found(looked.item)
                case PutTarget() | DeleteTarget() as step:
                    self._write(one, step)
        return one.ending

    def _write(self, one: Reconciling, step: PutTarget | DeleteTarget) -> None:
        self._check()
        try:
            if isinstance(step, PutTarget):
                self.spent.count(write_units=self._items.put(step.item), put=1)
            else:
                self.spent.count(write_units=self._items.delete(one.key), deleted=1)
        except ClientError as error:
            if fault(error) is not Fault.INVALID:
                raise
            one.refused()
        else:
            one.written()
