"""Scan's answers with the items handed over by us, against those that boto3 parses itself."""

import json
from typing import TYPE_CHECKING, Any

import pytest
from botocore.parsers import ResponseParserError
from botocore.session import get_session

from local import table as tables
from local.embedded import SESSION
from skipscan.aws import clients
from skipscan.aws.answer import ALWAYS, CutAnswerError, extract_items, parse_page
from skipscan.aws.faults import fault
from skipscan.aws.lean.request import Raw
from skipscan.pace.pace import Fault

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

VALUES: dict[str, list[Any]] = {
    "S": ["a", "B", '"B"', "\U0010ffff", 'line\nend "quoted"'],
    "N": ["0", "-12.50", "1E+125"],
    "B": [b"a", b"\x00\xff", b'{"B": 1}'],
}
UNITS = {"TableName": "Orders", "CapacityUnits": 0.5}


@pytest.mark.parametrize("sort_type", VALUES)
@pytest.mark.parametrize("type_", VALUES)
def test_pages_are_those_of_boto3(shared_dynamodb: "DynamoDBClient", dynalite: str, type_: Any, sort_type: Any) -> None:
    table = f"Answer{type_}{sort_type}"
    tables.create(
        shared_dynamodb,
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
            shared_dynamodb.put_item(TableName=table, Item={"B": {type_: key}, "Items": {sort_type: sort_key}})

    ours = clients.dynamodb(SESSION, 1, dynalite)
    for limit in (4, 1000):
        asked: Any = {"TableName": table, "Limit": limit, "ReturnConsumedCapacity": "TOTAL"}
        answer, expected = ours.scan(**asked), shared_dynamodb.scan(**asked)
        for name in ("Items", "LastEvaluatedKey", "ConsumedCapacity", "Count"):
            assert answer.get(name) == expected.get(name)


@pytest.mark.parametrize(
    "answer", [(400, b'{"__type": "x", "Items": [1]}'), (200, b'{"Items": [{"k": {"S'), (200, b"")]
)
def test_leaves_answers_other_than_pages_to_botocore(answer: tuple[int, bytes]) -> None:
    response: dict[str, Any] = {"status_code": answer[0], "body": answer[1]}
    customized: dict[str, Any] = {}
    extract_items(response_dict=response, customized_response_dict=customized, operation_model=None)
    assert (response["status_code"], response["body"]) == answer
    assert customized == {}


LATE_ANSWERS: dict[str, dict[str, Any]] = {
    "a write": {"ConsumedCapacity": UNITS},
    "a read": {"ConsumedCapacity": UNITS, "Item": {"id": {"S": "1"}}},
    "a description": {"Table": {"TableName": "Orders"}},
    "nothing": {},
    "items alone": {"ConsumedCapacity": UNITS, "Items": []},
    "counts alone": {"ConsumedCapacity": UNITS, "Count": 0, "ScannedCount": 0},
    "no list": {"ConsumedCapacity": UNITS, "Items": None, "Count": 0, "ScannedCount": 0},
}
"""Answers of other calls, or of no call, to a Scan or Query: by what they answer."""


@pytest.mark.parametrize("call", ["scan", "query"])
@pytest.mark.parametrize("answer", LATE_ANSWERS.values(), ids=LATE_ANSWERS)
def test_an_answer_that_is_no_page_is_asked_for_again_and_ends_no_segment(answer: dict[str, Any], call: str) -> None:
    client = _answering(answer)
    with pytest.raises((CutAnswerError, ResponseParserError)) as raised:
        parse_page(getattr(client, call)(TableName="Orders", ReturnConsumedCapacity="TOTAL"))
    assert fault(raised.value) is Fault.PASSING


SHAPES = [(service, operation) for service, operations in ALWAYS.items() for operation in operations]


@pytest.mark.parametrize(("service", "operation"), SHAPES, ids=[f"{one}.{other}" for one, other in SHAPES])
def test_the_fields_of_every_answer_are_those_of_aws(service: str, operation: str) -> None:
    """A field that no answer has would make every answer look truncated, and the call be repeated until it fails."""
    shape = get_session().get_service_model(service).operation_model(operation).output_shape
    assert shape is not None
    assert set(ALWAYS[service][operation]) <= set(shape.members)


def _answering(answer: dict[str, Any]) -> Any:
    """Return a client of a DynamoDB that answers every call so."""
    client = clients.dynamodb(SESSION, 1, "http://localhost:1")
    body = Raw(200, b"content-type: application/x-amz-json-1.0", json.dumps(answer).encode())
    events: Any = client.meta.events
    events.register("before-send.dynamodb", lambda request, **_: body.for_boto3(request.url))
    return client
