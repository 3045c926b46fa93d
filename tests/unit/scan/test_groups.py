"""How a walk skips the rest of a group: the start key behind it."""

from dataclasses import replace

from skipscan.dynamodb.attribute_value import greatest
from skipscan.dynamodb.sort_range import SortRange
from skipscan.dynamodb.source import Item, Level
from skipscan.scan.groups import Groups
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
