"""The threads that reconcile keys: one key each at a time, and none fails for another."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from botocore.exceptions import ClientError

from skipscan.aws.copy_tables import LateLooks, PairedItems
from skipscan.copy.reconciling import DeleteTarget, Ending, LookAt, Promise, PutTarget, Reconciling
from skipscan.copy.transform import Transform
from skipscan.dynamodb.source import Item

THREADS = 8
"""Keys reconciled at once: what one of them waits for is the network."""


class Replication:
    """Reconciles keys. `endings`: how many ended how, by ending or by an error's code; never a key value."""

    def __init__(self, transform: Transform, items: PairedItems, queue: LateLooks) -> None:
        self._transform = transform
        self._items = items
        self._queue = queue
        self.endings: Counter[str] = Counter()

    def reconcile(
        self, keys: Sequence[Item], *, promised: bool, until: float, clock: Callable[[], float] = time.monotonic
    ) -> list[str]:
        """Return how each key ended; those not begun by `until` end "late"."""

        def ending(key: Item) -> str:
            if clock() >= until:
                return "late"
            try:
                return self._settle(Reconciling(self._transform, key, promised=promised))
            except ClientError as error:
                return str(error.response["Error"].get("Code", "ClientError"))
            except Exception as error:  # its words may hold key values, so its name has to do
                return type(error).__name__

        with ThreadPoolExecutor(THREADS, thread_name_prefix="key") as pool:
            endings = list(pool.map(ending, keys))
        self.endings.update(endings)
        return endings

    def _settle(self, one: Reconciling) -> str:
        while one.ending is None:
            match one.step:
                case LookAt(side=side):
                    one.found(self._items.look(side, one.key).item)
                case Promise():
                    self._queue.promise([one.key])
                    one.promise_kept()
                case PutTarget() | DeleteTarget() as step:
                    self._write(one, step)
        return one.ending

    def _write(self, one: Reconciling, step: PutTarget | DeleteTarget) -> None:
        try:
            if isinstance(step, PutTarget):
                self._items.put(step.item)
            else:
                self._items.delete(one.key)
        except ClientError as error:
            if error.response["Error"].get("Code") != "ValidationException":
                raise
            one.refused()
        else:
            one.written()


def is_done(ending: str) -> bool:
    """Tell whether a key's event need not come again; what the new table refuses is refused again."""
    return ending in {Ending.RIGHT, Ending.WRITTEN, Ending.REFUSED}
