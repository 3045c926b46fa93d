"""The speed and overhead of one worker, from which every estimate of dollars and minutes is made.

The speed is assumed, from this project's benchmarks on a laptop's cores; it was not measured on AWS. It changes minutes
and the price of Lambda, never units.
"""

from math import ceil
from typing import Any

from skipscan.dynamodb.prices import Prices
from skipscan.pace.bill import TURN, Bill, Services, around
from skipscan.pace.bounds import FIRST_SECONDS, WORKER_GB
from skipscan.scan.plan import Plan

WORKER_REQUESTS = 800.0
"""Pages a second by a Lambda of one vCPU whose calls boto3 makes, as it does where the lean client is not used: a run
must fit into its workers' histories then, too. The lean client makes two to three times as many."""

UNIT_SECONDS = 6e-5  # more for each read unit: 8 ms for a page of 1 MB, whose items must be taken apart
TAKEN_SECONDS = 1.2e-4  # more for each 4 KB that pages bring where items are taken: 30 ms for 1 MB of whole items
WORKER_WRITES = 1_000.0  # a second: puts, updates and deletes, with 16 under way
WORKER_CALLS = 100.0  # a second: calls to a function that answers in a sixth of a second

TURN_SECONDS = 240.0
START_SECONDS = 5.0


def unit_seconds(plan: Plan) -> float:
    """Return how long a worker takes for a read unit of a plan, in addition to its requests."""
    return UNIT_SECONDS + (TAKEN_SECONDS / plan.step_units if plan.take is not None else 0.0)


def worker_turns(seconds: float) -> int:
    """Return how many batches a worker makes in so many seconds; the first batches are shorter than the others."""
    for turn, first in enumerate(FIRST_SECONDS, start=1):
        if seconds <= first:
            return turn
        seconds -= first
    return len(FIRST_SECONDS) + ceil(seconds / TURN_SECONDS)


def expected_services(workers: int, seconds: float) -> Services:
    """Return the cost of work besides units, if each worker runs for so many seconds."""
    turns = workers * worker_turns(seconds)
    paid = Services(gb_seconds=workers * seconds * WORKER_GB)
    return TURN.times(turns) + paid + around(workers, turns)


def job_estimate(read_units: float, write_units: float, seconds: float, workers: int, prices: Prices) -> dict[str, Any]:
    """Return dollars and minutes of a job that writes. `seconds`: of each worker."""
    bill = Bill.of(prices, read_units, write_units, expected_services(workers, seconds))
    return {"dollars": bill.to_json(), "minutes": round((START_SECONDS + seconds) / 60, 1)}
