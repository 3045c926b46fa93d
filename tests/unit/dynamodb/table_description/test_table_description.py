"""DescribeTable's document, read once."""

from typing import Any

import pytest

from skipscan.copy.planning import new_table
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind, TableDescription

PK, SK, DAY = KeyAttribute("pk", "S"), KeyAttribute("sk", "N"), KeyAttribute("day", "B")
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


def test_tells_keys_with_their_types_by_role_not_by_place() -> None:
    table = described()
    assert (table.partition_key, table.sort_key) == ((PK,), (SK,))
    assert table.key_attributes == (DAY, PK, SK)
    local, global_ = table.indexes
    assert (local.kind, local.partition_key, local.sort_key) == (SourceKind.LOCAL_INDEX, (PK,), (DAY,))
    assert (global_.kind, global_.partition_key, global_.sort_key) == (SourceKind.GLOBAL_INDEX, (DAY, SK), ())


def test_a_table_created_from_its_description_is_described_alike() -> None:
    assert new_table(described(), "Orders", default_key=None) == CREATED


def test_a_field_that_is_left_out_has_its_default() -> None:
    table = described()
    assert (table.items, table.size_bytes, table.is_on_demand, table.is_infrequent_access) == (0, 0, False, False)
    assert (table.stream, table.kms_key, table.status) == (None, None, None)
    assert set(vars(table.throughput).values()) == {None}


@pytest.mark.parametrize(
    ("document", "throughput"),
    [
        ({"ProvisionedThroughput": {"ReadCapacityUnits": 0, "WriteCapacityUnits": 0}}, (None,) * 6),
        ({"ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 7}}, (5, 7, None, None, None, None)),
        (
            {"OnDemandThroughput": {"MaxReadRequestUnits": 40, "MaxWriteRequestUnits": -1}},
            (None, None, 40, None, None, None),
        ),
        ({"WarmThroughput": {"ReadUnitsPerSecond": 30_000, "Status": "ACTIVE"}}, (None,) * 4 + (30_000, None)),
        (
            {"WarmThroughput": {"ReadUnitsPerSecond": 12_000, "WriteUnitsPerSecond": 5_000}},
            (None,) * 4 + (12_000, 5_000),
        ),
    ],
)
def test_throughput_is_none_without_provisioned_capacity(
    document: dict[str, Any], throughput: tuple[int | None, ...]
) -> None:
    assert tuple(vars(described(**document).throughput).values()) == throughput


def test_vector_indexes_are_known_by_name_and_are_no_indexes_to_list_through() -> None:
    vectors = [{"IndexName": "by-meaning", "Dimensions": 256, "VectorAttribute": {"AttributeName": "v"}}]
    table = described(VectorIndexes=vectors)
    assert table.vector_indexes == ("by-meaning",)
    assert table.indexes == described().indexes
    assert described().vector_indexes == ()


def test_a_stream_that_is_off_is_none() -> None:
    stream = "arn:aws:dynamodb:eu-west-1:111111111111:table/Orders/stream/2026"
    assert described(LatestStreamArn=stream).stream is None
    assert described(LatestStreamArn=stream, StreamSpecification={"StreamEnabled": True}).stream == stream


def test_an_aws_owned_key_is_no_customer_key() -> None:
    assert described(SSEDescription={"Status": "ENABLED", "SSEType": "AES256"}).kms_key is None
    assert described(SSEDescription={"SSEType": "KMS", "KMSMasterKeyArn": "arn:key"}).kms_key == "arn:key"


def test_an_index_that_describe_table_has_not_counted_has_no_items() -> None:
    assert [(index.items, index.size_bytes) for index in described().indexes] == [(0, 0)] * 2
