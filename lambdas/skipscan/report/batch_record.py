"""One committed batch as its checkpoint describes it. No key values."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, NamedTuple

from skipscan.pace.bill import Services
from skipscan.pace.counts import Counts
from skipscan.scan.progress import ScanCounts


class RecordedSlot(NamedTuple):
    """A stretch of time. `limits`: 10th, 50th and 90th percentile of its pages' Limits, if any page had one."""

    begin_seconds: float
    seconds: float
    figures: Mapping[str, float]
    limits: tuple[int, int, int] | None = None


class RecordedVisit(NamedTuple):
    """A segment or slice during one batch. `settled`: the number of its keys or items."""

    segment: int
    settled: int
    requests: int
    units: float
    seconds: float
    ended: bool


@dataclass(frozen=True)
class Others:
    """The sum of the segments that the visits of a batch leave out."""

    segments: int = 0
    settled: int = 0
    units: float = 0.0


@dataclass(frozen=True)
class BatchRecord:
    """A committed batch.

    `reached`, `services`: its worker's at its end. `ended`, `cut`: number of item collections by length, seen to their
    end and cut off by the end of a page. Times in slots count from `began`.
    """

    worker: int
    batch: int
    reached: Counts
    services: Services
    began: datetime
    seconds: float
    slots: tuple[RecordedSlot, ...]
    visits: tuple[RecordedVisit, ...]
    others: Others
    ended: Mapping[int, int]
    cut: Mapping[int, int]

    @property
    def requests(self) -> int:
        return round(sum(slot.figures["requests"] for slot in self.slots))


def of_listing(checkpoint: Mapping[str, Any]) -> BatchRecord | None:
    """Return the batch of a listing's checkpoint; `None` if it has no profile of its batch."""
    profile = checkpoint.get("profile")
    if profile is None:
        return None
    width = profile["slot_seconds"]
    return _of(
        checkpoint,
        ScanCounts,
        slots=tuple(_slot(slot, i * width, min(width, profile["seconds"])) for i, slot in enumerate(profile["slots"])),
        ended=_by_length(profile["lengths"]["ended"]),
        cut=_by_length(profile["lengths"]["cut"]),
    )


def job_batch(settled: str, counts: type[Counts], checkpoint: Mapping[str, Any]) -> BatchRecord | None:
    """Return the batch of a job's checkpoint; `None` if it has no profile of its batch.

    `settled`: the name of the count that people follow.
    """
    profile = checkpoint.get("profile") or {}
    if "slots" not in profile:
        return None
    return _of(checkpoint, counts, slots=tuple(_job_slots(settled, profile)))


def _of(
    checkpoint: Mapping[str, Any],
    counts: type[Counts],
    *,
    slots: tuple[RecordedSlot, ...],
    ended: Mapping[int, int] | None = None,
    cut: Mapping[int, int] | None = None,
) -> BatchRecord:
    profile = checkpoint["profile"]
    segments, others_settled, _, others_units = profile["other_visits"]
    return BatchRecord(
        worker=checkpoint["worker"],
        batch=checkpoint["batch"] - 1,
        reached=counts.from_json(checkpoint["counts"]),
        services=Services.from_json(checkpoint["spending"]["services"]),
        began=datetime.fromisoformat(profile["began"]).astimezone(UTC),
        seconds=profile["seconds"],
        slots=slots,
        visits=tuple(
            RecordedVisit(number, settled, requests, units, last - first, is_ended)
            for number, settled, requests, units, first, last, is_ended in profile["visits"]
        ),
        others=Others(segments, others_settled, others_units),
        ended=ended or {},
        cut=cut or {},
    )


def _job_slots(settled: str, profile: Mapping[str, Any]) -> Iterator[RecordedSlot]:
    """Return what each slot added to the one before."""
    width = profile["slot_seconds"]
    for i, (before, after) in enumerate(pairwise([[0, 0, 0.0, 0], *profile["slots"]])):
        done, requests, units, throttles = (end - begin for begin, end in zip(before, after, strict=True))
        figures = {settled: done, "requests": requests, "units": units, "throttles": throttles}
        yield RecordedSlot(i * width, min(width, profile["seconds"]), figures)


def _slot(slot: list[Any], begin_seconds: float, seconds: float) -> RecordedSlot:
    keys, _items, requests, read_units, throttles, limits = slot
    figures = {"keys": keys, "requests": requests, "units": read_units, "throttles": throttles}
    return RecordedSlot(begin_seconds, seconds, figures, tuple(limits) if limits else None)


def _by_length(document: Mapping[str, int]) -> Mapping[int, int]:
    return {int(length): count for length, count in document.items()}
