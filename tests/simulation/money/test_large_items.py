"""Acts over items of 390 KB, which nobody knows of until a write to them is billed."""

from dataclasses import replace

import pytest

from tests.simulation.money.driver import drive
from tests.simulation.money.work import Act

pytestmark = pytest.mark.slow

LARGEST = 390.0


@pytest.mark.sampled(3)
@pytest.mark.parametrize("lost", [0, 3])
@pytest.mark.parametrize("large", [1, 2, 20, 400])
@pytest.mark.parametrize("workers", [1, 30])
@pytest.mark.parametrize(
    "bound",
    [("max_write_units", 100.0), ("max_write_units", 8_000.0), ("max_write_units", 500_000.0), ("max_dollars", 0.003)],
)
def test_a_budget_is_exceeded_by_no_more_than_the_plan_states(
    bound: tuple[str, float], workers: int, large: int, lost: int
) -> None:
    name, budget = bound
    consumed = drive(Act((bound,), workers, keys=3_000, large=large), lost=lost)
    unit = name.removeprefix("max_")
    assert vars(consumed.amounts)[unit] <= budget + consumed.stated[unit]


@pytest.mark.parametrize("rate", [1.0, 10.0, 600.0])
@pytest.mark.parametrize("workers", [1, 30])
def test_a_rate_is_kept_where_all_items_are_large(rate: float, workers: int) -> None:
    consumed = drive(Act((("write_rate", rate),), workers, keys=3_000, large=1), seconds=120.0)
    assert consumed.worst_ten_seconds("write_units") <= 10.5 * rate + LARGEST


@pytest.mark.parametrize("rate", [1.0, 10.0, 60.0])
@pytest.mark.parametrize("large", [7, 50])
def test_a_rate_is_exceeded_once_by_the_requests_under_way_when_a_worker_meets_its_first_large_item(
    rate: float, large: int
) -> None:
    consumed = drive(Act((("write_rate", rate),), 1, keys=3_000, large=large), seconds=300.0)
    under_way = 1 + min(15.0, 0.5 * rate)
    assert consumed.worst_ten_seconds("write_units") <= 10.5 * rate + LARGEST * (1 + under_way / large)
    met = next(taken.at for taken in consumed.taken if taken.write_units == LARGEST)
    later = replace(consumed, taken=[taken for taken in consumed.taken if taken.at > met + 1.0])
    assert later.worst_ten_seconds("write_units") <= 10.5 * rate + LARGEST


def test_small_items_are_put_at_the_whole_rate() -> None:
    consumed = drive(Act((("write_rate", 600.0),), 1), seconds=20.0)
    assert sum(taken.write_units for taken in consumed.taken) > 0.95 * 600 * 20
