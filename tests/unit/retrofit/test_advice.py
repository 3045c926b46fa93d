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


def test_every_target_that_an_index_replaces_has_its_advice() -> None:
    assignments = Assignments.parse({"made": "{a}-{b}", "longer": "{a}-{b}-{c}", "kept": "constant"}, Separator.KEEP)
    advised = advice(assignments, (ITEM,), TableDescription.from_json(DESCRIPTION))
    assert [one["needless"] for one in advised] == ["made", "longer"]


@pytest.mark.parametrize("template", ["{a}-{b}-{c}-{d}-{e}", "{a}-{l}", "{a}-{a}", "constant"])
def test_others_do(template: str) -> None:
    assert advised(template) == []


def test_a_source_that_has_two_types_cannot_be_a_key() -> None:
    assert advised("{a}-{b}", ITEM, {**ITEM, "a": {"N": "1"}}) == []
