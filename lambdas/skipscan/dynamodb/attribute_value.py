"""Attribute values in DynamoDB JSON: {"S": "a"}, {"N": "1.5"}, {"B": "<base64>"}, {"L": [...]} and more."""

import base64
import binascii
import json
import re
from collections.abc import Mapping
from decimal import Context, Decimal, InvalidOperation
from typing import Any

AttributeValue = Mapping[str, Any]
"""One typed value as the low-level API returns it: {"S": "text"}, {"N": "12.5"} or {"B": b"bytes"}."""


MOST_PARTITION_KEY_BYTES, MOST_SORT_KEY_BYTES = 2048, 1024  # developer guide, "Quotas"


def greatest(prefix: AttributeValue) -> AttributeValue:
    """Return the greatest sort key that begins with a text or with bytes."""
    ((kind, content),) = prefix.items()
    if kind == "B":
        return {"B": content.ljust(MOST_SORT_KEY_BYTES, b"\xff")}
    room = max(0, MOST_SORT_KEY_BYTES - len(content.encode("utf-8", "surrogatepass")))
    # U+10FFFF is four bytes in UTF-8 and sorts after everything; U+FFFF would stop before every emoji.
    return {"S": content + "\U0010ffff" * (room // 4) + ("", "\x7f", "\u07ff", "\uffff")[room % 4]}


MAXIMUM: dict[str, AttributeValue] = {
    "S": greatest({"S": ""}),
    # A string, because a float cannot hold 38 nines.
    "N": {"N": "9.9999999999999999999999999999999999999E+125"},
    "B": greatest({"B": b""}),
}
"""The maximum of a sort key, by type: a start key with this value is behind a whole item collection.

Sources: the length limits and number range of DynamoDB's developer guide ("Naming rules and data types", "Service
quotas": sort key 1 to 1024 bytes), and its order: strings by UTF-8 bytes, binary unsigned.
"""


def predecessor(value: AttributeValue) -> AttributeValue | None:
    """Return the greatest sort key before a sort key; `None` if there is none."""
    ((kind, content),) = value.items()
    if kind == "N":
        before = _NUMBERS.next_minus(Decimal(content))
        if before.copy_abs() < LEAST_NUMBER:
            before = Decimal(0) if before > 0 else -LEAST_NUMBER
        return {"N": str(before)} if before.is_finite() else None
    begin, last = content[:-1], ord(content[-1:])
    if not last:  # behind what it begins with comes nothing but that with a zero
        return {kind: begin} if begin else None
    if kind == "B":
        return greatest({"B": begin + bytes([last - 1])})
    return greatest({"S": begin + chr(_BEFORE_SURROGATES if last - 1 == _LAST_SURROGATE else last - 1)})


def successor(value: AttributeValue) -> AttributeValue | None:
    """Return the least sort key behind a sort key; `None` for a text or bytes of the greatest length, or if none is."""
    ((kind, content),) = value.items()
    if kind == "N":
        # By the context, which keeps 38 digits and makes no "-0".
        before = predecessor({"N": str(_NUMBERS.minus(Decimal(content)))})
        return before and {"N": str(_NUMBERS.minus(Decimal(before["N"])))}
    zero = "\0" if kind == "S" else b"\0"
    size = len(content.encode("utf-8", "surrogatepass") if kind == "S" else content)
    return {kind: content + zero} if size < MOST_SORT_KEY_BYTES else None


_BEFORE_SURROGATES, _LAST_SURROGATE = 0xD7FF, 0xDFFF
"""Surrogates are no characters, and have no UTF-8."""


TYPES = ("S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
MOST_DIGITS = 38
LEAST_EXPONENT, GREATEST_EXPONENT = -130, 125  # of a number's first digit (developer guide, "Naming rules")
LEAST_NUMBER = Decimal(1).scaleb(LEAST_EXPONENT)
_NUMBERS = Context(MOST_DIGITS, Emin=LEAST_EXPONENT, Emax=GREATEST_EXPONENT, traps=[])


def is_typed(document: object) -> bool:
    """Return whether a JSON value is written with its type: an object whose only member has a type's name."""
    return isinstance(document, Mapping) and len(document) == 1 and next(iter(document)) in TYPES


def from_json(document: Mapping[str, Any]) -> AttributeValue:  # noqa: PLR0911 (one return a type)
    """Return the value; raise `ValueError` with the reason if it is invalid."""
    if not is_typed(document):
        raise ValueError(f"it must have exactly one member, whose name is the value's type ({', '.join(TYPES)})")
    ((kind, content),) = document.items()
    match kind, content:
        case "S", str():
            return {"S": content}
        case "N", str():
            return {"N": _number(content)}
        case "B", str():
            return {"B": _binary(content)}
        case "BOOL", bool():
            return {"BOOL": content}
        case "NULL", True:
            return {"NULL": True}
        case "SS" | "NS" | "BS", list() if content:
            members = [from_json({kind[0]: member})[kind[0]] for member in content]
            if len({Decimal(member) if kind == "NS" else member for member in members}) < len(members):
                raise ValueError("a set must not contain a member twice")
            return {kind: members}
        case "L", list():
            return {"L": [from_json(member) for member in content]}
        case "M", Mapping():
            return {"M": {name: from_json(member) for name, member in content.items()}}
    raise ValueError(f"{json.dumps(content, default=repr)[:100]} is not a valid {kind} in DynamoDB JSON")


def to_json(value: AttributeValue) -> dict[str, Any]:
    """Return the value for JSON: binary in base64."""
    ((kind, content),) = value.items()
    match kind:
        case "B":
            return {"B": base64.b64encode(content).decode()}
        case "BS":
            return {"BS": [base64.b64encode(member).decode() for member in content]}
        case "L":
            return {"L": [to_json(member) for member in content]}
        case "M":
            return {"M": {name: to_json(member) for name, member in content.items()}}
    return {kind: content}


def _number(text: str) -> str:
    if not _NUMBER.fullmatch(text):  # Decimal also accepts 1_000, spaces, and digits of other scripts
        raise ValueError(f'"{text[:100]}" is not a number')
    outside = ValueError(f'"{text[:100]}" is outside DynamoDB\'s range (1E-130 to 9.99E+125)')
    try:
        number = Decimal(text)
    except InvalidOperation:  # Decimal's exponents have a bound, too
        raise outside from None
    digits = "".join(map(str, number.as_tuple().digits)).strip("0")
    if len(digits) > MOST_DIGITS:
        raise ValueError(f'"{text[:100]}" has more than {MOST_DIGITS} digits')
    if number and not LEAST_EXPONENT <= number.adjusted() <= GREATEST_EXPONENT:
        raise outside
    return text


def _binary(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise ValueError(f'"{text[:100]}" is not base64') from None
