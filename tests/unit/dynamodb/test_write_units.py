"""Item sizes and write units, against a second account of the same rules and the guide's own examples."""

from typing import Any

import pytest
from hypothesis import given

from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import TableDescription
from skipscan.dynamodb.write_units import WriteUnits, WrittenTable, item_bytes, value_bytes
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.description import description
from tests.fakes.item_size import item_bytes as second_account
from tests.fakes.table import FakeTable
from tests.unit.dynamodb.test_attribute_value import VALUES

INDEXES = (
    IndexDefinition("markers", KeySchema.of(("GSI-pk", "S"), ("sk", "S")), projection="KEYS_ONLY"),
    IndexDefinition("by-state", KeySchema.of(("state", "S")), projection="INCLUDE", non_key_attributes=("note",)),
    IndexDefinition("by-date", KeySchema.of(("pk", "S"), ("date", "S")), "local"),
)
TABLE = WrittenTable.described(
    TableDescription.from_json(
        description(FakeTable(TableDefinition("T-1", KeySchema.of(("pk", "S"), ("sk", "S")), INDEXES)))
    )
)
MARKER = {"pk": {"S": "1"}, "sk": {"S": "#static"}}


def test_an_item_costs_only_the_indexes_it_enters() -> None:
    assert TABLE.units({}, MARKER) == {None: 1}
    assert TABLE.units({}, {**MARKER, "GSI-pk": {"S": "1"}}) == {None: 1, "markers": 1}
    assert TABLE.units({}, {**MARKER, "date": {"S": "today"}}) == {None: 1, "by-date": 1}


def test_the_most_that_a_write_costs_is_that_of_400_kb_in_the_table_and_in_every_index_with_attributes() -> None:
    assert {index.name: index.most_units for index in TABLE.indexes} == {"markers": 8, "by-state": 400, "by-date": 400}
    assert TABLE.most_delete_units == 400 + 8 + 400 + 400
    assert WrittenTable(()).most_delete_units == 400


@given(VALUES)
def test_sizes_agree_with_a_second_account(value: Any) -> None:
    assert item_bytes({"größe": value}) == second_account({"größe": value})


@pytest.mark.parametrize(
    ("item", "size"),
    [
        ({"a": {"S": ""}}, 1),
        ({"ä": {"S": "🔑"}}, 6),
        ({"n": {"N": "12"}}, 3),
        ({"n": {"N": "120"}}, 4),
        ({"n": {"N": "-0.5"}}, 4),
        ({"n": {"N": "0"}}, 2),
        ({"b": {"BOOL": True}}, 2),
        ({"l": {"L": [{"S": "ab"}]}}, 1 + 3 + 1 + 2),
        ({"m": {"M": {"k": {"S": "v"}}}}, 1 + 3 + 1 + 1 + 1),
    ],
)
def test_sizes(item: Any, size: int) -> None:
    assert item_bytes(item) == size


@pytest.mark.parametrize(
    ("written", "plain"), [("1E+3", "1000"), ("-12e-1", "-1.2"), ("007", "7"), ("+5", "5"), ("0E+9", "0")]
)
def test_a_number_takes_the_same_bytes_however_it_is_written(written: str, plain: str) -> None:
    assert value_bytes({"N": written}) == value_bytes({"N": plain})


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
    assert table().units(before, after) == units


def test_the_units_of_a_write_are_those_of_the_table_and_its_indexes() -> None:
    units = WriteUnits.of([{None: 1, "by-a": 2}, {None: 2}, {None: 1}])
    assert (units.each, units.largest) == (2.0, 3.0)
    assert units.to_json() == {"table": 1.333, "by-a": 0.667}
    assert (WriteUnits.of([]).each, WriteUnits.of([]).largest) == (1.0, 1.0)
