"""Work that is resumed at a lower rate keeps its workers, and keeps that rate over any ten seconds, too."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from skipscan.dynamodb.prices import US_EAST_1
from skipscan.dynamodb.table_description import TableDescription
from skipscan.retrofit.input import RetrofitInput
from tests.fakes.small_table import DESCRIPTION
from tests.simulation.money.driver import Consumed, drive, planned
from tests.simulation.money.test_whole_run import LARGE, SIZES, check_rate
from tests.simulation.money.work import Act, Listing, Retrofit

pytestmark = pytest.mark.slow

FIRST_SECONDS, AGAIN = 0.2, 100.0


def resumed(world: Any, slower: Any, seconds: float = 20.0, lost: int = 0) -> Consumed:
    """Return what the resumed work consumes, after an execution of a fifth of a second and a pause."""
    first = drive(world, seconds=FIRST_SECONDS)
    assert first.taken
    first.taken.clear()
    return drive(slower, lost=lost, seconds=seconds, begun=first, start=AGAIN)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("index", [None, "local", "global"], ids=["table", "local index", "global index"])
@pytest.mark.parametrize("sort_key", [True, False], ids=["skips", "pages"])
@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("rate", [0.5, 10, 40])
@pytest.mark.parametrize("lost", [0, 3])
def test_of_a_listing(index: str | None, sort_key: bool, sizes: dict[str, Any], rate: float, lost: int) -> None:
    case = Listing(None, 8_000, 100, sort_key or index == "local", index=index, **sizes)
    slower = case.resumed(rate)
    assert case.plan.workers == slower.plan.workers == case.plan.limits.at_once > slower.plan.limits.at_once
    check_rate(resumed(case, slower, lost=lost), "read_units", rate)


@pytest.mark.parametrize("index", [None, "local", "global"], ids=["table", "local index", "global index"])
def test_workers_of_one_page_follow_each_other_when_their_pages_are_paid_off(index: str | None) -> None:
    """Without the wait for the worker before it, each of 23 workers reads its only page at once."""
    case = Listing(None, 8_000, 23, item_bytes=LARGE, index=index, keys=1)
    slower = case.resumed(1)
    consumed = drive(slower, seconds=4_000)
    assert sorted(consumed.ended) == list(range(23))
    assert sum(taken.read_units for taken in consumed.taken) == 23 * 146.5
    check_rate(consumed, "read_units", 1)
    gaps = [after.at - before.at for before, after in zip(consumed.taken, consumed.taken[1:], strict=False)]
    assert all(
        146.5 <= gap <= 148.5 for gap in gaps
    )  # as long as a page is worth, and its answer, its turn, a whole second


def test_as_many_workers_run_at_once_as_a_rate_allows() -> None:
    case = Listing(None, 8_000, 100)
    at_once = {rate: case.resumed(rate).plan.limits.at_once for rate in (0.5, 356, 357, 714, 8_000, None)}
    assert at_once == {0.5: 1, 356: 1, 357: 2, 714: 3, 8_000: 23, None: 23}


def slower_act(act: Act, rate: float) -> Any:
    return planned(act, replace(act.plan, max_units_per_second=rate).checked())


def slower_retrofit(field: str) -> Callable[[Retrofit, float], Any]:
    def slower(job: Retrofit, rate: float) -> Any:
        table = TableDescription.from_json(DESCRIPTION)
        asked = RetrofitInput(table="Audit", templates={}, resume="begun", **{field: rate})  # type: ignore[arg-type]
        return planned(job, job.plan.resumed(asked, table, table, US_EAST_1))

    return slower


@pytest.mark.parametrize(
    ("job", "unit", "slower"),
    [
        (Act((("write_rate", 3_000),), 8, 25.0, keys=3_000), "write_units", slower_act),
        (
            Retrofit((("write_rate", 3_000),), 8, item_bytes=LARGE),
            "write_units",
            slower_retrofit("max_write_units_per_second"),
        ),
        (
            Retrofit((("read_rate", 3_000),), 8, item_bytes=LARGE),
            "read_units",
            slower_retrofit("max_read_units_per_second"),
        ),
    ],
    ids=["act", "retrofit, writes", "retrofit, reads"],
)
@pytest.mark.parametrize("rate", [2, 40])
def test_of_a_job_that_writes(job: Any, unit: str, slower: Callable[[Any, float], Any], rate: float) -> None:
    again = slower(job, rate)
    assert job.plan.workers == job.plan.limits.at_once == again.plan.workers > again.plan.limits.at_once
    check_rate(resumed(job, again), unit, rate)
