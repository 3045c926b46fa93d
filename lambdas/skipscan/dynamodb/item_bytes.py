"""The exact size of an item, by which DynamoDB bills writes (developer guide, "DynamoDB item sizes and formats")."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.source import Item


def item_bytes(item: Item) -> int:
    """Return the bytes of all names and values."""
    return sum(text_bytes(name) + value_bytes(value) for name, value in item.items())


def value_bytes(value: AttributeValue) -> int:
    ((kind, content),) = value.items()
    return _BYTES[kind](content)


def contents_bytes(kind: str, contents: Sequence[Any]) -> list[int]:
    """Return the bytes of the contents of many values of one type."""
    if kind == "S" and all(map(str.isascii, contents)):
        return [*map(len, contents)]
    return [*map(_BYTES[kind], contents)]


def text_bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _number(text: str) -> int:
    """Return the bytes of a number: one, one for each pair of digits around the decimal point, one for a sign.

    Most numbers have a plain form, which takes a third of the time of an exponent.
    """
    sign = text[:1] == "-"
    whole, _, fraction = text[sign:].partition(".")
    if not (whole.isdecimal() and (not fraction or fraction.isdecimal()) and (whole[0] != "0" or whole == "0")):
        return _any_number(text)
    if whole != "0":
        first_pair = 2 - len(whole) % 2
        significant = len((whole + fraction).rstrip("0")) if fraction else len(whole.rstrip("0"))
    elif digits := fraction.lstrip("0"):
        first_pair = 2 - (len(fraction) - len(digits)) % 2
        significant = len(digits.rstrip("0"))
    else:
        return 1
    return 2 + (max(significant - first_pair, 0) + 1) // 2 + sign


def _any_number(text: str) -> int:
    number = Decimal(text)
    if not number:
        return 1
    sign, digits, _ = number.as_tuple()
    significant = len("".join(map(str, digits)).strip("0"))
    first_pair = 1 if number.adjusted() % 2 == 0 else 2
    return 2 + (max(significant - first_pair, 0) + 1) // 2 + sign


_BYTES: dict[str, Callable[[Any], int]] = {
    "S": text_bytes,
    "N": _number,
    "B": len,
    "BOOL": lambda _: 1,
    "NULL": lambda _: 1,
    "SS": lambda members: sum(map(text_bytes, members)),
    "NS": lambda members: sum(map(_number, members)),
    "BS": lambda members: sum(map(len, members)),
    "L": lambda members: 3 + sum(1 + value_bytes(member) for member in members),
    "M": lambda members: 3 + len(members) + item_bytes(members),
}
