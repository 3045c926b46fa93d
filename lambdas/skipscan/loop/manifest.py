"""The proof that a run is complete, and the document that says what it found."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from skipscan.errors import BudgetError, IncompleteRunError
from skipscan.listing.run import Run
from skipscan.scan.counts import Counts
from skipscan.scan.progress import Progress


@dataclass(frozen=True)
class StoredPart:
    """A part as it lies on S3. `bytes`: its size. `sha256`: of its content, in hex. `attempt`: whose it is."""

    worker: int
    batch: int
    name: str
    keys: int
    bytes: int
    sha256: str
    attempt: str


@dataclass(frozen=True)
class Report:
    """What a worker says it did, as it came through state."""

    worker: int
    parts: int
    counts: Counts

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> "Report":
        return cls(document["worker"], document["parts"], Counts.from_json(document))


def last_parts(workers: int, parts: Sequence[StoredPart]) -> list[StoredPart]:
    """Return every worker's last part; raise `IncompleteRunError` unless each has its parts without a gap."""
    by_worker: dict[int, list[StoredPart]] = {worker: [] for worker in range(workers)}
    for part in parts:
        if part.worker not in by_worker:
            raise incomplete(f"{part.name} belongs to no worker of this run")
        by_worker[part.worker].append(part)
    for worker, own in by_worker.items():
        own.sort(key=lambda part: part.batch)
        if not own or [part.batch for part in own] != list(range(len(own))):
            raise incomplete(f"worker {worker} has a gap in its parts ({len(own)} found)")
    return [own[-1] for own in by_worker.values()]


def prove(run: Run, parts: Sequence[StoredPart], reached: Iterable[Progress], reports: Iterable[Report]) -> Counts:
    """Return the run's counts if S3 holds all of it, else raise `IncompleteRunError` with the first thing amiss.

    `reached`: the checkpoint of every worker's last part. S3 alone must show that every worker came to its end, of
    its segments or of its budget, and every part is there; what the workers reported through state must say the same.
    """
    told = {report.worker: report for report in reports}
    counts = Counts()
    for progress in reached:
        own = [part for part in parts if part.worker == progress.worker]
        if not progress.done(run.plan):
            raise incomplete(f"worker {progress.worker} did not come to its end")
        if sum(part.keys for part in own) != progress.counts.keys:
            raise incomplete(f"the parts of worker {progress.worker} do not hold the keys it counted")
        if told.pop(progress.worker, None) != Report(progress.worker, len(own), progress.counts):
            raise incomplete(f"worker {progress.worker} reported other counts than it left on S3")
        counts += progress.counts
    if told:
        raise incomplete(f"workers {sorted(told)} reported and left nothing on S3")
    return counts


def manifest(
    run: Run,
    parts: Sequence[StoredPart],
    counts: Counts,
    segments_left: int,
    *,
    now: datetime,
    version: str,
    estimated: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the manifest of a run, complete if no segments are left; sizes are in bytes, times in seconds.

    `now`: its end, in UTC. `estimated`: what the plan expected, to be held against the counts; `None` where no sample
    was taken.
    """
    plan = run.plan
    started = datetime.fromisoformat(run.started)
    return {
        "complete": not segments_left,
        "table": plan.source.table,
        "index": plan.source.index,
        "run": run.name,
        "execution": run.execution,
        "started": run.started,
        "finished": now.astimezone(UTC).isoformat(timespec="milliseconds"),
        "seconds": round((now - started).total_seconds(), 3),
        "partition_key": [{"name": a.name, "type": a.type} for a in plan.source.partition_key],
        "format": plan.format,
        "strategy": plan.strategy,
        "optimize": plan.optimize,
        "consistent_read": plan.consistent_read,
        "segments": plan.segments,
        "segments_left": segments_left,
        "workers": plan.workers,
        **counts.to_json(),
        "estimated": estimated,
        "parts": [{"name": part.name, "keys": part.keys, "bytes": part.bytes, "sha256": part.sha256} for part in parts],
        "skipscan_version": version,
    }


def budget_error(run: Run, counts: Counts, segments_left: int) -> BudgetError:
    """Return the error of a run that its budget stopped."""
    return BudgetError(
        f"the budget is {run.plan.max_read_units:,.0f} read units and {counts.read_units:,.1f} are consumed; "
        f"{counts.keys:,} keys are found and {segments_left:,} of {run.plan.segments:,} segments are left: start again "
        f'with a larger max_read_units or max_dollars for the whole run, and "resume": "{run.name}" to go on from here'
    )


def incomplete(what: str) -> IncompleteRunError:
    """Return the error of a run or job whose result on S3 is not whole."""
    return IncompleteRunError(
        f"{what}: the result is not complete, so it has no manifest. Redrive the execution or resume the run; "
        "if that ends in the same way, start a new run"
    )
