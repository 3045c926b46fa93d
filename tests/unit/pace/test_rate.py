"""Consumption in any ten seconds stays within the rate, and uses it, for all costs of pages."""

import pytest

from skipscan.pace.rate import Rate, SharedRate

pytestmark = pytest.mark.slow


def test_idle_time_is_not_saved_up() -> None:
    rate = Rate(10)
    rate.reserve(100.0, 5)
    assert rate.wait_seconds(100.0) == 0.5
    assert rate.wait_seconds(200.0) == 0
    rate.reserve(200.0, 5)
    assert rate.wait_seconds(200.0) == 0.5


def test_workers_share_a_rate_and_what_it_leaves_beside_one_request_of_each() -> None:
    """All but the largest request may take 5 % of what the rate allows in ten seconds."""
    shared = SharedRate(100.0, 10.0)
    assert shared.share(4) == 25.0
    assert [shared.burst(workers) for workers in (1, 2, 6, 7)] == [50.0, 20.0, 0.0, 0.0]
    assert 50.0 == 0.05 * 10 * 100.0
    unlimited = SharedRate(None, 10.0)
    assert (unlimited.share(4), unlimited.burst(4)) == (None, None)


@pytest.mark.parametrize(("largest", "workers"), [(10.0, 51), (100.0, 6), (501.0, 1)])
def test_as_many_workers_keep_a_rate_as_have_room_beside_one_request(largest: float, workers: int) -> None:
    """At 1,000 units a second, 5 % of ten seconds are 500 units: so many may all requests but one take."""
    assert SharedRate(1_000.0, largest).most_workers == workers
