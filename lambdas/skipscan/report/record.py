"""What is left of a run: its plan, how it ended, and how each of its batches went. No key values."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Self

from skipscan.errors import InputError
from skipscan.listing.run import Run
from skipscan.report.folder import Folder
from skipscan.scan.counts import Counts

CHECKPOINTS, PARTS = "checkpoints/", "keys/"
CHECKPOINT = re.compile(r"checkpoints/worker=(\d+)/batch-(\d+)-(.+)\.json")
PART = re.compile(r"keys/worker=(\d+)/part-(\d+)\.jsonl")


@dataclass(frozen=True)
class Slot:
    """A stretch of time. `limits`: what a tenth, half and nine tenths of its pages' Limits were below, if any had."""

    began: datetime
    seconds: float
    counts: Counts
    limits: tuple[int, int, int] | None


@dataclass(frozen=True)
class Visit:
    """A segment as one or several batches walked it."""

    segment: int
    keys: int
    requests: int
    read_units: float
    seconds: float
    ended: bool

    def __add__(self, other: Self) -> "Visit":
        return Visit(
            self.segment,
            self.keys + other.keys,
            self.requests + other.requests,
            self.read_units + other.read_units,
            self.seconds + other.seconds,
            self.ended or other.ended,
        )


@dataclass(frozen=True)
class BatchRecord:
    """A committed batch. `reached`: its worker's counts by its end. `others`: of the segments `visits` leaves out.

    `ended`, `cut`: how often an item collection was so long, and at least so long (see `Course`).
    """

    worker: int
    batch: int
    reached: Counts
    began: datetime
    seconds: float
    slots: tuple[Slot, ...]
    visits: tuple[Visit, ...]
    other_segments: int
    others: Counts
    ended: Mapping[int, int]
    cut: Mapping[int, int]

    @property
    def finished(self) -> datetime:
        return self.began + timedelta(seconds=self.seconds)

    @property
    def counts(self) -> Counts:
        return Counts.total(slot.counts for slot in self.slots)


@dataclass(frozen=True)
class Record:
    """A run. `ending`: its manifest, or what was left when its budget was used up; `None` while it has neither.

    `batches_committed`: by their parts. `batches`: those of them that can still be looked at.
    """

    run: Run
    plan: Mapping[str, Any]
    ending: Mapping[str, Any] | None
    batches_committed: int
    batches: tuple[BatchRecord, ...]

    @property
    def is_complete(self) -> bool:
        return self.ending is not None and bool(self.ending["complete"])

    @property
    def counts(self) -> Counts:
        """The run's counts: the manifest's, else those that the workers' last batches came to."""
        if self.ending is not None:
            return Counts.from_json(self.ending)
        last = {batch.worker: batch.reached for batch in self.batches}
        return Counts.total(last.values())

    @property
    def started(self) -> datetime:
        return datetime.fromisoformat(self.run.started)

    @property
    def begun(self) -> datetime:
        """When the first batch began, after Plan; the run's start if no batch is left."""
        return min((batch.began for batch in self.batches), default=self.started)

    @property
    def seconds(self) -> float | None:
        """How long the run took, or has gone on as far as is known."""
        if self.ending is not None:
            return float(self.ending["seconds"])
        ends = [batch.finished for batch in self.batches]
        return (max(ends) - self.started).total_seconds() if ends else None

    @classmethod
    def read(cls, folder: Folder) -> Self:
        """Return the run in a folder; raise `InputError` if there is none, or what lies there is something else."""
        try:
            return cls._read(folder)
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise InputError(
                f"what lies there is not what a run leaves, by a {type(error).__name__}: name a run of Skipscan, "
                "unchanged"
            ) from None

    @classmethod
    def _read(cls, folder: Folder) -> Self:
        plan = _json(folder.read("plan.json"))
        if plan is None:
            raise InputError(
                "there is no plan.json, so no run lies there: name its own folder, the one that manifest.json "
                "lies in, such as s3://bucket/skipscan/Orders/nightly-2026-01-31/"
            )
        ending = _json(folder.read("manifest.json")) or _json(folder.read("unfinished.json"))
        committed = {_place(name, PART) for name in folder.names(PARTS)} - {None}
        with ThreadPoolExecutor(16) as pool:
            read = pool.map(folder.read, _checkpoints(folder, committed))
            documents = [document for document in map(_json, read) if document and "course" in document]
        batches = sorted(map(_batch, documents), key=lambda batch: (batch.worker, batch.batch))
        return cls(Run.from_json(plan), plan, ending, len(committed), tuple(batches))


def _checkpoints(folder: Folder, committed: Iterable[tuple[int, int] | None]) -> Iterator[str]:
    """Return the checkpoint of every batch that counts; others are of attempts that did not."""
    attempts: dict[tuple[int, int] | None, dict[str, str]] = {}
    for name in folder.names(CHECKPOINTS):
        if match := CHECKPOINT.fullmatch(name):
            attempts.setdefault((int(match[1]), int(match[2])), {})[match[3]] = name
    for place, names in attempts.items():
        if place is None or place not in committed:
            continue
        if len(names) == 1:
            yield from names.values()
        else:
            worker, batch = place
            attempt = folder.attempt(f"keys/worker={worker:04d}/part-{batch:05d}.jsonl")
            # A copy does not tell which of them it was; they walked from the same place, and differ by little.
            yield names.get(attempt or "", min(names.values()))


def _place(name: str, form: re.Pattern[str]) -> tuple[int, int] | None:
    match = form.fullmatch(name)
    return (int(match[1]), int(match[2])) if match else None


def _batch(document: Mapping[str, Any]) -> BatchRecord:
    course = document["course"]
    began = datetime.fromisoformat(course["began"]).astimezone(UTC)
    width = course["slot_seconds"]
    others = course["other_segments"]
    return BatchRecord(
        worker=document["worker"],
        batch=document["batch"] - 1,
        reached=Counts.from_json(document["counts"]),
        began=began,
        seconds=course["seconds"],
        slots=tuple(_slot(slot, began + timedelta(seconds=i * width), width) for i, slot in enumerate(course["slots"])),
        visits=tuple(
            Visit(segment, keys, requests, units, last - first, ended)
            for segment, keys, requests, units, first, last, ended in course["segments"]
        ),
        other_segments=others["segments"],
        others=Counts.from_json(others),
        ended=_by_length(course["lengths"]["ended"]),
        cut=_by_length(course["lengths"]["cut"]),
    )


def _slot(slot: list[Any], began: datetime, seconds: float) -> Slot:
    keys, items, requests, read_units, throttles, limits = slot
    counts = Counts(keys=keys, items=items, requests=requests, read_units=read_units, throttles=throttles)
    return Slot(began, seconds, counts, tuple(limits) if limits else None)


def _by_length(document: Mapping[str, int]) -> Mapping[int, int]:
    return {int(length): count for length, count in document.items()}


def _json(body: bytes | None) -> Any:
    return None if body is None else json.loads(body)
