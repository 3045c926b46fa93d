"""Every value of DynamoDB has its JSON, and comes back from it."""

import json

import pytest

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.lines.dynamodb_jsonl import read_typed, typed


@pytest.mark.parametrize(
    ("value", "document"),
    [
        ({"S": 'a"\n'}, {"S": 'a"\n'}),
        ({"N": "12.50"}, {"N": "12.50"}),
        ({"B": b"\xff"}, {"B": "/w=="}),
        ({"BOOL": False}, {"BOOL": False}),
        ({"BOOL": True}, {"BOOL": True}),
        ({"NULL": True}, {"NULL": True}),
        ({"SS": ["a", "b"]}, {"SS": ["a", "b"]}),
        ({"NS": ["1", "2"]}, {"NS": ["1", "2"]}),
        ({"BS": [b"a"]}, {"BS": ["YQ=="]}),
        ({"L": [{"S": "a"}, {"L": []}]}, {"L": [{"S": "a"}, {"L": []}]}),
        ({"M": {'b"': {"BOOL": False}}}, {"M": {'b"': {"BOOL": False}}}),
    ],
)
def test_a_value_is_written_with_its_type_and_read_back(value: AttributeValue, document: object) -> None:
    assert json.loads(typed(value)) == document
    assert read_typed("", document) == value
