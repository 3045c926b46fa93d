"""What a run costs, and how long it takes: dollars by service, and minutes at a number of workers."""

from dataclasses import dataclass, fields
from math import ceil
from typing import Any, Self

from skipscan.dynamodb.capacity import FRESH_READ_UNITS
from skipscan.dynamodb.prices import Prices
from skipscan.estimate.interval import Consumption, Interval
from skipscan.estimate.worker import (
    RUN_TRANSITIONS,
    START_SECONDS,
    TURN_SECONDS,
    TURN_TRANSITIONS,
    UNIT_SECONDS,
    WORKER_GB,
    WORKER_REQUESTS,
)
from skipscan.pace.bounds import FIRST_SECONDS


@dataclass(frozen=True)
class Dollars:
    """By service; `read_units` is 0 where capacity is provisioned and paid for anyway."""

    read_units: float = 0.0
    lambda_: float = 0.0
    step_functions: float = 0.0
    s3: float = 0.0

    @property
    def total(self) -> float:
        return self.read_units + self.lambda_ + self.step_functions + self.s3

    def to_json(self) -> dict[str, Any]:
        return {field.name.rstrip("_"): round(getattr(self, field.name), 6) for field in fields(self)}


@dataclass(frozen=True)
class Concurrency:
    """How many workers a run has, and what holds it back. `units_per_second`: the run's rate, `None` without one."""

    workers: int
    units_per_second: float | None

    @classmethod
    def of(cls, workers: int, units_per_second: float | None, read_capacity_units: int | None) -> Self:
        return cls(workers, units_per_second or read_capacity_units or FRESH_READ_UNITS)

    def minutes(self, units: float, requests: float) -> float:
        seconds = worker_seconds(units, requests) / self.workers
        if self.units_per_second:
            seconds = max(seconds, units / self.units_per_second)
        return (START_SECONDS + seconds) / 60


def worker_seconds(units: float, requests: float) -> float:
    """Return how long one worker would take for all of a run."""
    return requests / WORKER_REQUESTS + units * UNIT_SECONDS


def worker_turns(seconds: float) -> int:
    """Return how many batches a worker makes in so many seconds, of which the first are shorter than all others."""
    for turn, first in enumerate(FIRST_SECONDS, start=1):
        if seconds <= first:
            return turn
        seconds -= first
    return len(FIRST_SECONDS) + ceil(seconds / TURN_SECONDS)


def dollars(units: float, requests: float, concurrency: Concurrency, prices: Prices, *, is_on_demand: bool) -> Dollars:
    """Return what a run costs that consumes so much."""
    seconds = worker_seconds(units, requests)
    turns = concurrency.workers * worker_turns(concurrency.minutes(units, requests) * 60)
    # A worker waits for its rate inside the Lambda, and is paid for waiting.
    paid_seconds = max(seconds, concurrency.workers * (concurrency.minutes(units, requests) * 60 - START_SECONDS))
    return Dollars(
        read_units=prices.read_units.of(units) if is_on_demand else 0.0,
        lambda_=prices.lambda_gb_seconds.of(paid_seconds * WORKER_GB) + prices.lambda_requests.of(turns + 2),
        step_functions=prices.transitions.of(RUN_TRANSITIONS + concurrency.workers + turns * TURN_TRANSITIONS),
        s3=prices.s3_puts.of(2 * turns + 3) + prices.s3_gets.of(2 * turns + concurrency.workers),
    )


def total_dollars(consumed: Consumption, concurrency: Concurrency, prices: Prices, *, is_on_demand: bool) -> Interval:
    """Return the dollars of a run with their interval."""

    def at(end: str) -> float:
        units, requests = getattr(consumed.read_units, end), getattr(consumed.requests, end)
        if units == float("inf") or requests == float("inf"):
            return float("inf")
        return dollars(units, requests, concurrency, prices, is_on_demand=is_on_demand).total

    return Interval(at("estimate"), at("low"), at("high"))
