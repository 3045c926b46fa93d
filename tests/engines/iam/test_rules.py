"""Each rule about parameters finds a call that breaks it, and none in one that AWS accepts."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.engines.iam.recorder.rules import violations
from tests.unit.handlers.conftest import SESSION

pytestmark = pytest.mark.engine

KEY = {"AttributeName": "pk", "KeyType": "HASH"}
DEFINED = {"AttributeName": "pk", "AttributeType": "S"}
UPDATE = {
    "TableName": "Orders",
    "Key": {"pk": {"S": "a"}},
    "UpdateExpression": "SET #made = :made",
    "ExpressionAttributeNames": {"#made": "made"},
    "ExpressionAttributeValues": {":made": {"S": "x"}},
}
SCAN = {"TableName": "Orders", "Segment": 0, "TotalSegments": 2, "Limit": 1}
TABLE = {"TableName": "Orders", "KeySchema": [KEY], "AttributeDefinitions": [DEFINED]}
INDEX = {"IndexName": "by-day", "KeySchema": [{**KEY, "AttributeName": "day"}], "Projection": {}}
SENT = {"Id": "0", "MessageBody": "x"}
BATCH = {"QueueUrl": "https://queue", "Entries": [SENT]}
PUT = {"Bucket": "results", "Key": "a/b", "Body": b"", "Metadata": {"sha256": "0"}, "Tagging": "a=b"}
START = {"stateMachineArn": "arn:machine", "name": "run-1", "input": "{}"}
ACCEPTED = [
    *(("dynamodb", "UpdateItem", UPDATE), ("dynamodb", "Scan", SCAN), ("dynamodb", "CreateTable", TABLE)),
    *(("sqs", "SendMessageBatch", BATCH), ("s3", "PutObject", PUT), ("stepfunctions", "StartExecution", START)),
]
REFUSED: list[tuple[str, str, Mapping[str, Any], str]] = [
    ("dynamodb", "Scan", {**SCAN, "Segments": 2}, "Segments"),
    ("dynamodb", "Scan", {"Limit": 1}, "TableName"),
    ("dynamodb", "Scan", {**SCAN, "Limit": "1"}, "Limit"),
    ("dynamodb", "Scan", {**SCAN, "Limit": 0}, "Limit"),
    ("dynamodb", "Scan", {**SCAN, "Segment": 2}, "is not one of TotalSegments"),
    ("dynamodb", "Scan", {"TableName": "Orders", "Segment": 0}, "belong together"),
    ("dynamodb", "Scan", {**SCAN, "Segment": 1_000_000, "TotalSegments": 1_000_001}, "TotalSegments"),
    ("dynamodb", "Scan", {**SCAN, "Select": "COUNT", "ProjectionExpression": "pk"}, "a count has no"),
    ("dynamodb", "Scan", {**SCAN, "ExclusiveStartKey": {"pk": {"S": ""}}}, "ExclusiveStartKey has an empty value"),
    ("dynamodb", "UpdateItem", {**UPDATE, "Key": {"pk": {"B": b""}}}, "Key has an empty value"),
    ("dynamodb", "UpdateItem", {**UPDATE, "UpdateExpression": "SET #made = :other"}, ":other is not in"),
    ("dynamodb", "UpdateItem", {**UPDATE, "UpdateExpression": "SET #other = :made"}, "#other is not in"),
    ("dynamodb", "UpdateItem", {**UPDATE, "UpdateExpression": "SET made = :made"}, "#made, which no expression uses"),
    ("dynamodb", "UpdateItem", {**UPDATE, "UpdateExpression": "REMOVE #made"}, ":made, which no expression uses"),
    ("dynamodb", "UpdateItem", {**UPDATE, "ConditionExpression": ""}, "ConditionExpression is empty"),
    ("dynamodb", "UpdateItem", {**UPDATE, "ConditionExpression": f"#made <> :made{' ' * 4096}"}, "more than 4 KB"),
    ("dynamodb", "Scan", {**SCAN, "ExpressionAttributeNames": {}}, "ExpressionAttributeNames is empty"),
    ("dynamodb", "Scan", {**SCAN, "ExpressionAttributeValues": {}}, "ExpressionAttributeValues is empty"),
    ("dynamodb", "CreateTable", {**TABLE, "GlobalSecondaryIndexes": [INDEX]}, "AttributeDefinitions are not those"),
    ("dynamodb", "CreateTable", {**TABLE, "AttributeDefinitions": [DEFINED, {**DEFINED, "AttributeName": "x"}]}, "not"),
    ("dynamodb", "CreateTable", {**TABLE, "LocalSecondaryIndexes": []}, "LocalSecondaryIndexes is empty"),
    ("sqs", "SendMessageBatch", {**BATCH, "Entries": []}, "1 to 10 messages"),
    ("sqs", "SendMessageBatch", {**BATCH, "Entries": [{**SENT, "Id": str(n)} for n in range(11)]}, "1 to 10 messages"),
    ("sqs", "SendMessageBatch", {**BATCH, "Entries": [SENT, SENT]}, "distinct"),
    ("sqs", "SendMessageBatch", {**BATCH, "Entries": [{**SENT, "Id": "ä"}]}, "letters, digits"),
    ("sqs", "SendMessageBatch", {**BATCH, "Entries": [{**SENT, "MessageBody": "x" * (1 << 20) + "y"}]}, "1 MiB"),
    ("sqs", "SendMessageBatch", {**BATCH, "Entries": [{**SENT, "MessageBody": "\ufffe"}]}, "character"),
    ("sqs", "SendMessageBatch", {**BATCH, "Entries": [{**SENT, "MessageBody": "\ud800"}]}, "character"),
    ("sqs", "SendMessageBatch", {**BATCH, "Entries": [{**SENT, "MessageBody": ""}]}, "a message is empty"),
    ("sqs", "SendMessageBatch", {**BATCH, "Entries": [{**SENT, "DelaySeconds": 901}]}, "0 to 900"),
    ("s3", "PutObject", {**PUT, "Key": "ä" * 513}, "1,024 bytes"),
    ("s3", "PutObject", {**PUT, "Metadata": {"a": "x" * 2048}}, "2 KB"),
    ("s3", "PutObject", {**PUT, "Metadata": {"a": "ä"}}, "not ASCII"),
    ("s3", "PutObject", {**PUT, "Tagging": "&".join(f"a{n}=b" for n in range(11))}, "10 tags"),
    ("s3", "ListObjectsV2", {"Bucket": "results", "MaxKeys": 1001}, "MaxKeys"),
    ("stepfunctions", "StartExecution", {**START, "name": "a b"}, "name"),
    ("stepfunctions", "StartExecution", {**START, "name": "x" * 81}, "name"),
    ("stepfunctions", "StartExecution", {**START, "input": "ä" * 131_073}, "256 KiB"),
]


def found(service: str, operation: str, asked: Mapping[str, Any]) -> list[str]:
    client: Any = SESSION.client(service)
    return violations(client.meta.service_model, operation, asked)


@pytest.mark.parametrize(("service", "operation", "asked"), ACCEPTED)
def test_a_call_that_aws_accepts_breaks_no_rule(service: str, operation: str, asked: Mapping[str, Any]) -> None:
    assert found(service, operation, asked) == []


@pytest.mark.parametrize(("service", "operation", "asked", "why"), REFUSED)
def test_a_call_that_aws_refuses_breaks_one(service: str, operation: str, asked: Mapping[str, Any], why: str) -> None:
    assert [said for said in found(service, operation, asked) if why in said]


def test_no_text_has_a_key_s_value() -> None:
    [said] = found("dynamodb", "GetItem", {"TableName": "Orders", "Key": {"pk": {"S": 4711}}})
    assert "4711" not in said
