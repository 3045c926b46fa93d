"""Requests that the service refuses, so that our own mistakes do not pass the tests."""

from dataclasses import dataclass
from typing import Any

import pytest
from botocore.exceptions import ClientError

from skipscan.aws.faults import fault
from skipscan.dynamodb.attribute_value import MAXIMUM
from skipscan.pace.pace import Fault
from tests.engines.conformance import sample
from tests.engines.conformance.engine import Engine, refused
from tests.engines.conformance.walking import pages, skip_scan
from tests.fakes.attribute_value import KeyType
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.tables import KEY_TYPES

TEXT = {"S": "text"}
TABLE_KEY = {"pk": TEXT, "sk": TEXT}
WRONG: dict[str, dict[str, Any]] = {
    "start-key-empty": {"ExclusiveStartKey": {}},
    "start-key-lacks-sort-key": {"ExclusiveStartKey": {"pk": TEXT}},
    "start-key-of-other-name": {"ExclusiveStartKey": {"pk": TEXT, "other": TEXT}},
    "start-key-with-more": {"ExclusiveStartKey": {**TABLE_KEY, "other": TEXT}},
    "start-key-of-other-type": {"ExclusiveStartKey": {"pk": TEXT, "sk": {"N": "1"}}},
    "start-key-with-empty-value": {"ExclusiveStartKey": {"pk": TEXT, "sk": {"S": ""}}},
    "start-key-too-long": {"ExclusiveStartKey": {"pk": TEXT, "sk": {"S": "x" * 1025}}},
    "start-key-lacks-key-of-local": {"ExclusiveStartKey": TABLE_KEY, "IndexName": "local"},
    "start-key-lacks-key-of-global": {"ExclusiveStartKey": TABLE_KEY, "IndexName": "global"},
    "start-key-lacks-key-of-table": {"ExclusiveStartKey": {"gsi_pk": TEXT, "gsi_sk": TEXT}, "IndexName": "global"},
    "start-key-of-other-type-in-global": {
        "ExclusiveStartKey": {**TABLE_KEY, "gsi_pk": TEXT, "gsi_sk": {"B": b"x"}},
        "IndexName": "global",
    },
    "index-unknown": {"IndexName": "no-such-index"},
    "global-index-consistent": {"IndexName": "global", "ConsistentRead": True},
    "placeholder-without-names": {"ProjectionExpression": "#a"},
    "placeholder-undefined": {"ProjectionExpression": "#a", "ExpressionAttributeNames": {"#b": "pk"}},
    "placeholder-unused": {"ProjectionExpression": "#a", "ExpressionAttributeNames": {"#a": "pk", "#b": "sk"}},
    "projection-twice": {"ProjectionExpression": "#a, #b", "ExpressionAttributeNames": {"#a": "pk", "#b": "pk"}},
    "names-without-projection": {"ExpressionAttributeNames": {"#a": "pk"}},
    "count-of-projection": {
        "ProjectionExpression": "#a",
        "ExpressionAttributeNames": {"#a": "pk"},
        "Select": "COUNT",
    },
    "specific-attributes-of-nothing": {"Select": "SPECIFIC_ATTRIBUTES"},
}


@pytest.mark.refused_by_aws
@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_request_is_refused(engine: Engine, case: str) -> None:
    table = sample.loaded(engine, "S", "S")
    assert refused(engine, TableName=table.name, **WRONG[case])


def test_an_unknown_table_is_not_found(engine: Engine) -> None:
    assert refused(engine, "ResourceNotFoundException", TableName="no-such-table")


# Attribute names of any kind, as long as they travel in ExpressionAttributeNames.


NAMES = ("name", "a.b", "a-b", "#k", ":v", "a[0]", "with space", "Größe", "鍵", "🔑", "0")


@pytest.mark.parametrize("name", NAMES)
def test_any_attribute_name_is_scanned_and_skipped(engine: Engine, name: str) -> None:
    table = TableDefinition(f"name-{NAMES.index(name)}", KeySchema.of((name, "S"), (f"{name}.order", "N")))
    engine.load(
        table,
        [
            {name: {"S": text}, f"{name}.order": {"N": str(n)}, "a": {"M": {"b": {"S": "nested"}}}}
            for text in ("x", "y", "z")
            for n in range(3)
        ],
    )
    projection: dict[str, Any] = {"ProjectionExpression": "#k", "ExpressionAttributeNames": {"#k": name}}
    found = [item for page in pages(engine, TableName=table.name, Limit=2, **projection) for item in page["Items"]]
    assert sorted(item[name]["S"] for item in found) == [*"xxxyyyzzz"]
    assert all(item.keys() == {name} for item in found)
    assert sorted(skip_scan(engine, table, **projection)) == [(b"x",), (b"y",), (b"z",)]


# The greatest keys, behind which nothing sorts, and what tells one table from another.


LONGEST: dict[str, Any] = {"S": "a" * 2048, "N": MAXIMUM["N"]["N"], "B": bytes(2048)}
BEHIND: dict[str, Any] = {"S": MAXIMUM["S"]["S"] + "a", "N": "1E+126", "B": MAXIMUM["B"]["B"] + b"\0"}


def keys(kind: KeyType) -> TableDefinition:
    return TableDefinition(f"keys-{kind}", KeySchema.of(("pk", kind), ("sk", kind)))


@pytest.mark.refused_by_aws
@pytest.mark.parametrize("kind", KEY_TYPES)
def test_nothing_sorts_behind_the_greatest_keys(engine: Engine, kind: KeyType) -> None:
    table, key = keys(kind), dict[str, Any](pk={kind: LONGEST[kind]}, sk=MAXIMUM[kind])
    engine.load(table, [])
    engine.put(table.name, key)
    assert engine.client.get_item(TableName=table.name, Key=key)["Item"].keys() == key.keys()
    engine.delete(table.name, key)
    too_long = [{**key, "sk": {kind: BEHIND[kind]}}]
    if kind != "N":
        too_long.append({**key, "pk": {kind: LONGEST[kind] * 2}})
    for each in too_long:
        for call, asked in (engine.client.put_item, {"Item": each}), (engine.client.get_item, {"Key": each}):
            with pytest.raises(ClientError) as refused:
                call(TableName=table.name, **asked)
            assert refused.value.response["Error"]["Code"] == "ValidationException"


def test_two_tables_have_two_ids(engine: Engine) -> None:
    for kind in ("S", "N"):
        engine.load(keys(kind), [])
    ids = [engine.describe(keys(kind).name).get("TableId") for kind in ("S", "N", "S")]
    assert ids[0] == ids[2] != ids[1]
    assert all(ids)


# How DynamoDB refuses requests when a table's throughput is used up.


REQUESTS = 60
"""Of 20 read units each: several times what five minutes of the capacity have saved up."""


@dataclass(frozen=True)
class Slow(TableDefinition):
    """A table of one read unit a second, on demand or provisioned."""

    on_demand: bool = True

    def request(self) -> dict[str, Any]:
        if self.on_demand:
            return {**super().request(), "OnDemandThroughput": {"MaxReadRequestUnits": 1}}
        throughput = {"ReadCapacityUnits": 1, "WriteCapacityUnits": 10}
        return {**super().request(), "BillingMode": "PROVISIONED", "ProvisionedThroughput": throughput}


@pytest.mark.parametrize("on_demand", [True, False], ids=["on-demand", "provisioned"])
def test_a_table_above_its_throughput_says_why(engine: Engine, on_demand: bool) -> None:
    table = Slow(f"slow-{on_demand}", KeySchema.of(("pk", "S"), ("sk", "N")), on_demand=on_demand)
    engine.load(
        table, [{"pk": {"S": "a"}, "sk": {"N": str(number)}, "body": {"B": bytes(4056)}} for number in range(20)]
    )
    with pytest.raises(ClientError) as refused:
        _read(engine, table.name)
    response: Any = refused.value.response
    assert fault(refused.value) in (Fault.CAPACITY, Fault.KEY_RANGE)
    assert response["ThrottlingReasons"]


def _read(engine: Engine, table: str) -> None:
    for _ in range(REQUESTS):
        engine.scan(TableName=table, ConsistentRead=True)
