"""A budget is exceeded by no more than the plan states, and a rate holds over any ten seconds from the first on."""

from itertools import product
from typing import Any

import pytest

from tests.money.whole_run import Case, run

LARGE = 390 * 1024
SIZES: list[dict[str, Any]] = [{"item_bytes": 50}, {"item_bytes": LARGE}, {"item_bytes": LARGE, "is_mixed": True}]


@pytest.mark.parametrize("sizes", SIZES, ids=["tiny", "390 KB", "one in a hundred 390 KB"])
@pytest.mark.parametrize("sort_key", [True, False], ids=["skips", "pages"])
@pytest.mark.parametrize(("budget", "workers"), [(0.5, 1), (0.5, 4), (100, 32), (3_000, 1), (20_000, 1000)])
def test_a_budget_is_exceeded_by_no_more_than_is_stated(
    budget: float, workers: int, sort_key: bool, sizes: dict[str, Any]
) -> None:
    for lost in (0, 3):
        case = Case(budget, None, workers, sort_key, lost=lost, seconds=3600, **sizes)
        consumed = run(case)
        assert consumed.plan.overrun_units is not None
        assert consumed.read_units <= budget + consumed.plan.overrun_units
        assert consumed.plan.workers == 1 or consumed.plan.overrun_units <= 0.05 * budget
        if not lost:  # used up, but for less than a page of each worker
            assert consumed.read_units >= budget - consumed.plan.workers * consumed.plan.step_units


@pytest.mark.parametrize("sizes", SIZES, ids=["tiny", "390 KB", "one in a hundred 390 KB"])
@pytest.mark.parametrize("sort_key", [True, False], ids=["skips", "pages"])
@pytest.mark.parametrize(("rate", "workers"), [(0.5, 1), (0.5, 1000), (10, 1000), (600, 16)])
def test_a_rate_holds_over_any_ten_seconds(rate: float, workers: int, sort_key: bool, sizes: dict[str, Any]) -> None:
    for seed, lost in product((1, 2), (0,)):
        consumed = run(Case(None, rate, workers, sort_key, lost=lost, seconds=25, **sizes), seed)
        assert consumed.worst_ten_seconds <= 1.05 * 10 * rate + consumed.largest_page
