"""What a batch over items may begin: its pages keep the rate and the budget, and learn from what items took."""

from dataclasses import replace
from typing import Any

import pytest

from skipscan.copy.item import HandOver
from skipscan.dynamodb.step import WRITTEN, Answer, Conflict, Get, Write
from skipscan.items.lane import Lane
from skipscan.items.sizes import Size, Sizes
from skipscan.pace.bill import Spending
from skipscan.pace.bounds import Bounds, Clock
from skipscan.pace.ledger import Ledger, Reserved
from skipscan.retrofit.item import RetrofitCounts
from skipscan.retrofit.plan import RetrofitPlan
from skipscan.scan.cursor import Cursor
from tests.fakes.small_table import item, retrofit_plan

NOTHING: Any = None
LANE = Lane(Cursor(0), NOTHING)
WRITE, GET = Write("T", item("1"), sets={}), Get("T", item("1"))


class Trial:
    """The sizes of a batch, and its ledger."""

    def __init__(self, plan: RetrofitPlan) -> None:
        clock = Clock(lambda: 0.0)
        of_worker = (0, Spending(), RetrofitCounts())
        self.ledger = Ledger(plan.limits, *of_worker, bounds=Bounds(), clock=clock, random=lambda: 1.0)
        self.sizes = Sizes(plan, self.ledger)

    def page(self, *, is_written: bool = True) -> tuple[int, float]:
        """Return the most items of the next page, and the read units expected of it."""
        page, size = self.sizes.page(LANE, 0, is_written=is_written)
        return page.limit, size.booking.units

    def begin(self, size: Size) -> bool:
        return size.account.reserve(size.booking, 0.0) is Reserved.YES

    def begun(self, step: object) -> int:
        """Return how many such steps may be under way at once, up to ten."""
        return sum(self.begin(self.sizes.step(step, 0)) for _ in range(10))


def reading_at(units_per_second: float) -> RetrofitPlan:
    plan = retrofit_plan(1)
    return replace(plan, reading=replace(plan.reading, max_read_units_per_second=units_per_second))


def reading_within(read_units: float) -> RetrofitPlan:
    plan = retrofit_plan(1)
    return replace(plan, reading=replace(plan.reading, max_read_units=read_units))


@pytest.mark.parametrize(("item_bytes", "items"), [(100.0, 1000), (4096.0, 64), (300_000.0, 1)])
def test_a_page_has_256_kb_at_most_1000_items_and_at_least_one(item_bytes: float, items: int) -> None:
    plan = retrofit_plan(1)
    known = replace(plan, reading=replace(plan.reading, item_bytes=item_bytes))
    assert Trial(known).page()[0] == items


def test_pages_become_smaller_when_writes_turn_out_expensive() -> None:
    """A page holds what the worker may write in two seconds."""
    trial = Trial(retrofit_plan(1, max_write_units_per_second=100.0))
    assert (trial.sizes.step(WRITE, 0).booking.units, trial.page()[0]) == (1.0, 200)
    for _ in range(4):
        trial.sizes.learn(Answer(WRITTEN, write_units=9.0))
        trial.sizes.learn(Answer(Conflict(None), write_units=90.0))
    assert trial.sizes.step(WRITE, 0).booking.units == 5.0, "what the plan expects counts as four writes"
    assert trial.page()[0] == 40
    assert trial.page(is_written=False)[0] > 200, "a pass that only reads does not wait for writes"


def test_a_page_takes_at_most_half_of_the_read_units_that_are_left() -> None:
    for is_written in (True, False):
        limit, units = Trial(reading_within(20.0)).page(is_written=is_written)
        assert units <= 10.0 < units / limit * (limit + 1)


def test_a_page_takes_at_most_four_tenths_of_a_second_of_the_read_rate() -> None:
    limit, units = Trial(reading_at(10.0)).page(is_written=False)
    assert units <= 4.0 < units / limit * (limit + 1)


def test_a_write_reserves_the_most_that_the_plan_or_its_item_expects() -> None:
    within = retrofit_plan(1, max_write_units=6.0)
    assert Trial(within).begun(WRITE) == 6
    assert Trial(replace(within, most_units_per_write=2.0)).begun(WRITE) == 3
    assert Trial(replace(within, units_per_write=3.0)).begun(WRITE) == 2
    assert Trial(within).begun(HandOver(item("1"))) == 10, "a step that is no request to DynamoDB"


@pytest.mark.parametrize(("step", "most"), [(GET, "read"), (WRITE, "write")])
def test_there_is_room_for_a_request_while_one_unit_of_its_kind_is_left(step: object, most: str) -> None:
    for left, has_room in ((1.0, True), (0.75, False)):
        trial = Trial(reading_within(left) if most == "read" else retrofit_plan(1, max_write_units=left))
        assert trial.ledger.has_room(trial.sizes.step(step, 0).least) is has_room
