"""Keys as DescribeTable shows them, and start keys made of them."""

from typing import Any

from skipscan.dynamodb.attribute_value import MAXIMUM, is_maximum
from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import TableError
from tests.refusal import refused


def description(**more: Any) -> TableDescription:
    """A table whose attribute definitions are in an unhelpful order."""
    types = {"z": "B", "sk": "N", "g1": "S", "g2": "N", "pk": "S"}
    return TableDescription.from_json(
        {
            "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind} for name, kind in types.items()],
            "KeySchema": schema(("pk",), ("sk",)),
            **more,
        }
    )


def schema(partition: tuple[str, ...], sort: tuple[str, ...] = ()) -> list[dict[str, str]]:
    roles = [(name, "HASH") for name in partition] + [(name, "RANGE") for name in sort]
    return [{"AttributeName": name, "KeyType": role} for name, role in roles]


def index(kind: str, keys: list[dict[str, str]]) -> Source:
    entry = {"IndexName": "by-it", "KeySchema": keys}
    return Source.described("T", description(**{f"{kind}SecondaryIndexes": [entry]}), "by-it")


def test_a_table_without_a_sort_key_has_nothing_to_skip_with() -> None:
    assert not Source.described("T", description(KeySchema=schema(("pk",))), None).can_skip


def test_a_global_index_may_share_keys_with_the_table() -> None:
    source = index("Global", schema(("sk",), ("pk",)))
    assert [attribute.name for attribute in source.key] == ["sk", "pk"]


def test_an_unknown_index_is_refused_with_the_known_ones() -> None:
    with refused(TableError, "index", "by-date", "index", rule="the table's indexes are by-it"):
        Source.described("T", description(GlobalSecondaryIndexes=[{"IndexName": "by-it"}]), "by-date")


def test_the_maxima_are_as_long_as_a_sort_key_may_be() -> None:
    assert len(MAXIMUM["S"]["S"].encode()) == len(MAXIMUM["B"]["B"]) == 1024
    assert is_maximum({"N": "99999999999999999999999999999999999999" + "0" * 88})
    assert not is_maximum({"N": "1E+125"})
