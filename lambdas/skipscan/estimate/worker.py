"""What one worker takes and does, by which every estimate of dollars and minutes goes.

How fast a worker is is assumed, after what this project's benchmarks do on a laptop's cores; nothing of it was
measured on AWS. It moves minutes and the price of Lambda, never units.
"""

from collections.abc import Mapping
from math import ceil
from typing import Any

from skipscan.dynamodb.prices import Prices

WORKER_GB = 1769 / 1024
"""Memory: from 1769 MB on a Lambda has one whole vCPU."""

WORKER_REQUESTS = 800.0  # a second: pages, by a Lambda of one vCPU that has 16 requests under way
UNIT_SECONDS = 6e-5  # more for each read unit: 8 ms for a page of 1 MB, whose items must be taken apart
WORKER_WRITES = 1_000.0  # a second: puts, updates and deletes, with 16 under way
WORKER_CALLS = 100.0  # a second: calls to a function that answers in a sixth of a second

TURN_SECONDS = 240.0
START_SECONDS = 5.0
TURN_TRANSITIONS, RUN_TRANSITIONS = 2, 8  # a batch and the choice behind it; plan, finish, the Map and a worker's end


def job_estimate(units: Mapping[str, float], seconds: float, workers: int, prices: Prices) -> dict[str, Any]:
    """Return dollars and minutes of a job that writes. `units`: dollars of units by kind. `seconds`: of each worker."""
    turns = workers * max(1, ceil(seconds / TURN_SECONDS))
    dollars = {
        **units,
        "lambda": prices.lambda_gb_seconds.of(seconds * workers * WORKER_GB),
        "step_functions": prices.transitions.of(RUN_TRANSITIONS + workers + TURN_TRANSITIONS * turns),
    }
    return {
        "dollars": {"total": round(sum(dollars.values()), 6)} | {name: round(d, 6) for name, d in dollars.items()},
        "minutes": round((START_SECONDS + seconds) / 60, 1),
    }
