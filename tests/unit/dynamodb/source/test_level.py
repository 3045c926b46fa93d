"""The prefix of a sort key, and the greatest sort key with the same prefix."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.dynamodb.attribute_value import MAXIMUM, MOST_SORT_KEY_BYTES, AttributeValue, greatest
from skipscan.dynamodb.source import Level
from skipscan.errors import OMITTED, InputError
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.turns import planned
from tests.refusal import refused

TEXTS = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("#aé\U0010ffff"), min_size=1, max_size=12)
BYTES = st.lists(st.sampled_from([b"#", b"a", b"\xff", b"\x00"]), min_size=1, max_size=8).map(b"".join)
LEVELS = st.builds(Level, delimiter=st.sampled_from(["#", "##", "a#"]), depth=st.integers(1, 3)) | st.builds(
    Level, prefix_length=st.integers(1, 6)
)


def text(content: str) -> AttributeValue:
    return {"S": content}


def order(value: AttributeValue) -> bytes:
    ((_, content),) = value.items()
    return content.encode() if isinstance(content, str) else bytes(content)


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


def test_a_prefix_length_counts_characters_of_texts_and_bytes_of_binary() -> None:
    level = Level(prefix_length=2)
    assert level.prefix_of(text("é😀z")) == text("é😀")
    assert level.prefix_of(text("é")) == text("é")
    assert level.prefix_of({"B": b"\x00\xff\x01"}) == {"B": b"\x00\xff"}


@pytest.mark.parametrize("sort_key", [text("ORDER"), {"B": b"ORDER"}])
@pytest.mark.parametrize("level", [Level("#"), Level(prefix_length=6)])
def test_a_sort_key_that_is_too_short_for_a_prefix_is_passed_alone(level: Level, sort_key: AttributeValue) -> None:
    assert level.past(sort_key) == sort_key


@pytest.mark.parametrize(
    ("length", "end"), [(1024, ""), (1023, "\x7f"), (1022, "\u07ff"), (1021, "\uffff"), (1020, "\U0010ffff")]
)
def test_the_greatest_sort_key_uses_all_the_room_behind_a_prefix(length: int, end: str) -> None:
    prefix = "#" * length
    assert greatest(text(prefix)) == text(prefix + end)
    assert Level(prefix_length=length).past(text("#" * 1024)) == text(prefix + end)
    assert greatest({"B": prefix.encode()}) == {"B": prefix.encode() + b"\xff" * (1024 - length)}


@given(TEXTS, TEXTS, st.integers(0, 8))
def test_no_sort_key_with_a_prefix_is_greater(prefix: str, rest: str, room: int) -> None:
    begin = prefix + "x" * (MOST_SORT_KEY_BYTES - len(prefix.encode()) - room)
    held = next(begin + rest[:end] for end in range(len(rest), -1, -1) if len((begin + rest[:end]).encode()) <= 1024)
    last = greatest(text(begin))
    assert last["S"].startswith(begin)
    assert len(order(last)) == MOST_SORT_KEY_BYTES
    assert order(text(held)) <= order(last) <= order(MAXIMUM["S"])


@given(LEVELS, st.lists(TEXTS.map(text), min_size=1, max_size=40) | st.lists(BYTES.map(lambda b: {"B": b}), min_size=1))
def test_groups_are_in_one_piece_and_end_at_the_greatest(level: Level, sort_keys: list[AttributeValue]) -> None:
    """What the skip rests on: between an item and the greatest sort key of its group lies only its group."""
    for one in sort_keys:
        for other in sort_keys:
            is_same = level.prefix_of(one) == level.prefix_of(other)
            assert is_same == (order(level.prefix_of(one)) <= order(other) <= order(level.past(one))), (one, other)


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
    client = FakeDynamoDB()
    client.add(TableDefinition("Refused", key), [])
    value = OMITTED if rule.startswith("is given") else "#"
    with refused(InputError, "delimiter", value, "delimiter", rule=rule):
        planned(client, table="Refused", delimiter="#")
