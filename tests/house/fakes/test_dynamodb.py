"""What the fake does beyond the scenarios it shares with the engines."""

from typing import Any

import pytest
from botocore.exceptions import ClientError, ParamValidationError

from tests.fakes.definition import IndexDefinition, KeySchema, Status, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB

ORDERS = TableDefinition("Orders", KeySchema.of(("customer", "S"), ("placed", "N")))


def orders(definition: TableDefinition = ORDERS) -> FakeDynamoDB:
    dynamodb = FakeDynamoDB()
    dynamodb.add(
        definition,
        [{"customer": {"S": customer}, "placed": {"N": str(n)}} for customer in "abc" for n in range(100)],
    )
    return dynamodb


def test_a_table_answers_to_its_arn_and_says_so() -> None:
    dynamodb = orders()
    page = dynamodb.scan(TableName=ORDERS.arn, Limit=1, ReturnConsumedCapacity="TOTAL")
    assert page["ConsumedCapacity"]["TableName"] == ORDERS.arn
    assert dynamodb.describe_table(TableName=ORDERS.arn)["Table"]["TableName"] == "Orders"
    with pytest.raises(ClientError, match="ResourceNotFoundException"):
        dynamodb.scan(TableName=ORDERS.arn.replace("us-east-1", "eu-west-1"))


@pytest.mark.parametrize("parameters", [{"Limit": 0}, {"Limit": "1"}, {"Colour": "red"}])
def test_what_boto3_refuses_is_refused_as_boto3_does(parameters: dict[str, Any]) -> None:
    with pytest.raises(ParamValidationError):
        orders().scan(TableName="Orders", **parameters)


@pytest.mark.parametrize("status", ["CREATING", "DELETING"])
def test_a_table_that_is_not_there_yet_or_any_more_cannot_be_scanned(status: Status) -> None:
    dynamodb = orders(TableDefinition("Orders", ORDERS.key, status=status))
    assert dynamodb.describe_table(TableName="Orders")["Table"]["TableStatus"] == status
    with pytest.raises(ClientError, match="ResourceNotFoundException"):
        dynamodb.scan(TableName="Orders")


def test_an_index_that_is_being_built_cannot_be_scanned() -> None:
    index = IndexDefinition("by-time", KeySchema.of(("placed", "N")), status="CREATING")
    dynamodb = orders(TableDefinition("Orders", ORDERS.key, (index,)))
    with pytest.raises(ClientError, match="backfilling"):
        dynamodb.scan(TableName="Orders", IndexName="by-time")


def test_what_is_written_between_two_pages_is_found_ahead_and_missed_behind() -> None:
    dynamodb = orders()
    start_key = dynamodb.scan(TableName="Orders", Limit=50)["LastEvaluatedKey"]
    for n in (-1, 1000):
        dynamodb.put_item(TableName="Orders", Item={**start_key, "placed": {"N": str(n)}})
    rest = dynamodb.scan(TableName="Orders", ExclusiveStartKey=start_key)["Items"]
    assert [item["placed"]["N"] for item in rest if item["customer"] == start_key["customer"]][-1] == "1000"
    assert all(item["placed"]["N"] != "-1" for item in rest)


ITEM: dict[str, Any] = {"customer": {"S": "x"}, "placed": {"N": "1"}}
ABSENT = {"ConditionExpression": "attribute_not_exists(#k)", "ExpressionAttributeNames": {"#k": "customer"}}


@pytest.mark.parametrize(("value", "holds"), [({"N": "1.0"}, True), ({"N": "2"}, False), ({"S": "1"}, False)])
def test_values_are_compared_as_the_service_does(value: dict[str, Any], holds: bool) -> None:
    dynamodb = orders()
    dynamodb.put_item(TableName="Orders", Item={**ITEM, "n": {"N": "1"}})
    names, values = {"#n": "n"}, {":n": value}
    asked = {"ExpressionAttributeNames": names, "ExpressionAttributeValues": values, "ConditionExpression": "#n = :n"}
    if holds:
        dynamodb.delete_item(TableName="Orders", Key=ITEM, **asked)
    else:
        with pytest.raises(ClientError, match="ConditionalCheckFailed"):
            dynamodb.delete_item(TableName="Orders", Key=ITEM, **asked)
    assert (dynamodb.table("Orders").get(ITEM) is None) == holds


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"ExpressionAttributeNames": {"#k": "customer"}}, "only be specified"),
        ({**ABSENT, "ExpressionAttributeNames": {"#k": "customer", "#l": "placed"}}, "unused in expressions"),
        ({**ABSENT, "ExpressionAttributeNames": {"#l": "customer"}}, "not defined"),
        ({**ABSENT, "ExpressionAttributeValues": {}}, "must not be empty"),
    ],
)
def test_wrong_expressions_are_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ClientError, match=message):
        orders().put_item(TableName="Orders", Item=ITEM, **wrong)


@pytest.mark.parametrize(("tests", "is_taken"), [(150, True), (151, False)])
def test_a_condition_has_at_most_300_operators(tests: int, is_taken: bool) -> None:
    condition = " AND ".join(["attribute_not_exists(#k)"] * tests)
    asked = {"ConditionExpression": condition, "ExpressionAttributeNames": {"#k": "customer"}}
    if is_taken:
        orders().put_item(TableName="Orders", Item=ITEM, **asked)
    else:
        with pytest.raises(ClientError, match="too many operators"):
            orders().put_item(TableName="Orders", Item=ITEM, **asked)
