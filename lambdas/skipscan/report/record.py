"""What is left of a run or job: its plan, how it ended, and how its batches went. No key values."""

from dataclasses import dataclass
from datetime import UTC, datetime
from math import ceil

from skipscan.errors import intact
from skipscan.loop.kind import AnyProgress
from skipscan.report.digest import Digest, Digesting
from skipscan.report.page import SHOWN_FILES
from skipscan.report.timeline import Timeline
from skipscan.stored.folder import address_of, ending_of, plan_of, strange
from skipscan.stored.moment import Moment
from skipscan.stored.stored_work import StoredWork

MOST_CHECKPOINTS = 10_000
"""Of work that has more, every second, third … worker is read: some minutes of S3 requests at most."""


@dataclass(frozen=True, kw_only=True)
class WorkRecord(Moment):
    """A run or job, and how its batches went. `ending`: also of work that its budget stopped.

    `folder`: the address of its results. `batches_committed`: by their parts. `workers_committed`: the workers that
    have any; `workers_seen`: those whose batches are in `digest`.
    """

    batches_committed: int
    workers_committed: int
    workers_seen: int
    digest: Digest
    folder: str

    @property
    def is_sampled(self) -> bool:
        return self.workers_seen < self.workers_committed

    @property
    def timeline(self) -> Timeline:
        """The work over time; of a sample of workers, scaled up to all requests."""
        seen = self.digest.requests
        return (
            self.digest.timeline.scaled(self.counts.requests / seen)
            if self.is_sampled and seen
            else self.digest.timeline
        )


def read_work(stored: StoredWork, most_checkpoints: int = MOST_CHECKPOINTS) -> WorkRecord:
    """Return stored work by the rule of any attempt; raise `InputError` if its documents are of something else.

    `most_checkpoints`: how many are read in full, give or take one worker's.
    """
    with intact(strange()):
        kind, results, document = stored.kind, stored.results, plan_of(stored.results)
        work, parts, resumes = kind.work(document), results.batches(), results.resumes()
        ending = ending_of(results, resumes, len(parts), SHOWN_FILES)
        workers, last = sorted({worker for worker, _ in parts}), {} if ending else dict(parts.keys())
        seen = set(workers[:: max(1, ceil(len(parts) / most_checkpoints))])
        digesting = Digesting(datetime.fromisoformat(work.started), kind.default_count)
        reached: dict[int, AnyProgress | None] = dict.fromkeys(last)
        needed = {place: name for place, (name, _) in parts.items() if place[0] in seen or place in last.items()}
        for (worker, number), checkpoint in results.any_attempt(needed):
            if last.get(worker) == number:
                reached[worker] = kind.progress(checkpoint, work.plan)
            if worker in seen:
                digesting.add(worker, checkpoint)
        digest = digesting.digest()
        return WorkRecord(
            kind,
            datetime.now(UTC),
            document,
            ending,
            reached,
            digest.finished,
            resumes,
            batches_committed=len(parts),
            workers_committed=len(workers),
            workers_seen=len(seen),
            digest=digest,
            folder=address_of(results),
        )
