"""Scan's answers with the items handed over by us, against those that boto3 parses itself."""

import json
from typing import TYPE_CHECKING, Any

import pytest

from local import table as tables
from local.embedded import SESSION
from skipscan.aws import clients
from skipscan.aws.answer import hand_over_items

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

VALUES: dict[str, list[Any]] = {
    "S": ["a", "B", '"B"', "\U0010ffff", 'line\nend "quoted"'],
    "N": ["0", "-12.50", "1E+125"],
    "B": [b"a", b"\x00\xff", b'{"B": 1}'],
}


@pytest.mark.parametrize("sort_type", VALUES)
@pytest.mark.parametrize("type_", VALUES)
def test_pages_are_those_of_boto3(dynamodb: "DynamoDBClient", dynalite: str, type_: Any, sort_type: Any) -> None:
    table = f"Answer{type_}{sort_type}"
    tables.create(
        dynamodb,
        TableName=table,
        KeySchema=[{"AttributeName": "B", "KeyType": "HASH"}, {"AttributeName": "Items", "KeyType": "RANGE"}],
        AttributeDefinitions=[
            {"AttributeName": "B", "AttributeType": type_},
            {"AttributeName": "Items", "AttributeType": sort_type},
        ],
        BillingMode="PAY_PER_REQUEST",
    )
    for key in VALUES[type_]:
        for sort_key in VALUES[sort_type]:
            dynamodb.put_item(TableName=table, Item={"B": {type_: key}, "Items": {sort_type: sort_key}})

    ours = clients.dynamodb(SESSION, 1, dynalite)
    for limit in (4, 1000):
        asked: Any = {"TableName": table, "Limit": limit, "ReturnConsumedCapacity": "TOTAL"}
        answer, expected = ours.scan(**asked), dynamodb.scan(**asked)
        for name in ("Items", "LastEvaluatedKey", "ConsumedCapacity", "Count"):
            assert answer.get(name) == expected.get(name)


@pytest.mark.parametrize(
    "answer", [(400, b'{"__type": "x", "Items": [1]}'), (200, b'{"Items": [{"k": {"S'), (200, b"")]
)
def test_leaves_answers_other_than_pages_to_botocore(answer: tuple[int, bytes]) -> None:
    response: dict[str, Any] = {"status_code": answer[0], "body": answer[1]}
    customized: dict[str, Any] = {}
    hand_over_items(response_dict=response, customized_response_dict=customized, operation_model=None)
    assert (response["status_code"], response["body"]) == answer
    assert customized == {}


def test_a_page_without_items_has_none() -> None:
    customized: dict[str, Any] = {}
    response = {"status_code": 200, "body": json.dumps({"Count": 0}).encode()}
    hand_over_items(response_dict=response, customized_response_dict=customized)
    assert customized == {"Items": []}
