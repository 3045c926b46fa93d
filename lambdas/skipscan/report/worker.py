"""What each worker did."""

from collections.abc import Sequence
from dataclasses import dataclass

from skipscan.report.record import Record
from skipscan.scan.counts import Counts


@dataclass(frozen=True)
class Worker:
    """`batches`: when each began and how long it took, in seconds since the first of all began."""

    worker: int
    counts: Counts
    batches: Sequence[tuple[float, float]]

    @property
    def seconds(self) -> float:
        """How long it worked, pauses between batches left out."""
        return sum(length for _, length in self.batches)

    @property
    def end_seconds(self) -> float:
        return max(begin + length for begin, length in self.batches)


def workers(record: Record) -> list[Worker]:
    """Return every worker of which a batch is left, the one that ended last first."""
    by_worker: dict[int, list[tuple[float, float]]] = {}
    reached: dict[int, Counts] = {}
    for batch in record.batches:
        begin = (batch.began - record.begun).total_seconds()
        by_worker.setdefault(batch.worker, []).append((begin, batch.seconds))
        reached[batch.worker] = batch.reached
    found = [Worker(worker, reached[worker], batches) for worker, batches in by_worker.items()]
    return sorted(found, key=lambda worker: worker.end_seconds, reverse=True)
