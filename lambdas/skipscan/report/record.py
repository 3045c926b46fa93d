"""What is left of a run or job: its plan, how it ended, and how its batches went. No key values."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Generic, TypeVar

from skipscan.errors import InputError
from skipscan.listing.kind import LISTING
from skipscan.loop.billing import all_around, bill_of, ended_bill
from skipscan.loop.kind import Kind
from skipscan.loop.work import Work
from skipscan.pace.bill import Bill, Services
from skipscan.pace.counts import Counts
from skipscan.report.batch_record import BatchRecord, job_batch, of_listing
from skipscan.report.committed import Committed, StoredWork, stored_document
from skipscan.report.digest import FIGURES, Digest, Digesting
from skipscan.report.timeline import Timeline
from skipscan.scan.plan import Plan
from skipscan.scan.progress import ScanCounts

MOST_CHECKPOINTS = 10_000
"""Of work that has more, every second, third … worker is read: some minutes of S3 requests at most."""

C = TypeVar("C", bound=Counts)


@dataclass(frozen=True)
class WorkRecord(Generic[C]):
    """A run or job. `ending`: its manifest, or the same of work that its budget stopped; `None` without either.

    `folder`: the address of its results. `batches_committed`: by their parts. `workers_committed`: the workers that
    have any; `workers_seen`: those whose batches are in `digest`. `services`: what the work took besides units.
    """

    kind: Kind[Any, Any]
    run: Work[Any]
    plan: Mapping[str, Any]
    ending: Mapping[str, Any] | None
    batches_committed: int
    workers_committed: int
    workers_seen: int
    counts: C
    digest: Digest
    services: Services
    folder: str

    @property
    def bill(self) -> Bill:
        """The whole bill until now: as the manifest has it, else of what is committed."""
        if self.ending is not None:
            return ended_bill(self.run.plan, self.plan, self.counts, self.ending)
        return bill_of(self.run.plan, self.plan, self.counts, self.services)

    @property
    def is_complete(self) -> bool:
        return self.ending is not None and bool(self.ending["complete"])

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

    @property
    def started(self) -> datetime:
        return datetime.fromisoformat(self.run.started)

    @property
    def seconds(self) -> float | None:
        """How long the work took, or has gone on as far as its checkpoints show."""
        if self.ending is not None:
            return float(self.ending["seconds"])
        finished = self.digest.finished
        return (finished - self.started).total_seconds() if finished else None

    @classmethod
    def read(cls, folder: StoredWork, most_checkpoints: int = MOST_CHECKPOINTS) -> "WorkRecord[ScanCounts]":
        """Return the run in a folder; raise `InputError` if the folder holds something else.

        `most_checkpoints`: how many are read in full, give or take one worker's.
        """
        reading = Reading(LISTING, ScanCounts, of_listing, FIGURES)
        return _checked(lambda: reading.of(folder, most_checkpoints))


Listed = WorkRecord[ScanCounts]
"""The record of a run."""


def read_job(kind: Kind[Any, Any], folder: StoredWork, most_checkpoints: int = MOST_CHECKPOINTS) -> WorkRecord[Counts]:
    """Return the job of a kind in a folder; raise `InputError` if the folder holds something else."""
    plan = _checked(lambda: kind.work(_plan(folder)).plan)
    counts = type(kind.start(plan, 0).counts)
    figures = (kind.settled, "units", "requests", "throttles", "workers")
    reading = Reading(kind, counts, partial(job_batch, kind.settled, counts), figures)
    return _checked(lambda: reading.of(folder, most_checkpoints))


def kind_of(folder: StoredWork, kinds: Iterable[Kind[Any, Any]]) -> Kind[Any, Any]:
    """Return the kind of the work in a folder; raise `InputError` if the folder holds something else."""
    plan = _plan(folder)
    ending = _checked(lambda: _ending(folder)) or {}
    for kind in kinds:
        if kind.noun in ending and "complete" in ending:
            return kind
    for kind in kinds:
        try:
            kind.work(plan)
        except (AttributeError, LookupError, TypeError, ValueError):
            continue
        return kind
    raise _strange("plan.json")


@dataclass(frozen=True)
class Reading(Generic[C]):
    """How the work of a kind is read. `batch`: reads a checkpoint. `figures`: of the timeline."""

    kind: Kind[Any, Any]
    counts: type[C]
    batch: Callable[[Mapping[str, Any]], BatchRecord | None]
    figures: Sequence[str]

    def of(self, folder: StoredWork, batches_read: int) -> WorkRecord[C]:
        """Return the work in a folder."""
        plan, ending = _plan(folder), _ending(folder)
        run = self.kind.work(plan)
        committed = Committed.of(folder, self.kind.lines)
        workers, seen = committed.workers, committed.sampled(batches_read)
        digesting = Digesting(datetime.fromisoformat(run.started), self.figures)
        reached: dict[int, Mapping[str, Any]] = {}
        services: dict[int, Services] = {}
        for batch in committed.batches(seen, self.batch, lasts=ending is None):
            reached[batch.worker] = batch.reached.to_json()
            services[batch.worker] = batch.services
            if batch.worker in seen:
                digesting.add(batch)
        counts = self.counts.total(map(self.counts.from_json, [ending] if ending else reached.values()))
        taken = Services()
        if run.plan.prices.has_services:
            taken = Services.total(services.values()) + all_around(
                run.plan.workers, len(committed.parts), len(folder.names("resumes/"))
            )
        is_counted = isinstance(run.plan, Plan) and run.plan.counts
        digest, batches = digesting.digest(is_counted=is_counted), len(committed.parts)
        seen_workers, address = (len(workers), len(seen)), folder.uri("plan.json").removesuffix("plan.json")
        return WorkRecord(self.kind, run, plan, ending, batches, *seen_workers, counts, digest, taken, address)


T = TypeVar("T")


def _checked(read: Callable[[], T]) -> T:
    try:
        return read()
    except (AttributeError, LookupError, OverflowError, TypeError, ValueError) as error:
        raise _strange(type(error).__name__) from None


def _strange(what: str) -> InputError:
    return InputError(
        f"the objects there do not belong to a run or job ({what}): give the unchanged folder of a Skipscan run or job"
    )


def _plan(folder: StoredWork) -> Mapping[str, Any]:
    plan = _checked(lambda: stored_document(folder.read("plan.json")))
    if plan is None:
        raise InputError(
            "the folder has no plan.json, so it is not that of a run or job: give the folder that contains "
            "manifest.json, such as s3://bucket/skipscan/Orders/runs/nightly-2026-01-31/"
        )
    if not isinstance(plan, Mapping) or "form" not in plan:
        raise _strange("plan.json")
    return plan


def _ending(folder: StoredWork) -> Mapping[str, Any] | None:
    found = (stored_document(folder.read(name)) for name in ("manifest.json", "unfinished.json"))
    return next(filter(None, found), None)
