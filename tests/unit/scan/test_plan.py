"""The bounds of a plan: the requested ones, what dollars buy, and a quarter of the provisioned capacity."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan import form
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import InputError, TableError
from skipscan.listing.execution_input import parse
from skipscan.listing.plan import plan_listing, resumed
from skipscan.pace.bill import Bill, amounts, around
from skipscan.scan.plan import Plan, choose, segment_at, segments_of_worker
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


def test_a_worker_walks_fewer_segments_where_long_keys_would_fill_its_state() -> None:
    """A cursor of an index has the keys of both, 6,144 bytes at most, and takes half as much more in 96 KiB."""
    names = ("pk", "sk", "of", "at")
    keys = [{"AttributeName": "of", "KeyType": "HASH"}, {"AttributeName": "at", "KeyType": "RANGE"}]
    table = {
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in names],
        "GlobalSecondaryIndexes": [{**INDEX, "KeySchema": keys}],
    }
    assert (planned(table).walks, planned(table, index="by-day").walks) == (16, 10)


UP_TO_5: dict[str, Any] = {"take": {"count": {"up_to": 5}}}


@pytest.mark.parametrize(("asked", "lookups"), [({}, 0), ({"since": "a"}, 1), ({"since": "a", "strategy": "page"}, 0)])
def test_a_count_needs_a_query_for_a_page_only_where_a_range_is_skipped_to(asked: dict[str, Any], lookups: int) -> None:
    assert planned({}, **UP_TO_5, **asked).page_lookups == lookups


@pytest.mark.parametrize(("take", "is_used_up"), [({}, False), ({"take": {"last": ["total"]}}, True)])
def test_a_budget_is_used_up_that_has_no_room_for_a_page_and_its_query(take: dict[str, Any], is_used_up: bool) -> None:
    limits = planned({}, max_read_units=10, **take).limits
    assert limits.are_spent(amounts(US_EAST_1, 9.5)) is is_used_up


@pytest.mark.parametrize(
    ("asked", "projected"),
    [
        ({}, ("pk",)),  # which is all that an environment may allow: docs/permissions.md, "Keys alone"
        ({"since": "a"}, ("pk", "sk")),  # a page shows which of its keys are in the range
        ({"take": {"first": ["total"]}}, ("pk", "sk", "total")),
        ({"take": {"count": {}}}, ("pk",)),
    ],
)
def test_a_page_brings_no_more_than_the_lines_rest_on(asked: dict[str, Any], projected: tuple[str, ...]) -> None:
    assert planned({}, **asked).projected == projected


def test_plan_and_finish_take_theirs_of_a_budget_in_dollars_before_it_is_shared() -> None:
    shared = planned({}, segments=8, workers=4, max_dollars=1)
    around_it = Bill.of(US_EAST_1, 0, 0, around(4, 4)).total
    assert 4 * shared.limits.worker_budget.dollars + around_it == pytest.approx(1)


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


def test_what_a_source_cannot_do_is_refused() -> None:
    with refused(InputError, "consistent_read", True, "consistent_read index", index="by-day"):
        planned(GLOBAL, index="by-day", consistent_read=True)
    assert planned(LOCAL, index="by-place", consistent_read=True).consistent_read
    with refused(InputError, "strategy", "skip", "strategy"):
        planned(GLOBAL, index="by-day", strategy="skip")
    with refused(InputError, "strategy", "skip", "strategy"):
        planned(PLAIN, strategy="skip")


def test_a_plan_states_what_it_lists_and_how() -> None:
    decided = planned({**PROVISIONED, **LOCAL}, index="by-place", optimize="speed", format="csv", consistent_read=True)
    stated = {"table": "Orders", "identity": form.write(decided.identity), "index": "by-place", "format": "csv"}
    stated |= {"partition_key": [{"name": "pk", "type": "S"}], "sort_key": 2 * [{"name": "sk", "type": "S"}]}
    stated |= {"strategy": "skip", "optimize": "speed", "consistent_read": True}
    assert decided.stated == {**stated, **dict.fromkeys(("take", "level", "range", "only"))}


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


COUNTS = st.integers(1, 3000)


@given(COUNTS, st.integers(1, 50))
def test_every_segment_belongs_to_one_worker(segments: int, workers: int) -> None:
    visited = [
        segment_at(worker + place * workers, segments)
        for worker in range(workers)
        for place in range(segments_of_worker(worker, workers, segments))
    ]
    assert sorted(visited) == list(range(segments))


def test_numbers_follow_the_size_where_it_is_known() -> None:
    assert choose(None, None, 0) == (16, 1)
    assert choose(None, None, 1000) == (1, 1)
    assert choose(None, None, 20 << 20) == (9, 1)  # 5,120 steps, of which the root is 72
    assert choose(None, None, 1 << 30) == (16, 1)
    assert choose(None, None, 10**12) == (3726, 4)
    assert choose(None, None, 10**15)[1] == 16


def test_from_far_away_there_are_more_for_more_walks() -> None:
    assert choose(None, 1, 0, walks=128) == (128, 1)
    assert choose(None, 1, 1000, walks=128) == (1, 1)
    assert choose(None, 1, 20 << 20, walks=128) == (27, 1)
    assert choose(None, 1, 1 << 30, walks=128) == (128, 1)
    assert choose(None, 1, 10**12, walks=128)[0] == choose(None, 1, 10**12)[0]


def test_a_second_worker_comes_with_the_first_segment_or_unit_that_is_too_many() -> None:
    assert choose(None, None, 1024 << 28) == (1024, 1)
    assert choose(None, None, (1024 << 28) + 1) == (1025, 2)
    assert choose(None, None, 10**13, read_units_per_second=500)[1] == 1
    assert choose(None, None, 10**13, read_units_per_second=501)[1] == 2
