"""What a job over all items of a table is going to do, decided once: every worker and Finish rest on it."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from math import inf
from typing import Any, Self

from skipscan.dynamodb.capacity import gentle_write_rate
from skipscan.dynamodb.prices import Prices
from skipscan.dynamodb.table_description import TableDescription
from skipscan.dynamodb.table_identity import TableIdentity
from skipscan.items.input import ItemInput
from skipscan.listing.execution_input import ExecutionInput
from skipscan.listing.planning import resumed
from skipscan.scan.plan import Plan
from skipscan.scan.segments import share

THREADS = 16
"""Requests a worker has under way at once: a Lambda that waits for one 5 ms request at a time is paid for waiting."""


@dataclass(frozen=True)
class ItemPlan(ABC):
    """The decisions; the bounds are those of all workers together.

    `reading`: how the table is walked, at which rate and budget of read units. `units_per_write`: the write units that
    a write is expected to consume. `read_unit_dollars`, `write_unit_dollars`: what `max_dollars` is counted in.
    """

    reading: Plan
    verify: bool
    units_per_write: float
    max_write_units_per_second: float | None
    max_write_units: float | None
    max_dollars: float | None
    read_unit_dollars: float
    write_unit_dollars: float

    @property
    @abstractmethod
    def passes(self) -> int:
        """How often every segment number is walked: once to write, and then to verify if that is asked for."""

    @property
    @abstractmethod
    def stated(self) -> dict[str, Any]:
        """What the manifest says of the job."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """Return what rides in state and lies on S3."""

    def pass_of(self, opened: int, worker: int) -> int:
        """Return the pass to which a worker's walk of that number belongs; 0 is the one that writes."""
        return opened // max(self.segments_of(worker), 1)

    def segments_of(self, worker: int) -> int:
        return share(worker, self.workers, self.reading.segments)

    @property
    def table(self) -> str:
        return self.reading.source.table

    @property
    def identity(self) -> TableIdentity:
        return self.reading.identity

    @property
    def workers(self) -> int:
        return self.reading.workers

    @property
    def bounds(self) -> dict[str, float | None]:
        return {
            "max_write_units": self.max_write_units,
            "max_read_units": self.reading.max_read_units,
            "max_dollars": self.max_dollars,
        }

    @property
    def share_units(self) -> float | None:
        """One worker's share of the write units, which its attempts are allotted."""
        return None if self.max_write_units is None else self.max_write_units / self.workers

    @property
    def page_units(self) -> float:
        """What a worker's writes under way may take together."""
        return THREADS * self.units_per_write

    @property
    def worker_write_units_per_second(self) -> float | None:
        """One worker's share of the rate: segments are spread so that all have the same amount to write."""
        return self.max_write_units_per_second and self.max_write_units_per_second / self.workers

    def has_spent(self, read_units: float, write_units: float) -> bool:
        """Tell whether one worker that consumed so much has used up its share of a budget."""
        dollars = read_units * self.read_unit_dollars + write_units * self.write_unit_dollars
        return (
            read_units >= (inf if self.reading.share_units is None else self.reading.share_units)
            or write_units * self.workers >= (inf if self.max_write_units is None else self.max_write_units)
            or dollars * self.workers >= (inf if self.max_dollars is None else self.max_dollars)
        )

    def is_over_budget(self, read_units: float, write_units: float) -> bool:
        """Tell whether all workers together, having consumed so much, have used up a budget."""
        return self.has_spent(read_units / self.workers, write_units / self.workers)

    def resumed(self, asked: ItemInput, described: TableDescription, written: TableDescription, prices: Prices) -> Self:
        """Return the plan with which the job goes on: as it was planned, at the rates and budgets asked for now.

        `described`, `written`: the table that is walked, and the one that is written to.
        Raises `TableError` if the keys of the table are no longer what they were.
        """
        reading = ExecutionInput(
            table=self.reading.source.table,
            max_read_units_per_second=asked.max_read_units_per_second,
            max_read_units=asked.max_read_units,
        )
        return replace(
            self,
            reading=resumed(self.reading, reading, described),
            max_write_units_per_second=asked.max_write_units_per_second or gentle_write_rate(written),
            max_write_units=asked.max_write_units,
            max_dollars=asked.max_dollars,
            read_unit_dollars=prices.read_units.of(1),
            write_unit_dollars=prices.write_units.of(1),
        )
