"""Pages: where they end, what they cost."""

from typing import Any

import pytest

from tests.engines.conformance import sample
from tests.engines.conformance.engine import Engine
from tests.engines.conformance.walking import pages
from tests.fakes.attribute_value import Item
from tests.fakes.definition import IndexDefinition, KeyAttribute, KeySchema, TableDefinition

KEY_BYTES = len("pk") + 1 + len("sk") + 2 + len("v")
"""Of an item of `sized`: the names, a partition key of one byte and a sort key of one or two digits."""

PK, SK, LOCAL_SK = KeyAttribute("pk", "S"), KeyAttribute("sk", "N"), KeyAttribute("local_sk", "N")
SIZED = TableDefinition("sized", KeySchema((PK,), (SK,)))


def sized(engine: Engine, item_bytes: int, count: int, definition: TableDefinition = SIZED) -> str:
    """A table of one collection whose items have exactly that size; the answer is its name."""
    table = TableDefinition(f"{definition.name}-{item_bytes}-{count}", definition.key, definition.indexes)
    payload = {"B": bytes(item_bytes - KEY_BYTES)}
    engine.load(table, [{"pk": {"S": "p"}, "sk": {"N": str(n)}, "v": payload} for n in range(1, count + 1)])
    return table.name


def units(engine: Engine, **parameters: Any) -> float:
    consumed: float = engine.scan(ReturnConsumedCapacity="TOTAL", **parameters)["ConsumedCapacity"]["CapacityUnits"]
    return consumed


def test_a_limit_that_hits_the_last_item_still_gives_a_last_evaluated_key(engine: Engine) -> None:
    table = sized(engine, 100, 5)
    page = engine.scan(TableName=table, Limit=5)
    assert page["LastEvaluatedKey"] == {"pk": {"S": "p"}, "sk": {"N": "5"}}
    page = engine.scan(TableName=table, Limit=5, ExclusiveStartKey=page["LastEvaluatedKey"])
    assert (page["Count"], "LastEvaluatedKey" in page) == (0, False)
    assert "LastEvaluatedKey" not in engine.scan(TableName=table, Limit=6)


@pytest.mark.parametrize(
    ("item_bytes", "limit", "expected"),
    [(100, 1, 0.5), (100, 40, 0.5), (1024, 4, 0.5), (1025, 4, 1.0), (4096, 1, 0.5), (4097, 1, 1.0), (9000, 3, 3.5)],
)
def test_read_units_are_the_sum_of_sizes_rounded_up_once(
    engine: Engine, item_bytes: int, limit: int, expected: float
) -> None:
    assert units(engine, TableName=sized(engine, item_bytes, 40), Limit=limit) == expected


def test_a_projection_or_a_count_costs_as_much_as_the_whole_items(engine: Engine) -> None:
    table = sized(engine, 9000, 40)
    projection: dict[str, Any] = {"ProjectionExpression": "#k", "ExpressionAttributeNames": {"#k": "pk"}}
    assert units(engine, TableName=table, Limit=3, **projection) == 3.5
    assert units(engine, TableName=table, Limit=3, Select="COUNT") == 3.5
    assert "Items" not in engine.scan(TableName=table, Limit=3, Select="COUNT")


def test_a_consistent_read_costs_twice(engine: Engine) -> None:
    assert units(engine, TableName=sized(engine, 9000, 40), Limit=3, ConsistentRead=True) == 7.0


def test_a_page_that_finds_nothing_costs_half_a_unit(engine: Engine) -> None:
    table = sized(engine, 100, 5)
    last = {"pk": {"S": "p"}, "sk": {"N": "5"}}
    assert units(engine, TableName=table, ExclusiveStartKey=last) == 0.5


def test_sizes_count_utf8_bytes(engine: Engine) -> None:
    table = TableDefinition("utf8", KeySchema.of(("pk", "S")))
    engine.load(table, [{"pk": {"S": "p"}, "v": {"S": "😀" * 1100}}])
    assert units(engine, TableName=table.name) == 1.0


def test_a_page_ends_with_the_item_that_brings_it_to_one_megabyte(engine: Engine) -> None:
    table = sized(engine, 60_000, 40)
    counts = [page["Count"] for page in pages(engine, TableName=table)]
    assert counts == [18, 18, 4]
    assert units(engine, TableName=table) == 132.0


@pytest.mark.parametrize("kind", ["local", "global"])
def test_an_index_is_read_at_the_size_of_what_it_projects(engine: Engine, kind: Any) -> None:
    key = KeySchema((PK,), (LOCAL_SK,))
    indexes = IndexDefinition("keys", key, kind, "KEYS_ONLY"), IndexDefinition("all", key, kind, "ALL")
    table = TableDefinition(f"projected-{kind}", SIZED.key, indexes)
    item: Item = {"pk": {"S": "p"}, "v": {"B": bytes(9000)}, "local_sk": {"N": "7"}}
    engine.load(table, [{**item, "sk": {"N": str(n)}} for n in range(3)])
    assert units(engine, TableName=table.name, IndexName="keys") == 0.5
    assert units(engine, TableName=table.name, IndexName="all") == 3.5
    page = engine.scan(TableName=table.name, IndexName="keys")
    assert all(item.keys() == {"pk", "sk", "local_sk"} for item in page["Items"])


@pytest.mark.parametrize(
    ("index", "expected"),
    [
        (None, {"Table": {"CapacityUnits": 0.5}}),
        ("local", {"Table": {"CapacityUnits": 0.0}, "LocalSecondaryIndexes": {"local": {"CapacityUnits": 0.5}}}),
        ("global", {"Table": {"CapacityUnits": 0.0}, "GlobalSecondaryIndexes": {"global": {"CapacityUnits": 0.5}}}),
    ],
    ids=["table", "local", "global"],
)
def test_capacity_by_index_names_where_it_was_consumed(
    engine: Engine, index: str | None, expected: dict[str, Any]
) -> None:
    table = sample.table("S", "S")
    engine.load(table, sample.items("S", "S"))
    where = {"IndexName": index} if index else {}
    page = engine.scan(TableName=table.name, Limit=1, ReturnConsumedCapacity="INDEXES", **where)
    assert page["ConsumedCapacity"] == {"TableName": table.name, "CapacityUnits": 0.5, **expected}


def test_describe_table_counts_items_and_bytes(engine: Engine) -> None:
    document = engine.describe(sized(engine, 1024, 40))
    assert (document["ItemCount"], document["TableSizeBytes"]) == (40, 40 * 1024)
