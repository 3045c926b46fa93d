"""What a policy learns from pages whose Limits it did not choose."""

import pytest

from skipscan.scan.limit.item_size import ItemSize
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


@pytest.mark.parametrize("forgotten", [0, 100])
def test_sizes_are_computed_again_when_the_costs_since_the_last_change_have_grown_by_a_tenth(
    forgotten: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    fitted: list[float] = []
    policy = LimitPolicy(0.5, 0.5, cost=forgotten + 14, replan_at=forgotten + 16, forgotten_cost=forgotten)
    monkeypatch.setattr(ItemSize, "fit", lambda _: fitted.append(policy.cost - forgotten))
    for _ in range(7):
        policy.weigh(10, 0.5)
    assert fitted == [16, 18, 20]


def test_an_empty_page_costs_a_step() -> None:
    policy = LimitPolicy()
    policy.weigh(0, 0.0)
    assert (policy.cost, policy.size.pages) == (policy.step_units + policy.request_units, {})
