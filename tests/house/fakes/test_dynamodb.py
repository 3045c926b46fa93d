"""What the fake does beyond the scenarios it shares with the engines."""

from concurrent.futures import ThreadPoolExecutor
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


def test_a_bare_attribute_name_is_not_tried() -> None:
    with pytest.raises(NotImplementedError):
        orders().scan(TableName="Orders", ProjectionExpression="customer")


def test_what_is_written_between_two_pages_is_found_ahead_and_missed_behind() -> None:
    dynamodb = orders()
    start_key = dynamodb.scan(TableName="Orders", Limit=50)["LastEvaluatedKey"]
    for n in (-1, 1000):
        dynamodb.put_item(TableName="Orders", Item={**start_key, "placed": {"N": str(n)}})
    rest = dynamodb.scan(TableName="Orders", ExclusiveStartKey=start_key)["Items"]
    assert [item["placed"]["N"] for item in rest if item["customer"] == start_key["customer"]][-1] == "1000"
    assert all(item["placed"]["N"] != "-1" for item in rest)


def test_scans_and_writes_at_once_do_not_disturb_each_other() -> None:
    dynamodb = orders()

    def turn(n: int) -> int:
        dynamodb.put_item(TableName="Orders", Item={"customer": {"S": f"new {n}"}, "placed": {"N": "1"}})
        dynamodb.delete_item(TableName="Orders", Key={"customer": {"S": f"new {n}"}, "placed": {"N": "1"}})
        items = dynamodb.scan(TableName="Orders")["Items"]
        return sum(not item["customer"]["S"].startswith("new") for item in items)

    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(turn, range(100))) == {300}
