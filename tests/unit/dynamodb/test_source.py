"""Keys as DescribeTable shows them, and start keys made of them."""

from typing import Any

import pytest

from skipscan.dynamodb.attribute_value import MAXIMUM, AttributeValue
from skipscan.dynamodb.page import Page
from skipscan.dynamodb.source import Item, Level, Source
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import OMITTED, InputError, TableError
from skipscan.items.lane import SegmentLane
from skipscan.scan.cursor import Cursor
from skipscan.scan.groups import Groups
from skipscan.scan.walk import Walk
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.small_table import copy_plan
from tests.fakes.turns import planned
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


def test_an_unknown_index_is_refused_with_the_known_ones() -> None:
    with refused(TableError, "index", "by-date", "index", rule="the table's indexes are by-it"):
        Source.described("T", description(GlobalSecondaryIndexes=[{"IndexName": "by-it"}]), "by-date")


def test_the_maxima_are_as_long_as_a_sort_key_may_be() -> None:
    assert len(MAXIMUM["S"]["S"].encode()) == len(MAXIMUM["B"]["B"]) == 1024


def text(content: str) -> AttributeValue:
    return {"S": content}


@pytest.mark.parametrize(
    ("depth", "sort_key", "prefix"),
    [
        (1, "ORDER#1#2", "ORDER#"),
        (1, "ORDER#", "ORDER#"),
        (1, "ORDER", "ORDER"),
        (1, "#1", "#"),
        (2, "a##b", "a##"),
        (2, "##", "##"),
        (2, "a#b", "a#b"),
        (2, "😀#é#z", "😀#é#"),
    ],
)
def test_a_prefix_ends_behind_the_delimiter_of_its_depth(depth: int, sort_key: str, prefix: str) -> None:
    level = Level("#", depth)
    assert level.prefix_of(text(sort_key)) == text(prefix)
    assert level.prefix_of({"B": sort_key.encode()}) == {"B": prefix.encode()}


@pytest.mark.parametrize("sort_key", [text("ORDER"), {"B": b"ORDER"}])
@pytest.mark.parametrize("level", [Level("#"), Level(prefix_length=6)])
def test_a_sort_key_that_is_too_short_for_a_prefix_is_passed_alone(level: Level, sort_key: AttributeValue) -> None:
    assert level.past(sort_key) == sort_key


@pytest.mark.parametrize(
    ("key", "rule"),
    [
        (KeySchema.of(("pk", "S")), 'the sort key of "Refused" is missing, and only sort keys of'),
        (KeySchema.of(("pk", "S"), ("sk", "N")), 'the sort key of "Refused" is of type N, and only sort keys of the'),
        (
            KeySchema.of(("prefix", "S"), ("sk", "S")),
            'is given, and the partition key has an attribute "prefix"',
        ),
    ],
)
def test_keys_that_cannot_have_a_prefix_are_refused(key: KeySchema, rule: str) -> None:
    client = FakeDynamoDB(TableDefinition("Refused", key), [])
    value = OMITTED if rule.startswith("is given") else "#"
    with refused(InputError, "delimiter", value, "delimiter", rule=rule):
        planned(client, table="Refused", delimiter="#")


# Pages that go in a circle are detected, whatever its length; progressing pages are not.


@pytest.mark.parametrize("kind", [Walk, SegmentLane])
def test_no_walk_follows_pages_that_go_in_a_circle(kind: Any) -> None:
    source: Source = copy_plan().reading.source
    turns: list[Item] = [{source.key[0].name: {"S": text}} for text in ("a", "b", "c")]
    begun = Cursor(0, skipping=False)
    walk = Walk(Groups(source), begun) if kind is Walk else kind(begun, lambda _: None)

    def follow() -> None:
        for page in range(200):
            walk.receive(Page([], turns[page % 3], 0.5))

    with pytest.raises(TableError):
        follow()


def test_a_page_evaluated_the_items_that_it_has_or_those_that_it_only_counted() -> None:
    items = [{"pk": {"S": "a"}}, {"pk": {"S": "b"}}]
    assert [Page(items, None, 0.5).evaluated, Page([], None, 0.5).evaluated] == [2, 0]
    assert Page([], None, 0.5, counted=7).evaluated == 7
