"""The proof that work is complete, from stored objects alone. Every kind of work uses every clause."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from skipscan.errors import IncompleteRunError
from skipscan.loop.kind import AnyProgress, Kind, P, worker_report
from skipscan.loop.results import Rows
from skipscan.loop.storage import StoredPart
from skipscan.pace.counts import Counts


class StoredParts:
    """All parts of the work, as Finish needs them; raises `IncompleteRunError` if a worker's parts have a gap.

    `counts`, `lines`: of each worker's parts. `last`: every worker's last part. `rows`: of the manifest.
    """

    def __init__(self, workers: int, parts: Iterable[StoredPart]) -> None:
        batches: dict[int, list[int]] = {worker: [] for worker in range(workers)}
        last: dict[int, StoredPart] = {}
        self.lines = Counter[int]()
        self.rows = Rows()
        for part in parts:
            if part.worker not in batches:
                raise incomplete(part.name, "does not belong to any worker of this run")
            batches[part.worker].append(part.batch)
            last[part.worker] = max(part, last.get(part.worker, part))
            self.lines[part.worker] += part.keys
            if part.keys:
                self.rows.add(part.to_json())
        for worker, own in batches.items():
            if not own or sorted(own) != list(range(len(own))):
                raise incomplete(f"worker {worker}", f"has a gap in its parts ({len(own)} found)")
        self.counts = {worker: len(own) for worker, own in batches.items()}
        self.last = [last[worker] for worker in batches]


def prove(
    kind: Kind[P],
    plan: P,
    stored: StoredParts,
    reached: Sequence[AnyProgress],
    reports: Mapping[int, Mapping[str, Any]],
) -> Counts:
    """Return the counts of all workers if all of the work is stored; raise `IncompleteRunError` with the reason if not.

    `reached`: the checkpoint of every worker's last part. The stored objects must show that every worker reached the
    end of its share or of its budget, and that every part exists. The workers' reports from the state (`reports`, by
    worker) must agree.
    """
    unheard = dict(reports)
    for progress in reached:
        worker = progress.worker
        if not progress.done(plan):
            raise incomplete(f"worker {worker}", "did not finish")
        if stored.lines[worker] != progress.counts.lines:
            raise incomplete(f"the parts of worker {worker}", "differ from the number of lines that it counted")
        if unheard.pop(worker, {}) != {**worker_report(progress), "parts": stored.counts[worker]}:
            raise incomplete(f"the counts that worker {worker} reported", "differ from those on S3")
    if unheard:
        raise incomplete(f"workers {sorted(unheard)}", "reported results but have no files on S3")
    required = kind.required_count(plan)
    counts = kind.counts_form.total(progress.counts for progress in reached)
    if required is not None and counts.units_done != required and not any(progress.left(plan) for progress in reached):
        raise incomplete(f"{counts.units_done:,} keys", f"are processed, but the run has {required:,}")
    return counts


def incomplete(what: str, rule: str) -> IncompleteRunError:
    """Return the error of work whose result is incomplete. `rule`: what `what` lacks for a complete one.

    A redrive does not help: this error ends the execution in its state Fail, and a redrive begins there again, with
    the same input (Step Functions developer guide, "Restarting state machine executions with redrive").
    """
    return IncompleteRunError(
        what,
        rule=f"{rule}, so the result is not complete and has no manifest",
        remedy="resume it; if this error comes back, start a new one",
    )
