"""What a worker's time costs, and how long a job takes."""

import pytest

from skipscan.dynamodb.prices import US_EAST_1
from skipscan.listing.estimate.cost import START_SECONDS, TURN_SECONDS, job_estimate, worker_turns
from skipscan.pace.bounds import FIRST_SECONDS


def test_a_jobs_time_is_in_minutes_with_its_start() -> None:
    assert job_estimate(0.0, 0.0, 600.0 - START_SECONDS, 1, US_EAST_1)["minutes"] == 10.0


def test_a_job_pays_for_its_units_and_for_each_workers_time() -> None:
    one, two = (job_estimate(1e6, 2e6, 1_000.0, workers, US_EAST_1)["dollars"] for workers in (1, 2))
    assert one["units"] == two["units"] == pytest.approx(US_EAST_1.read_units.of(1e6) + US_EAST_1.write_units.of(2e6))
    assert one["units"] < one["total"] < two["total"]


def test_the_first_batches_of_a_worker_are_shorter() -> None:
    first = sum(FIRST_SECONDS)
    assert worker_turns(FIRST_SECONDS[0]) == 1
    assert worker_turns(first) == len(FIRST_SECONDS)
    assert worker_turns(first + 1) == len(FIRST_SECONDS) + 1
    assert worker_turns(first + 2 * TURN_SECONDS) == len(FIRST_SECONDS) + 2
