"""The proof that a job over all items is complete, and the document that says what it did."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

from skipscan.errors import BudgetError
from skipscan.items.plan import ItemPlan
from skipscan.items.progress import ItemProgress
from skipscan.items.tally import ItemTally
from skipscan.loop.manifest import StoredPart, incomplete
from skipscan.loop.work import Work

T = TypeVar("T", bound=ItemTally)
P = TypeVar("P", bound=ItemPlan)


def prove(
    plan: ItemPlan,
    parts: Sequence[StoredPart],
    reached: Sequence[ItemProgress[T]],
    reports: Iterable[Mapping[str, Any]],
) -> T:
    """Return the job's counts if S3 holds all of it, else raise `IncompleteRunError` with the first thing amiss.

    `parts`: the lists of items. `reached`: the checkpoint of every worker's last one. What the workers reported through
    state must say the same.
    """
    told = {report["worker"]: report for report in reports}
    for progress in reached:
        own = [part for part in parts if part.worker == progress.worker]
        if not progress.done(plan):
            raise incomplete(f"worker {progress.worker} did not come to its end")
        if sum(part.keys for part in own) != progress.tally.lines:
            raise incomplete(f"the parts of worker {progress.worker} do not hold the items it listed")
        report = {"worker": progress.worker, "parts": len(own), **progress.tally.to_json()}
        if told.pop(progress.worker, None) != report:
            raise incomplete(f"worker {progress.worker} reported other counts than it left on S3")
    if told:
        raise incomplete(f"workers {sorted(told)} reported and left nothing on S3")
    return type(reached[0].tally).total(progress.tally for progress in reached)


def manifest(
    job: Work[P],
    parts: Sequence[StoredPart],
    tally: ItemTally,
    reached: Iterable[ItemProgress[Any]],
    *,
    now: datetime,
    version: str,
) -> dict[str, Any]:
    """Return the manifest of a job, complete if no walks are left. `now`: its end, in UTC."""
    plan, reached = job.plan, list(reached)
    walks_left = sum(progress.walks_left(plan) for progress in reached)
    return {
        "complete": not walks_left,
        job.noun: job.name,
        "execution": job.execution,
        "started": job.started,
        "finished": now.astimezone(UTC).isoformat(timespec="milliseconds"),
        "seconds": round((now - datetime.fromisoformat(job.started)).total_seconds(), 3),
        **plan.stated,
        "segments": plan.reading.segments,
        "workers": plan.workers,
        "walks": plan.passes * plan.reading.segments,
        "walks_left": walks_left,
        **tally.to_json(),
        # A worker has the same segment numbers in every pass, and in both tables of a copy.
        "by_worker": [
            {"worker": progress.worker, "segments": plan.segments_of(progress.worker), **progress.tally.to_json()}
            for progress in reached
        ],
        "failed_parts": [
            {"name": part.name, "keys": part.keys, "bytes": part.bytes, "sha256": part.sha256}
            for part in parts
            if part.keys
        ],
        "skipscan_version": version,
    }


def budget_error(job: Work[P], tally: ItemTally, walks_left: int) -> BudgetError:
    """Return the error of a job that its budget stopped."""
    plan = job.plan
    bounds = {
        "max_write_units": plan.max_write_units,
        "max_read_units": plan.reading.max_read_units,
        "max_dollars": plan.max_dollars,
    }
    stated = ", ".join(f"{name} {bound:,g}" for name, bound in bounds.items() if bound is not None)
    return BudgetError(
        f"the budget is {stated}, and {tally.write_units:,.1f} write units and {tally.read_units:,.1f} read units are "
        f"consumed; {tally.items:,} items are settled and {walks_left:,} of {plan.passes * plan.reading.segments:,} "
        f'walks are left: start again with a larger budget for the whole {job.noun}, and "resume": "{job.name}" to go '
        "on from here"
    )
