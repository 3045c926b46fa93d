"""What a batch over items may begin: its pages keep the rate and the budget, and learn from what items took."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from skipscan.items.allowance import Allowance
from skipscan.items.walk import LookAtItem, OnItem, ReadPage, WriteItem
from skipscan.pace.bounds import Bounds, Clock
from skipscan.retrofit.batch import RetrofitProgress
from skipscan.retrofit.plan import RetrofitPlan
from tests.fakes.small_table import retrofit_plan


def allowance(plan: RetrofitPlan) -> Allowance:
    progress = RetrofitProgress(0)
    return Allowance(plan, progress, bounds=Bounds(), clock=Clock(lambda: 0.0), random=lambda: 1.0)


def page(units: float, limit: int = 10) -> ReadPage:
    walk: Any = SimpleNamespace(segment=0)
    return ReadPage(walk, 0, 0, None, limit, units)


def reading_at(units_per_second: float) -> RetrofitPlan:
    plan = retrofit_plan(1)
    return replace(plan, reading=replace(plan.reading, max_read_units_per_second=units_per_second))


def test_a_page_waits_until_the_one_before_is_paid_off() -> None:
    allowed = allowance(reading_at(10.0))
    assert allowed.page_wait_seconds(0, 0.0) == 0.0
    asked = page(5.0)
    assert allowed.begin(asked, 0.0)
    allowed.settle(asked, read_units=5.0, items=10)
    assert allowed.page_wait_seconds(0, 0.0) == pytest.approx(0.5)
    assert allowed.page_wait_seconds(0, 0.5) == 0.0


@pytest.mark.parametrize(("item_bytes", "items"), [(100.0, 1000), (4096.0, 64), (300_000.0, 1)])
def test_a_page_has_256_kb_at_most_1000_items_and_at_least_one(item_bytes: float, items: int) -> None:
    plan = retrofit_plan(1)
    known = replace(plan, reading=replace(plan.reading, item_bytes=item_bytes))
    assert allowance(known).page_size(is_written=True)[0] == items


def test_pages_become_smaller_when_items_turn_out_large() -> None:
    allowed = allowance(reading_at(1_000.0))
    before, _ = allowed.page_size(is_written=False)
    asked = page(1.0)
    assert allowed.begin(asked, 0.0)
    allowed.settle(asked, read_units=500.0, items=10)
    after, units = allowed.page_size(is_written=False)
    assert after < before / 10
    assert units <= 400.0, "four tenths of a second of the rate"


def test_pages_become_smaller_when_writes_turn_out_expensive() -> None:
    """A page holds what the worker may write in two seconds."""
    allowed = allowance(retrofit_plan(1, max_write_units_per_second=100.0))
    assert (allowed.write_units, allowed.page_size(is_written=True)[0]) == (1.0, 200)
    for _ in range(4):
        allowed.written(9.0)
    assert allowed.write_units == 5.0, "what the plan expects counts as four writes"
    assert allowed.page_size(is_written=True)[0] == 40
    assert allowed.page_size(is_written=False)[0] > 200, "a pass that only reads does not wait for writes"


def test_a_page_for_which_the_budget_has_no_room_does_not_begin_whatever_the_rate() -> None:
    allowed = allowance(retrofit_plan(1, max_dollars=2e-6))  # 16 read units
    first, second = page(10.0, limit=1), page(10.0, limit=1000)
    assert allowed.begin(first, 0.0)
    assert not allowed.begin(second, 0.0)


def reading_within(read_units: float) -> RetrofitPlan:
    plan = retrofit_plan(1)
    return replace(plan, reading=replace(plan.reading, max_read_units=read_units))


def about(kind: type[OnItem[Any]], units: float) -> OnItem[Any]:
    walk: Any = SimpleNamespace(segment=0)
    return kind(walk, None, "step", units)


def begun(plan: RetrofitPlan, request: OnItem[Any]) -> int:
    """Return how many such requests may be under way at once, up to ten."""
    allowed = allowance(plan)
    return sum(allowed.begin(request, 0.0) for _ in range(10))


def test_a_page_takes_at_most_half_of_the_read_units_that_are_left() -> None:
    for is_written in (True, False):
        limit, units = allowance(reading_within(20.0)).page_size(is_written=is_written)
        assert units <= 10.0 < units / limit * (limit + 1)


def test_a_page_holds_at_most_half_of_the_items_that_the_write_units_left_suffice_for() -> None:
    allowed = allowance(retrofit_plan(1, max_write_units=100.0))
    assert allowed.page_size(is_written=True)[0] == 50
    assert allowed.page_size(is_written=False)[0] == allowance(retrofit_plan(1)).page_size(is_written=False)[0] > 50
    expensive = replace(retrofit_plan(1, max_write_units=100.0), units_per_write=5.0)
    assert allowance(expensive).page_size(is_written=True)[0] == 10


def test_a_page_takes_at_most_four_tenths_of_a_second_of_the_read_rate() -> None:
    limit, units = allowance(reading_at(10.0)).page_size(is_written=False)
    assert units <= 4.0 < units / limit * (limit + 1)


def test_a_write_reserves_the_most_that_the_plan_or_its_item_expects() -> None:
    within = retrofit_plan(1, max_write_units=6.0)
    assert begun(within, about(WriteItem, 1.0)) == 6
    assert begun(replace(within, most_units_per_write=2.0), about(WriteItem, 1.0)) == 3
    assert begun(within, about(WriteItem, 3.0)) == 2
    assert begun(within, about(WriteItem, 0.0)) == 10, "an item that needs no write"


def test_a_look_reserves_the_read_units_of_the_largest_item() -> None:
    """400 KB, strongly consistent: a read unit for 4 KB."""
    assert begun(reading_within(250.0), about(LookAtItem, 1.0)) == 2
    assert begun(retrofit_plan(1, max_write_units=1.0), about(LookAtItem, 1.0)) == 10


@pytest.mark.parametrize(("kind", "most"), [(LookAtItem, "read"), (WriteItem, "write")])
def test_there_is_room_for_a_request_while_one_unit_of_its_kind_is_left(kind: type[OnItem[Any]], most: str) -> None:
    for left, has_room in ((1.0, True), (0.75, False)):
        plan = reading_within(left) if most == "read" else retrofit_plan(1, max_write_units=left)
        assert allowance(plan).has_room(about(kind, 1.0)) is has_room
        assert allowance(plan).has_room(about(kind, 0.0))
