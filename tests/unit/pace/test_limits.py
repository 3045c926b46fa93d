"""A worker's share of the budgets: when it is spent."""

import pytest

from skipscan.pace.bill import Amounts
from skipscan.pace.limits import choose_workers, fewer_workers
from tests.fakes.small_table import reading


def test_a_share_of_dollars_is_spent_when_they_do_not_pay_for_the_services_of_a_batch() -> None:
    plan = reading(max_dollars=1.0)
    share, least = plan.limits.worker_budget.dollars, plan.limits.least_batch
    assert least.dollars > plan.limits.least.dollars
    assert plan.limits.are_spent(Amounts(dollars=share - 1.01 * least.dollars)) is False
    assert plan.limits.are_spent(Amounts(dollars=share - 0.99 * least.dollars)) is True


@pytest.mark.parametrize(
    ("asked", "most", "units_per_second", "workers"),
    [
        (None, 500, None, 4),
        (None, 500, 10.0, 1),
        (None, 500, 1000.0, 1),
        (None, 500, 1001.0, 2),
        (None, 500, 1e6, 100),
        (None, 3, 1e6, 3),
        (7, 500, 10.0, 7),
        (7, 3, None, 3),
        (7, 0, None, 1),
    ],
)
def test_a_worker_for_each_thousand_units_a_second_and_for_each_part_of_the_work(
    asked: int | None, most: int, units_per_second: float | None, workers: int
) -> None:
    assert choose_workers(asked, most, units_per_second) == workers


@pytest.mark.parametrize(
    ("workers", "asked", "pieces", "is_told"),
    [(3, None, 9, False), (3, 3, 9, False), (3, 8, 3, False), (2, 8, 3, True), (3, 8, 9, True)],
)
def test_who_asked_for_more_workers_than_there_are_is_told_unless_there_is_no_work_for_more(
    workers: int, asked: int | None, pieces: int, is_told: bool
) -> None:
    said = fewer_workers("run", workers, asked, pieces)
    assert (said is not None) is is_told
    assert said is None or f"{workers} of the {asked} requested workers" in said
