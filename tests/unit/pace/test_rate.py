"""Consumption in any ten seconds stays within the rate, and uses it, for all costs of pages."""

import pytest

from skipscan.pace.rate import SharedRate

pytestmark = pytest.mark.slow


def test_workers_share_a_rate_and_what_it_leaves_beside_one_request_of_each() -> None:
    """All but the largest request may take 5 % of what the rate allows in ten seconds."""
    shared = SharedRate(100.0, 10.0)
    assert shared.share(4) == 25.0
    assert [shared.burst(workers) for workers in (1, 2, 6, 7)] == [50.0, 20.0, 0.0, 0.0]
    assert 50.0 == 0.05 * 10 * 100.0
    unlimited = SharedRate(None, 10.0)
    assert (unlimited.share(4), unlimited.burst(4)) == (None, None)
