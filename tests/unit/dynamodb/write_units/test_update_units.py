"""What an update costs in the table and in every index that sees a difference."""

from typing import Any

import pytest

from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import TableDescription
from skipscan.dynamodb.write_units import WrittenTable, update_units


def table(projection: dict[str, Any] | None = None) -> WrittenTable:
    index = {
        "IndexName": "by-made",
        "KeySchema": [{"AttributeName": "made", "KeyType": "HASH"}],
        "Projection": projection or {"ProjectionType": "ALL"},
    }
    other = {**index, "IndexName": "by-a", "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}]}
    return WrittenTable.described(
        TableDescription.from_json(
            {
                "AttributeDefinitions": [{"AttributeName": n, "AttributeType": "S"} for n in ("id", "made", "a")],
                "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
                "GlobalSecondaryIndexes": [index, {**other, "Projection": {"ProjectionType": "KEYS_ONLY"}}],
            }
        )
    )


def item(size: int = 10, **attributes: str) -> Item:
    return {"id": {"S": "1"}, "body": {"S": "." * size}, **{n: {"S": v} for n, v in attributes.items()}}


@pytest.mark.parametrize(
    ("before", "after", "units"),
    [
        (item(), item(made="x"), {None: 1, "by-made": 1}),  # the entry comes
        (item(made="x"), item(made="y"), {None: 1, "by-made": 2}),  # one goes, another comes
        (item(made="x"), item(made="x", more="z"), {None: 1, "by-made": 1}),  # it holds all attributes
        (item(a="x"), item(a="x", more="z"), {None: 1}),  # it holds the keys alone
        (item(3000), item(3000, made="x"), {None: 3, "by-made": 3}),
        (item(1010), item(1010, made="." * 100), {None: 2, "by-made": 2}),  # the larger of before and after
    ],
)
def test_an_update_costs_what_the_table_and_each_index_write(
    before: Item, after: Item, units: dict[str | None, int]
) -> None:
    assert update_units(table(), before, after) == units
