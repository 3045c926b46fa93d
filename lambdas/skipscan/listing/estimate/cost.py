"""Cost and duration of a run: dollars by service, and minutes at a number of workers."""

from dataclasses import dataclass
from math import ceil, inf
from typing import Self

from skipscan.dynamodb.capacity import FRESH_READ_UNITS
from skipscan.dynamodb.prices import Prices
from skipscan.listing.estimate.interval import Consumption, Interval
from skipscan.listing.estimate.worker import START_SECONDS, UNIT_SECONDS, WORKER_REQUESTS, expected_services
from skipscan.pace.bill import Bill


@dataclass(frozen=True)
class Concurrency:
    """The workers of a run, and what limits their speed. `units_per_second`: the run's rate, `None` without one.

    `unit_seconds`: how long a worker takes for a read unit, in addition to its requests.
    """

    workers: int
    units_per_second: float | None
    unit_seconds: float = UNIT_SECONDS

    @classmethod
    def of(cls, workers: int, units_per_second: float | None, served: float | None) -> Self:
        """`served`: read units a second of the table; `None` if unknown."""
        return cls(workers, units_per_second or served or FRESH_READ_UNITS)

    def minutes(self, units: float, requests: float) -> float:
        seconds = worker_seconds(units, requests, self.unit_seconds) / self.workers
        if self.units_per_second:
            seconds = max(seconds, units / self.units_per_second)
        return (START_SECONDS + seconds) / 60


def worker_seconds(units: float, requests: float, unit_seconds: float = UNIT_SECONDS) -> float:
    """Return how long one worker would take for the whole run."""
    return requests / WORKER_REQUESTS + units * unit_seconds


def dollars(
    units: float, requests: float, concurrency: Concurrency, prices: Prices, requests_a_turn: float = inf
) -> Bill:
    """Return the bill of a run that consumes so much in a deployed job. `requests_a_turn`: a batch has no more."""
    # A worker waits for its rate inside the Lambda, and this time is billed.
    waiting = concurrency.minutes(units, requests) * 60 - START_SECONDS
    seconds = max(worker_seconds(units, requests, concurrency.unit_seconds) / concurrency.workers, waiting)
    return Bill.of(
        prices, units, 0.0, expected_services(concurrency.workers, seconds, ceil(requests / requests_a_turn))
    )


def total_dollars(consumed: Consumption, concurrency: Concurrency, prices: Prices) -> Interval:
    """Return the dollars of a run with their interval."""

    def at(end: str) -> float:
        units, requests = getattr(consumed.read_units, end), getattr(consumed.requests, end)
        if units == float("inf") or requests == float("inf"):
            return float("inf")
        return dollars(units, requests, concurrency, prices).total

    return Interval(at("estimate"), at("low"), at("high"))
