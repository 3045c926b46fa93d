"""DescribeTable's document, read once."""

import re
from dataclasses import fields, replace
from typing import Any

import pytest

from skipscan import form
from skipscan.copy.planning import new_table
from skipscan.dynamodb.capacity import gentle_write_rate
from skipscan.dynamodb.delivery import check_followed, reader_warnings
from skipscan.dynamodb.prices import US_EAST_1, Price, Prices
from skipscan.dynamodb.table_description import TableDescription, TableIdentity
from skipscan.errors import TableError
from skipscan.listing.execution_input import parse
from skipscan.listing.plan import plan_listing, resumed
from tests.refusal import refused

PROJECTION = {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["note", "state"]}
CREATED: dict[str, Any] = {
    "TableName": "Orders",
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [
        {"AttributeName": "day", "AttributeType": "B"},
        {"AttributeName": "pk", "AttributeType": "S"},
        {"AttributeName": "sk", "AttributeType": "N"},
    ],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    "LocalSecondaryIndexes": [
        {
            "IndexName": "local",
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "day", "KeyType": "RANGE"}],
            "Projection": PROJECTION,
        }
    ],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "global",
            "KeySchema": [{"AttributeName": "day", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "KEYS_ONLY"},
        }
    ],
}


def described(**more: Any) -> TableDescription:
    return TableDescription.from_json({**CREATED, **more})


def test_a_table_created_from_its_description_is_described_alike() -> None:
    assert new_table(described(), "Orders", default_key=None) == CREATED


def test_vector_indexes_are_known_by_name_and_are_no_indexes_to_list_through() -> None:
    vectors = [{"IndexName": "by-meaning", "Dimensions": 256, "VectorAttribute": {"AttributeName": "v"}}]
    table = described(VectorIndexes=vectors)
    assert table.vector_indexes == ("by-meaning",)
    assert table.indexes == described().indexes
    assert described().vector_indexes == ()


OURS = TableIdentity("arn:aws:dynamodb:us-east-1:111111111111:table/Orders", "one")
THEIRS = replace(OURS, arn=OURS.arn.replace("111111111111", "222222222222"))


def test_another_account_s_table_is_refused_though_its_id_were_the_same() -> None:
    with refused(TableError, "run a", rule=f"^belongs to table {OURS.arn}; this is table {THEIRS.arn}$"):
        OURS.check(THEIRS, "run a")


@pytest.mark.parametrize(("before", "now"), [("one", "two"), ("", "two"), ("one", "")])
def test_a_table_that_was_created_again_is_refused_with_both_ids(before: str, now: str) -> None:
    with refused(TableError, "run a", rule=rf"\(TableId {before or 'unknown'}, now {now or 'unknown'}\)"):
        replace(OURS, table_id=before).check(replace(OURS, table_id=now), "run a")


STREAM = "arn:aws:dynamodb:us-east-1:111111111111:table/Orders/stream/2026-01-01T00:00:00.000"


def table(stream: str | None, status: str = "ACTIVE") -> TableDescription:
    document: dict[str, Any] = {
        "TableName": "Orders",
        "TableStatus": status,
        "KeySchema": [],
        "AttributeDefinitions": [],
    }
    if stream:
        document |= {"LatestStreamArn": stream, "StreamSpecification": {"StreamEnabled": True}}
    return TableDescription.from_json(document)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (table(None), "has no stream"),
        (table(f"{STREAM}1"), f"has a new stream; the environment follows {STREAM}$"),
        (table(STREAM, "DELETING"), "is being deleted"),
    ],
)
def test_any_other_is_refused_with_what_is_wrong(found: TableDescription, said: str) -> None:
    with refused(TableError, 'table "Orders"', rule=f"^{said}"):
        check_followed(found, STREAM)


TABLE = TableDescription.from_json({"TableName": "Orders", "AttributeDefinitions": [], "KeySchema": []})
GLOBAL = replace(TABLE, is_global=True)


def test_two_readers_leave_no_room_for_a_trigger_of_the_user_s_own() -> None:
    (warning,) = reader_warnings(TABLE, {"Orders": ["keeper", "copy"], "Others": []})
    assert '"Orders" is read by 2 functions of this environment (keeper, copy)' in warning
    assert "a trigger of your own would be the third" in warning


def test_one_reader_leaves_room_unless_the_table_is_global() -> None:
    assert reader_warnings(TABLE, {"Orders": ["keeper"]}) == []
    (warning,) = reader_warnings(GLOBAL, {"Orders": ["keeper"]})
    assert "global table" in warning


# The default rate of a job: a quarter of the capacity of the table it reads, or of the smallest it writes.


ON_DEMAND = {"BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"}}


def provisioned(read: int, write: int) -> dict[str, Any]:
    return {"ProvisionedThroughput": {"ReadCapacityUnits": read, "WriteCapacityUnits": write}}


def maximum(read: int, write: int) -> dict[str, Any]:
    return {"OnDemandThroughput": {"MaxReadRequestUnits": read, "MaxWriteRequestUnits": write}, **provisioned(0, 0)}


def table_of_capacity(
    own: dict[str, Any], of_index: dict[str, Any] | None = None, kind: str = "Global"
) -> TableDescription:
    keys = [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]
    index = {"IndexName": "by-it", "IndexStatus": "ACTIVE", "KeySchema": keys, **(of_index or {})}
    return TableDescription.from_json(
        {
            "TableStatus": "ACTIVE",
            "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
            "KeySchema": keys,
            f"{kind}SecondaryIndexes": [index],
            **own,
        }
    )


@pytest.mark.parametrize("own", [provisioned(400, 80), ON_DEMAND | maximum(400, 80)])
def test_a_local_index_has_its_table_s_rate_planned_or_resumed(own: dict[str, Any]) -> None:
    described = table_of_capacity(own, kind="Local")
    begun = plan_listing(parse({"table": "Orders", "index": "by-it"}), described)
    assert begun.max_read_units_per_second == 100
    again = parse({"table": "Orders", "resume": "first"})
    assert resumed(begun, again, described).max_read_units_per_second == 100


@pytest.mark.parametrize(
    ("own", "of_index", "rate"),
    [
        (provisioned(400, 80), provisioned(40, 8), 2),
        (provisioned(400, 8), provisioned(40, 80), 2),
        (provisioned(400, 80), {}, 20),
        (ON_DEMAND | provisioned(0, 0), provisioned(0, 0), None),
        (ON_DEMAND | maximum(400, 80), maximum(40, 8), 2),
        (ON_DEMAND | maximum(-1, -1), maximum(40, 8), 2),
        (ON_DEMAND | maximum(400, 80), maximum(-1, -1), 20),
        # Leftovers of another billing mode set no limit.
        (ON_DEMAND | provisioned(400, 80), provisioned(40, 8), None),
    ],
)
def test_the_scarcest_of_table_and_global_indexes_bounds_a_writing_job(
    own: dict[str, Any], of_index: dict[str, Any], rate: float | None
) -> None:
    assert gentle_write_rate(table_of_capacity(own, of_index)) == rate


# Prices are per million, and none is without its date and source.


PRICES: list[Price] = [getattr(US_EAST_1, f.name) for f in fields(US_EAST_1) if f.name != "region"]


@pytest.mark.parametrize("price", PRICES)
def test_every_price_has_its_month_and_its_source(price: Price) -> None:
    assert price.dollars_per_million > 0
    assert re.fullmatch(r"20\d\d-\d\d", price.as_of)
    assert price.source


def test_a_price_that_a_newer_stack_has_too_is_no_fault() -> None:
    document = form.write(US_EAST_1)
    assert Prices.of_any_version({**document, "newer": document["s3_puts"]}) == US_EAST_1
