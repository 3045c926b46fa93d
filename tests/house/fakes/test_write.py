"""Writes as the service does them: conditions, write units, and the item that a failed condition returns."""

from typing import Any

import pytest
from botocore.exceptions import ClientError

from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB

ITEM: dict[str, Any] = {"pk": {"S": "a"}, "sk": {"S": "#static"}}
KEYS_ONLY = IndexDefinition("markers", KeySchema.of(("gpk", "S")), projection="KEYS_ONLY")
ABSENT = {"ConditionExpression": "attribute_not_exists(#k)", "ExpressionAttributeNames": {"#k": "pk"}}


@pytest.fixture
def one_table() -> FakeDynamoDB:
    dynamodb = FakeDynamoDB()
    dynamodb.add(TableDefinition("T-1", KeySchema.of(("pk", "S"), ("sk", "S")), (KEYS_ONLY,)))
    return dynamodb


def units(answer: dict[str, Any]) -> float:
    return float(answer["ConsumedCapacity"]["CapacityUnits"])


def test_an_index_entry_is_written_only_where_it_changes(one_table: FakeDynamoDB) -> None:
    asked: dict[str, Any] = {"TableName": "T-1", "ReturnConsumedCapacity": "TOTAL"}
    assert units(one_table.put_item(**asked, Item=ITEM)) == 1
    entered = {**ITEM, "gpk": {"S": "x"}}
    assert units(one_table.put_item(**asked, Item=entered)) == 2
    assert units(one_table.put_item(**asked, Item={**entered, "body": {"B": bytes(3000)}})) == 3
    assert units(one_table.put_item(**asked, Item={**ITEM, "gpk": {"S": "y"}})) == 3 + 2
    assert units(one_table.delete_item(**asked, Key=ITEM)) == 2
    assert units(one_table.delete_item(**asked, Key=ITEM)) == 1


def test_a_failed_condition_returns_the_existing_item_on_request(one_table: FakeDynamoDB) -> None:
    one_table.put_item(TableName="T-1", Item=ITEM, **ABSENT)
    with pytest.raises(ClientError) as bare:
        one_table.put_item(TableName="T-1", Item=ITEM, **ABSENT)
    assert "Item" not in bare.value.response
    with pytest.raises(one_table.exceptions.ConditionalCheckFailedException) as full:
        one_table.put_item(TableName="T-1", Item=ITEM, **ABSENT, ReturnValuesOnConditionCheckFailure="ALL_OLD")
    assert full.value.response["Item"] == ITEM


@pytest.mark.parametrize(("value", "holds"), [({"N": "1.0"}, True), ({"N": "2"}, False), ({"S": "1"}, False)])
def test_values_are_compared_as_the_service_does(one_table: FakeDynamoDB, value: dict[str, Any], holds: bool) -> None:
    one_table.put_item(TableName="T-1", Item={**ITEM, "n": {"N": "1"}})
    names, values = {"#n": "n"}, {":n": value}
    asked = {"ExpressionAttributeNames": names, "ExpressionAttributeValues": values, "ConditionExpression": "#n = :n"}
    if holds:
        one_table.delete_item(TableName="T-1", Key=ITEM, **asked)
    else:
        with pytest.raises(ClientError, match="ConditionalCheckFailed"):
            one_table.delete_item(TableName="T-1", Key=ITEM, **asked)
    assert (one_table.table("T-1").get(ITEM) is None) == holds


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"ExpressionAttributeNames": {"#k": "pk"}}, "only be specified"),
        ({**ABSENT, "ExpressionAttributeNames": {"#k": "pk", "#l": "sk"}}, "unused in expressions"),
        ({**ABSENT, "ExpressionAttributeNames": {"#l": "pk"}}, "not defined"),
        ({**ABSENT, "ExpressionAttributeValues": {}}, "must not be empty"),
    ],
)
def test_wrong_expressions_are_refused(one_table: FakeDynamoDB, wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ClientError, match=message):
        one_table.put_item(TableName="T-1", Item=ITEM, **wrong)


@pytest.mark.parametrize("name", ["sk", "gpk"])
def test_a_key_attribute_cannot_be_null(one_table: FakeDynamoDB, name: str) -> None:
    with pytest.raises(ClientError, match="Type mismatch"):
        one_table.put_item(TableName="T-1", Item={**ITEM, name: {"NULL": True}})


@pytest.mark.parametrize(("tests", "is_taken"), [(150, True), (151, False)])
def test_a_condition_has_at_most_300_operators(one_table: FakeDynamoDB, tests: int, is_taken: bool) -> None:
    condition = " AND ".join(["attribute_not_exists(#k)"] * tests)
    asked = {"ConditionExpression": condition, "ExpressionAttributeNames": {"#k": "pk"}}
    if is_taken:
        one_table.put_item(TableName="T-1", Item=ITEM, **asked)
    else:
        with pytest.raises(ClientError, match="too many operators"):
            one_table.put_item(TableName="T-1", Item=ITEM, **asked)
