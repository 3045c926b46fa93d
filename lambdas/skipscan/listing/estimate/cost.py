"""Cost and duration of a run: dollars by service, minutes at a number of workers, and the best numbers for it.

The speed is assumed, from this project's benchmarks on a laptop's cores; it was not measured on AWS. It changes minutes
and the price of Lambda, never units.
"""

from dataclasses import dataclass
from math import ceil, inf
from typing import Self

from skipscan.dynamodb.capacity import FRESH_READ_UNITS
from skipscan.inputs.fields import MAX_SEGMENTS
from skipscan.listing.fields import MAX_WORKERS
from skipscan.pace.bill import TURN, Bill, Services, around
from skipscan.pace.bounds import FIRST_SECONDS, WORKER_GB
from skipscan.scan.plan import Plan

WORKER_REQUESTS = 800.0
"""Requests a second by one worker, from which plans get workers, turns, minutes and the price of Lambda.

It is the speed of boto3 on one quiet core, on purpose: a run must fit into its workers' histories where boto3 makes the
calls, too. The lean client needs less than half the time. No figure is from Lambda yet: `make verify` measures one.
"""

UNIT_SECONDS = 6e-5  # more for each read unit: 8 ms for a page of 1 MB, whose items must be taken apart
TAKEN_SECONDS = 1.2e-4  # more for each 4 KB that pages bring where items are taken: 30 ms for 1 MB of whole items

TURN_SECONDS = 240.0
START_SECONDS = 5.0


def unit_seconds(plan: Plan) -> float:
    """Return how long a worker takes for a read unit of a plan, in addition to its requests."""
    return UNIT_SECONDS + (TAKEN_SECONDS / plan.step_units if plan.take.attributes else 0.0)


def worker_turns(seconds: float) -> int:
    """Return how many batches a worker makes in so many seconds; the first batches are shorter than the others."""
    for turn, first in enumerate(FIRST_SECONDS, start=1):
        if seconds <= first:
            return turn
        seconds -= first
    return len(FIRST_SECONDS) + ceil(seconds / TURN_SECONDS)


def expected_services(workers: int, seconds: float, least_turns: int = 0) -> Services:
    """Return the cost of work besides units, if each worker runs for so many seconds. `least_turns`: of all workers."""
    turns = max(workers * worker_turns(seconds), least_turns)
    paid = Services(gb_seconds=workers * seconds * WORKER_GB)
    return TURN.times(turns) + paid + around(workers, turns)


def worker_seconds(units: float, requests: float, unit_seconds: float = UNIT_SECONDS) -> float:
    """Return how long one worker would take for the whole run."""
    return requests / WORKER_REQUESTS + units * unit_seconds


@dataclass(frozen=True)
class Concurrency:
    """The workers of a plan, their speed, and what they cost. `units_per_second`: by the rate, or of the table."""

    plan: Plan
    units_per_second: float

    @classmethod
    def of(cls, plan: Plan, served: float | None) -> Self:
        """`served`: read units a second of the table; `None` if unknown."""
        return cls(plan, plan.max_read_units_per_second or served or FRESH_READ_UNITS)

    def seconds(self, units: float, requests: float) -> float:
        """Return how long each worker runs. It waits for its rate inside the Lambda, and this time is billed."""
        busy = worker_seconds(units, requests, unit_seconds(self.plan)) / self.plan.workers
        return max(busy, units / self.units_per_second)

    def bill(self, units: float, requests: float, requests_a_turn: float = inf) -> Bill:
        """Return the bill of a run that consumes so much in a deployment. `requests_a_turn`: a batch has no more."""
        turns = ceil(requests / requests_a_turn)
        services = expected_services(self.plan.workers, self.seconds(units, requests), turns)
        return Bill.of(self.plan.prices, units, 0.0, services)


SPLITS = ((10, 16), (50, 64), (200, MAX_SEGMENTS))
"""Pages of a segment, and the most segments of so many pages that a worker gets for its walks. A segment's end costs a
page, so all ends cost half a percent of a large run, and more of a run whose workers would have too few segments."""


def split(segments: int | None, workers: int | None, *, units: float, requests: float, rate: float) -> tuple[int, int]:
    """Return the numbers of segments and workers for a run that takes so much; given numbers are kept.

    Workers: as many as finish within a few minutes, but no more than have work at `rate` read units a second.
    """
    seconds = max(worker_seconds(units, requests), 1e-9)
    if workers is None:
        served = rate * seconds / max(units, 1e-9)
        workers = max(1, min(ceil(seconds / TURN_SECONDS), int(served), MAX_WORKERS, segments or MAX_SEGMENTS))
    if segments is None:
        divided = (min(most * workers, int(requests / pages)) for pages, most in SPLITS)
        segments = min(max(workers, *divided), MAX_SEGMENTS)
    return segments, workers
