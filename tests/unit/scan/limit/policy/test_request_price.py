"""The weight of a request, in read units, follows from prices and from the processor time that we assume."""

import pytest

from skipscan.dynamodb.prices import US_EAST_1
from skipscan.pace.bounds import REQUEST_SECONDS, WORKER_GB
from skipscan.scan.limit.policy import REQUEST_UNITS, LimitPolicy
from skipscan.scan.plan import Optimize


def test_a_request_counts_what_its_time_in_lambda_costs() -> None:
    """1769 MB for 0.43 ms, at the price of a read unit."""
    dollars = WORKER_GB * REQUEST_SECONDS * US_EAST_1.lambda_gb_seconds.dollars_per_million
    assert REQUEST_UNITS[Optimize.BALANCED] == pytest.approx(
        dollars / US_EAST_1.read_units.dollars_per_million, abs=0.005
    )
    assert LimitPolicy().request_units == REQUEST_UNITS[Optimize.BALANCED]


def test_cost_and_speed_are_on_both_sides_of_it() -> None:
    assert REQUEST_UNITS[Optimize.COST] < REQUEST_UNITS[Optimize.BALANCED] / 2
    assert REQUEST_UNITS[Optimize.SPEED] > 2 * REQUEST_UNITS[Optimize.BALANCED]
