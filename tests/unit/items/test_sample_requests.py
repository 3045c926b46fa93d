"""A job's sample of items never takes what a budget does not allow, and nothing is read where the budget is refused."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from skipscan.aws.answer import CutAnswerError
from skipscan.aws.bucket import Bucket
from skipscan.copy import input as copying
from skipscan.copy.planning import CopyPlanning
from skipscan.dynamodb.page import STEP_BYTES, most_page_units
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.dynamodb.table_description import TableDescription
from skipscan.dynamodb.write_units import item_bytes
from skipscan.errors import BatchError, InputError
from skipscan.items.heads import ITEMS, SampleBudget
from skipscan.items.plan import ItemPlan
from skipscan.items.sample_requests import sample_items
from skipscan.loop.allotment import PLAN, PlanAttempt
from skipscan.loop.begin import Planning
from skipscan.loop.results import Results
from skipscan.loop.work import ExecutionId
from skipscan.retrofit import input as retrofitting
from skipscan.retrofit.kind import RETROFIT
from skipscan.retrofit.planning import RetrofitPlanning
from tests.fakes.handlers.execution import BUCKET
from tests.fakes.s3 import FakeS3
from tests.fakes.small_table import DESCRIPTION, copy_plan, item, retrofit_plan
from tests.refusal import refused

EXECUTION = ExecutionId("arn:aws:states:us-east-1:1:execution:skipscan-dev:job-1", "job-1", "2026-01-01T00:00:00Z")
LARGE, SMALL = 390_000, 200


@dataclass
class Table:
    """A table that has no end, of items of these sizes in turn. `read_units`: of each page.

    `fails`: raises instead of the answer, after the page was read.
    """

    sizes: tuple[int, ...]
    items: int = 100_000
    read_units: list[float] = field(default_factory=list)
    fails: Callable[[], object] = lambda: None

    def scan(self, **asked: Any) -> dict[str, Any]:
        found: list[Any] = []
        page_bytes = 0
        while len(found) < min(asked["Limit"], self.items) and page_bytes < 1 << 20:
            size = self.sizes[len(found) % len(self.sizes)]
            found.append(item(str(len(found)), a="x", b="y", body="z" * size))
            page_bytes += item_bytes(found[-1])
        units = 0.5 * -(-page_bytes // STEP_BYTES)
        self.read_units.append(units)
        self.fails()
        more = {} if len(found) == self.items else {"LastEvaluatedKey": {"id": found[-1]["id"]}}
        return {"Items": found, "ConsumedCapacity": {"CapacityUnits": units}, **more}


def stored() -> Results:
    client: Any = FakeS3(BUCKET)
    return Results(Bucket(client, BUCKET), RETROFIT.layout("skipscan", "Audit", "job-1"))


def attempted(results: Results | None = None, name: str = "attempt") -> PlanAttempt:
    return PlanAttempt(results or stored(), name)


def described(items: int, size: int) -> TableDescription:
    return TableDescription.from_json({**DESCRIPTION, "ItemCount": items, "TableSizeBytes": items * size})


def planning(kind: str, table: Table, description: TableDescription, **budget: float) -> Planning[Any]:
    client: Any = table
    if kind == "retrofit":
        asked = retrofitting.parse_retrofit({"table": "Audit", "set": {"made": "{a}-{b}"}, "dry_run": False, **budget})
        return RetrofitPlanning(asked, description, True, US_EAST_1, client, [])
    copy = copying.parse_copy({"table": "Audit", "to": "Audit-2", "dry_run": False, **budget})
    return CopyPlanning(
        copy, description, copy_plan().replica, description, True, US_EAST_1, client, [], lambda replica: None
    )


SIZES = [(SMALL,), (LARGE,), (SMALL, LARGE), (SMALL,) * 9 + (LARGE,) * 9]
ITEM_UNITS = most_page_units(0.5, 1)
BUDGETS = {"max_write_units": (100.0, 390.0), "max_read_units": (80.0, 97.0), "max_dollars": (0.0004, 0.001)}
"""Of items of 390 KB: too small, and enough."""


@pytest.mark.parametrize("kind", ["retrofit", "copy"])
@pytest.mark.parametrize("name", BUDGETS)
def test_a_budget_that_is_too_small_for_the_described_items_is_refused_before_anything_is_read(
    kind: str, name: str
) -> None:
    table, (less, enough) = Table((LARGE,)), BUDGETS[name]
    with refused(InputError, name, less, rule="needs at least "):
        planning(kind, table, described(1_000, LARGE), **{name: less}).planned(EXECUTION, attempted())
    assert table.read_units == []
    plan, _ = planning(kind, table, described(1_000, LARGE), **{name: enough}).planned(EXECUTION, attempted())
    assert 0 < plan.sampled_units == sum(table.read_units)


@pytest.mark.parametrize("kind", ["retrofit", "copy"])
@pytest.mark.parametrize("name", ["max_write_units", "max_read_units"])
def test_a_budget_that_only_the_items_show_to_be_too_small_is_refused_after_one_of_them(kind: str, name: str) -> None:
    """DescribeTable's figures are hours old: here it has not counted anything yet."""
    table = Table((LARGE,))
    with refused(InputError, name, BUDGETS[name][0], rule="needs at least "):
        planning(kind, table, described(0, 0), **{name: BUDGETS[name][0]}).planned(EXECUTION, attempted())
    assert len(table.read_units) == 1
    assert table.read_units[0] < 50


def test_the_share_of_keys_to_compare_follows_the_sample_where_describe_table_has_counted_nothing() -> None:
    plan, document = planning("copy", Table((SMALL,)), described(0, 0)).planned(EXECUTION, attempted())
    assert plan.compared_share == pytest.approx(1_000 / document["explanation"]["items"])
    assert plan.compared_share < 1


def budgeted(**budget: float) -> ItemPlan:
    plan = retrofit_plan(16, 1)
    reading = replace(plan.reading, max_read_units=budget.get("max_read_units"), max_dollars=budget.get("max_dollars"))
    return replace(plan, reading=reading, max_write_units=budget.get("max_write_units"))


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("budget", [0.5, 10.0, 40.0, 60.0, 130.0, 1_000.0, 20_000.0])
def test_a_sample_takes_a_twentieth_of_the_budget_or_an_item_more_and_never_more_than_it_declares_first(
    sizes: tuple[int, ...], budget: float
) -> None:
    results, table = stored(), Table(sizes)
    sampled = sample_items(table, budgeted(max_read_units=budget), 1, attempted(results))  # type: ignore[arg-type]
    ((_, declared),) = results.declared(PLAN)
    assert sampled.read_units == sum(table.read_units) <= declared.read_units <= budget + ITEM_UNITS + 1
    assert sampled.read_units <= max(budget, table.read_units[0])
    assert sum(table.read_units[:-1]) <= 0.05 * budget
    assert sampled.items


@pytest.mark.parametrize("budget", [{"max_write_units": 40.0}, {"max_dollars": 0.00005}])
def test_a_sample_takes_a_twentieth_of_a_budget_of_writes_or_dollars(budget: dict[str, float]) -> None:
    """A write unit costs as much as five read units."""
    table = Table((SMALL,))
    sampled = sample_items(table, budgeted(**budget), 1, attempted())  # type: ignore[arg-type]
    assert len(sampled.items) >= 2
    assert sampled.read_units <= 20.0


def test_a_sample_of_a_large_enough_budget_is_the_same_as_without_one() -> None:
    free, bounded = Table((SMALL,)), Table((SMALL,))
    without = sample_items(free, budgeted(), 1, attempted())  # type: ignore[arg-type]
    within = sample_items(bounded, budgeted(max_read_units=5_000), 1, attempted())  # type: ignore[arg-type]
    assert bounded.read_units == [0.5, *free.read_units]
    assert (without.items, without.segments) == (within.items, within.segments)


@pytest.mark.parametrize(("rate", "items"), [(0.1, 1), (10.0, 8), (100.0, 80), (None, ITEMS)])
def test_a_page_of_a_sample_takes_what_the_rate_of_the_job_gives_a_page(rate: float | None, items: int) -> None:
    plan = budgeted()
    plan = replace(plan, reading=replace(plan.reading, item_bytes=4096.0, max_read_units_per_second=rate))
    assert SampleBudget(plan, attempted()).limit == items


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "sleep", lambda seconds: None)


@pytest.mark.parametrize("kind", ["retrofit", "copy"])
@pytest.mark.parametrize("end", [CutAnswerError, KeyboardInterrupt])
@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("budget", [60.0, 400.0])
def test_attempts_that_are_lost_at_any_page_sample_within_one_budget(
    kind: str, end: type[BaseException], sizes: tuple[int, ...], budget: float
) -> None:
    """Those that declare nothing at their end, because the function was killed, count with what they declared first."""
    results, read, draws = stored(), [], random.Random(1)
    for number in range(20):
        pages = iter(range(draws.randint(0, 6)))

        def die(pages: Iterator[int] = pages) -> None:
            if next(pages, None) is None:
                raise end

        table, attempt = Table(sizes, fails=die), attempted(results, f"attempt{number}")
        with suppress(end, BatchError, InputError), attempt if number % 2 else nullcontext():
            planning(kind, table, described(0, 0), max_read_units=budget).planned(EXECUTION, attempt)
        read += table.read_units
        assert attempted(results, "next").sampled_units() >= sum(read)
    assert 0 < sum(read) <= budget + ITEM_UNITS


@pytest.mark.parametrize("kind", ["retrofit", "copy"])
def test_what_failed_attempts_took_is_part_of_the_plan(kind: str) -> None:
    results, table = stored(), Table((LARGE,), items=3)
    for number in range(3):
        with suppress(MemoryError), attempted(results, f"attempt{number}") as attempt:
            planning(kind, table, described(0, 0), max_read_units=1_000.0).planned(EXECUTION, attempt)
            raise MemoryError
    plan, document = planning(kind, table, described(0, 0), max_read_units=1_000.0).planned(
        EXECUTION, attempted(results, "last")
    )
    whole, own = sum(table.read_units), sum(table.read_units) / 4
    assert whole <= plan.sampled_units < whole + 3
    assert document["explanation"]["sample"]["read_units"] == own


def test_answers_that_are_lost_count_with_the_most_that_they_can_have_taken() -> None:
    lost = [CutAnswerError("cut")] * 2

    def lose() -> None:
        if lost:
            raise lost.pop()

    table, attempt = Table((SMALL,), fails=lose), attempted()
    sampled = sample_items(table, budgeted(max_read_units=20_000.0), 1, attempt)  # type: ignore[arg-type]
    assert attempt.read_units == attempt.sampled_units() == sampled.read_units + ITEM_UNITS + most_page_units(0.5)


@pytest.mark.parametrize("kind", ["retrofit", "copy"])
def test_a_plan_shows_the_warnings_about_its_table_and_then_those_about_the_job(kind: str) -> None:
    slow = planning(kind, Table((SMALL,)), described(10**9, SMALL), max_write_units_per_second=1.0)
    _, shown = replace(slow, warnings=["of the stream", "of an index"]).planned(EXECUTION, attempted())  # type: ignore[call-arg]
    *about_table, about_job = shown["explanation"]["warnings"]
    assert about_table == ["of the stream", "of an index"]
    assert "expected to take 11,574 days" in about_job
