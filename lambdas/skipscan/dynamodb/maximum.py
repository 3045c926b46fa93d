"""The greatest value a sort key can have, per type: a start key with it lies behind a whole item collection.

Sources: the length limits and number range of DynamoDB's developer guide ("Naming rules and data types",
"Service quotas": sort key 1 to 1024 bytes), and its order: strings by UTF-8 bytes, binary unsigned.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

AttributeValue = Mapping[str, Any]
"""One typed value as the low-level API gives it: {"S": "text"}, {"N": "12.5"} or {"B": b"bytes"}."""

MAXIMUM: dict[str, AttributeValue] = {
    # U+10FFFF is four bytes in UTF-8 and sorts after everything; U+FFFF would stop before every emoji.
    "S": {"S": "\U0010ffff" * 256},
    # Sent as a string: 38 nines do not survive a float.
    "N": {"N": "9.9999999999999999999999999999999999999E+125"},
    "B": {"B": b"\xff" * 1024},
}


def is_maximum(value: AttributeValue) -> bool:
    """Tell whether a value is its type's maximum, in whatever digits an engine writes the number."""
    ((kind, content),) = value.items()
    if kind == "N":
        return Decimal(content) == Decimal(MAXIMUM["N"]["N"])
    return value == MAXIMUM[kind]
