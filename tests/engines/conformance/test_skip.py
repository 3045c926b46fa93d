"""The skip: a start key at the greatest sort key begins the next item collection."""

import pytest

from skipscan.dynamodb.attribute_value import MAXIMUM
from tests.engines.conformance import sample
from tests.engines.conformance.engine import Engine
from tests.engines.conformance.walking import EndlessError, items, maxima, partition_key, schema, skip_scan
from tests.fakes.attribute_value import AttributeValue, KeyType
from tests.fakes.definition import IndexDefinition, KeyAttribute, KeySchema, TableDefinition
from tests.fakes.tables import KEY_TYPES

SKIPPABLE = (None, "local", "global", "shares-a-key", "swapped")


@pytest.mark.parametrize("index", SKIPPABLE, ids=sample.name)
@pytest.mark.parametrize("sort_type", KEY_TYPES)
@pytest.mark.parametrize("partition_type", KEY_TYPES)
def test_a_skip_finds_every_partition_key_once(
    engine: Engine, partition_type: KeyType, sort_type: KeyType, index: str | None
) -> None:
    table = sample.loaded(engine, partition_type, sort_type)
    key = schema(table, index)
    present = {
        partition_key(item, key)
        for item in sample.items(partition_type, sort_type)
        if all(attribute.name in item for attribute in key.attributes)
    }
    assert sorted(skip_scan(engine, table, index)) == sorted(present)


@pytest.mark.parametrize("index", [None, "local"], ids=sample.name)
@pytest.mark.parametrize("sort_type", KEY_TYPES)
def test_a_skip_passes_an_item_at_the_greatest_sort_key(engine: Engine, sort_type: KeyType, index: str | None) -> None:
    local = IndexDefinition("local", KeySchema.of(("pk", "S"), ("local_sk", sort_type)), "local")
    table = TableDefinition(f"greatest-{sort_type}", KeySchema.of(("pk", "S"), ("sk", sort_type)), (local,))
    sort_keys = [sample.ASCENDING[sort_type][0], MAXIMUM[sort_type]]
    engine.load(
        table,
        [
            {"pk": {"S": text}, "sk": sort_key, "local_sk": MAXIMUM[sort_type]}
            for text in ("a", "b", "c", "d")
            for sort_key in sort_keys
        ],
    )
    assert len(items(engine, TableName=table.name)) == 8
    assert sorted(skip_scan(engine, table, index)) == [(b"a",), (b"b",), (b"c",), (b"d",)]


def test_u_ffff_is_not_the_greatest_string(engine: Engine) -> None:
    """Emoji sort after it, so a skip to it meets the same collection for ever."""
    table = TableDefinition("emoji", KeySchema.of(("pk", "S"), ("sk", "S")))
    engine.load(table, [{"pk": {"S": text}, "sk": {"S": sort_key}} for text in "ab" for sort_key in ("a", "😀", "😁")])
    assert sorted(skip_scan(engine, table)) == [(b"a",), (b"b",)]
    with pytest.raises(EndlessError):
        skip_scan(engine, table, skip_to={"sk": {"S": "\uffff" * 341}})


def test_an_index_without_sort_key_cannot_be_skipped(engine: Engine) -> None:
    """Equal keys have no order to jump in: the table's keys at their greatest lead nowhere in particular."""
    table = sample.loaded(engine, "S", "S")
    with pytest.raises(EndlessError):
        skip_scan(engine, table, "without-sort-key", skip_to={"pk": MAXIMUM["S"], "sk": MAXIMUM["S"]})


def test_a_skip_costs_one_request_per_partition_key(engine: Engine) -> None:
    """And one more that finds the end: the last page stopped at its Limit."""
    table = sample.loaded(engine, "S", "N")
    pages = len(sample.COLLECTION_ITEMS) + 1
    assert len(skip_scan(engine, table, page_limit=pages)) == pages - 1
    with pytest.raises(EndlessError):
        skip_scan(engine, table, page_limit=pages - 1)


def test_an_index_with_several_key_attributes_is_skipped(engine: Engine) -> None:
    """Up to four partition and four sort key attributes since November 2025; all of them are in a start key."""
    one, two, three, four = (KeyAttribute(name, "S") for name in ("a", "b", "c", "d"))
    index = IndexDefinition("several", KeySchema((one, two), (three, four)))
    table = TableDefinition("several-attributes", KeySchema.of(("pk", "N")), (index,))
    texts: list[AttributeValue] = [{"S": "x"}, {"S": "y"}]
    combinations = [(a, b, c, d) for a in texts for b in texts for c in texts for d in texts]
    engine.load(
        table,
        [{"pk": {"N": str(n)}, "a": a, "b": b, "c": c, "d": d} for n, (a, b, c, d) in enumerate(combinations)],
    )
    page = engine.scan(TableName=table.name, IndexName=index.name, Limit=1)
    assert page["LastEvaluatedKey"].keys() == {"a", "b", "c", "d", "pk"}
    found = skip_scan(engine, table, index.name, skip_to=maxima(table, index.name))
    assert sorted(found) == [(b"x", b"x"), (b"x", b"y"), (b"y", b"x"), (b"y", b"y")]
