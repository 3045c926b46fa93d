"""The bounds of a job over items, and what its pages and writes count as."""

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from skipscan import form
from skipscan.copy.item import CopyOutcome, HandOver
from skipscan.copy.kind import COPY
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import Get, Write
from skipscan.dynamodb.table_description import TableDescription
from skipscan.dynamodb.write_units import WriteUnits
from skipscan.errors import InputError
from skipscan.items.forecast import ItemForecast, Sampled
from skipscan.items.job import Size
from skipscan.items.kind import listed_line
from skipscan.items.lane import SegmentLane
from skipscan.items.mark import MARK, home, is_of, of_job, of_keeper
from skipscan.items.progress import ItemPosition, ItemResult
from skipscan.pace.bounds import Bounds, Clock
from skipscan.pace.ledger import Ledger, Reserved
from skipscan.pace.pace import Fault
from skipscan.pace.progress import Progress
from skipscan.retrofit.item import RetrofitCounts, RetrofitJob, RetrofitOutcome
from skipscan.retrofit.kind import RETROFIT
from skipscan.retrofit.plan import RetrofitPlan
from skipscan.scan.cursor import Cursor
from tests.fakes.small_table import copy_plan, item, retrofit_plan
from tests.refusal import refused


def test_the_bounds_of_a_job_are_fields_of_its_input() -> None:
    """A status names those that an input had, for they are to be raised."""
    plan = retrofit_plan(max_write_units=7.0, max_dollars=3.0)
    plan = replace(plan, reading=replace(plan.reading, max_read_units=5.0))
    assert plan.bounds == {"max_write_units": 7.0, "max_read_units": 5.0, "max_dollars": 3.0}


@pytest.mark.parametrize(("item_bytes", "units"), [(0.0, 1.0), (1024.0, 1.0), (1500.0, 2.0), (4096.0, 4.0)])
def test_a_budget_for_less_than_a_write_of_the_described_size_is_refused_before_the_sample(
    item_bytes: float, units: float
) -> None:
    def described(max_write_units: float) -> float:
        plan = retrofit_plan(max_write_units=max_write_units)
        return replace(plan, reading=replace(plan.reading, item_bytes=item_bytes)).described(3.0).sampled_units

    assert described(units) == 3.0, "the sample itself is not paid for yet"
    # What it names is what a sample of such items asks for: writes are rounded up.
    named = rf"at least {units:g}, because a write takes about that many, DescribeTable"
    with refused(InputError, "max_write_units", units * 0.9, rule=named):
        described(units * 0.9)


# What jobs over items write about an item, and what their manifests say of each worker.


@pytest.mark.parametrize("outcome", [RetrofitOutcome.LACKING, CopyOutcome.MISSING])
def test_a_listed_item_is_a_line_with_its_key_its_problem_and_the_reason(
    outcome: RetrofitOutcome | CopyOutcome,
) -> None:
    key: Item = {"id": {"S": "Größe\n"}, "part": {"B": b"\x00\xff"}, "day": {"N": "1.50"}}
    line = listed_line(ItemResult(key, outcome, "action is lacking", seen={**key, "secret": {"S": "s"}}))
    assert (line.count(b"\n"), line.endswith(b"}\n")) == (1, True)
    assert json.loads(line) == {
        "key": {"id": {"S": "Größe\n"}, "part": {"B": "AP8="}, "day": {"N": "1.50"}},
        "problem": str(outcome),
        "reason": "action is lacking",
    }


# What a dry run states of a job over items, from what it is expected to write and consume.


def test_a_dry_run_states_amounts_to_a_tenth_and_the_bounds_as_they_are() -> None:
    plan = retrofit_plan(8, 2, verify=True, max_write_units_per_second=25.0, max_write_units=1_000.0)
    plan = replace(plan, reading=replace(plan.reading, max_read_units_per_second=40.0))
    sample, units = Sampled((), 0, ended=True, read_units=0.0), WriteUnits({"table": 3.29218}, 4.0)
    forecast = ItemForecast(sample, items=90, items_are="counted", size_bytes=0.0, units=units)
    stated = forecast.explained(plan, writes=30.0, more_read_units=4.3456, recovery=None)
    dollars = stated.pop("dollars")
    assert (dollars["read_units"], dollars["write_units"]) == (0.000002, 0.000062)
    assert (list(stated.pop("overrun")), stated.pop("prices")) == (["write_units"], form.write(plan.prices))
    assert stated == {
        **{"table": plan.table, "items": 90, "items_are": "counted", "point_in_time_recovery": None},
        **{"write_units": 98.8, "read_units": 12.3, "minutes": 0.1, "workers": 2, "segments": 8, "verify": True},
        **{"max_read_units_per_second": 40.0, "max_write_units_per_second": 25.0},
    }
    assert replace(forecast, items=0).item_bytes == 0.0, "not known"


def test_the_words_of_a_job_say_what_it_does_to_each_item() -> None:
    made = {"attribute made": "{a}-{b}", "separator in a source": "refuse"}
    retrofit = replace(retrofit_plan(verify=True), removes=("b", "c"))
    compared = {"new table": "arn:target", "comparison only": "yes"}
    assert dict(RETROFIT.requested(retrofit)) == {**made, "removed attributes": "b and c", "final verification": "yes"}
    assert dict(COPY.requested(copy_plan(compare_only=True))) == {**made, **compared, "final verification": "no"}


# A mark says whose an item is, and no two environments or tables have the same.


ARN = "arn:aws:lambda:us-east-1:111111111111:function:skipscan-prod-keeper-Orders"
TABLE = {"TableArn": "arn:aws:dynamodb:us-east-1:111111111111:table/Orders", "TableId": "a"}


def described(document: dict[str, str]) -> TableDescription:
    return TableDescription.from_json({"AttributeDefinitions": [], "KeySchema": [], **document})


HOME = home("prod", ARN, described(TABLE))


def marked(mark: str) -> dict[str, Any]:
    return {"pk": {"S": "p"}, MARK: {"S": mark}}


@pytest.mark.parametrize(
    ("environment", "arn", "table"),
    [
        ("beta", ARN, TABLE),
        ("prod", ARN.replace("1111", "2222"), TABLE),
        ("prod", ARN.replace("us-east-1", "us-east-2"), TABLE),
        ("prod", ARN.replace("arn:aws:", "arn:aws-cn:"), TABLE),
        ("prod", ARN, {**TABLE, "TableArn": f"{TABLE['TableArn']}-2"}),
        ("prod", ARN, {**TABLE, "TableId": "b"}),  # deleted, and created again with the same name
        ("prod", ARN, {"TableArn": TABLE["TableArn"]}),
    ],
)
def test_no_other_environment_or_table_has_it(environment: str, arn: str, table: dict[str, str]) -> None:
    other = home(environment, arn, described(table))
    assert other != HOME
    assert not is_of(HOME, marked(of_keeper(other)))


def test_keeper_and_jobs_of_a_home_know_each_other_s_items() -> None:
    assert is_of(HOME, marked(of_keeper(HOME)))
    assert is_of(HOME, marked(of_job(HOME, "job-1", "2026-01-01T00:00:00Z")))


# What a batch over items may begin: its pages keep the rate and the budget, and learn from what items took.


NOTHING: Any = None
LANE = SegmentLane(Cursor(0), NOTHING)
WRITE, GET = Write("T", item("1"), sets={}), Get("T", item("1"))


class Trial:
    """The sizes of a batch, and its ledger."""

    def __init__(self, plan: RetrofitPlan) -> None:
        clock = Clock(lambda: 0.0)
        progress = Progress(0, ItemPosition(), RetrofitCounts())
        self.ledger = Ledger(plan.limits, progress, bounds=Bounds(), clock=clock, random=lambda: 1.0)
        self.job = RetrofitJob(plan, self.ledger)

    def page(self, *, is_written: bool = True) -> tuple[int, float]:
        """Return the most items of the next page, and the read units expected of it."""
        self.job.number = int(not is_written)
        page, size = self.job.read(LANE)
        return page.limit, size.booking.units

    def begin(self, size: Size) -> bool:
        return size.account.reserve(size.booking, 0.0) is Reserved.YES

    def begun(self, step: object) -> int:
        """Return how many such steps may be under way at once, up to ten."""
        return sum(self.begin(self.size(step)) for _ in range(10))

    def size(self, step: object) -> Size:
        unit: Any = SimpleNamespace(step=step)
        return self.job.size(unit, LANE)


def trial(**reading: Any) -> Trial:
    plan = retrofit_plan(1)
    return Trial(replace(plan, reading=replace(plan.reading, **reading)))


@pytest.mark.parametrize(("item_bytes", "items"), [(100.0, 1000), (4096.0, 64), (300_000.0, 1)])
def test_a_page_has_256_kb_at_most_1000_items_and_at_least_one(item_bytes: float, items: int) -> None:
    assert trial(item_bytes=item_bytes).page()[0] == items


@pytest.mark.parametrize(
    ("reading", "is_written", "most"),
    [
        ({"max_read_units": 20.0}, True, 10.0),
        ({"max_read_units": 20.0}, False, 10.0),
        ({"max_read_units_per_second": 10.0}, False, 4.0),
    ],
)
def test_a_page_takes_at_most_half_of_the_read_units_left_and_four_tenths_of_a_second_of_the_rate(
    reading: dict[str, Any], is_written: bool, most: float
) -> None:
    limit, units = trial(**reading).page(is_written=is_written)
    assert units <= most < units / limit * (limit + 1)


def test_a_write_reserves_the_most_that_the_plan_or_its_item_expects() -> None:
    within = retrofit_plan(1, max_write_units=6.0)
    assert Trial(within).begun(WRITE) == 6
    assert Trial(replace(within, most_units_per_write=2.0)).begun(WRITE) == 3
    assert Trial(replace(within, units_per_write=3.0)).begun(WRITE) == 2
    assert Trial(within).begun(HandOver(item("1"))) == 10, "a step that is no request to DynamoDB"


def test_a_throttled_queue_holds_back_no_write_and_counts_as_no_throttling_of_the_table() -> None:
    made = trial()
    size = made.size(HandOver(item("1")))
    assert made.begin(size)
    assert size.account.fail(size.booking, Fault.CAPACITY)
    assert (size.account.wait_seconds(0.0) > 0, made.size(WRITE).account.wait_seconds(0.0)) == (True, 0.0)
    assert not size.is_of_table
