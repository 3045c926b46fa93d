"""What a batch over items may begin: its pages keep the rate and the budget, and learn from what items took."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from skipscan.items.allowance import Allowance
from skipscan.items.walk import ItemProgress, ReadPage
from skipscan.pace.bounds import Bounds, Clock
from skipscan.retrofit.batch import RetrofitCounts
from skipscan.retrofit.plan import RetrofitPlan
from tests.fakes.small_table import retrofit_plan


def allowance(plan: RetrofitPlan) -> Allowance:
    progress = ItemProgress(0, RetrofitCounts())
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
