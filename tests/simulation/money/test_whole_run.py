"""Budgets are exceeded by no more than the plan states, and a rate holds over any ten seconds from the first on."""

from dataclasses import replace
from typing import Any

import pytest

from skipscan.pace.limits import OVERRUN
from skipscan.pace.rate import PAGE_SECONDS
from tests.simulation.money.driver import Consumed, drive
from tests.simulation.money.work import Act, Copy, Listing, Retrofit

pytestmark = pytest.mark.slow

LARGE = 390 * 1024
SIZES: list[dict[str, Any]] = [{"item_bytes": 50}, {"item_bytes": LARGE}, {"item_bytes": LARGE, "is_mixed": True}]
LARGER = [(0.5, 1_000), (8_000, 1_000)]
NAMES = ["tiny", "390 KB", "one in a hundred 390 KB"]


def check_budget(consumed: Consumed, *, is_lost: bool) -> None:
    """Fail if more was consumed than is stated, or if too little was."""
    plan, taken = consumed.plan, vars(consumed.amounts)
    asked = vars(plan.limits.budget)
    for name, most in consumed.stated.items():
        assert taken[name] <= asked[name] + most
        assert plan.workers == 1 or plan.limits.overrun[name] <= OVERRUN * asked[name] * 1.001
    if not is_lost:  # used up, but for less than a request of each worker
        least = [taken[name] + most >= asked[name] for name, most in plan.limits.overrun.items()]
        assert any(least)


def check_rate(consumed: Consumed, unit: str, rate: float) -> None:
    assert consumed.worst_ten_seconds(unit) <= 1.05 * 10 * rate + consumed.largest(unit)
    assert consumed.worst_ten_seconds(unit) > 5 * rate  # and it is made use of


@pytest.mark.sampled(5)
@pytest.mark.parametrize("sizes", SIZES, ids=NAMES)
@pytest.mark.parametrize("sort_key", [True, False], ids=["skips", "pages"])
@pytest.mark.parametrize(
    ("budget", "workers"), [(0.5, 4), (100, 32), *(pytest.param(*case, marks=pytest.mark.long) for case in LARGER)]
)
@pytest.mark.parametrize("lost", [0, 3])
def test_read_units_of_a_listing(budget: float, workers: int, sort_key: bool, sizes: dict[str, Any], lost: int) -> None:
    check_budget(drive(Listing(budget, None, workers, sort_key, **sizes), lost=lost, seconds=3600), is_lost=lost > 0)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("lost", [0, 3])
@pytest.mark.parametrize(("dollars", "workers"), [(0.0005, 4), (0.005, 30)])
def test_dollars_of_a_listing(dollars: float, workers: int, lost: int) -> None:
    case = Listing(workers=workers, max_dollars=dollars, item_bytes=20_000)
    check_budget(drive(case, lost=lost, seconds=3600), is_lost=lost > 0)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("sizes", SIZES, ids=NAMES)
@pytest.mark.parametrize("sort_key", [True, False], ids=["skips", "pages"])
@pytest.mark.parametrize(("rate", "workers"), [(0.5, 1000), (10, 1000)])
def test_the_rate_of_a_listing(rate: float, workers: int, sort_key: bool, sizes: dict[str, Any]) -> None:
    check_rate(drive(Listing(None, rate, workers, sort_key, **sizes), seconds=25), "read_units", rate)


BOUNDS = [(("max_read_units", 50), 4), (("max_write_units", 400), 8), (("max_dollars", 0.0007), 2)]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("sizes", SIZES, ids=NAMES)
@pytest.mark.parametrize("lost", [0, 3])
@pytest.mark.parametrize(("bound", "workers"), BOUNDS)
def test_budgets_of_a_retrofit(bound: tuple[str, float], workers: int, sizes: dict[str, Any], lost: int) -> None:
    check_budget(drive(Retrofit((bound,), workers, **sizes), lost=lost, seconds=3600), is_lost=lost > 0)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("sizes", SIZES[1:], ids=NAMES[1:])
@pytest.mark.parametrize(("bound", "workers"), BOUNDS)
def test_budgets_of_a_copy(bound: tuple[str, float], workers: int, sizes: dict[str, Any]) -> None:
    check_budget(drive(Copy((bound,), workers, **sizes), lost=3, seconds=3600), is_lost=True)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("sizes", SIZES, ids=NAMES)
@pytest.mark.parametrize(("kind", "rate", "workers"), [(Retrofit, 2, 100), (Retrofit, 60, 8), (Copy, 5, 8)])
@pytest.mark.parametrize("unit", ["read_units", "write_units"])
def test_rates_of_a_job_over_items(
    kind: type[Retrofit | Copy], unit: str, rate: float, workers: int, sizes: dict[str, Any]
) -> None:
    consumed = drive(kind(((unit.replace("units", "rate"), rate),), workers, **sizes), seconds=11)
    assert consumed.worst_ten_seconds(unit) <= 1.05 * 10 * rate + consumed.largest(unit)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("units", [1.0, 25.0, 390.0])
@pytest.mark.parametrize("lost", [0, 3])
@pytest.mark.parametrize(("name", "budget"), [("max_write_units", 400.0), ("max_dollars", 0.0007)])
def test_budgets_of_an_act(name: str, budget: float, lost: int, units: float) -> None:
    check_budget(drive(Act(((name, budget),), 4, units, keys=3_000), lost=lost, seconds=3600), is_lost=lost > 0)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("units", [1.0, 25.0, 390.0])
@pytest.mark.parametrize(("rate", "workers"), [(1, 100), (60, 100)])
def test_the_rate_of_an_act(rate: float, workers: int, units: float) -> None:
    check_rate(drive(Act((("write_rate", rate),), workers, units, keys=3_000), seconds=25), "write_units", rate)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("world", "unit", "workers"),
    [
        (Listing(None, 3_000, 50), "read_units", 9),
        (Retrofit((("read_rate", 3_000),), 100), "read_units", 9),
        (Retrofit((("write_rate", 60),), 100), "write_units", 31),
        # As many as keep the rate with a put of 400 units each. A rate of 60 would leave one.
        (Act((("write_rate", 4_000),), 100), "write_units", 6),
    ],
    ids=["listing", "retrofit reads", "retrofit writes", "act"],
)
def test_workers_begin_one_after_the_other(world: Any, unit: str, workers: int) -> None:
    consumed = drive(world, seconds=0.6)
    first: dict[int, float] = {}
    for taken in consumed.taken:
        if getattr(taken, unit):
            first.setdefault(taken.worker, taken.at)
    assert len(first) == consumed.plan.workers == workers
    assert all(at == pytest.approx(PAGE_SECONDS * worker / workers, abs=0.03) for worker, at in first.items())


# Acts over items of 390 KB, which nobody knows of until a write to them is billed.


LARGEST = 390.0


@pytest.mark.sampled(3)
@pytest.mark.parametrize("lost", [0, 3])
@pytest.mark.parametrize("large", [1, 2, 20, 400])
@pytest.mark.parametrize("workers", [1, 30])
@pytest.mark.parametrize(
    "bound",
    [("max_write_units", 100.0), ("max_write_units", 8_000.0), ("max_write_units", 500_000.0), ("max_dollars", 0.003)],
)
def test_a_budget_is_exceeded_by_large_items_by_no_more_than_the_plan_states(
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
    consumed = drive(Act((("write_rate", 600.0),), 1), seconds=8.0)
    assert sum(taken.write_units for taken in consumed.taken) > 0.95 * 600 * 8
