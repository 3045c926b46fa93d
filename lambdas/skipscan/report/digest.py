"""All batches of a run, added up one by one: the memory it takes does not grow with their number."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from skipscan.report.segment_spread import LengthSpread, SegmentGathering, SegmentSpread, length_spread
from skipscan.report.timeline import Gathering, Timeline

MOST_BARS = 160


@dataclass
class Worker:
    """What a worker did. `figures`: its counts by name. `busy_seconds`: of its batches, without the pauses in between.

    `spans`: when it was at work, begin and end in seconds since the work started; in a digest, since the first batch.
    """

    worker: int
    figures: Mapping[str, float] = field(default_factory=dict)
    batches: int = 0
    busy_seconds: float = 0.0
    spans: Sequence[tuple[float, float]] = ()

    @property
    def end_seconds(self) -> float:
        return self.spans[-1][1]

    def add(self, begin: float, seconds: float, figures: Mapping[str, float]) -> None:
        """Take in a batch, in any order. `figures`: the worker's counts at its end."""
        self.figures = figures
        self.batches += 1
        self.busy_seconds += seconds
        self.spans = _merged([*self.spans, (begin, begin + seconds)])

    def since(self, first: float) -> "Worker":
        """Return the same with times since another moment, in seconds."""
        return replace(self, spans=[(begin - first, end - first) for begin, end in self.spans])


def _merged(spans: list[tuple[float, float]]) -> list[tuple[float, float]]:
    spans = sorted(spans)
    pauses = sorted(range(1, len(spans)), key=lambda i: spans[i][0] - spans[i - 1][1])
    joins = set(pauses[: max(0, len(spans) - MOST_SPANS)])
    merged: list[tuple[float, float]] = []
    for number, (begin, end) in enumerate(spans):
        if number in joins:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((begin, end))
    return merged


@dataclass(frozen=True)
class Digest:
    """The figures of a report, from the records of batches.

    `batches`, `requests`: the number read, and their requests. `started_at`: the first batch; `None` without a batch.
    """

    batches: int
    requests: int
    started_at: datetime | None
    finished: datetime | None
    timeline: Timeline
    workers: tuple[Worker, ...]
    segments: SegmentSpread | None
    lengths: LengthSpread | None


class Digesting:
    """Takes in the batches of one worker after the other, each worker's in their order: no key values.

    `started`: when the work started, before all of its batches. `done`: the count that people follow.
    """

    def __init__(self, started: datetime, done: str) -> None:
        self._started = started
        self._in_slots = (done, "requests", "units", "throttles")
        # With worker-seconds, so that a rate is how many workers were at work.
        self._timeline = Gathering((*self._in_slots, "workers"))
        self._workers: dict[int, Worker] = {}
        self._segments = SegmentGathering()
        self._whole: Counter[int] = Counter()
        self._cut: Counter[int] = Counter()
        self._most_units = 0.0
        self._batches = self._requests = 0
        self._finished: datetime | None = None

    def add(self, worker: int, checkpoint: Mapping[str, Any]) -> None:
        """Take in the batch of a checkpoint, unless that has no profile of its batch (see `skipscan.pace.profile`)."""
        profile = checkpoint.get("profile") or {}
        if "slots" not in profile:
            return
        started_at = datetime.fromisoformat(profile["began"]).astimezone(UTC)
        seconds = profile["seconds"]
        begin, slots = (started_at - self._started).total_seconds(), profile["slots"]
        running = {name: [slot[place] for slot in slots] for place, name in enumerate(self._in_slots)}
        self._timeline.add(begin, min(profile["slot_seconds"], seconds), running)
        self._timeline.add(begin, seconds, {"workers": [seconds]})
        self._workers.setdefault(worker, Worker(worker)).add(begin, seconds, checkpoint["counts"])
        self._segments.add(worker, profile["visits"], profile["other_visits"])
        lengths = profile.get("lengths", {})
        for counter, name in ((self._whole, "whole"), (self._cut, "cut")):
            counter.update({int(length): groups for length, groups in lengths.get(name, {}).items()})
        self._most_units = max(self._most_units, lengths.get("most_units", 0.0))
        self._batches += 1
        self._requests += round(sum(running["requests"][-1:]))
        finished = started_at + timedelta(seconds=seconds)
        self._finished = max(finished, self._finished or finished)

    def digest(self) -> Digest:
        """Return all of it."""
        first = self._timeline.begin_seconds if self._batches else 0.0
        workers = (worker.since(first) for worker in self._workers.values())
        return Digest(
            batches=self._batches,
            requests=self._requests,
            started_at=self._started + timedelta(seconds=first) if self._batches else None,
            finished=self._finished,
            timeline=self._timeline.timeline(),
            workers=tuple(sorted(workers, key=lambda worker: worker.end_seconds, reverse=True)),
            segments=self._segments.spread(MOST_BARS),
            lengths=length_spread(self._whole, self._cut, self._most_units) if self._whole or self._cut else None,
        )


MOST_SPANS = 32
"""The maximum number of stretches in the drawing of a worker. Those with the shortest pauses between them are
joined."""
