"""Equality of values as DynamoDB compares them."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from skipscan.dynamodb.equality import is_same_item, is_same_value
from tests.fakes.condition import same
from tests.unit.dynamodb.test_attribute_value import VALUES

RANDOMS = st.randoms(use_true_random=False)


@given(VALUES, RANDOMS)
def test_a_value_written_in_other_digits_and_another_order_is_the_same(value: Mapping[str, Any], random: Any) -> None:
    assert is_same_value(value, _rewritten(value, random))
    assert is_same_value(_rewritten(value, random), value)


@given(VALUES, VALUES)
def test_any_two_values_are_judged_as_the_model_of_dynamodb_judges_them(
    one: Mapping[str, Any], other: Mapping[str, Any]
) -> None:
    assert is_same_value(one, other) == is_same_value(other, one) == same(one, other)


@given(VALUES, st.sampled_from(["L", "M"]))
def test_what_differs_in_its_depth_differs(value: Mapping[str, Any], kind: str) -> None:
    changed = {"S": "changed"}
    assume(not is_same_value(value, changed))
    one, other = ({"L": [value]}, {"L": [changed]}) if kind == "L" else ({"M": {"a": value}}, {"M": {"a": changed}})
    assert not is_same_value({"L": [one]}, {"L": [other]})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"S": "1"}, {"N": "1"}),
        ({"SS": ["1"]}, {"NS": ["1"]}),
        ({"L": [{"S": "a"}]}, {"SS": ["a"]}),
        ({"L": []}, {"M": {}}),
        ({"L": [{"N": "1"}, {"N": "2"}]}, {"L": [{"N": "2"}, {"N": "1"}]}),
        ({"L": [{"N": "1"}]}, {"L": [{"N": "1"}, {"N": "1"}]}),
        ({"M": {"a": {"N": "1"}}}, {"M": {"b": {"N": "1"}}}),
        ({"BOOL": True}, {"BOOL": False}),
        ({"SS": ["a"]}, {"SS": ["a", "b"]}),
    ],
)
def test_other_types_orders_names_and_members_differ(one: Mapping[str, Any], other: Mapping[str, Any]) -> None:
    assert not is_same_value(one, other)


def test_an_item_that_does_not_exist_equals_none_that_does() -> None:
    assert is_same_item(None, None)
    assert not is_same_item(None, {})
    assert not is_same_item({"a": {"N": "1"}}, None)
    assert is_same_item({"a": {"N": "1"}}, {"a": {"N": "1.0"}})
    assert not is_same_item({"a": {"N": "1"}}, {"a": {"N": "1"}, "b": {"N": "1"}})


def _rewritten(value: Mapping[str, Any], random: Any) -> dict[str, Any]:
    """Return an equal value as another engine may write it."""
    ((kind, content),) = value.items()
    match kind:
        case "N":
            return {"N": _digits(content, random)}
        case "NS":
            return {"NS": random.sample([_digits(member, random) for member in content], len(content))}
        case "SS" | "BS":
            return {kind: random.sample(content, len(content))}
        case "L":
            return {"L": [_rewritten(member, random) for member in content]}
        case "M":
            names = random.sample(list(content), len(content))
            return {"M": {name: _rewritten(content[name], random) for name in names}}
    return {kind: content}


def _digits(text: str, random: Any) -> str:
    number = Decimal(text)
    return str(random.choice([text, f"{number:f}.0", f"{number:.37E}"]))
