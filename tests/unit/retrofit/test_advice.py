"""When an index of several attributes would do without a retrofit, and when it would not."""

from typing import Any

import pytest

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import TableDescription
from skipscan.items.assignments import Assignments
from skipscan.items.concatenation import Separator
from skipscan.retrofit.forecast import advice
from tests.fakes.small_table import DESCRIPTION

ITEM: Item = {n: {"S": "x"} for n in "abcde"} | {"n": {"N": "1"}, "l": {"L": []}}


def advised(template: str, *items: Item) -> list[dict[str, Any]]:
    return advice(
        Assignments.parse({"made": template}, Separator.KEEP), items or (ITEM,), TableDescription.from_json(DESCRIPTION)
    )


def test_the_index_is_a_request_that_update_table_takes() -> None:
    [advice] = advised("{a}-{n}")
    assert set(advice) == {"needless", "because", "index", "see"}
    assert advice["needless"] == "made"
    assert "a global index with a, n as its partition key" in advice["because"]
    assert advice["index"] == {
        "AttributeDefinitions": [
            {"AttributeName": "a", "AttributeType": "S"},
            {"AttributeName": "n", "AttributeType": "N"},
        ],
        "GlobalSecondaryIndexUpdates": [
            {
                "Create": {
                    "IndexName": "by-a-n",
                    "KeySchema": [
                        {"AttributeName": "a", "KeyType": "HASH"},
                        {"AttributeName": "n", "KeyType": "HASH"},
                    ],
                    "Projection": {"ProjectionType": "ALL"},
                }
            }
        ],
    }


def test_the_name_of_the_index_is_one_that_dynamodb_takes() -> None:
    """Its rule is narrower than that of an attribute's name."""
    long = "x" * 250
    [advice] = advised(f"{{n ß}}-{{{long}}}", {"n ß": {"S": "x"}, long: {"S": "x"}})
    assert advice["index"]["GlobalSecondaryIndexUpdates"][0]["Create"]["IndexName"] == f"by-n---{long}"[:255]


@pytest.mark.parametrize("kind", ["GlobalSecondaryIndexes", "LocalSecondaryIndexes"])
def test_an_index_on_the_target_gives_its_sort_key_and_its_projection(kind: str) -> None:
    projection = {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["c"]}
    index = {
        "IndexName": "old",
        "KeySchema": [{"AttributeName": "made", "KeyType": "HASH"}, {"AttributeName": "b", "KeyType": "RANGE"}],
        "Projection": projection,
    }
    types = [{"AttributeName": name, "AttributeType": "S"} for name in ("id", "made", "b")]
    described = TableDescription.from_json({**DESCRIPTION, "AttributeDefinitions": types, kind: [index]})
    [advice_] = advice(Assignments.parse({"made": "{a}"}, Separator.KEEP), (ITEM,), described)
    created = advice_["index"]["GlobalSecondaryIndexUpdates"][0]["Create"]
    if kind == "LocalSecondaryIndexes":
        assert (created["IndexName"], created["Projection"]) == ("by-a", {"ProjectionType": "ALL"})
    else:
        assert (created["IndexName"], created["Projection"]) == ("old-keys", projection)
        assert created["KeySchema"][1:] == [{"AttributeName": "b", "KeyType": "RANGE"}]
        assert [each["AttributeName"] for each in advice_["index"]["AttributeDefinitions"]] == ["a", "b"]


@pytest.mark.parametrize("template", ["{a}-{b}-{c}-{d}-{e}", "{a}-{l}", "{a}-{a}", "constant"])
def test_others_do(template: str) -> None:
    assert advised(template) == []


@pytest.mark.parametrize("value", [{"S": ""}, {"B": b""}, {"S": "ä" * 1_025}, {"B": b"x" * 2_049}])
def test_a_source_with_a_value_that_no_key_may_have_cannot_be_a_key(value: AttributeValue) -> None:
    """DynamoDB would refuse such a write of the application as soon as the index exists."""
    kind = next(iter(value))
    plain: AttributeValue = {"S": "x"} if kind == "S" else {"B": b"x"}
    assert len(advised("{a}-{b}", {**ITEM, "a": plain})) == 1
    assert advised("{a}-{b}", {**ITEM, "a": plain}, {**ITEM, "a": value}) == []


def test_an_index_of_a_provisioned_table_needs_a_capacity() -> None:
    """UpdateTable refuses it without one; that of the table is shown."""
    throughput = {"ReadCapacityUnits": 40, "WriteCapacityUnits": 20}
    described = TableDescription.from_json(
        {**DESCRIPTION, "BillingModeSummary": {}, "ProvisionedThroughput": throughput}
    )
    [advice_] = advice(Assignments.parse({"made": "{a}-{b}"}, Separator.KEEP), (ITEM,), described)
    assert advice_["index"]["GlobalSecondaryIndexUpdates"][0]["Create"]["ProvisionedThroughput"] == throughput
