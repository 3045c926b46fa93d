"""When an index of several attributes would do without a retrofit, and when it would not."""

from typing import Any

import pytest

from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import TableDescription
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
