"""What is left of a run: its plan, how it ended, and how its batches went. No key values."""

import json
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from pathlib import Path
from typing import Any, Protocol, Self

from skipscan.errors import InputError
from skipscan.listing.kind import LISTING
from skipscan.loop.billing import bill_of
from skipscan.loop.work import Work
from skipscan.pace.bill import Bill, Services, around
from skipscan.report.batch_record import BatchRecord
from skipscan.report.digest import Digest, Digesting
from skipscan.report.timeline import Timeline
from skipscan.scan.plan import Plan
from skipscan.scan.progress import ScanCounts


class Folder(Protocol):
    """A run's objects. Several threads may read at once."""

    def read(self, name: str) -> bytes | None:
        """Return an object's content, or `None` if there is no such object."""

    def names(self, below: str) -> list[str]:
        """Return the names that begin with `below`."""

    def attempt(self, part: str) -> str | None:
        """Return which attempt wrote a part; `None` if only the part's content was kept."""


class LocalFolder:
    """A run's objects as `aws s3 sync` copies them, or as `skipscan keys --output` writes them."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self, name: str) -> bytes | None:
        try:
            return (self._path / name).read_bytes()
        except FileNotFoundError:
            return None

    def names(self, below: str) -> list[str]:
        files = (path for path in (self._path / below).rglob("*") if path.is_file())
        return sorted(path.relative_to(self._path).as_posix() for path in files)

    def attempt(self, part: str) -> str | None:
        """Return what `skipscan keys --output` keeps beside its parts; a copy from S3 has nothing of the kind."""
        metadata: Mapping[str, str] = _json(self.read(f".skipscan/metadata/{part}.json")) or {}
        return metadata.get("attempt")


CHECKPOINTS, PARTS = "checkpoints/", "keys/"
CHECKPOINT = re.compile(r"checkpoints/worker=(\d+)/batch-(\d+)-(.+)\.json")
PART = re.compile(r"keys/worker=(\d+)/part-(\d+)\.\w+")
READERS = 16

MOST_CHECKPOINTS = 10_000
"""Of a run that has more, every second, third … worker is looked at: some minutes of S3 requests at most."""

Place = tuple[int, int]
"""A worker and its batch."""


@dataclass(frozen=True)
class Record:
    """A run. `ending`: its manifest, or what was left when its budget was used up; `None` while it has neither.

    `batches_committed`: by their parts. `workers_committed`: the workers that have any; `workers_seen`: those whose
    batches are in `digest`. `services`: what the run took besides units.
    """

    run: Work[Plan]
    plan: Mapping[str, Any]
    ending: Mapping[str, Any] | None
    batches_committed: int
    workers_committed: int
    workers_seen: int
    counts: ScanCounts
    digest: Digest
    services: Services

    @property
    def bill(self) -> Bill:
        """The whole bill until now: as the manifest has it, else of what is committed."""
        if self.ending is not None:
            return Bill.from_json(self.ending["dollars"])
        return bill_of(self.run.plan, self.plan, self.counts, self.services)

    @property
    def is_complete(self) -> bool:
        return self.ending is not None and bool(self.ending["complete"])

    @property
    def is_sampled(self) -> bool:
        return self.workers_seen < self.workers_committed

    @property
    def timeline(self) -> Timeline:
        """The run over time; of a sample of workers, scaled up to the run's requests."""
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
        """How long the run took, or has gone on as far as its checkpoints show."""
        if self.ending is not None:
            return float(self.ending["seconds"])
        finished = self.digest.finished
        return (finished - self.started).total_seconds() if finished else None

    @classmethod
    def read(cls, folder: Folder, most_checkpoints: int = MOST_CHECKPOINTS) -> Self:
        """Return the run in a folder; raise `InputError` if there is none, or what lies there is something else.

        `most_checkpoints`: how many are read in full, give or take one worker's.
        """
        try:
            return cls._read(folder, most_checkpoints)
        except (AttributeError, LookupError, OverflowError, TypeError, ValueError) as error:
            raise InputError(
                f"the objects there are not those of a run ({type(error).__name__}): name the folder of a run of "
                "Skipscan, unchanged"
            ) from None

    @classmethod
    def _read(cls, folder: Folder, most: int) -> Self:
        plan = _json(folder.read("plan.json"))
        if plan is None:
            raise InputError(
                "there is no plan.json, so this is no run: name its own folder, the one with manifest.json, such as "
                "s3://bucket/skipscan/Orders/runs/nightly-2026-01-31/"
            )
        ending = _json(folder.read("manifest.json")) or _json(folder.read("unfinished.json"))
        if "form" not in plan:
            raise LookupError
        run = LISTING.work(plan)
        committed = {place: name for name in folder.names(PARTS) if (place := _place(name))}
        workers = sorted({worker for worker, _ in committed})
        seen = set(workers[:: max(1, ceil(len(committed) / most))])
        digesting, reached = Digesting(datetime.fromisoformat(run.started)), {}
        services: dict[int, Services] = {}
        for batch in _batches(folder, committed, _wanted(_attempts(folder, committed), seen, lasts=ending is None)):
            reached[batch.worker] = batch.reached
            services[batch.worker] = batch.services
            if batch.worker in seen:
                digesting.add(batch)
        counts = ScanCounts.total(reached.values()) if ending is None else ScanCounts.from_json(ending)
        taken = Services()
        if run.plan.prices.has_services:
            taken = Services.total(services.values()) + around(run.plan.workers, len(committed))
        return cls(run, plan, ending, len(committed), len(workers), len(seen), counts, digesting.digest(), taken)


def _attempts(folder: Folder, committed: Iterable[Place]) -> list[tuple[Place, Sequence[str]]]:
    """Return the checkpoints of every committed batch in order, one for each attempt at it."""
    attempts: dict[Place, list[str]] = {place: [] for place in committed}
    for name in folder.names(CHECKPOINTS):
        match = CHECKPOINT.fullmatch(name)
        if match and (names := attempts.get((int(match[1]), int(match[2])))) is not None:
            names.append(name)
    return sorted(attempts.items())


def _wanted(
    attempts: Sequence[tuple[Place, Sequence[str]]], seen: set[int], *, lasts: bool
) -> list[tuple[Place, Sequence[str]]]:
    """Return all batches of the workers in `seen`; with `lasts` also the last batch of each other worker."""
    last = {worker: batch for (worker, batch), _ in attempts} if lasts else {}
    return [entry for entry in attempts if entry[0][0] in seen or last.get(entry[0][0]) == entry[0][1]]


def _batches(
    folder: Folder, parts: Mapping[Place, str], wanted: Iterable[tuple[Place, Sequence[str]]]
) -> Iterator[BatchRecord]:
    """Return batches in order; few are held at once, however many there are. `parts`: the name of each one's part."""

    def read(place: Place, names: Sequence[str]) -> BatchRecord | None:
        name = names[0] if len(names) == 1 else _counted(folder, parts[place], names)
        document = _json(folder.read(name))
        return BatchRecord.from_json(document) if document else None

    with ThreadPoolExecutor(READERS) as pool:
        ahead: deque[Future[BatchRecord | None]] = deque()
        for place, names in wanted:
            if names:
                ahead.append(pool.submit(read, place, names))
            if len(ahead) >= 2 * READERS and (batch := ahead.popleft().result()):
                yield batch
        for future in ahead:
            if batch := future.result():
                yield batch


def _counted(folder: Folder, part: str, names: Sequence[str]) -> str:
    """Return the checkpoint of the attempt that committed a batch.

    A copy on disk does not say which attempt it was: all of them began at the same place, and differ by little.
    """
    attempt = folder.attempt(part)
    return next((name for name in names if attempt and name.endswith(f"-{attempt}.json")), min(names))


def _place(name: str) -> Place | None:
    match = PART.fullmatch(name)
    return (int(match[1]), int(match[2])) if match else None


def _json(body: bytes | None) -> Any:
    return None if body is None else json.loads(body)
