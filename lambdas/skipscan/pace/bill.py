"""The whole bill of a piece of work. Only this module says what something costs: before, during and after the work.

The bill has units, Lambda's time, state transitions and requests to S3. It leaves out what `LEFT_OUT`
says, and what an act's function or queue costs. Units and the workers' services are measured; Plan, Finish and the
Map are estimated.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from math import inf
from typing import Any, Self

from skipscan.dynamodb.prices import Prices
from skipscan.pace.counts import Counts, Summable


@dataclass(frozen=True)
class Amounts(Summable):
    """Read units, write units, and dollars of the whole bill."""

    read_units: float = 0.0
    write_units: float = 0.0
    dollars: float = 0.0

    def __sub__(self, other: "Amounts") -> "Amounts":
        return self + other.times(-1.0)

    def least(self, other: "Amounts") -> "Amounts":
        """Return the smaller of both, in each amount."""
        return Amounts(*map(min, self._all, other._all))

    def most(self, other: "Amounts") -> "Amounts":
        """Return the larger of both, in each amount."""
        return Amounts(*map(max, self._all, other._all))

    def without(self, other: "Amounts") -> "Amounts":
        """Return what is left of each amount, at least 0."""
        return (self - other).most(NOTHING)

    def fits(self, room: "Amounts") -> bool:
        """Return whether no amount exceeds the given room."""
        return all(amount <= left for amount, left in zip(self._all, room._all, strict=True))

    @property
    def units(self) -> float:
        """Read and write units together."""
        return self.read_units + self.write_units

    @property
    def is_bounded(self) -> bool:
        """Whether any amount is finite. For a budget: whether there is one."""
        return any(amount < inf for amount in self._all)

    @property
    def _all(self) -> tuple[float, float, float]:
        return self.read_units, self.write_units, self.dollars


NOTHING = Amounts()
UNLIMITED = Amounts(inf, inf, inf)


def bounded(read_units: float | None, write_units: float | None, dollars: float | None) -> Amounts:
    """Return budgets in the form of the input, `None` for a missing one."""
    return Amounts(*(inf if amount is None else amount for amount in (read_units, write_units, dollars)))


ESTIMATED = "Plan, Finish and the Map"
"""The parts of a bill that are estimates even after the work."""

LEFT_OUT = (
    "logs, metrics, KMS, storage, a sample's time, the report, the comparison, starts of functions, retries, "
    "announcements and network"
)
"""What no bill contains."""


@dataclass(frozen=True)
class Services(Summable):
    """What work uses besides units.

    `invocations`: of Lambda. `s3_puts`: PUT and LIST requests, `s3_gets`: GET and HEAD.
    """

    gb_seconds: float = 0.0
    invocations: int = 0
    transitions: int = 0
    s3_puts: int = 0
    s3_gets: int = 0

    def to_json(self, *_: object) -> dict[str, Any]:
        return {**vars(self), "gb_seconds": round(self.gb_seconds, 6)}


TURN = Services(invocations=1, transitions=2, s3_puts=3, s3_gets=2)
"""Of a batch and the choice after it, without the batch's time. The requests are for estimates: workers count their
own."""


def lambda_seconds(prices: Prices, gigabytes: float) -> float:
    """Return the dollars of a second of a function with so much memory."""
    return prices.lambda_gb_seconds.of(gigabytes)


COMMIT = Services(s3_puts=2)
"""What a batch uses after it has counted everything else: its checkpoint and its part."""

AROUND_GB_SECONDS = 4.0
"""Plan and Finish together, with a gigabyte each: some seconds, an assumption. A sample takes up to a minute and a half
of Plan, $0.0012: `LEFT_OUT` names it, because Plan stores its plan before it knows its time."""


def around(workers: int, batches: int) -> Services:
    """Return an estimate of what Plan, Finish and the Map use.

    The Map starts an execution for each worker, and Finish reads the part of each batch.
    """
    return Services(
        gb_seconds=AROUND_GB_SECONDS, invocations=2, transitions=8 + workers, s3_puts=4, s3_gets=4 + workers + batches
    )


FOUND_GB_SECONDS = 0.5
"""An invocation that only finds how far its worker came, an assumption."""


def resumed_services(workers: int, batches: int) -> Services:
    """Return an estimate of what an execution that resumes work uses besides the batches of its workers.

    It has a Plan, a Map and a Finish of its own, and an invocation for each worker, of which most may have ended.
    """
    found = Services(gb_seconds=FOUND_GB_SECONDS, invocations=1, transitions=2, s3_puts=1, s3_gets=2).times(workers)
    return around(workers, batches) + found + Services(s3_puts=2)


@dataclass(frozen=True)
class Bill:
    """Dollars by service; units cost 0 with provisioned capacity, which is paid for anyway."""

    read_units: float = 0.0
    write_units: float = 0.0
    lambda_: float = 0.0
    step_functions: float = 0.0
    s3: float = 0.0

    @classmethod
    def of(cls, prices: Prices, read_units: float, write_units: float, services: Services) -> Self:
        return cls(
            read_units=prices.read_units.of(read_units),
            write_units=prices.write_units.of(write_units),
            lambda_=prices.lambda_gb_seconds.of(services.gb_seconds) + prices.lambda_requests.of(services.invocations),
            step_functions=prices.transitions.of(services.transitions),
            s3=prices.s3_puts.of(services.s3_puts) + prices.s3_gets.of(services.s3_gets),
        )

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        # `lambda_` has its underscore for Python alone.
        return cls(**{field.name: document.get(field.name.rstrip("_"), 0.0) for field in fields(cls)})

    @property
    def units(self) -> float:
        """The cost of read and write units."""
        return self.read_units + self.write_units

    @property
    def total(self) -> float:
        return self.units + self.lambda_ + self.step_functions + self.s3

    def to_json(self) -> dict[str, Any]:
        each = {field.name.rstrip("_"): round(getattr(self, field.name), 6) for field in fields(self)}
        return {"total": round(self.total, 6), "units": round(self.units, 6), **each}


def affordable_reads(prices: Prices, room: Amounts) -> float:
    """Return the read units for which there is room, in units and in dollars; infinite without a budget."""
    price = prices.read_units.of(1)
    return min(room.read_units, room.dollars / price if price else inf)


def amounts(prices: Prices, read_units: float, write_units: float = 0.0, services: Services | None = None) -> Amounts:
    """Return units and services with what they cost, as they count against budgets."""
    if services is None:  # called for every page
        return Amounts(read_units, write_units, prices.read_units.of(read_units) + prices.write_units.of(write_units))
    return Amounts(read_units, write_units, Bill.of(prices, read_units, write_units, services).total)


@dataclass(frozen=True)
class Spending:
    """Debts and costs of a worker.

    `reads_paid_off`, `writes_paid_off`: when a rate allows the next request, in seconds since 1970, because no other
    clock outlives a Lambda function. `services`: what all committed batches used besides units. `unseen`: the most that
    requests with lost answers consumed. `allotted`: what all committed batches had declared. `lost`: what attempts that
    did not commit had declared.
    """

    reads_paid_off: float = 0.0
    writes_paid_off: float = 0.0
    services: Services = field(default_factory=Services)
    unseen: Amounts = field(default_factory=Amounts)
    allotted: Amounts = field(default_factory=Amounts)
    lost: Amounts = field(default_factory=Amounts)

    @property
    def paid_off(self) -> float:
        """Return when all debts are paid off, in seconds since 1970."""
        return max(self.reads_paid_off, self.writes_paid_off)

    def consumed(self, counts: Counts, prices: Prices) -> Amounts:
        """Return what counts against the worker's shares of budgets, including what no count shows."""
        return amounts(prices, counts.read_units, counts.write_units, self.services) + self.unseen + self.lost

    def after(self, unseen: Amounts, *, reads_paid_off: float = 0.0, writes_paid_off: float = 0.0) -> Self:
        """Return the spending after a batch; `unseen` of it was consumed without an answer. No debt becomes smaller."""
        return replace(
            self,
            reads_paid_off=max(self.reads_paid_off, reads_paid_off),
            writes_paid_off=max(self.writes_paid_off, writes_paid_off),
            unseen=self.unseen + unseen,
        )
