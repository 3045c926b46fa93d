"""Made-up key values that are hard to order: all that the checks and the tests of engines put into tables."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from skipscan.dynamodb.attribute_value import AttributeValue

STRINGS = ("10", "9", "Z", "a", "a\0", "aa", "z", "é", "水", "\ue000", "\uffff", "😀", "😀a", "\U0010fffe")
NUMBERS = ("-1E+100", "-10.5", "-9", "-1", "-1E-130", "0", "1E-130", "1.5", "2", "9", "10", "100", "9" * 38, "1E+125")
BINARIES = ("00", "0000", "01", "61", "6100", "6161", "7f", "80", "8000", "c3", "fe", "ff", "ff00", "ffff")

ASCENDING: Mapping[str, list[Any]] = {
    "S": [{"S": text} for text in STRINGS],
    "N": [{"N": text} for text in NUMBERS],
    "B": [{"B": bytes.fromhex(digits)} for digits in BINARIES],
}
"""Fourteen values of each key type in DynamoDB's order."""


def orderable(value: AttributeValue) -> Any:
    """Return what Python orders as DynamoDB orders values of one type."""
    ((kind, content),) = value.items()
    if kind == "N":
        return Decimal(content)
    return content.encode() if kind == "S" else bytes(content)
