"""What is left of a run or job: its plan, how it ended, and how its batches went. No key values."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any

from skipscan.errors import InputError, StateError, intact
from skipscan.loop.billing import all_around
from skipscan.loop.kind import Kind
from skipscan.loop.work import check_form
from skipscan.pace.bill import Services
from skipscan.report.batch_record import batch_record
from skipscan.report.committed import Committed, StoredWork, stored_document
from skipscan.report.digest import Digest, Digesting
from skipscan.report.page import SHOWN_FILES
from skipscan.report.timeline import Timeline
from skipscan.stored.moment import Moment

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


def read_work(kind: Kind[Any, Any], folder: StoredWork, most_checkpoints: int = MOST_CHECKPOINTS) -> WorkRecord:
    """Return the work of a kind in a folder; raise `InputError` if the folder holds something else.

    `most_checkpoints`: how many are read in full, give or take one worker's.
    """
    with intact(strange()):
        return _read(kind, folder, most_checkpoints)


def _read(kind: Kind[Any, Any], folder: StoredWork, most_checkpoints: int) -> WorkRecord:
    plan = _plan(folder)
    run = kind.work(plan)
    counts_of = type(kind.start(run.plan, 0).counts)
    committed, resumes = Committed.of(folder, kind.lines), len(folder.names("resumes/"))
    ending = _ending(folder, resumes, len(committed.parts))
    workers, seen = committed.workers, committed.sampled(most_checkpoints)
    digesting = Digesting(datetime.fromisoformat(run.started), kind.default_count)
    reached: dict[int, Mapping[str, Any]] = {}
    services: dict[int, Services] = {}
    for batch in committed.batches(seen, partial(batch_record, kind.default_count, counts_of), lasts=ending is None):
        reached[batch.worker] = vars(batch.reached)
        services[batch.worker] = batch.services
        if batch.worker in seen:
            digesting.add(batch)
    counts = counts_of.total(map(counts_of.stated, [ending] if ending else reached.values()))
    taken = None
    if reached:
        taken = Services.total(services.values())
        if run.plan.prices.has_services:
            taken += all_around(run.plan.workers, len(committed.parts), resumes)
    digest = digesting.digest()
    return WorkRecord(
        kind,
        datetime.now(UTC),
        run,
        plan,
        ending,
        counts,
        taken,
        None if ending is None else int(ending[f"{kind.unit}_left"]),
        committed=digest.finished,
        resumes=resumes,
        batches_committed=len(committed.parts),
        workers_committed=len(workers),
        workers_seen=len(seen),
        digest=digest,
        folder=folder.uri("plan.json").removesuffix("plan.json"),
    )


def kind_of(folder: StoredWork, kinds: Iterable[Kind[Any, Any]]) -> Kind[Any, Any]:
    """Return the kind of the work in a folder; raise `InputError` if the folder holds something else."""
    plan = _plan(folder)
    with intact(strange()):
        ending = _ended(folder, "manifest.json") or _ended(folder, "unfinished.json") or {}
        for kind in kinds:
            if kind.label in ending and "complete" in ending:
                return kind
    check_form(plan, "the plan of the folder")
    for kind in kinds:
        with suppress(StateError):  # of another kind
            kind.work(plan)
            return kind
    raise strange()


def strange() -> InputError:
    """Return the refusal of a folder whose documents are of something else, or were changed."""
    return InputError(
        "the folder",
        rule="has objects that do not belong to a run or job",
        remedy="give the unchanged folder of a Skipscan run or job",
    )


def _plan(folder: StoredWork) -> Mapping[str, Any]:
    with intact(strange()):
        plan = stored_document(folder.read("plan.json"))
    if plan is None:
        raise InputError(
            "the folder",
            folder.uri("plan.json").removesuffix("plan.json"),
            "it has no plan.json, so it is not that of a run or job",
            "give the folder that contains manifest.json, such as s3://bucket/skipscan/Orders/runs/nightly-2026-01-31/",
        )
    if not isinstance(plan, Mapping) or "form" not in plan:
        raise strange()
    return plan


def _ended(folder: StoredWork, name: str) -> Any:
    return stored_document(folder.read(name), _Parts().shortened)


def _ending(folder: StoredWork, resumes: int, batches: int) -> Mapping[str, Any] | None:
    """Return the manifest, or `unfinished.json` unless the work was resumed or has committed batches since."""
    finished: Mapping[str, Any] | None = _ended(folder, "manifest.json")
    if finished:
        return finished
    stopped: Mapping[str, Any] | None = _ended(folder, "unfinished.json")
    # A resume leaves unfinished.json as it is until its own budget ends: meanwhile only the checkpoints are right.
    is_old = stopped and (stopped.get("resumes", 0) != resumes or stopped.get("batches", batches) < batches)
    return None if is_old else stopped


class _Parts:
    """The parts that a manifest lists. Tens of thousands of them would take more memory than all else of a report."""

    def __init__(self) -> None:
        self._left = SHOWN_FILES

    def shortened(self, found: Mapping[str, Any]) -> Mapping[str, Any] | int:
        """Return an object of a manifest, but of a part that no report shows its bytes."""
        if found.keys() != {"name", "keys", "bytes", "sha256"}:
            return found
        self._left -= 1
        return found if self._left >= 0 else int(found["bytes"])
