"""Pages: where they end, what they cost."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.engines.conformance import sample
from tests.engines.conformance.engine import Engine, FakeEngine
from tests.engines.conformance.walking import pages
from tests.fakes.attribute_value import Item
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.tables import GeneratedTable, tables

KEY_BYTES = len("pk") + 1 + len("sk") + 2 + len("v")
"""Of an item of `sized`: the names, a partition key of one byte and a sort key of one or two digits."""

SIZED = TableDefinition("sized", KeySchema.of(("pk", "S"), ("sk", "N")))
FIRST = {"pk": {"S": "p"}, "sk": {"N": "1"}}
"""What the measured pages begin behind: a page from the table's beginning costs more on AWS, for every partition that
it crosses (the observation `fresh-table-units`)."""


def sized(engine: Engine, item_bytes: int, count: int) -> str:
    """A table of one collection whose items have exactly that size; the answer is its name."""
    table = TableDefinition(f"{SIZED.name}-{item_bytes}-{count}", SIZED.key)
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
    assert units(engine, TableName=sized(engine, item_bytes, 42), Limit=limit, ExclusiveStartKey=FIRST) == expected


def test_a_projection_or_a_count_costs_as_much_as_the_whole_items(engine: Engine) -> None:
    within: dict[str, Any] = {"TableName": sized(engine, 9000, 42), "Limit": 3, "ExclusiveStartKey": FIRST}
    projection: dict[str, Any] = {"ProjectionExpression": "#k", "ExpressionAttributeNames": {"#k": "pk"}}
    assert units(engine, **within, **projection) == 3.5
    assert units(engine, **within, Select="COUNT") == 3.5
    assert "Items" not in engine.scan(**within, Select="COUNT")


def test_a_consistent_read_costs_twice(engine: Engine) -> None:
    table = sized(engine, 9000, 42)
    assert units(engine, TableName=table, Limit=3, ConsistentRead=True, ExclusiveStartKey=FIRST) == 7.0


def test_a_page_that_finds_nothing_costs_half_a_unit(engine: Engine) -> None:
    """Of a segment that lies within one partition, so that the page crosses none."""
    table = sized(engine, 100, 5)
    asked = {"TableName": table, "TotalSegments": 4096, "ReturnConsumedCapacity": "TOTAL"}
    found = [engine.scan(Segment=segment, **asked) for segment in (7, 8)]
    assert next(page["ConsumedCapacity"]["CapacityUnits"] for page in found if not page["Items"]) == 0.5


def test_sizes_count_utf8_bytes(engine: Engine) -> None:
    table = TableDefinition("utf8", SIZED.key)
    engine.load(table, [{"pk": {"S": "p"}, "sk": {"N": f"{n}"}, "v": {"S": "😀" * 1100}} for n in (1, 2)])
    assert units(engine, TableName=table.name, Limit=1, ExclusiveStartKey=FIRST) == 1.0


def test_a_page_ends_with_the_item_that_brings_it_to_one_megabyte(engine: Engine) -> None:
    table = sized(engine, 60_000, 42)
    counts = [page["Count"] for page in pages(engine, TableName=table, ExclusiveStartKey=FIRST)]
    assert counts == [18, 18, 5]
    assert units(engine, TableName=table, ExclusiveStartKey=FIRST) == 132.0


def projected(engine: Engine, kind: Any) -> str:
    """A table of one collection with an index of the keys, and one of all attributes; the answer is its name."""
    key = KeySchema.of(("pk", "S"), ("local_sk", "N"))
    indexes = IndexDefinition("keys", key, kind, "KEYS_ONLY"), IndexDefinition("all", key, kind, "ALL")
    table = TableDefinition(f"projected-{kind}", SIZED.key, indexes)
    item: Item = {"pk": {"S": "p"}, "v": {"B": bytes(9000)}}
    engine.load(table, [{**item, "sk": {"N": str(n)}, "local_sk": {"N": str(n)}} for n in range(1, 6)])
    return table.name


@pytest.mark.parametrize("kind", ["local", "global"])
def test_an_index_is_read_at_the_size_of_what_it_projects(engine: Engine, kind: Any) -> None:
    within: dict[str, Any] = {
        "TableName": projected(engine, kind),
        "Limit": 3,
        "ExclusiveStartKey": {**FIRST, "local_sk": {"N": "1"}},
    }
    assert units(engine, IndexName="keys", **within) == 0.5
    assert units(engine, IndexName="all", **within) == 3.5
    page = engine.scan(IndexName="keys", **within)
    assert all(item.keys() == {"pk", "sk", "local_sk"} for item in page["Items"])


@pytest.mark.parametrize("kind", [None, "local", "global"], ids=sample.name)
def test_capacity_by_index_names_where_it_was_consumed(engine: Engine, kind: str | None) -> None:
    table, start = projected(engine, kind or "global"), {**FIRST, **({"local_sk": {"N": "1"}} if kind else {})}
    where = {"IndexName": "keys"} if kind else {}
    page = engine.scan(TableName=table, Limit=1, ExclusiveStartKey=start, ReturnConsumedCapacity="INDEXES", **where)
    own = {"CapacityUnits": page["ConsumedCapacity"]["CapacityUnits"]}
    named = {f"{kind.capitalize()}SecondaryIndexes": {"keys": own}, "Table": {"CapacityUnits": 0.0}} if kind else {}
    assert own["CapacityUnits"] == (0.5 if kind else 1.5)
    assert page["ConsumedCapacity"] == {"TableName": table, **own, "Table": own, **named}


def test_describe_table_counts_items_and_bytes(engine: Engine) -> None:
    document = engine.describe(sized(engine, 1024, 40))
    assert (document["ItemCount"], document["TableSizeBytes"]) == (40, 40 * 1024)


# The fake and dynalite, page by page: any table whose partition keys both hash alike (strings and binary).


NUMBERS = count(1)


@pytest.mark.xdist_group("dynalite")
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(table=tables(), limit=st.integers(1, 12), total_segments=st.sampled_from([1, 2, 8]))
def test_the_fake_answers_as_dynalite(
    dynalite_engine: Engine, table: GeneratedTable, limit: int, total_segments: int
) -> None:
    assume(table.definition.key.partition[0].type != "N")
    definition = TableDefinition(f"generated-{next(NUMBERS)}", table.definition.key)
    fake = FakeEngine()
    for engine in (fake, dynalite_engine):
        engine.load(definition, table.items)
    for segment in range(total_segments):
        scan = {"TableName": definition.name, "Segment": segment, "TotalSegments": total_segments, "Limit": limit}
        assert list(answers(fake, scan)) == list(answers(dynalite_engine, scan))


def answers(engine: Engine, scan: dict[str, Any]) -> Iterator[tuple[object, object]]:
    for page in pages(engine, **scan):
        yield page["Items"], page.get("LastEvaluatedKey")
