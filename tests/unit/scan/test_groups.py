"""How a walk skips the rest of a group: the start key behind it."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.dynamodb.attribute_value import MAXIMUM, AttributeValue, greatest
from skipscan.dynamodb.sort_range import SortRange
from skipscan.dynamodb.source import Item, Level, Source
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind
from skipscan.scan.counting import GroupLengths
from skipscan.scan.groups import Groups
from skipscan.scan.taken import Counted
from tests.unit.dynamodb.test_source import index, schema


def test_a_group_of_a_level_has_all_attributes_of_the_partition_key() -> None:
    """Of a key of several attributes, which a global index may have."""
    groups = Groups(replace(index("Global", schema(("g1", "sk"), ("z",))), level=Level("#")))
    item: Item = {"g1": {"S": "x"}, "sk": {"N": "2"}, "z": {"B": b"a#1"}, "pk": {"S": "p"}}
    group = groups.of(item)
    assert group == ({"S": "x"}, {"N": "2"}, {"B": b"a#"})
    assert groups.collection_of(group) == ({"S": "x"}, {"N": "2"})
    of_group = SortRange("z", since={"B": b"a#"}, until=greatest({"B": b"a#"}))
    assert groups.query_key(group) == (groups.collection_of(group), of_group)


def table(*sort_key: str) -> Source:
    names = tuple(KeyAttribute(name, "S") for name in sort_key)
    return Source("Orders", None, SourceKind.TABLE, (KeyAttribute("pk", "S"),), names, ())


@pytest.mark.parametrize(
    ("source", "among", "sort_key", "forwards", "backwards"),
    [
        (table("sk"), None, MAXIMUM["S"], True, False),
        (table("sk"), None, {"S": "b"}, False, False),
        (table("sk"), SortRange("sk", since={"S": "b"}, until={"S": "d"}), {"S": "b"}, False, True),
        (table("sk"), SortRange("sk", since={"S": "b"}, until={"S": "d"}), {"S": "d"}, True, False),
        (table("sk", "other"), SortRange("sk", since={"S": "b"}), {"S": "b"}, False, False),
    ],
)
def test_the_last_item_that_a_query_can_have_is_at_the_end_to_which_it_reads(
    source: Source, among: SortRange | None, sort_key: AttributeValue, forwards: bool, backwards: bool
) -> None:
    """Read backwards there is none without a range, nor where items with an equal sort key can follow."""
    item: Item = {"pk": {"S": "p"}, "sk": sort_key, "other": {"S": "x"}}
    is_end = Groups(source).is_end
    assert (is_end(item, among), is_end(item, among, backwards=True)) == (forwards, backwards)


# The lengths of counted groups: none is lost, and they stay small.


def added(*groups: Counted) -> GroupLengths:
    lengths = GroupLengths()
    for group in groups:
        lengths.add(group)
    return lengths


@given(st.lists(st.integers(1, 10**7)))
def test_a_length_is_stored_exactly_or_within_a_thirty_second(counted: list[int]) -> None:
    lengths = added(*map(Counted, counted))
    stored: Counter[int] = Counter({int(length): count for length, count in lengths.to_json()["whole"].items()})
    for exact, near in zip(sorted(counted), sorted(stored.elements()), strict=True):
        assert near <= exact < near * (1 + 1 / 32) + (exact < 64)
        assert exact == near or exact >= 64
