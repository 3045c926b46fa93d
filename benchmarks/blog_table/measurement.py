"""What a way of listing the keys takes: reads, time, memory, state, and the dollars they come to."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from benchmarks.blog_table.pace import Pace
from benchmarks.blog_table.turns import ListingTotals
from infra.environment import FULL_VCPU_MB
from skipscan.dynamodb.prices import US_EAST_1

TURN_EVENTS = 7
"""Scan entered, scheduled, started, succeeded, exited; Segments left? entered, exited."""

WORKER_EVENTS = 4
"""Execution started, Worker done entered and exited, execution succeeded."""


@dataclass(frozen=True)
class Dollars:
    read_units: float
    compute: float = 0.0
    step_functions: float = 0.0
    s3: float = 0.0

    @property
    def total(self) -> float:
        return self.read_units + self.compute + self.step_functions + self.s3

    @classmethod
    def of(cls, outcome: ListingTotals, seconds: float) -> Self:
        """Return what a run costs whose workers take so many seconds together."""
        turns, workers = sum(outcome.turns), len(outcome.turns)
        # Each worker is started, turns Scan and its Choice, and is done; six states are around the Map.
        transitions = 6 + 2 * workers + 2 * turns
        # A part and its checkpoint, plan and manifest, a LIST for a thousand parts.
        puts = 2 * outcome.parts + 2 + outcome.parts / 1000
        # A look before every batch; Finish asks for every part and reads every worker's last checkpoint.
        gets = turns + outcome.parts + workers
        return cls(
            US_EAST_1.read_units.of(outcome.counts.read_units),
            US_EAST_1.lambda_gb_seconds.of(seconds * FULL_VCPU_MB / 1024),
            US_EAST_1.transitions.of(transitions),
            US_EAST_1.s3_puts.of(puts) + US_EAST_1.s3_gets.of(gets),
        )


@dataclass(frozen=True)
class Measurement:
    """One way over one table. `share`: the part of the segments that was walked; counts are extrapolated from it.

    `turns`, `history_events`: of the worker that has most of them. What a script on a laptop does without is `None`.
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
    dollars: Dollars
    workers: int | None = None
    turns: int | None = None
    history_events: int | None = None
    state_bytes: int | None = None
    parts: int | None = None
    part_bytes: int | None = None
    peak_memory_mb: float | None = None
    first_batch_memory_mb: float | None = None

    @classmethod
    def of(cls, way: str, collections: int, share: float, outcome: ListingTotals, pace: Pace) -> Self:
        """Return the figures of a run of the state machine."""
        counts, workers = outcome.counts, len(outcome.turns)
        seconds = counts.requests * pace.seconds
        return cls(
            way=way,
            collections=collections,
            share=share,
            keys=counts.keys,
            read_units=counts.read_units,
            requests=counts.requests,
            requests_per_second=workers / pace.seconds,
            hours=seconds / workers / 3600,
            client_cpu_seconds=counts.requests * pace.cpu_seconds,
            dollars=Dollars.of(outcome, seconds),
            workers=workers,
            turns=max(outcome.turns),
            history_events=WORKER_EVENTS + TURN_EVENTS * max(outcome.turns),
            state_bytes=outcome.state_bytes,
            parts=outcome.parts,
            part_bytes=outcome.part_bytes,
            peak_memory_mb=outcome.peak_memory_mb,
            first_batch_memory_mb=outcome.first_batch_memory_mb,
        )

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        return cls(**{**document, "dollars": Dollars(**document["dollars"])})
