"""What the policy spends on a few tables, counted: the same code requests the same pages on any machine.

Another figure is another policy: if that is meant, docs/limit.md has to be renewed with it (`python -m benchmarks.limit
--full`).
"""

import pytest

from skipscan.scan.limit.policy import LimitPolicy
from tests.unit.limit.test_policy import table


@pytest.mark.parametrize(
    ("shape", "request_units", "requests", "read_units", "items"),
    [
        ((11, 40, 0, 300), 0.25, 1531, 823.0, 20024),
        ((11, 40, 0, 300), 2.0, 50, 2846.0, 77428),
        ((12, 6, 0, 700), 0.08, 1145, 579.5, 5767),
        ((12, 6, 0, 700), 0.25, 926, 654.0, 6762),
        ((12, 6, 0, 700), 2.0, 20, 943.0, 10973),
        ((13, 2, 500, 150), 0.08, 129, 70.5, 3488),
        ((13, 2, 500, 150), 0.25, 77, 75.0, 3766),
        ((14, 12, 0, 1500), 0.25, 1841, 932.0, 3696),
        ((14, 12, 0, 1500), 2.0, 694, 2950.5, 15427),
        ((15, 1, 0, 3000), 0.25, 17, 739.0, 2000),
        ((16, 5, 50, 90), 0.25, 8, 108.0, 9605),
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
