"""What a job has done and consumed so far."""

from dataclasses import dataclass

from skipscan.pace.counts import Counts


@dataclass(frozen=True)
class ActCounts(Counts):
    """Counts of keys and requests.

    `keys`: settled, each once, and so the sum of those up to `failed`. `put`, `deleted`, `sent` (to a function or a
    queue): done. `present`: an item is there that is not to be touched. `absent`: there is nothing to delete. `ended`:
    the item collection has no item any more, and was passed over. `failed`: listed with the reason. `requests`:
    answered, retries included. `read_units`: of looks whether collections live. `write_units`: as DynamoDB reported
    them; those of refused conditions are computed, for it does not report them. `throttles`: requests refused for want
    of throughput, and made again.
    """

    keys: int = 0
    put: int = 0
    present: int = 0
    deleted: int = 0
    absent: int = 0
    sent: int = 0
    ended: int = 0
    failed: int = 0
    requests: int = 0
    read_units: float = 0.0
    write_units: float = 0.0
    throttles: int = 0

    @property
    def lines(self) -> int:
        return self.failed

    @property
    def moved(self) -> int:
        return self.keys
