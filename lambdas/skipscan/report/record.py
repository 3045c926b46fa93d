"""What is left of a run or job: its plan, how it ended, and how its batches went. No key values."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from math import ceil
from typing import Any

from skipscan.errors import InputError, StateError, intact
from skipscan.loop.kind import AnyProgress, Kind
from skipscan.loop.results import Results
from skipscan.loop.storage import Storage
from skipscan.loop.work import check_form
from skipscan.report.digest import Digest, Digesting
from skipscan.report.page import SHOWN_FILES
from skipscan.report.timeline import Timeline
from skipscan.stored.moment import Moment
from skipscan.stored.stored_work import StoredWork

MOST_CHECKPOINTS = 10_000
"""Of work that has more, every second, third … worker is read: some minutes of S3 requests at most."""


@dataclass(frozen=True)
class WorkRecord(Moment):
    """A run or job, and how its batches went. `ending`: also of work that its budget stopped.

    `folder`: the address of its results. `batches_committed`: by their parts. `workers_committed`: the workers that
    have any; `workers_seen`: those whose batches are in `digest`.
    """

    batches_committed: int = 0
    workers_committed: int = 0
    workers_seen: int = 0
    digest: Digest = field(kw_only=True)
    folder: str = ""

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
        return _read(stored, most_checkpoints)


def _read(stored: StoredWork, most_checkpoints: int) -> WorkRecord:
    kind, results, document = stored.kind, stored.results, _plan(stored.results)
    work, parts, resumes = kind.work(document), stored.parts(), results.resumes()
    ending = _ending(results, resumes, len(parts))
    workers, last = sorted({worker for worker, _ in parts}), {} if ending else dict(parts.keys())
    seen = set(workers[:: max(1, ceil(len(parts) / most_checkpoints))])
    digesting = Digesting(datetime.fromisoformat(work.started), kind.default_count)
    reached: dict[int, AnyProgress | None] = dict.fromkeys(last)
    needed = {place: name for place, (name, _) in parts.items() if place[0] in seen or place in last.items()}
    for (worker, number), checkpoint in stored.checkpoints(needed):
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
        folder=_folder(results),
    )


def work_in(storage: Storage, root: str, kinds: Sequence[Kind[Any]]) -> StoredWork:
    """Return the work of one of these kinds below a root; raise `InputError` if there is something else."""
    found = [StoredWork(kind, Results(storage, kind.layout("", "any", "run", root=root))) for kind in kinds]
    plan, results = _plan(found[0].results), found[0].results
    with intact(strange()):
        ending = _ended(results, results.layout.manifest) or _ended(results, results.layout.unfinished) or {}
        for work in found:
            if work.kind.label in ending and "complete" in ending:
                return work
    check_form(plan, "the plan of the folder")
    for work in found:
        with suppress(StateError):  # of another kind
            work.kind.work(plan)
            return work
    raise strange()


def strange() -> InputError:
    """Return the refusal of a folder whose documents are of something else, or were changed."""
    return InputError(
        "the folder",
        rule="has objects that do not belong to a run or job",
        remedy="give the unchanged folder of a Skipscan run or job",
    )


def _folder(results: Results) -> str:
    return results.storage.uri(results.layout.plan).removesuffix("plan.json")


def _plan(results: Results) -> Mapping[str, Any]:
    with intact(strange()):
        plan = results.stored_plan()
    if plan is None:
        raise InputError(
            "the folder",
            _folder(results),
            "it has no plan.json, so it is not that of a run or job",
            "give the folder that contains manifest.json, such as s3://bucket/skipscan/Orders/runs/nightly-2026-01-31/",
        )
    if "form" not in plan:
        raise strange()
    return plan


def _ending(results: Results, resumes: int, batches: int) -> Mapping[str, Any] | None:
    """Return the manifest, or `unfinished.json` unless the work was resumed or has committed batches since."""
    if finished := _ended(results, results.layout.manifest):
        return finished
    stopped = _ended(results, results.layout.unfinished)
    # A resume leaves unfinished.json as it is until its own budget ends: meanwhile only the checkpoints are right.
    is_old = stopped and (stopped.get("resumes", 0) != resumes or stopped.get("batches", batches) < batches)
    return None if is_old else stopped


def _ended(results: Results, name: str) -> Mapping[str, Any] | None:
    """Return a manifest without most of its parts: tens of thousands would take more memory than all else here."""
    numbers = count()

    def shortened(found: dict[str, Any]) -> Any:
        is_shown = found.keys() != {"name", "keys", "bytes", "sha256"} or next(numbers) < SHOWN_FILES
        return found if is_shown else int(found["bytes"])

    return results.document(name, shortened)
