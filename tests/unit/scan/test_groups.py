"""How a walk skips the rest of a group: the start key behind it."""

from dataclasses import replace

from skipscan.dynamodb.attribute_value import MAXIMUM, greatest
from skipscan.dynamodb.sort_range import SortRange
from skipscan.dynamodb.source import Item, Level, Source
from skipscan.dynamodb.table_description import SourceKind
from skipscan.scan.groups import Groups
from tests.unit.dynamodb.source.test_source import description, index, schema


def test_a_skip_sets_the_sort_key_to_the_maximum_of_its_own_type() -> None:
    source = Source.described("T", description(), None)
    assert Groups(source).past({"pk": {"S": "x"}, "sk": {"N": "1"}}) == {"pk": {"S": "x"}, "sk": MAXIMUM["N"]}


def test_a_local_index_skips_with_both_sort_keys() -> None:
    source = index("Local", schema(("pk",), ("z",)))
    assert source.kind is SourceKind.LOCAL_INDEX
    start_key = Groups(source).past({"pk": {"S": "x"}, "z": {"B": b"1"}, "sk": {"N": "1"}})
    assert start_key == {"pk": {"S": "x"}, "z": MAXIMUM["B"], "sk": MAXIMUM["N"]}


def test_a_global_index_keeps_the_keys_of_the_table() -> None:
    source = index("Global", schema(("g1",), ("g2",)))
    last = {"g1": {"S": "x"}, "g2": {"N": "1"}, "pk": {"S": "p"}, "sk": {"N": "7"}}
    assert Groups(source).past(last) == {**last, "g2": MAXIMUM["N"]}
    assert [attribute.name for attribute in source.key] == ["g1", "g2", "pk", "sk"]


def test_a_global_index_may_have_several_attributes_in_each_key() -> None:
    source = index("Global", schema(("g1", "z"), ("g2", "sk")))
    item: Item = {"g1": {"S": "x"}, "z": {"B": b"y"}, "g2": {"N": "1"}, "sk": {"N": "2"}, "pk": {"S": "p"}}
    assert source.partition_key_of()(item) == ({"S": "x"}, {"B": b"y"})
    assert Groups(source).past(item) == {**item, "g2": MAXIMUM["N"], "sk": MAXIMUM["N"]}


def test_a_group_of_a_level_has_all_attributes_of_the_partition_key() -> None:
    """Of a key of several attributes, which a global index may have."""
    groups = Groups(replace(index("Global", schema(("g1", "sk"), ("z",))), level=Level("#")))
    item: Item = {"g1": {"S": "x"}, "sk": {"N": "2"}, "z": {"B": b"a#1"}, "pk": {"S": "p"}}
    group = groups.of(item)
    assert group == ({"S": "x"}, {"N": "2"}, {"B": b"a#"})
    assert groups.collection_of(group) == ({"S": "x"}, {"N": "2"})
    of_group = SortRange("z", since={"B": b"a#"}, until=greatest({"B": b"a#"}))
    assert groups.query_key(group) == (groups.collection_of(group), of_group)
