"""The plan of a job over all items of a table, made once: every worker and Finish use it."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil
from typing import Any, Self

from skipscan.dynamodb.capacity import gentle_write_rate
from skipscan.dynamodb.prices import Prices
from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import TableDescription, TableIdentity
from skipscan.dynamodb.write_units import UNIT_BYTES, WriteUnits
from skipscan.inputs.fields import ItemInput
from skipscan.items.estimate import job_warnings
from skipscan.listing.execution_input import ExecutionInput
from skipscan.listing.plan import average_page, plan_listing, resumed
from skipscan.pace.bill import Amounts, amounts, bounded
from skipscan.pace.limits import Limits
from skipscan.pace.rate import SharedRate
from skipscan.scan.history import LONGEST_BATCH_SECONDS
from skipscan.scan.plan import Plan, Strategy, segments_of_worker


@dataclass(frozen=True)
class ItemPlan(ABC):
    """The decisions; the bounds are those of all workers together.

    `reading`: how the table is walked, with the read rate, the budgets of read units and dollars, and the prices.
    `units_per_write`: the expected write units of a write. `most_units_per_write`: of the most expensive write of the
    sample. `sampled_units`: read units of the samples of all attempts of Plan, which count against the budgets.
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
        """Return how often every segment number is walked: once to write, and once to verify if the input says so."""

    @property
    @abstractmethod
    def stated(self) -> dict[str, Any]:
        """Return what the manifest says of the job."""

    def pass_of(self, opened: int, worker: int) -> int:
        """Return the pass of a worker's walk; pass 0 writes."""
        return opened // max(self.segments_of(worker), 1)

    def segments_of(self, worker: int) -> int:
        return segments_of_worker(worker, self.workers, self.reading.segments)

    @property
    def source(self) -> Source:
        return self.reading.source

    @property
    def table(self) -> str:
        return self.source.table

    @property
    def identity(self) -> TableIdentity:
        return self.reading.identity

    @property
    def tables(self) -> dict[str, TableIdentity]:
        return self.reading.tables

    @property
    def workers(self) -> int:
        return self.reading.workers

    longest_batch_seconds = LONGEST_BATCH_SECONDS

    def warnings(self, requested_workers: int | None, minutes: float) -> list[str]:
        """Return the warnings that every such job can have; `minutes`: its expected duration without a budget."""
        return job_warnings(self.limits, self.longest_batch_seconds, requested_workers, self.reading.segments, minutes)

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

    @cached_property
    def limits(self) -> Limits:
        """What the job may consume. A request is a page, or a write of the most that is expected, or both."""
        budget = bounded(self.reading.max_read_units, self.max_write_units, self.reading.max_dollars)
        return replace(
            self.reading.limits,
            budget=budget - amounts(self.prices, self.sampled_units),
            least=amounts(self.prices, self.reading.step_units, 1.0),
            page=amounts(self.prices, self.reading.page_units, self.most_units_per_write),
            writes=SharedRate(self.max_write_units_per_second, self.most_units_per_write),
        )

    @property
    def average(self) -> Amounts:
        """Return what a page of one average item consumes, and what a write is expected to consume."""
        return average_page(self.reading) + amounts(self.prices, 0.0, self.units_per_write)

    def sampled(self, sampled_units: float, item_bytes: float, units: WriteUnits) -> Self:
        """Return the plan with a sample's findings and as many workers as keep all bounds.

        `units`: of a write. Raises `InputError` for a budget that is too small.
        """
        known = replace(
            self,
            units_per_write=units.each,
            most_units_per_write=units.largest,
            sampled_units=sampled_units,
            reading=replace(self.reading, item_bytes=item_bytes),
        )
        return replace(known, reading=replace(known.reading, workers=known.limits.fitting)).checked()

    def described(self, sampled_units: float = 0.0) -> Self:
        """Return the plan; raise `InputError` for a budget that is too small for items of the described size.

        This is known before a sample is paid for. The sample has at least one item; a write takes a unit for each KB.
        `sampled_units`: of other attempts.
        """
        bytes_each = self.reading.item_bytes
        # A write is rounded up, as the sample's are: else the budget that is named here would be refused then.
        sampled = average_page(self.reading).read_units
        write = float(max(1, ceil(bytes_each / UNIT_BYTES)))
        replace(self, sampled_units=sampled_units + sampled, units_per_write=write).checked(
            f"DescribeTable: items have {bytes_each:,.0f} bytes on average"
        )
        return replace(self, sampled_units=sampled_units)

    def checked(self, told: str = "estimated from the sample", *, workers: int = 1) -> Self:
        """Return the plan; raise `InputError` for a budget that is too small for one page and one write.

        `told`: where the size of an item is from. `workers`: see `Limits.check`.
        """
        reasons = {
            "read_units": "Plan's samples and a page of one item take about that many",
            "write_units": f"a write takes about that many, {told}",
            "dollars": "the other services cost about that much for one write",
        }
        before = amounts(self.prices, self.sampled_units)
        self.limits.check(f'a job over table "{self.table}"', self.average, reasons, before, workers=workers)
        return self

    def resumed(
        self, item_input: ItemInput, described: TableDescription, written: TableDescription, prices: Prices
    ) -> Self:
        """Return the plan for a resumed job: the fixed plan with the rates and budgets of this input.

        `described`: the table that is walked. `written`: the table that is written. Raises `TableError` if the table's
        keys have changed, `InputError` for a budget that is too small.
        """
        return replace(
            self,
            reading=reading_of(item_input, described, written, prices, earlier=self.reading),
            max_write_units_per_second=write_rate(item_input, written),
            max_write_units=item_input.max_write_units,
        ).checked(workers=self.workers)


def reading_of(
    item_input: ItemInput,
    described: TableDescription,
    written: TableDescription,
    prices: Prices,
    *,
    earlier: Plan | None = None,
    workers: int | None = None,
    consistent_read: bool = False,
) -> Plan:
    """Return how a job walks a table: page by page, within its read rate and its budgets.

    The budgets are checked with those of the writes, because a budget that suffices for the pages alone is none.

    `written`: the table that is written. `earlier`: of a resumed job. Raises `TableError` for a table that cannot
    be read in its state, or whose keys have changed since.
    """
    walked = ExecutionInput(
        table=item_input.table,
        segments=item_input.segments,
        workers=workers,
        consistent_read=consistent_read,
        strategy=Strategy.PAGE,
        max_read_units_per_second=item_input.max_read_units_per_second,
    )
    billed = prices.provisioned(reads=False, writes=written.throughput.write_units is not None)
    reading = (
        plan_listing(walked, described, billed) if earlier is None else resumed(earlier, walked, described, billed)
    )
    if written.throughput.read_units is None:  # a copy reads it, too, and there is one price for both tables
        reading = replace(reading, prices=replace(reading.prices, read_units=prices.read_units))
    return replace(reading, max_read_units=item_input.max_read_units, max_dollars=item_input.max_dollars)


def write_rate(item_input: ItemInput, written: TableDescription) -> float | None:
    """Return the write units a second of all workers together: those of the input, or else a gentle rate."""
    return item_input.max_write_units_per_second or gentle_write_rate(written)
