"""What a worker's time costs, and how long a job takes."""

from skipscan.dynamodb.prices import US_EAST_1
from skipscan.listing.estimate.cost import START_SECONDS, job_estimate


def test_a_jobs_time_is_in_minutes_with_its_start() -> None:
    assert job_estimate(0.0, 0.0, 600.0 - START_SECONDS, 1, US_EAST_1)["minutes"] == 10.0
