"""What a job over all items of a table is going to do, decided once: every worker and Finish rest on it."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, Self

from skipscan.dynamodb.capacity import gentle_write_rate
from skipscan.dynamodb.prices import Prices
from skipscan.dynamodb.table_description import TableDescription
from skipscan.dynamodb.table_identity import TableIdentity
from skipscan.items.input import ItemInput
from skipscan.listing.execution_input import ExecutionInput
from skipscan.listing.planning import average_page, resumed
from skipscan.pace.amounts import Amounts, bounded
from skipscan.pace.bill import amounts
from skipscan.pace.rate import worker_burst
from skipscan.pace.shares import check_budget, held
from skipscan.scan.plan import Plan
from skipscan.scan.segments import share

THREADS = 16
"""Requests a worker has under way at once: a Lambda that waits for one 5 ms request at a time is paid for waiting."""


@dataclass(frozen=True)
class ItemPlan(ABC):
    """The decisions; the bounds are those of all workers together.

    `reading`: how the table is walked, at which rate and budgets of read units and dollars, and at which prices.
    `units_per_write`: the write units that a write is expected to consume. `most_units_per_write`: of the sample's
    most expensive. `sampled_units`: that the sample read, which count against the budgets.
    """

    reading: Plan
    verify: bool
    units_per_write: float
    most_units_per_write: float
    max_write_units_per_second: float | None
    max_write_units: float | None
    sampled_units: float

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
            "max_dollars": self.reading.max_dollars,
        }

    @property
    def prices(self) -> Prices:
        return self.reading.prices

    @property
    def budget(self) -> Amounts:
        whole = bounded(self.reading.max_read_units, self.max_write_units, self.reading.max_dollars)
        return whole - amounts(self.prices, self.sampled_units)

    @property
    def page(self) -> Amounts:
        """The most that a page takes, and the most that a write is expected to take."""
        return amounts(self.prices, self.reading.page_units, self.most_units_per_write)

    @property
    def least(self) -> Amounts:
        return amounts(self.prices, self.reading.step_units, 1.0)

    @property
    def average(self) -> Amounts:
        """What a page of one average item takes, and what a write is expected to take."""
        return average_page(self.reading) + amounts(self.prices, 0.0, self.units_per_write)

    @property
    def read_burst(self) -> float | None:
        """What a worker's pages under way may take at most besides the largest; `None` without a rate."""
        return self.reading.worker_burst

    @property
    def write_burst(self) -> float | None:
        """The same of its writes."""
        rate = self.max_write_units_per_second
        return rate and worker_burst(rate, self.workers, self.most_units_per_write)

    @property
    def worker_write_units_per_second(self) -> float | None:
        """One worker's share of the rate: segments are spread so that all have the same amount to write."""
        return self.max_write_units_per_second and self.max_write_units_per_second / self.workers

    def sampled(
        self, read_units: float, *, item_bytes: float, units_per_write: float, most_units_per_write: float
    ) -> Self:
        """Return the plan with what a sample of so many units said, and as many workers as then hold all bounds.

        Raises `InputError` for a budget that is too small.
        """
        known = replace(
            self,
            units_per_write=units_per_write,
            most_units_per_write=most_units_per_write,
            sampled_units=read_units,
            reading=replace(self.reading, item_bytes=item_bytes),
        )
        rates = (
            (self.reading.max_read_units_per_second, self.reading.page_units),
            (self.max_write_units_per_second, most_units_per_write),
        )
        workers = held(known, self.workers, *rates)
        return replace(known, reading=replace(known.reading, workers=workers)).checked()

    def checked(self) -> Self:
        """Return the plan; raise `InputError` for a budget that does not suffice for a page and a write."""
        reasons = {
            "read_units": "the sample and a page of one item take about that many",
            "write_units": "a write takes about that many, by the sample",
            "dollars": "the services take that much around one write",
        }
        before = amounts(self.prices, self.sampled_units)
        check_budget(self, f'a job over table "{self.table}"', self.average, reasons, before)
        return self

    def resumed(self, asked: ItemInput, described: TableDescription, written: TableDescription, prices: Prices) -> Self:
        """Return the plan with which the job goes on: as it was planned, at the rates and budgets asked for now.

        `described`, `written`: the table that is walked, and the one that is written to.
        Raises `TableError` if the keys of the table are no longer what they were, `InputError` for too small a budget.
        """
        reading = ExecutionInput(
            table=self.reading.source.table,
            max_read_units_per_second=asked.max_read_units_per_second,
            max_read_units=asked.max_read_units,
            max_dollars=asked.max_dollars,
        )
        return replace(
            self,
            reading=resumed(
                self.reading,
                reading,
                described,
                prices.provisioned(reads=False, writes=written.throughput.write_units is not None),
            ),
            max_write_units_per_second=asked.max_write_units_per_second or gentle_write_rate(written),
            max_write_units=asked.max_write_units,
        ).checked()
