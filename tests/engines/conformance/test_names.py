"""Attribute names of any kind, as long as they travel in ExpressionAttributeNames."""

from typing import Any

import pytest

from tests.engines.conformance.engine import Engine
from tests.engines.conformance.walking import pages, skip_scan
from tests.fakes.definition import KeySchema, TableDefinition

NAMES = ("name", "a.b", "a-b", "#k", ":v", "a[0]", "with space", "Größe", "鍵", "🔑", "0")


@pytest.mark.parametrize("name", NAMES)
def test_any_attribute_name_is_scanned_and_skipped(engine: Engine, name: str) -> None:
    table = TableDefinition(f"name-{NAMES.index(name)}", KeySchema.of((name, "S"), (f"{name}.order", "N")))
    engine.load(
        table,
        [
            {name: {"S": text}, f"{name}.order": {"N": str(n)}, "a": {"M": {"b": {"S": "nested"}}}}
            for text in ("x", "y", "z")
            for n in range(3)
        ],
    )
    projection: dict[str, Any] = {"ProjectionExpression": "#k", "ExpressionAttributeNames": {"#k": name}}
    found = [item for page in pages(engine, TableName=table.name, Limit=2, **projection) for item in page["Items"]]
    assert sorted(item[name]["S"] for item in found) == [*"xxxyyyzzz"]
    assert all(item.keys() == {name} for item in found)
    assert sorted(skip_scan(engine, table, **projection)) == [(b"x",), (b"y",), (b"z",)]
