"""Ranges of sort keys: what they hold, what comes behind them, and the condition of a Query for them."""

from decimal import Decimal
from enum import Enum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.dynamodb.attribute_value import AttributeValue, predecessor, successor
from skipscan.dynamodb.sort_range import Bound, SortRange, sort_key_value


class Colour(str, Enum):  # noqa: UP042 (a StrEnum's text is its value)
    RED = "red"


TEXTS = st.text(st.sampled_from("#A\uffff\U0010ffff"), min_size=1, max_size=3)
VALUES = st.one_of(
    st.tuples(TEXTS, TEXTS, TEXTS).map(lambda texts: [{"S": text} for text in texts]),
    st.tuples(*[st.integers(-20, 20)] * 3).map(lambda numbers: [{"N": f"{number}e-1"} for number in numbers]),
    st.tuples(*[st.binary(min_size=1, max_size=2)] * 3).map(lambda held: [{"B": each} for each in held]),
)


def as_stored(value: AttributeValue) -> Any:
    """Return a sort key as DynamoDB orders it: a text by its bytes in UTF-8."""
    ((kind, content),) = value.items()
    return Decimal(content) if kind == "N" else content.encode() if kind == "S" else content


@given(VALUES)
def test_a_range_holds_what_lies_between_its_ends(values: list[dict[str, Any]]) -> None:
    sort_key, low, high = values
    among = [as_stored(each) for each in values]
    assert SortRange("sk", since=low).side(sort_key) == (0 if among[1] <= among[0] else -1)
    assert SortRange("sk", until=high).side(sort_key) == (0 if among[0] <= among[2] else 1)
    assert SortRange("sk", until=high).is_end(sort_key) is (among[2] <= among[0])
    both = SortRange("sk", since=low, until=high)
    assert both.is_reversed is (among[1] > among[2])
    if not both.is_reversed:
        assert both.side(sort_key) == (among[0] > among[2]) - (among[0] < among[1])


@given(VALUES)
def test_what_is_within_two_ranges_is_in_both(values: list[dict[str, Any]]) -> None:
    sort_key, low, high = values
    one, other = SortRange("sk", since=low), SortRange("sk", until=high)
    for both in (one.within(other), other.within(one), one.within(other).within(one)):
        is_inside = one.side(sort_key) == other.side(sort_key) == 0
        assert is_inside is (not both.is_reversed and both.side(sort_key) == 0)


@pytest.mark.parametrize(
    ("value", "before"),
    [
        ({"S": "a\x00"}, {"S": "a"}),
        ({"S": "\x00"}, None),
        ({"S": "\ue000"}, {"S": "\ud7ff" + "\U0010ffff" * 255 + "\x7f"}),
        ({"S": "b" * 1024}, {"S": "b" * 1023 + "a"}),
        ({"B": b"a\x00"}, {"B": b"a"}),
        ({"B": b"\x00"}, None),
        ({"B": b"\x01"}, {"B": b"\x00" + b"\xff" * 1023}),
        ({"N": "5"}, {"N": "4." + "9" * 37}),
        ({"N": "0"}, {"N": "-1E-130"}),
        ({"N": "1E-130"}, {"N": "0"}),
        ({"N": "-1E-130"}, {"N": "-1." + "0" * 36 + "1E-130"}),
        ({"N": "-9.9999999999999999999999999999999999999E+125"}, None),
    ],
)
def test_the_greatest_sort_key_before_another(value: dict[str, Any], before: dict[str, Any] | None) -> None:
    assert predecessor(value) == before


@pytest.mark.parametrize(
    ("value", "behind"),
    [
        ({"S": "a"}, {"S": "a\x00"}),
        ({"S": "é" * 512}, None),
        ({"B": b"\xff"}, {"B": b"\xff\x00"}),
        ({"B": b"a" * 1024}, None),
        ({"N": "5"}, {"N": "5." + "0" * 36 + "1"}),
        ({"N": "0"}, {"N": "1E-130"}),
        ({"N": "-1E-130"}, {"N": "0"}),
        ({"N": "9.9999999999999999999999999999999999999E+125"}, None),
    ],
)
def test_the_least_sort_key_behind_another(value: dict[str, Any], behind: dict[str, Any] | None) -> None:
    assert successor(value) == behind


@given(VALUES.filter(lambda values: "N" not in values[0]))
def test_a_prefix_holds_all_that_begin_with_it(values: list[dict[str, Any]]) -> None:
    sort_key, prefix = as_stored(values[0]), as_stored(values[1])
    prefixed = SortRange("sk", prefix=values[1])
    outside = 1 if sort_key > prefix else -1
    assert prefixed.side(values[0]) == (0 if sort_key.startswith(prefix) else outside)


@pytest.mark.parametrize(
    ("ends", "condition"),
    [
        ({"prefix": {"B": b"\x01"}}, "begins_with(#s, :prefix)"),
        ({"since": {"N": "1"}}, "#s >= :since"),
        ({"until": {"N": "1"}}, "#s <= :until"),
        ({"since": {"S": "a"}, "until": {"S": "b"}}, "#s BETWEEN :since AND :until"),
    ],
)
def test_each_range_is_one_condition_and_survives_json(ends: dict[str, Any], condition: str) -> None:
    made = SortRange("sk", **ends)
    assert made.condition("#s") == condition
    assert made.values == {f":{name}": value for name, value in ends.items()}
    assert SortRange.from_json(made.to_json()) == made


@pytest.mark.parametrize(
    ("kind", "given", "value"),
    [
        ("S", "2026", {"S": "2026"}),
        ("N", "12.50", {"N": "12.50"}),
        ("N", 7, {"N": "7"}),
        ("N", 1e22, {"N": "1E+22"}),
        ("N", "+1", {"N": "1"}),
        ("N", ".5", {"N": "0.5"}),
        ("S", Colour.RED, {"S": "red"}),
        ("B", "aGk=", {"B": b"hi"}),
        ("B", {"B": "aGk="}, {"B": b"hi"}),
        ("N", {"N": "1.50"}, {"N": "1.50"}),
        ("S", "\U0010ffff" * 256, {"S": "\U0010ffff" * 256}),
    ],
)
def test_a_sort_key_is_read_as_its_type_has_it(kind: str, given: Bound, value: dict[str, Any]) -> None:
    assert sort_key_value(kind, given) == value


@pytest.mark.parametrize(
    ("kind", "given", "reason"),
    [
        ("S", 7, "it is a number"),
        ("B", 7, "it is a number"),
        ("N", "today", "is not a number"),
        ("N", float("inf"), "is not a number"),
        ("B", "a?", "is not base64"),
        ("S", {"B": "aGk="}, "it is binary"),
        ("N", {"B": "aGk="}, "it is binary"),
        ("S", {"N": "7"}, "it is a number"),
        ("B", {"N": "7"}, "it is a number"),
        ("B", {"S": "aGk="}, "it is a text"),
        ("S", "\U0010ffff" * 257, "1 to 1024 bytes"),
        ("B", "", "1 to 1024 bytes"),
    ],
)
def test_what_no_sort_key_of_the_type_can_be_is_refused(kind: str, given: Bound, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        sort_key_value(kind, given)
