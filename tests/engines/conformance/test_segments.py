"""Segments: equal ranges of the hash space, each item collection in one of them."""

from collections import Counter
from itertools import chain
from typing import Any

import pytest

from tests.engines.conformance import sample
from tests.engines.conformance.engine import Engine, refused
from tests.engines.conformance.walking import items, partition_key, schema, source
from tests.fakes.attribute_value import KeyType
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.tables import KEY_TYPES


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
