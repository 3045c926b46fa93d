"""Attribute values as boto3's low-level client speaks them: {"S": "a"}, {"N": "1.5"}, {"B": b"bytes"}."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Literal

from tests.fakes import number

AttributeValue = Mapping[str, Any]
Item = dict[str, AttributeValue]
KeyType = Literal["S", "N", "B"]
Orderable = bytes | Decimal


def orderable(value: AttributeValue) -> Orderable:
    """The value of a key attribute such that < is DynamoDB's order.

    Strings ascend by their UTF-8 bytes, binary by unsigned bytes, numbers by magnitude. Raises ValueError for a
    type that cannot be a key and for numbers that DynamoDB refuses.
    """
    [(kind, content)] = value.items()
    match kind:
        case "S":
            return str(content).encode()
        case "N":
            return number.parse(content)
        case "B":
            return bytes(content)
    raise ValueError(f"Type {kind} cannot be a key")


def stored(value: AttributeValue) -> AttributeValue:
    """A copy of the value as the service gives it back: numbers lose their trailing zeros and exponent."""
    [(kind, content)] = value.items()
    match kind:
        case "N":
            return {"N": number.plain(number.parse(content))}
        case "NS":
            return {"NS": [number.plain(number.parse(each)) for each in content]}
        case "L":
            return {"L": [stored(each) for each in content]}
        case "M":
            return {"M": {name: stored(each) for name, each in content.items()}}
        case "B":
            return {"B": bytes(content)}
    return {kind: content}
