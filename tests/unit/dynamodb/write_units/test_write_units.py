"""Item sizes and write units, against a second account of the same rules and the guide's own examples."""

from typing import Any

import pytest

from skipscan.dynamodb.table_description import TableDescription
from skipscan.dynamodb.write_units import WrittenTable, write_units
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.description import description
from tests.fakes.table import FakeTable


@pytest.mark.parametrize(("size", "units"), [(0, 1), (1020, 1), (1023, 1), (1024, 2), (3000, 3)])
def test_a_unit_for_each_kilobyte_begun(size: int, units: int) -> None:
    assert write_units({"a": {"B": bytes(size)}}) == units


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
    assert TABLE.put_units(MARKER) == {None: 1}
    assert TABLE.put_units({**MARKER, "GSI-pk": {"S": "1"}}) == {None: 1, "markers": 1}
    assert TABLE.put_units({**MARKER, "date": {"S": "today"}}) == {None: 1, "by-date": 1}


def test_an_index_costs_by_what_it_holds() -> None:
    large: Any = {**MARKER, "GSI-pk": {"S": "1"}, "state": {"S": "x"}, "date": {"S": "y"}, "body": {"B": bytes(5000)}}
    assert TABLE.put_units(large) == {None: 5, "markers": 1, "by-state": 1, "by-date": 5}
    assert TABLE.put_units({**large, "note": {"B": bytes(2000)}})["by-state"] == 2


def test_the_most_that_a_write_costs_is_that_of_400_kb_in_the_table_and_in_every_index_with_attributes() -> None:
    assert {index.name: index.most_units for index in TABLE.indexes} == {"markers": 8, "by-state": 400, "by-date": 400}
    assert TABLE.most_delete_units == 400 + 8 + 400 + 400
    assert WrittenTable(()).most_delete_units == 400
