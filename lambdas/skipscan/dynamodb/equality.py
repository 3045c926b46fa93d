"""Whether two items are equal to DynamoDB, in whatever digits and order an engine hands them out."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from skipscan.dynamodb.maximum import AttributeValue
from skipscan.dynamodb.source import Item


def is_same_item(one: Item | None, other: Item | None) -> bool:
    """Tell whether both have the same attributes, or neither is there."""
    if one is None or other is None:
        return one is other
    return _is_same_map(one, other)


def _is_same_map(one: Mapping[str, AttributeValue], other: Mapping[str, AttributeValue]) -> bool:
    return one.keys() == other.keys() and all(_is_same(value, other[name]) for name, value in one.items())


def _is_same(one: AttributeValue, other: AttributeValue) -> bool:  # noqa: PLR0911 (one return a type)
    ((kind, content),) = one.items()
    if kind not in other:
        return False
    standing: Any = other[kind]
    match kind:
        case "N":
            return Decimal(content) == Decimal(standing)
        case "NS":
            return set(map(Decimal, content)) == set(map(Decimal, standing))
        case "SS" | "BS":
            return set(content) == set(standing)
        case "L":
            return len(content) == len(standing) and all(map(_is_same, content, standing))
        case "M":
            return _is_same_map(content, standing)
    return bool(content == standing)
