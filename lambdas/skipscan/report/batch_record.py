"""One committed batch as its checkpoint describes it. No key values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from skipscan.pace.counts import Counts


class RecordedVisit(NamedTuple):
    """A segment or slice during one batch. `done`: the number of its keys or items."""

    segment: int
    done: int
    requests: int
    units: float
    seconds: float
    ended: bool


@dataclass(frozen=True)
class Others:
    """The sum of the segments that the visits of a batch leave out."""

    segments: int = 0
    done: int = 0
    units: float = 0.0


@dataclass(frozen=True)
class BatchRecord:
    """A committed batch.

    `reached`: its worker's counts at its end. `whole`, `cut`: number of counted groups by length, counted to their
    end and up to the requested number. `running`: by figure, its running total at the end of each `slot_seconds`.
    """

    worker: int
    batch: int
    reached: Counts
    started_at: datetime
    seconds: float
    slot_seconds: float
    running: Mapping[str, Sequence[float]]
    visits: tuple[RecordedVisit, ...]
    others: Others
    whole: Mapping[int, int]
    cut: Mapping[int, int]

    @property
    def requests(self) -> int:
        return round(sum(self.running["requests"][-1:]))


def batch_record(done: str, counts: type[Counts], checkpoint: Mapping[str, Any]) -> BatchRecord | None:
    """Return the batch of a checkpoint; `None` if it has no profile of its batch.

    `done`: the name of the count that people follow.
    """
    profile = checkpoint.get("profile") or {}
    if "slots" not in profile:
        return None
    segments, others_done, _, others_units = profile["other_visits"]
    lengths = profile.get("lengths", {"whole": {}, "cut": {}})
    return BatchRecord(
        worker=checkpoint["worker"],
        batch=checkpoint["batch"] - 1,
        reached=counts.stated(checkpoint["counts"]),
        started_at=datetime.fromisoformat(profile["began"]).astimezone(UTC),
        seconds=profile["seconds"],
        slot_seconds=min(profile["slot_seconds"], profile["seconds"]),
        running={
            name: [slot[place] for slot in profile["slots"]]
            for place, name in enumerate((done, "requests", "units", "throttles"))
        },
        visits=tuple(
            RecordedVisit(number, done, requests, units, last - first, is_ended)
            for number, done, requests, units, first, last, is_ended in profile["visits"]
        ),
        others=Others(segments, others_done, others_units),
        whole=_by_length(lengths["whole"]),
        cut=_by_length(lengths["cut"]),
    )


def _by_length(document: Mapping[str, int]) -> Mapping[int, int]:
    return {int(length): count for length, count in document.items()}
