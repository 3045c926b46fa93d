"""The replicator's steps for a key as requests: they make both tables agree on it."""

from collections.abc import Callable, Sequence

from botocore.exceptions import ClientError

from skipscan.aws.copy_tables import LateLooks, PairedItems
from skipscan.aws.faults import fault
from skipscan.aws.follower import Spent
from skipscan.copy.reconciling import DeleteTarget, Ending, LookAt, Promise, PutTarget, Reconciling
from skipscan.copy.transform import Transform
from skipscan.pace.backoff import Fault
from skipscan.stream.delivery import Change


class Replication:
    """Reconciles one key at a time. Safe to use from several threads. `by`: the tables' key attributes.

    `promised`: a late look at every key is certain, so what the new table refuses is left to that look. A late look has
    none after it: a refusal there makes its message come again, and end in the dead-letter queue.

    `check`: raises before a write unless the old table still is the one that is followed.
    """

    quiet = frozenset(map(str, (Ending.RIGHT, Ending.WRITTEN)))

    def __init__(
        self,
        transform: Transform,
        items: PairedItems,
        queue: LateLooks,
        by: Sequence[str],
        *,
        promised: bool,
        check: Callable[[], None],
    ) -> None:
        self._transform = transform
        self._items = items
        self._queue = queue
        self._promised = promised
        self._check = check
        self.by = by
        self.done = self.quiet | {str(Ending.REFUSED)} if promised else self.quiet
        self.spent = Spent()

    def settle(self, change: Change) -> str:
        """Do all steps for a key; raises what DynamoDB and SQS raise."""
        one = Reconciling(self._transform, change.key, promised=self._promised)
        while one.ending is None:
            match one.step:
                case LookAt(side=side):
                    looked = self._items.look(side, one.key)
                    self.spent.count(read_units=looked.read_units)
                    one.found(looked.item)
                case Promise():
                    self._queue.promise([one.key])
                    one.promise_kept()
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
