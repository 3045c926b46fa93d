"""The size of items in bytes, by which DynamoDB bills reads and cuts pages.

Source: "DynamoDB item sizes and formats" of the developer guide (CapacityUnitCalculations).
"""

from collections.abc import Callable
from typing import Any

from tests.fakes import number
from tests.fakes.attribute_value import AttributeValue, Item


def item_bytes(item: Item) -> int:
    return sum(len(name.encode()) + _value_bytes(value) for name, value in item.items())


def _value_bytes(value: AttributeValue) -> int:
    [(kind, content)] = value.items()
    return _SIZES[kind](content)


_SIZES: dict[str, Callable[[Any], int]] = {
    "S": lambda text: len(text.encode()),
    "B": len,
    "N": lambda text: number.size(number.parse(text)),
    "BOOL": lambda _: 1,
    "NULL": lambda _: 1,
    "SS": lambda texts: sum(len(text.encode()) for text in texts),
    "BS": lambda binaries: sum(len(binary) for binary in binaries),
    "NS": lambda texts: sum(number.size(number.parse(text)) for text in texts),
    "L": lambda values: 3 + sum(1 + _value_bytes(value) for value in values),
    "M": lambda item: 3 + len(item) + item_bytes(item),
}
