"""How a scan goes through a table: in what order, in segments, and from one item collection to the next."""

from collections import Counter
from itertools import chain, groupby
from typing import Any

import pytest

from skipscan.dynamodb.attribute_value import MAXIMUM
from tests.engines.conformance import sample
from tests.engines.conformance.engine import Engine, refused
from tests.engines.conformance.walking import (
    EndlessError,
    items,
    maxima,
    partition_key,
    schema,
    skip_scan,
    sort_key,
    source,
)
from tests.fakes.attribute_value import AttributeValue, Item, KeyType
from tests.fakes.definition import IndexDefinition, KeyAttribute, KeySchema, TableDefinition
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


# Segments: equal ranges of the hash space, each item collection in one of them.


@pytest.mark.parametrize("index", [None, "local", "global", "without-sort-key"], ids=sample.name)
@pytest.mark.parametrize("key_type", KEY_TYPES)
def test_every_item_is_in_one_segment_and_no_collection_in_two(
    engine: Engine, key_type: KeyType, index: str | None
) -> None:
    table = sample.loaded(engine, key_type, key_type)
    where = source(table, index)
    everything = items(engine, **where)
    key = schema(table, index)
    for total_segments in (1, 2, 7):
        segments = [
            items(engine, Segment=segment, TotalSegments=total_segments, Limit=6, **where)
            for segment in range(total_segments)
        ]
        assert sorted(map(str, chain(*segments))) == sorted(map(str, everything))
        collections = [{partition_key(item, key) for item in segment} for segment in segments]
        assert sum(map(len, collections)) == len({partition_key(item, key) for item in everything})


@pytest.mark.parametrize("index", [None, "local", "global"], ids=sample.name)
def test_segments_are_consecutive_ranges_of_the_scan(engine: Engine, index: str | None) -> None:
    table = sample.loaded(engine, "S", "S")
    where = source(table, index)
    for total in (2, 7):
        segments = (items(engine, Segment=segment, TotalSegments=total, **where) for segment in range(total))
        assert [*chain(*segments)] == items(engine, **where)


def test_keys_spread_evenly_over_segments(engine: Engine) -> None:
    """Each is an equal range of the hash space, so a random segment is a fair sample of the partition keys."""
    table = TableDefinition("even", KeySchema.of(("pk", "N")))
    engine.load(table, [{"pk": {"N": str(n)}} for n in range(400)])
    counts = [len(items(engine, TableName=table.name, Segment=segment, TotalSegments=8)) for segment in range(8)]
    assert sum(counts) == 400
    assert all(25 <= count <= 75 for count in counts)


def test_far_more_segments_than_partition_keys(engine: Engine) -> None:
    table = sample.loaded(engine, "S", "S")
    first, last = (
        items(engine, TableName=table.name, Segment=segment, TotalSegments=1_000_000) for segment in (0, 999_999)
    )
    assert first == last == []


@pytest.mark.parametrize("index", [None, "local", "global"], ids=sample.name)
def test_a_start_key_from_another_segment_is_refused(engine: Engine, index: str | None) -> None:
    table = sample.loaded(engine, "S", "S")
    where = source(table, index)
    page = engine.scan(Limit=1, **where)
    accepted = Counter(
        not refused(engine, ExclusiveStartKey=page["LastEvaluatedKey"], Segment=segment, TotalSegments=4, **where)
        for segment in range(4)
    )
    assert accepted == {True: 1, False: 3}


IMPOSSIBLE: dict[str, dict[str, Any]] = {
    "first-without-total": {"Segment": 0},
    "second-without-total": {"Segment": 1},
    "total-without-segment": {"TotalSegments": 2},
    "segment-above-total": {"Segment": 2, "TotalSegments": 2},
    "total-above-a-million": {"Segment": 0, "TotalSegments": 1_000_001},
}


@pytest.mark.refused_by_aws
@pytest.mark.parametrize("case", IMPOSSIBLE)
def test_an_impossible_segment_is_refused(engine: Engine, case: str) -> None:
    table = sample.loaded(engine, "S", "S")
    assert refused(engine, TableName=table.name, **IMPOSSIBLE[case])


# The skip: a start key at the greatest sort key begins the next item collection.


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
