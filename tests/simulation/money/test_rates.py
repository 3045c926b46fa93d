"""A rate holds over any ten seconds from the first on, also that of work which is resumed at a lower one."""

from dataclasses import replace
from typing import Any

import pytest

from skipscan.pace.rate import PAGE_SECONDS
from tests.simulation.money.work import LARGE, SIZES, Act, Copy, Listing, Retrofit, Work
from tests.simulation.money.world import Money, drive, resumed

pytestmark = pytest.mark.slow

RATES: list[tuple[float, Work]] = [
    *(
        (rate, Listing(None, rate, 1000, sort_key, **sizes))
        for rate in (0.5, 10)
        for sort_key in (True, False)
        for sizes in SIZES
    ),
    *((rate, Act((("write_rate", rate),), 100, units)) for rate in (1, 60) for units in (1.0, 25.0, 390.0)),
    *(
        (rate, kind((("read_rate", rate), ("write_rate", rate)), workers, **sizes))
        for kind, rate, workers in ((Retrofit, 2, 100), (Retrofit, 60, 8), (Copy, 5, 8))
        for sizes in SIZES
    ),
]


def check_rate(money: Money, rate: float, *units: str) -> None:
    units = units or ("read_units", "write_units")
    for unit in units:
        assert money.worst_ten_seconds(unit) <= 1.05 * 10 * rate + money.largest(unit)
    assert max(map(money.worst_ten_seconds, units)) > 5 * rate  # and it is made use of


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("rate", "work"), RATES, ids=str)
def test_a_rate_is_kept(rate: float, work: Work) -> None:
    check_rate(drive(work, seconds=25), rate)


@pytest.mark.parametrize("rate", [1.0, 10.0, 600.0])
@pytest.mark.parametrize("workers", [1, 30])
def test_a_rate_is_kept_where_all_items_are_larger_than_expected(rate: float, workers: int) -> None:
    check_rate(drive(Act((("write_rate", rate),), workers, keys=3_000, large=1), seconds=25), rate)


@pytest.mark.parametrize("rate", [1.0, 10.0, 60.0])
@pytest.mark.parametrize("large", [7, 50])
def test_a_rate_is_exceeded_once_by_the_requests_under_way_when_a_worker_meets_its_first_large_item(
    rate: float, large: int
) -> None:
    money, largest = drive(Act((("write_rate", rate),), 1, keys=3_000, large=large), seconds=100, threads=16), 390.0
    under_way = 1 + min(15.0, 0.5 * rate)
    assert money.worst_ten_seconds("write_units") <= 10.5 * rate + largest * (1 + under_way / large)
    met = next(taken.at for taken in money.taken if taken.write_units == largest)
    assert money.worst_ten_seconds("write_units", after=met + 1.0) <= 10.5 * rate + largest


def test_small_items_are_put_at_the_whole_rate() -> None:
    money = drive(Act((("write_rate", 600.0),), 1), seconds=2.0)
    assert money.amounts.write_units > 0.95 * 600 * 2


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("work", "unit", "workers"),
    [
        (Listing(None, 3_000, 50), "read_units", 9),
        (Retrofit((("read_rate", 3_000),), 100), "read_units", 9),
        (Retrofit((("write_rate", 60),), 100), "write_units", 31),
        # As many as keep the rate with a put of 400 units each. A rate of 60 would leave one.
        (Act((("write_rate", 4_000),), 100), "write_units", 6),
    ],
    ids=str,
)
def test_workers_begin_one_after_the_other(work: Work, unit: str, workers: int) -> None:
    money = drive(work, seconds=0.6)
    first: dict[int, float] = {}
    for taken in money.taken:
        if getattr(taken, unit):
            first.setdefault(taken.worker, taken.at)
    assert len(first) == work.plan.workers == workers
    assert all(at == pytest.approx(PAGE_SECONDS * worker / workers, abs=0.03) for worker, at in first.items())


# Work that is resumed at a lower rate keeps its workers.


@pytest.mark.sampled(7)
@pytest.mark.parametrize("index", [None, "local", "global"])
@pytest.mark.parametrize("sort_key", [True, False], ids=["skips", "pages"])
@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("rate", [0.5, 10, 40])
@pytest.mark.parametrize("lost", [0, 6])
def test_a_listing_that_is_resumed_keeps_its_lower_rate(
    index: str | None, sort_key: bool, sizes: dict[str, Any], rate: float, lost: int
) -> None:
    listing = Listing(None, 8_000, 100, sort_key or index == "local", index=index, **sizes)
    slower = listing.resumed(rate)
    assert listing.plan.workers == slower.plan.workers == listing.plan.limits.at_once > slower.plan.limits.at_once
    money = resumed(listing, slower, lost=lost)
    check_rate(money, rate)
    assert bool(money.lost_at) is bool(lost)


@pytest.mark.parametrize("index", [None, "global"])
def test_workers_of_one_page_follow_each_other_when_their_pages_are_paid_off(index: str | None) -> None:
    """Without the wait for the worker before it, each of 23 workers reads its only page at once."""
    slower = Listing(None, 8_000, 23, item_bytes=LARGE, index=index, keys=1).resumed(1)
    money = drive(slower, seconds=4_000)
    assert money.ended == [*range(23)]
    assert sum(taken.read_units for taken in money.taken) == 23 * 146.5
    gaps = [after.at - before.at for before, after in zip(money.taken, money.taken[1:], strict=False)]
    assert all(
        146.5 <= gap <= 148.5 for gap in gaps
    )  # as long as a page is worth, and its answer, its turn, a whole second


def test_as_many_workers_run_at_once_as_a_rate_allows() -> None:
    listing = Listing(None, 8_000, 100)
    at_once = {rate: listing.resumed(rate).plan.limits.at_once for rate in (0.5, 356, 357, 714, 8_000, None)}
    assert at_once == {0.5: 1, 356: 1, 357: 2, 714: 3, 8_000: 23, None: 23}


@pytest.mark.parametrize("rate", [2, 40])
@pytest.mark.parametrize("unit", ["read", "write"])
def test_a_retrofit_that_is_resumed_keeps_its_lower_rate(unit: str, rate: float) -> None:
    work = Retrofit(((f"{unit}_rate", 3_000),), 8, item_bytes=LARGE)
    again = work.resumed(**{f"max_{unit}_units_per_second": rate})
    assert work.plan.workers == work.plan.limits.at_once == again.plan.workers > again.plan.limits.at_once
    check_rate(resumed(work, again), rate, f"{unit}_units")


@pytest.mark.parametrize("rate", [2, 40])
def test_an_act_that_is_resumed_keeps_its_lower_rate(rate: float) -> None:
    work = Act((("write_rate", 3_000),), 8, 25.0, keys=3_000)
    again = work.with_plan(replace(work.plan, max_units_per_second=rate).checked())
    assert work.plan.workers == work.plan.limits.at_once == again.plan.workers > again.plan.limits.at_once
    check_rate(resumed(work, again), rate)
