"""What a copy is going to do, decided once: every worker and Finish rest on it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from math import inf
from typing import Any, Self

from skipscan.copy.input import CopyInput
from skipscan.copy.reconciling import Side
from skipscan.copy.replica import Replica
from skipscan.copy.transform import Transform
from skipscan.execution_input import ExecutionInput, Strategy
from skipscan.plan import Plan, plan, resumed
from skipscan.prices import Prices
from skipscan.segments import share
from skipscan.write_rate import gentle_write_rate

VERIFYING = (Side.TARGET, Side.SOURCE)
"""The tables that a verification walks, after the copy's own walk of the source."""


@dataclass(frozen=True)
class CopyPlan:
    """The decisions of a copy; the bounds are those of all workers together.

    `reading`: how the source is walked, at which rate and budget of read units; the target is walked the same way.
    `compared_share`: of the keys that a verification compares. `put_units`: the write units that a put is expected to
    consume.
    """

    reading: Plan
    replica: Replica
    verify: bool
    compared_share: float
    put_units: float
    max_write_units_per_second: float | None
    max_write_units: float | None
    max_dollars: float | None
    read_unit_dollars: float
    write_unit_dollars: float

    @cached_property
    def transform(self) -> Transform:
        return self.replica.transform

    @property
    def key_names(self) -> tuple[str, ...]:
        return tuple(attribute.name for attribute in self.reading.source.key)

    @property
    def passes(self) -> int:
        """How often every segment number is walked: once to copy, and once in each table to verify."""
        return 1 + (len(VERIFYING) if self.verify else 0)

    def verified_side(self, opened: int, worker: int) -> Side | None:
        """Return the table that a worker's walk of that number verifies; `None` for one that copies."""
        done = opened // max(self.segments_of(worker), 1)
        return VERIFYING[done - 1] if done else None

    def segments_of(self, worker: int) -> int:
        return share(worker, self.workers, self.reading.segments)

    @property
    def workers(self) -> int:
        return self.reading.workers

    @property
    def worker_write_units_per_second(self) -> float | None:
        return self.max_write_units_per_second and self.max_write_units_per_second / self.workers

    def has_spent(self, read_units: float, write_units: float) -> bool:
        """Tell whether one worker that consumed so much has used up its share of a budget."""
        dollars = read_units * self.read_unit_dollars + write_units * self.write_unit_dollars
        return (
            read_units >= self.reading.worker_read_units
            or write_units * self.workers >= (inf if self.max_write_units is None else self.max_write_units)
            or dollars * self.workers >= (inf if self.max_dollars is None else self.max_dollars)
        )

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "reading": self.reading.to_json(), "replica": self.replica.to_json()}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        reading, replica = Plan.from_json(document["reading"]), Replica.from_json(document["replica"])
        return cls(**{**document, "reading": reading, "replica": replica})


def copy_plan(
    asked: CopyInput,
    replica: Replica,
    description: Mapping[str, Any],
    target: Mapping[str, Any],
    prices: Prices,
) -> CopyPlan:
    """Return the plan for tables that DescribeTable describes so (its `Table` documents).

    Raises `TableError` for a table in no state to be read.
    """
    reading = ExecutionInput(
        table=asked.table,
        segments=asked.segments,
        workers=asked.workers,
        strategy=Strategy.PAGE,
        max_read_units_per_second=asked.max_read_units_per_second,
        max_read_units=asked.max_read_units,
    )
    items = description.get("ItemCount", 0)
    return CopyPlan(
        reading=plan(reading, description),
        replica=replica,
        verify=asked.verify,
        compared_share=min(1.0, asked.compare_items / items) if items else 1.0,
        put_units=1.0,
        max_write_units_per_second=asked.max_write_units_per_second or gentle_write_rate(target),
        max_write_units=asked.max_write_units,
        max_dollars=asked.max_dollars,
        read_unit_dollars=prices.read_units.of(1),
        write_unit_dollars=prices.write_units.of(1),
    )


def resumed_plan(
    standing: CopyPlan, asked: CopyInput, description: Mapping[str, Any], target: Mapping[str, Any], prices: Prices
) -> CopyPlan:
    """Return the plan with which a copy goes on: as it was planned, at the rates and budgets asked for now.

    Raises `TableError` if the keys of the table are no longer what they were.
    """
    reading = ExecutionInput(
        table=asked.table,
        max_read_units_per_second=asked.max_read_units_per_second,
        max_read_units=asked.max_read_units,
    )
    return replace(
        standing,
        reading=resumed(standing.reading, reading, description),
        max_write_units_per_second=asked.max_write_units_per_second or gentle_write_rate(target),
        max_write_units=asked.max_write_units,
        max_dollars=asked.max_dollars,
        read_unit_dollars=prices.read_units.of(1),
        write_unit_dollars=prices.write_units.of(1),
    )
