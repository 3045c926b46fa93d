"""What a policy learns from pages whose Limits it did not choose."""

import pytest

from skipscan.scan.limit.policy import LimitPolicy


def test_the_size_of_items_is_learnt_and_nothing_of_keys() -> None:
    policy = LimitPolicy()
    for _ in range(20):
        policy.weigh(100, 100 * 2_000 / 4096 * 0.5)
    assert policy.affordable(0.5) == 2
    assert policy.size.average_bytes == pytest.approx(2_000, rel=0.1)
    assert policy.rate.farthest == LimitPolicy().rate.farthest
    assert policy.pages == 20
    assert policy.cost == pytest.approx(20 * (24.5 + policy.request_units))
