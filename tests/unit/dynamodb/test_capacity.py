"""The default rate of a job: a quarter of the capacity of the table it reads, or of the smallest it writes."""

from typing import Any

import pytest

from skipscan.dynamodb.capacity import gentle_write_rate, served_read_units, served_write_units
from skipscan.dynamodb.table_description import TableDescription
from skipscan.listing.execution_input import parse
from skipscan.listing.plan import plan_listing, resumed

ON_DEMAND = {"BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"}}


def provisioned(read: int, write: int) -> dict[str, Any]:
    return {"ProvisionedThroughput": {"ReadCapacityUnits": read, "WriteCapacityUnits": write}}


def maximum(read: int, write: int) -> dict[str, Any]:
    return {"OnDemandThroughput": {"MaxReadRequestUnits": read, "MaxWriteRequestUnits": write}, **provisioned(0, 0)}


def table(own: dict[str, Any], of_index: dict[str, Any] | None = None, kind: str = "Global") -> TableDescription:
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
    described = table(own, kind="Local")
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
    assert gentle_write_rate(table(own, of_index)) == rate


def warm(read: int, write: int) -> dict[str, Any]:
    return {"WarmThroughput": {"ReadUnitsPerSecond": read, "WriteUnitsPerSecond": write, "Status": "ACTIVE"}}


@pytest.mark.parametrize(
    ("own", "of_index", "reads", "of_index_reads", "writes"),
    [
        (ON_DEMAND, {}, 12_000, 12_000, 4_000),
        (ON_DEMAND | warm(30_000, 9_000), warm(20_000, 7_000), 30_000, 20_000, 7_000),
        (ON_DEMAND | warm(30_000, 9_000), {}, 30_000, 12_000, 4_000),
        (provisioned(400, 80) | warm(12_000, 4_000), provisioned(40, 8) | warm(12_000, 4_000), 400, 40, 4_000),
    ],
)
def test_a_table_serves_what_describe_table_says_and_else_what_a_new_one_does(
    own: dict[str, Any], of_index: dict[str, Any], reads: float, of_index_reads: float, writes: float
) -> None:
    described = table(own, of_index)
    assert served_read_units(described.throughput) == reads
    assert served_read_units(described.index("by-it").throughput) == of_index_reads
    assert served_write_units(described) == writes
