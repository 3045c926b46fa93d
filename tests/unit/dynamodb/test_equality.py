"""Equality of values as DynamoDB compares them."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given

from skipscan.dynamodb.equality import EQUALITY_ATTRIBUTES, check_equality, is_same_value
from skipscan.errors import InputError
from tests.fakes.condition import same
from tests.refusal import refused
from tests.unit.dynamodb.test_attribute_value import VALUES


@given(VALUES, VALUES)
def test_any_two_values_are_judged_as_the_model_of_dynamodb_judges_them(
    one: Mapping[str, Any], other: Mapping[str, Any]
) -> None:
    assert is_same_value(one, other) == is_same_value(other, one) == same(one, other)


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


def test_one_attribute_more_is_refused_with_the_number() -> None:
    names = [f"a{number}" for number in range(EQUALITY_ATTRIBUTES + 1)]
    check_equality(names[1:], "the key")
    with refused(InputError, "the key", rule=f"has {len(names)} attributes to compare.* {EQUALITY_ATTRIBUTES} "):
        check_equality(names, "the key")
