"""One committed batch as its checkpoint describes it. No key values."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Self

from skipscan.pace.bill import Services
from skipscan.scan.progress import ScanCounts


@dataclass(frozen=True)
class Slot:
    """A stretch of time. `limits`: 10th, 50th and 90th percentile of its pages' Limits, if any page had one."""

    begin_seconds: float
    seconds: float
    counts: ScanCounts
    limits: tuple[int, int, int] | None


@dataclass(frozen=True)
class Visit:
    """A segment during one batch."""

    segment: int
    keys: int
    requests: int
    read_units: float
    seconds: float
    ended: bool


@dataclass(frozen=True)
class BatchRecord:
    """A committed batch.

    `reached`, `services`: its worker's at its end. `others`: the segments that `visits` leaves out. `ended`, `cut`:
    number of item collections by length, seen to their end and cut off by the end of a page. Times in slots count from
    `began`.
    """

    worker: int
    batch: int
    reached: ScanCounts
    services: Services
    began: datetime
    seconds: float
    slots: tuple[Slot, ...]
    visits: tuple[Visit, ...]
    other_segments: int
    others: ScanCounts
    ended: Mapping[int, int]
    cut: Mapping[int, int]

    @property
    def requests(self) -> int:
        return sum(slot.counts.requests for slot in self.slots)

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self | None:
        """Return the batch of a checkpoint; `None` if the checkpoint has no profile of its batch."""
        profile = document.get("profile")
        if profile is None:
            return None
        width, others = profile["slot_seconds"], profile["other_segments"]
        return cls(
            worker=document["worker"],
            batch=document["batch"] - 1,
            reached=ScanCounts.from_json(document["counts"]),
            services=Services(**document["spending"]["services"]),
            began=datetime.fromisoformat(profile["began"]).astimezone(UTC),
            seconds=profile["seconds"],
            slots=tuple(
                _slot(slot, i * width, min(width, profile["seconds"])) for i, slot in enumerate(profile["slots"])
            ),
            visits=tuple(
                Visit(segment, keys, requests, units, last - first, ended)
                for segment, keys, requests, units, first, last, ended in profile["segments"]
            ),
            other_segments=others["segments"],
            others=ScanCounts.from_json(others),
            ended=_by_length(profile["lengths"]["ended"]),
            cut=_by_length(profile["lengths"]["cut"]),
        )


def _slot(slot: list[Any], begin_seconds: float, seconds: float) -> Slot:
    keys, items, requests, read_units, throttles, limits = slot
    counts = ScanCounts(keys=keys, items=items, requests=requests, read_units=read_units, throttles=throttles)
    return Slot(begin_seconds, seconds, counts, tuple(limits) if limits else None)


def _by_length(document: Mapping[str, int]) -> Mapping[int, int]:
    return {int(length): count for length, count in document.items()}
