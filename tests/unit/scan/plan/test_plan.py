"""The bounds of a plan: the requested ones, what dollars buy, and a quarter of the provisioned capacity."""

from dataclasses import replace
from math import inf
from typing import Any

import pytest

from skipscan import form
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import InputError, TableError
from skipscan.listing.execution_input import parse
from skipscan.listing.plan import plan_listing, resumed
from skipscan.pace.bill import Amounts, Bill, amounts, around
from skipscan.scan.plan import Plan
from tests.refusal import refused

PROVISIONED = {"ProvisionedThroughput": {"ReadCapacityUnits": 400, "WriteCapacityUnits": 5}}
ON_DEMAND = {"BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"}, **PROVISIONED}
MAXIMUM = {**ON_DEMAND, "OnDemandThroughput": {"MaxReadRequestUnits": 80}}
INDEX = {
    "IndexName": "by-day",
    "IndexStatus": "ACTIVE",
    "KeySchema": [{"AttributeName": "sk", "KeyType": "HASH"}],
    "ProvisionedThroughput": {"ReadCapacityUnits": 40},
}
PLAIN = {"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}


def described(table: dict[str, Any]) -> TableDescription:
    document = {
        "TableStatus": "ACTIVE",
        "AttributeDefinitions": [
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "sk", "AttributeType": "S"},
        ],
        "KeySchema": [
            {"AttributeName": "pk", "KeyType": "HASH"},
            {"AttributeName": "sk", "KeyType": "RANGE"},
        ],
        **table,
    }
    return TableDescription.from_json(document)


def planned(table: dict[str, Any], **asked: Any) -> Plan:
    return plan_listing(parse({"table": "Orders", **asked}), described(table))


@pytest.mark.parametrize(
    ("table", "asked", "rate"),
    [
        ({}, {}, None),
        (ON_DEMAND, {}, None),
        (PROVISIONED, {}, 100),
        (PROVISIONED, {"max_read_units_per_second": 300}, 300),
        ({**PROVISIONED, "GlobalSecondaryIndexes": [INDEX]}, {"index": "by-day"}, 10),
        ({**ON_DEMAND, "GlobalSecondaryIndexes": [INDEX]}, {"index": "by-day"}, None),
        ({**ON_DEMAND, "OnDemandThroughput": {"MaxReadRequestUnits": 80}}, {}, 20),
    ],
)
def test_provisioned_capacity_is_used_by_a_quarter(table: dict[str, Any], asked: dict[str, Any], rate: Any) -> None:
    assert planned(table, **asked).max_read_units_per_second == rate


@pytest.mark.parametrize(
    ("take", "counts", "collects"),
    [
        (None, False, False),
        ({"first": "all"}, False, False),
        ({"count": {}}, True, False),
        ({"items": "all"}, False, True),
    ],
)
def test_a_run_reads_on_in_a_group_to_count_its_items_or_to_take_them_all(
    take: dict[str, Any] | None, counts: bool, collects: bool
) -> None:
    plan = planned({}, **({} if take is None else {"take": take}))
    assert (plan.counts, plan.collects, plan.reads_on) == (counts, collects, counts or collects)


@pytest.mark.parametrize(
    ("asked", "projected"),
    [
        ({}, ("pk",)),
        ({"since": "a"}, ("pk", "sk")),  # a page shows which of its keys are in the range
        ({"take": {"first": ["total"]}}, ("pk", "sk", "total")),
        ({"take": {"first": "all"}}, None),
        ({"take": {"count": {}}}, ("pk",)),
        ({"take": {"count": {}}, "since": "a"}, ("pk", "sk")),
    ],
)
def test_a_page_brings_what_the_lines_rest_on(asked: dict[str, Any], projected: tuple[str, ...] | None) -> None:
    assert planned({}, **asked).projected == projected


@pytest.mark.parametrize(
    ("table", "asked", "lookups"),
    [
        ({}, {}, 0),
        ({}, {"take": {"first": "all"}}, 0),
        ({}, {"take": {"last": "all"}}, 1),
        (PLAIN, {"take": {"last": "all"}}, 0),  # the only item of its collection is also its last
        ({}, {"take": {"count": {}}}, 0),
        ({}, {"take": {"count": {}}, "since": "a"}, 1),
        ({}, {"take": {"count": {}}, "since": "a", "strategy": "page"}, 0),
        ({}, {"take": {"items": "all"}}, 0),
        ({}, {"take": {"items": "all"}, "since": "a"}, 1),
        ({}, {"take": {"items": "all", "order": "descending"}}, 1),
    ],
)
def test_a_page_takes_one_item_and_a_query_for_what_it_may_not_show(
    table: dict[str, Any], asked: dict[str, Any], lookups: int
) -> None:
    decided = planned(table, **asked)
    assert decided.page_lookups == lookups
    assert decided.limits.least == amounts(decided.prices, 0.5 * (1 + lookups))


def test_a_budget_is_in_units_and_in_dollars_of_the_whole_bill() -> None:
    assert planned({}).limits.budget == Amounts(inf, inf, inf)
    assert planned({}, max_read_units=5000, max_dollars=1).limits.budget == Amounts(5000, inf, 1)


def test_workers_share_rate_and_budget() -> None:
    shared = planned({}, segments=8, workers=4, max_read_units_per_second=4000, max_read_units=100_000)
    assert (shared.limits.worker_reads, shared.limits.worker_budget.read_units) == (1000, 25_000)


def test_plan_and_finish_take_theirs_of_a_budget_in_dollars_before_it_is_shared() -> None:
    shared = planned({}, segments=8, workers=4, max_dollars=1)
    around_it = Bill.of(US_EAST_1, 0, 0, around(4, 4)).total
    assert 4 * shared.limits.worker_budget.dollars + around_it == pytest.approx(1)


def test_provisioned_capacity_costs_nothing_more() -> None:
    assert planned(ON_DEMAND | {"ProvisionedThroughput": {}}).prices.read_units == US_EAST_1.read_units
    assert planned(PROVISIONED).prices.read_units.of(1_000_000) == 0
    assert planned(PROVISIONED).prices.transitions == US_EAST_1.transitions


@pytest.mark.parametrize(
    ("asked", "workers", "overrun"),
    [
        ({"max_read_units": 0.5}, 1, 178.5),
        ({"max_read_units": 14_280}, 4, 714),
        ({"max_read_units": 14_280, "consistent_read": True}, 2, 714),
        ({"max_read_units": 1e6}, 50, 50 * 178.5),
        ({"max_read_units_per_second": 0.5}, 1, None),
        ({"max_read_units_per_second": 1072}, 4, None),
        ({"max_read_units_per_second": 1072, "consistent_read": True}, 2, None),
        ({"max_read_units_per_second": 40_000}, 50, None),
    ],
)
def test_workers_are_as_few_as_hold_rate_and_budget_with_the_largest_page_each(
    asked: dict[str, Any], workers: int, overrun: float | None
) -> None:
    decided = planned({}, segments=50, workers=50, **asked)
    assert (decided.workers, decided.limits.overrun.get("read_units")) == (workers, overrun)


def test_a_budget_too_small_for_one_page_is_refused_with_the_least_that_makes_sense() -> None:
    sized = {"ItemCount": 10, "TableSizeBytes": 2_000_000}
    cause = "a run over table .* needs at least 24.5, because a page of one item takes"
    with refused(InputError, "max_read_units", 24, rule=cause):
        planned(sized, max_read_units=24)
    assert planned(sized, max_read_units=24.5).max_read_units == 24.5
    with refused(InputError, "max_dollars", 0.0001, rule=r"a run over table .* needs at least 0.00039"):
        planned({}, max_dollars=0.0001)


GLOBAL = {"GlobalSecondaryIndexes": [INDEX]}
LOCAL = {
    "LocalSecondaryIndexes": [
        {
            "IndexName": "by-place",
            "ItemCount": 10,
            "IndexSizeBytes": 300,
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        }
    ]
}


@pytest.mark.parametrize("status", ["CREATING", "DELETING", "ARCHIVED", None])
def test_a_table_that_is_not_there_yet_or_any_more_is_refused(status: str | None) -> None:
    with refused(TableError, 'table "Orders"'):
        planned({"TableStatus": status})
    assert planned({"TableStatus": "UPDATING"}).source.table == "Orders"


def test_an_index_that_is_being_made_is_refused() -> None:
    made = {"GlobalSecondaryIndexes": [{**INDEX, "IndexStatus": "CREATING"}]}
    with refused(TableError, 'index "by-day"'):
        planned(made, index="by-day")
    assert planned(LOCAL, index="by-place").source.index == "by-place"


def test_what_a_source_cannot_do_is_refused() -> None:
    with refused(InputError, "consistent_read", True, "consistent_read index", index="by-day"):
        planned(GLOBAL, index="by-day", consistent_read=True)
    assert planned(LOCAL, index="by-place", consistent_read=True).consistent_read
    with refused(InputError, "strategy", "skip", "strategy"):
        planned(GLOBAL, index="by-day", strategy="skip")
    with refused(InputError, "strategy", "skip", "strategy"):
        planned(PLAIN, strategy="skip")


@pytest.mark.parametrize(
    ("table", "asked", "strategy"),
    [
        ({}, {}, "skip"),
        ({}, {"strategy": "auto"}, "skip"),
        ({}, {"strategy": "page"}, "page"),
        ({}, {"strategy": "skip"}, "skip"),
        (PLAIN, {}, "page"),
        (GLOBAL, {"index": "by-day"}, "page"),
    ],
)
def test_skips_wherever_that_can_be_done(table: dict[str, Any], asked: dict[str, Any], strategy: str) -> None:
    decided = planned(table, **asked)
    assert decided.strategy == strategy
    assert decided.skips is (strategy == "skip")


@pytest.mark.parametrize(
    ("table", "asked", "item_bytes"),
    [
        ({}, {}, 0.0),
        ({"ItemCount": 0, "TableSizeBytes": 0}, {}, 0.0),
        ({"ItemCount": 4, "TableSizeBytes": 1000}, {}, 250.0),
        ({"ItemCount": 4, "TableSizeBytes": 1000, **LOCAL}, {"index": "by-place"}, 30.0),
        ({"ItemCount": 4, "TableSizeBytes": 1000, **GLOBAL}, {"index": "by-day"}, 0.0),
    ],
)
def test_the_average_item_is_that_of_what_is_listed(table: Any, asked: dict[str, Any], item_bytes: float) -> None:
    assert planned(table, **asked).item_bytes == item_bytes


def test_a_local_index_has_its_tables_capacity() -> None:
    assert planned({**PROVISIONED, **LOCAL}, index="by-place").max_read_units_per_second == 100


@pytest.mark.parametrize(("asked", "step_units"), [({}, 0.5), ({"consistent_read": True}, 1.0)])
def test_four_kilobytes_cost_half_a_unit_or_a_whole_one(asked: dict[str, Any], step_units: float) -> None:
    assert planned({}, **asked).step_units == step_units


@pytest.mark.parametrize(
    ("table", "asked", "walks"), [({}, {}, 16), (LOCAL, {"index": "by-place"}, 16), (GLOBAL, {"index": "by-day"}, 10)]
)
def test_open_cursors_fit_into_state(table: Any, asked: dict[str, Any], walks: int) -> None:
    """A cursor takes at most one and a half times its keys: 3 KB of a table, 4 of a local index, 6 of a global one."""
    decided = planned(table, **asked)
    assert decided.walks == walks
    assert decided.walks * decided.source.key_bytes * 1.5 <= 96 * 1024


def test_unset_bounds_bound_nothing() -> None:
    decided = planned({}, segments=8, workers=4)
    assert (decided.limits.worker_reads, decided.limits.worker_budget.read_units) == (None, inf)


def test_a_plan_states_what_it_lists() -> None:
    decided = planned({**PROVISIONED, **GLOBAL}, index="by-day", optimize="speed", format="csv")
    assert (decided.table, decided.tables) == ("Orders", {"Orders": decided.identity})
    assert decided.stated == {
        "table": "Orders",
        "identity": form.write(decided.identity),
        "index": "by-day",
        "partition_key": [{"name": "sk", "type": "S"}],
        "sort_key": [],
        "format": "csv",
        "strategy": "page",
        "optimize": "speed",
        "consistent_read": False,
        "take": None,
        "level": None,
        "range": None,
    }
    assert planned({}).stated["sort_key"] == [{"name": "sk", "type": "S"}]


def test_a_resumed_run_keeps_its_plan_and_takes_the_new_bounds() -> None:
    first = planned({**PROVISIONED, **GLOBAL}, index="by-day", segments=9, max_read_units=7)
    asked = parse({"table": "Orders", "resume": "run-1", "max_read_units_per_second": 3, "max_dollars": 1})
    description = described({**PROVISIONED, **GLOBAL})
    again = resumed(first, asked, description)
    assert again == replace(first, max_read_units_per_second=3, max_read_units=None, max_dollars=1)
    gentle = resumed(first, parse({"table": "Orders", "resume": "run-1"}), description)
    assert (gentle.max_read_units_per_second, gentle.max_read_units) == (10, None)
    with refused(TableError, 'table "Orders"'):
        resumed(first, asked, replace(description, status="DELETING"))


@pytest.mark.parametrize("index", [None, "by-day", "by-place"], ids=["table", "global index", "local index"])
@pytest.mark.parametrize(
    ("table", "rate"),
    [
        (PROVISIONED, {None: 100, "by-day": 10, "by-place": 100}),
        (MAXIMUM, {None: 20, "by-day": 15, "by-place": 20}),
        (ON_DEMAND, {None: None, "by-day": None, "by-place": None}),
    ],
    ids=["provisioned", "on demand with a maximum", "on demand"],
)
def test_a_resumed_run_has_the_rate_of_a_new_one_from_the_capacity_of_what_it_reads(
    table: dict[str, Any], rate: dict[str | None, float | None], index: str | None
) -> None:
    by_day = {**INDEX, "OnDemandThroughput": {"MaxReadRequestUnits": 60}} if table is MAXIMUM else INDEX
    described_now = described({**table, **LOCAL, "GlobalSecondaryIndexes": [by_day]})
    asked = {"table": "Orders"} if index is None else {"table": "Orders", "index": index}
    first = plan_listing(parse({**asked, "max_read_units_per_second": 1}), described_now)
    again = resumed(first, parse({"table": "Orders", "resume": "run-1"}), described_now)
    assert (
        again.max_read_units_per_second
        == plan_listing(parse(asked), described_now).max_read_units_per_second
        == rate[index]
    )


def test_a_run_is_not_resumed_while_its_index_is_made_again() -> None:
    table: dict[str, Any] = {**ON_DEMAND, "GlobalSecondaryIndexes": [{**INDEX}]}
    first, asked = planned(table, index="by-day"), parse({"table": "Orders", "resume": "run-1"})
    assert resumed(first, asked, described(table)).source == first.source
    table["GlobalSecondaryIndexes"][0]["IndexStatus"] = "CREATING"
    with refused(TableError, 'index "by-day"', rule="CREATING"):
        resumed(first, asked, described(table))


def test_a_run_over_other_keys_is_not_resumed() -> None:
    first = planned({})
    with refused(TableError, 'table "Orders"'):
        resumed(first, parse({"table": "Orders", "resume": "run-1"}), described(PLAIN))
    table = resumed(first, parse({"table": "Orders", "resume": "run-1"}), described(PROVISIONED))
    assert table.max_read_units_per_second == 100
