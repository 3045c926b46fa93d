"""The order of a scan: item collections in one piece, their items ascending by sort key."""

from itertools import groupby

import pytest

from tests.engines.conformance import sample
from tests.engines.conformance.engine import Engine
from tests.engines.conformance.walking import items, partition_key, schema, sort_key, source
from tests.fakes.attribute_value import Item, KeyType
from tests.fakes.tables import KEY_TYPES

SOURCES = (None, "local", "global", "without-sort-key", "shares-a-key", "swapped")


@pytest.mark.parametrize("index", SOURCES, ids=sample.name)
@pytest.mark.parametrize("key_type", KEY_TYPES)
def test_collections_are_in_one_piece_and_ascend(engine: Engine, key_type: KeyType, index: str | None) -> None:
    table = sample.loaded(engine, key_type, key_type)
    key = schema(table, index)
    expected = [item for item in sample.items(key_type, key_type) if all(a.name in item for a in key.attributes)]
    for limit in (2, 1000):
        scanned = items(engine, Limit=limit, **source(table, index))
        assert len(scanned) == len(expected)
        collections = [list(group) for _, group in groupby(scanned, lambda item: partition_key(item, key))]
        assert len(collections) == len({partition_key(item, key) for item in expected})
        for collection in collections:
            sort_keys = [sort_key(item, key) for item in collection]
            assert sort_keys == sorted(sort_keys)


def test_collections_do_not_ascend(engine: Engine) -> None:
    """Their order is that of a hash: nothing may rely on partition keys ascending."""
    table = sample.loaded(engine, "S", "S")
    keys = [partition_key(item, table.key) for item in items(engine, TableName=table.name)]
    assert keys != sorted(keys)


def test_numbers_come_back_in_plain_digits(engine: Engine) -> None:
    """So a number that was sent as 1E+125 is not found again by comparing text."""
    table = sample.loaded(engine, "N", "N")
    texts = {item["sk"]["N"] for item in items(engine, TableName=table.name)}
    assert {"1" + "0" * 125, "0." + "0" * 129 + "1", "-10.5"} <= texts


def test_a_deleted_start_key_still_marks_its_place(engine: Engine) -> None:
    table = sample.loaded(engine, "S", "N")
    before = items(engine, TableName=table.name)
    page = engine.scan(TableName=table.name, Limit=10)
    engine.delete(table.name, page["LastEvaluatedKey"])
    after = items(engine, TableName=table.name, ExclusiveStartKey=page["LastEvaluatedKey"])
    engine.put(table.name, before[9])
    assert after == before[10:]


def ends_with(everything: list[Item], tail: list[Item]) -> bool:
    return not tail or everything[-len(tail) :] == tail


@pytest.mark.parametrize("key_type", KEY_TYPES)
def test_a_start_key_need_not_exist(engine: Engine, key_type: KeyType) -> None:
    """Neither its sort key nor its partition key: it marks a place among the hashes."""
    table = sample.loaded(engine, key_type, key_type)
    everything = items(engine, TableName=table.name)
    for partition in sample.ASCENDING[key_type]:
        start_key = {"pk": partition, "sk": sample.ASCENDING[key_type][-1]}
        rest = items(engine, TableName=table.name, ExclusiveStartKey=start_key)
        assert ends_with(everything, rest)
        assert all(item["pk"] != partition for item in rest)
