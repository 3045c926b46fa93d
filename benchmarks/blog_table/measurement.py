"""The consumption of a way of listing the keys: reads, time, memory, state, and dollars."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from benchmarks.blog_table.pace import WAIT_SECONDS, Pace
from benchmarks.blog_table.planned import Planned
from benchmarks.blog_table.turns import ListingTotals
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.pace.bill import TURN, Bill, Services, around
from skipscan.pace.bounds import WORKER_GB

TURN_EVENTS = 7
"""Scan entered, scheduled, started, succeeded, exited; Segments left? entered, exited."""

WORKER_EVENTS = 4
"""Execution started, Worker done entered and exited, execution succeeded."""


@dataclass(frozen=True)
class Measurement:
    """One way over one table. `share`: the walked part of the segments; counts are extrapolated from it.

    `hours`: of the workers; Plan comes before, with a sample that takes `plan_seconds`.
    `turns`, `history_events`: of the worker with the most. Figures that a script on a laptop does not have are `None`.
    """

    way: str
    collections: int
    share: float
    keys: int
    read_units: float
    requests: int
    requests_per_second: float
    hours: float
    client_cpu_seconds: float
    plan_seconds: float = 0.0
    sampled_units: float | None = None
    segments: int | None = None
    workers: int | None = None
    turns: int | None = None
    history_events: int | None = None
    state_bytes: int | None = None
    parts: int | None = None
    part_bytes: int | None = None
    peak_memory_mb: float | None = None
    first_batch_memory_mb: float | None = None

    @classmethod
    def of(
        cls, way: str, planned: Planned, outcome: ListingTotals, pace: Pace, *, collections: int, share: float
    ) -> Self:
        """Return the figures of a run of the state machine, the sample of its plan included."""
        counts, workers = outcome.counts, len(outcome.turns)
        seconds = counts.requests * pace.seconds
        return cls(
            way=way,
            collections=collections,
            share=share,
            keys=counts.keys,
            read_units=counts.read_units + planned.read_units,
            requests=counts.requests + planned.requests,
            sampled_units=planned.read_units,
            segments=planned.plan.segments,
            requests_per_second=workers / pace.seconds,
            hours=seconds / workers / 3600,
            plan_seconds=planned.requests * (pace.cpu_seconds + WAIT_SECONDS),
            client_cpu_seconds=(counts.requests + planned.requests) * pace.cpu_seconds,
            workers=workers,
            turns=max(outcome.turns),
            history_events=WORKER_EVENTS + TURN_EVENTS * max(outcome.turns),
            state_bytes=outcome.state_bytes,
            parts=outcome.parts,
            part_bytes=outcome.part_bytes,
            peak_memory_mb=outcome.peak_memory_mb,
            first_batch_memory_mb=outcome.first_batch_memory_mb,
        )

    @property
    def bill(self) -> Bill:
        """The whole bill, by the function of plans and manifests. A script pays only for units."""
        services = Services()
        if self.workers:
            turns = self.workers * (self.turns or 0)
            seconds = self.hours * 3600 * self.workers + self.plan_seconds
            services = TURN.times(turns) + Services(gb_seconds=seconds * WORKER_GB) + around(self.workers, turns)
        return Bill.of(US_EAST_1, self.read_units, 0.0, services)

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        return cls(**document)
