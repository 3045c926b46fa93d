"""Equality of values and items as DynamoDB compares them: numbers by value, sets without order, nested.

Engines write a number with different digits and return a set in any order, so `==` is not enough.

And how many attributes one condition may compare.
"""

from collections.abc import Collection, Mapping
from decimal import Decimal

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.source import Item
from skipscan.errors import OMITTED, InputError


def is_same_item(one: Item | None, other: Item | None) -> bool:
    """Return whether both have the same attributes; `None` is an item that does not exist."""
    if one is None or other is None:
        return one is other
    return _is_same_map(one, other)


def is_same_value(one: AttributeValue, other: AttributeValue) -> bool:  # noqa: PLR0911 (one return a type)
    """Return whether two values are equal; values of different types never are."""
    ((kind, content),) = one.items()
    if kind not in other:
        return False
    against = other[kind]
    match kind:
        case "N":
            return Decimal(content) == Decimal(against)
        case "NS":
            return set(map(Decimal, content)) == set(map(Decimal, against))
        case "SS" | "BS":
            return set(content) == set(against)
        case "L":
            return len(content) == len(against) and all(map(is_same_value, content, against))
        case "M":
            return _is_same_map(content, against)
    return bool(content == against)


def _is_same_map(one: Mapping[str, AttributeValue], other: Mapping[str, AttributeValue]) -> bool:
    return one.keys() == other.keys() and all(is_same_value(value, other[name]) for name, value in one.items())


EXPRESSION_OPERATORS = 300
"""The most operators and functions of an expression (developer guide, "Service, account, and table quotas", which names
update expressions only; DynamoDB refuses conditions, too: "The expression contains too many operators; operator count:
301"). AND counts like a comparison: scylladb/scylladb, test/alternator, test_deeply_nested_expression_2. So many take
less than the 4 KB that an expression may have.
"""

EQUALITY_ATTRIBUTES = (EXPRESSION_OPERATORS - 1) // 2
"""The most attributes that one condition compares: each takes a comparison and an AND, beside attribute_exists."""


def check_equality(names: Collection[str], what: str) -> None:
    """Raise `InputError` for more attributes than one condition can hold. `what`: what needs the condition."""
    if len(names) > EQUALITY_ATTRIBUTES:
        raise InputError(
            what,
            OMITTED,
            f"has {len(names)} attributes to compare; DynamoDB allows {EXPRESSION_OPERATORS} operators in a "
            f"condition, which compare {EQUALITY_ATTRIBUTES} attributes",
            "compare fewer",
        )
