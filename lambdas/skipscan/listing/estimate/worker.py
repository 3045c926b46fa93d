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
"""Requests a second by one worker, from which plans get workers, turns, minutes and the price of Lambda.

It is about the speed of boto3 on one quiet core (1.2 ms of processor time a request), on purpose: a run must fit into
its workers' histories where boto3 makes the calls, too. With the lean client it takes fewer minutes and dollars.

Measured on 2026-11-22 on two busy cores, which the engine shared: 569 to 662 with the lean client, 214 to 247 with
boto3. A core of its own would allow 1,900 with the lean client (0.52 ms). No figure is from Lambda yet: `make verify`
measures one.
"""

UNIT_SECONDS = 6e-5  # more for each read unit: 8 ms for a page of 1 MB, whose items must be taken apart
TAKEN_SECONDS = 1.2e-4  # more for each 4 KB that pages bring where items are taken: 30 ms for 1 MB of whole items
WORKER_WRITES = 1_000.0  # a second: puts, updates and deletes, with 16 under way
WORKER_CALLS = 100.0  # a second: calls to a function that answers in a sixth of a second

TURN_SECONDS = 240.0
START_SECONDS = 5.0


def unit_seconds(plan: Plan) -> float:
    """Return how long a worker takes for a read unit of a plan, in addition to its requests."""
    return UNIT_SECONDS + (TAKEN_SECONDS / plan.step_units if plan.take and plan.take.wanted else 0.0)


def worker_turns(seconds: float) -> int:
    """Return the number of batches that a worker makes in `seconds`. The first batches are shorter than the others."""
    for turn, first in enumerate(FIRST_SECONDS, start=1):
        if seconds <= first:
            return turn
        seconds -= first
    return len(FIRST_SECONDS) + ceil(seconds / TURN_SECONDS)


def expected_services(workers: int, seconds: float, least_turns: int = 0) -> Services:
    """Return the services that all workers use, if each runs for `seconds`. `least_turns`: of all workers together."""
    turns = max(workers * worker_turns(seconds), least_turns)
    paid = Services(gb_seconds=workers * seconds * WORKER_GB)
    return TURN.times(turns) + paid + around(workers, turns)


def job_estimate(read_units: float, write_units: float, seconds: float, workers: int, prices: Prices) -> dict[str, Any]:
    """Return dollars and minutes of a job that writes. `seconds`: of each worker."""
    bill = Bill.of(prices, read_units, write_units, expected_services(workers, seconds))
    return {"dollars": bill.to_json(), "minutes": round((START_SECONDS + seconds) / 60, 1)}
