"""The proof that a job is complete, and the document that says what it did."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from skipscan.act.counts import ActCounts
from skipscan.act.job import Job
from skipscan.act.progress import ActProgress
from skipscan.act.registry import to_json
from skipscan.errors import BudgetError
from skipscan.loop.manifest import StoredPart, incomplete


def prove(
    job: Job, parts: Sequence[StoredPart], reached: Iterable[ActProgress], reports: Iterable[Mapping[str, Any]]
) -> ActCounts:
    """Return the job's counts if S3 holds all of it, else raise `IncompleteRunError` with the first thing amiss.

    `parts`: the lists of failed keys. `reached`: the checkpoint of every worker's last one. What the workers reported
    through state must say the same. A job that came to the end of all slices has settled as many keys as the run has.
    """
    told = {report["worker"]: report for report in reports}
    counts, slices_left = ActCounts(), 0
    for progress in reached:
        own = [part for part in parts if part.worker == progress.worker]
        if not progress.done(job.plan):
            raise incomplete(f"worker {progress.worker} did not come to its end")
        if sum(part.keys for part in own) != progress.counts.failed:
            raise incomplete(f"the parts of worker {progress.worker} do not hold the failed keys it counted")
        if told.pop(progress.worker, None) != {
            "worker": progress.worker,
            "parts": len(own),
            **progress.counts.to_json(),
        }:
            raise incomplete(f"worker {progress.worker} reported other counts than it left on S3")
        counts += progress.counts
        slices_left += progress.slices_left(job.plan)
    if told:
        raise incomplete(f"workers {sorted(told)} reported and left nothing on S3")
    if not slices_left and counts.keys != job.plan.keys:
        raise incomplete(f"{counts.keys:,} keys are settled, and the run has {job.plan.keys:,}")
    return counts


def manifest(
    job: Job, parts: Sequence[StoredPart], counts: ActCounts, slices_left: int, *, now: datetime, version: str
) -> dict[str, Any]:
    """Return the manifest of a job, complete if no slices are left. `now`: its end, in UTC."""
    plan = job.plan
    return {
        "complete": not slices_left,
        "table": plan.table,
        "run": plan.run,
        "job": job.name,
        "execution": job.execution,
        "started": job.started,
        "finished": now.astimezone(UTC).isoformat(timespec="milliseconds"),
        "seconds": round((now - datetime.fromisoformat(job.started)).total_seconds(), 3),
        "action": to_json(plan.action),
        "workers": plan.workers,
        "slices": plan.slices,
        "slices_left": slices_left,
        **counts.to_json(),
        "failed_parts": [
            {"name": part.name, "keys": part.keys, "bytes": part.bytes, "sha256": part.sha256}
            for part in parts
            if part.keys
        ],
        "skipscan_version": version,
    }


def budget_error(job: Job, counts: ActCounts) -> BudgetError:
    """Return the error of a job that its budget stopped."""
    return BudgetError(
        f"the budget is {job.plan.max_write_units or 0:,.0f} write units and {counts.write_units:,.1f} are consumed; "
        f"{counts.keys:,} of {job.plan.keys:,} keys are settled: start again with a larger max_write_units or "
        f'max_dollars for the whole job, and "resume": "{job.name}" to go on from here'
    )
