"""Ranges of sort keys: what they hold, what comes behind them, and the condition of a Query for them."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.dynamodb.sort_range import SortRange, sort_key_value

TEXTS = st.text(st.sampled_from("#A\uffff\U0010ffff"), min_size=1, max_size=3)
VALUES = st.one_of(
    st.tuples(TEXTS, TEXTS, TEXTS).map(lambda texts: [{"S": text} for text in texts]),
    st.tuples(*[st.integers(-20, 20)] * 3).map(lambda numbers: [{"N": f"{number}e-1"} for number in numbers]),
    st.tuples(*[st.binary(min_size=1, max_size=2)] * 3).map(lambda held: [{"B": each} for each in held]),
)


def as_stored(value: dict[str, Any]) -> Any:
    """Return a sort key as DynamoDB orders it: a text by its bytes in UTF-8."""
    ((kind, content),) = value.items()
    return Decimal(content) if kind == "N" else content.encode() if kind == "S" else content


@given(VALUES)
def test_a_range_holds_what_lies_between_its_ends(values: list[dict[str, Any]]) -> None:
    sort_key, low, high = values
    among = [as_stored(each) for each in values]
    assert SortRange("sk", since=low).holds(sort_key) is (among[1] <= among[0])
    assert SortRange("sk", until=high).holds(sort_key) is (among[0] <= among[2])
    both = SortRange("sk", since=low, until=high)
    assert both.holds(sort_key) is (among[1] <= among[0] <= among[2])
    assert both.ends_before(sort_key) is (among[0] > among[2])
    assert both.is_reversed is (among[1] > among[2])
    assert not SortRange("sk", since=low).ends_before(sort_key)


@given(VALUES.filter(lambda values: "N" not in values[0]))
def test_a_prefix_ends_before_what_comes_behind_all_that_begin_with_it(values: list[dict[str, Any]]) -> None:
    sort_key, prefix = as_stored(values[0]), as_stored(values[1])
    prefixed = SortRange("sk", prefix=values[1])
    assert prefixed.holds(values[0]) is sort_key.startswith(prefix)
    assert prefixed.ends_before(values[0]) is (sort_key > prefix and not sort_key.startswith(prefix))


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
        ("B", "aGk=", {"B": b"hi"}),
        ("S", "\U0010ffff" * 256, {"S": "\U0010ffff" * 256}),
    ],
)
def test_a_sort_key_is_read_as_its_type_has_it(kind: str, given: str | float, value: dict[str, Any]) -> None:
    assert sort_key_value(kind, given) == value


@pytest.mark.parametrize(
    ("kind", "given", "reason"),
    [
        ("S", 7, "it is a number"),
        ("B", 7, "it is a number"),
        ("N", "today", "is not a number"),
        ("N", float("inf"), "is not a number"),
        ("B", "a?", "is not base64"),
        ("S", "\U0010ffff" * 257, "1 to 1024 bytes"),
        ("B", "", "1 to 1024 bytes"),
    ],
)
def test_what_no_sort_key_of_the_type_can_be_is_refused(kind: str, given: str | float, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        sort_key_value(kind, given)
