"""What the policy spends on a few tables, counted: the same code asks for the same pages on any machine.

Another figure is another policy: if that is meant, docs/limit.md has to be renewed with it
(`python -m benchmarks.limit --full`).
"""

import pytest

from skipscan.scan.limit.policy import LimitPolicy
from tests.unit.limit.test_policy import table


@pytest.mark.parametrize(
    ("shape", "request_units", "requests", "read_units", "items"),
    [
        ((11, 40, 0, 300), 0.25, 1569, 792.0, 18801),
        ((11, 40, 0, 300), 2.0, 388, 2347.5, 63217),
        ((12, 6, 0, 700), 0.08, 1142, 585.0, 5819),
        ((12, 6, 0, 700), 0.25, 1122, 589.5, 5902),
        ((12, 6, 0, 700), 2.0, 17, 944.5, 10997),
        ((13, 2, 500, 150), 0.08, 133, 73.0, 3523),
        ((13, 2, 500, 150), 0.25, 77, 76.0, 3784),
        ((14, 12, 0, 1500), 0.25, 1832, 933.0, 3719),
        ((14, 12, 0, 1500), 2.0, 991, 2459.0, 12473),
        ((15, 1, 0, 3000), 0.25, 17, 739.0, 2000),
        ((16, 5, 50, 90), 0.25, 9, 107.0, 9548),
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
