"""When an index of several attributes would do without a retrofit, and when it would not."""

from typing import Any

import pytest

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import TableDescription
from skipscan.inputs.names import TABLE_NAME
from skipscan.items.assignments import Assignments
from skipscan.items.concatenation import Separator
from skipscan.retrofit.forecast import advice

DESCRIPTION: dict[str, Any] = {
    "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
}
ITEM: Item = {n: {"S": "x"} for n in "abcde"} | {"n": {"N": "1"}, "l": {"L": []}}


def advised(template: str, *items: Item) -> list[dict[str, Any]]:
    return advice(
        Assignments.parse({"made": template}, Separator.KEEP), items or (ITEM,), TableDescription.from_json(DESCRIPTION)
    )


@pytest.mark.parametrize("template", ["{a}", "{a}-{b}", "{a}-{b}#{c}/{d}", "user#{a}-{n}"])
def test_up_to_four_plain_attributes_need_no_retrofit(template: str) -> None:
    (advice,) = advised(template)
    created = advice["index"]["GlobalSecondaryIndexUpdates"][0]["Create"]
    assert {key["KeyType"] for key in created["KeySchema"]} == {"HASH"}
    assert "Multi-attribute keys" in advice["see"]
    assert created["IndexName"] == "-".join(["by", *(key["AttributeName"] for key in created["KeySchema"])])
    types = {entry["AttributeName"]: entry["AttributeType"] for entry in advice["index"]["AttributeDefinitions"]}
    assert types.get("n", "N") == "N"


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


def test_a_source_that_the_index_sorts_by_is_declared_once() -> None:
    """UpdateTable refuses an attribute that is defined twice."""
    keys = [{"AttributeName": "made", "KeyType": "HASH"}, {"AttributeName": "b", "KeyType": "RANGE"}]
    types = [{"AttributeName": name, "AttributeType": "S"} for name in ("id", "made", "b")]
    index = {"IndexName": "old", "KeySchema": keys, "Projection": {"ProjectionType": "ALL"}}
    described = {**DESCRIPTION, "AttributeDefinitions": types, "GlobalSecondaryIndexes": [index]}
    assignments = Assignments.parse({"made": "{a}-{b}"}, Separator.KEEP)
    [advice_] = advice(assignments, (ITEM,), TableDescription.from_json(described))
    assert [each["AttributeName"] for each in advice_["index"]["AttributeDefinitions"]] == ["a", "b"]


def test_every_target_that_an_index_replaces_has_its_advice() -> None:
    assignments = Assignments.parse({"made": "{a}-{b}", "longer": "{a}-{b}-{c}", "kept": "constant"}, Separator.KEEP)
    advised = advice(assignments, (ITEM,), TableDescription.from_json(DESCRIPTION))
    assert [one["needless"] for one in advised] == ["made", "longer"]


@pytest.mark.parametrize("template", ["{a}-{b}-{c}-{d}-{e}", "{a}-{l}", "{a}-{a}", "constant"])
def test_others_do(template: str) -> None:
    assert advised(template) == []


def test_a_source_that_has_two_types_cannot_be_a_key() -> None:
    assert advised("{a}-{b}", ITEM, {**ITEM, "a": {"N": "1"}}) == []


@pytest.mark.parametrize("value", [{"S": ""}, {"B": b""}, {"S": "ä" * 1_025}, {"B": b"x" * 2_049}])
def test_a_source_with_a_value_that_no_key_may_have_cannot_be_a_key(value: AttributeValue) -> None:
    """DynamoDB would refuse such a write of the application as soon as the index exists."""
    kind = next(iter(value))
    plain: AttributeValue = {"S": "x"} if kind == "S" else {"B": b"x"}
    assert len(advised("{a}-{b}", {**ITEM, "a": plain})) == 1
    assert advised("{a}-{b}", {**ITEM, "a": plain}, {**ITEM, "a": value}) == []


@pytest.mark.parametrize(
    ("sources", "name"),
    [
        (("order#id", "b"), "by-order-id-b"),
        (("größe",), "by-gr--e"),
        (("a.b", "c d"), "by-a.b-c-d"),
        (("x" * 300,), "by-" + "x" * 252),
    ],
)
def test_the_index_has_a_name_that_dynamodb_allows(sources: tuple[str, ...], name: str) -> None:
    item: Item = {source: {"S": "x"} for source in sources}
    [advice] = advised("-".join(f"{{{source}}}" for source in sources), item)
    created = advice["index"]["GlobalSecondaryIndexUpdates"][0]["Create"]
    assert created["IndexName"] == name
    assert TABLE_NAME.fullmatch(name)
    assert [key["AttributeName"] for key in created["KeySchema"]] == list(sources)


def test_an_index_of_a_provisioned_table_needs_a_capacity() -> None:
    """UpdateTable refuses it without one; that of the table is shown."""
    throughput = {"ReadCapacityUnits": 40, "WriteCapacityUnits": 20}
    described = TableDescription.from_json({**DESCRIPTION, "ProvisionedThroughput": throughput})
    [advice_] = advice(Assignments.parse({"made": "{a}-{b}"}, Separator.KEEP), (ITEM,), described)
    assert advice_["index"]["GlobalSecondaryIndexUpdates"][0]["Create"]["ProvisionedThroughput"] == throughput
