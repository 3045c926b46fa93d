"""What the policy spends on a few tables, counted: the same code requests the same pages on any machine.

Another figure is another policy: if that is meant, docs/benchmarks.md has to be renewed with it (`python -m benchmarks
limit --full`).
"""

import pytest

from skipscan.scan.limit.policy import LimitPolicy
from tests.unit.scan.limit.policy.test_policy import table


@pytest.mark.parametrize(
    ("shape", "request_units", "requests", "read_units", "items"),
    [
        ((11, 40, 0, 300), 0.25, 1564, 798.0, 18953),
        ((11, 40, 0, 300), 2.0, 218, 2629.5, 70726),
        ((12, 6, 0, 700), 0.08, 1125, 582.5, 5813),
        ((12, 6, 0, 700), 0.25, 1024, 621.0, 6330),
        ((12, 6, 0, 700), 2.0, 17, 946.5, 11013),
        ((13, 2, 500, 150), 0.08, 77, 78.0, 3826),
        ((13, 2, 500, 150), 0.25, 49, 95.5, 4815),
        ((14, 12, 0, 1500), 0.25, 1837, 938.5, 3709),
        ((14, 12, 0, 1500), 2.0, 278, 3675.0, 19756),
        ((15, 1, 0, 3000), 0.25, 28, 741.5, 2000),
        ((16, 5, 50, 90), 0.25, 12, 108.0, 9553),
    ],
)
def test_pages_and_read_units_of_two_thousand_collections(
    shape: tuple[int, float, int, int], request_units: float, requests: int, read_units: float, items: int
) -> None:
    """`shape`: seed, mean length, giants, item bytes. Half a percent is left to how logarithms are rounded."""
    seed, mean_length, giant, item_bytes = shape
    collections, policy = table(seed, 2000, mean_length, giant, item_bytes), LimitPolicy(request_units=request_units)
    counted, consumed, evaluated, collection = 0, 0.0, 0, 0
    while collection < 2000:
        found, places, page_units, collection = collections.page(collection, policy.limit())
        policy.observe(found, places, page_units)
        counted, consumed, evaluated = counted + 1, consumed + page_units, evaluated + found
    assert (counted, consumed, evaluated) == pytest.approx((requests, read_units, items), rel=0.005)
