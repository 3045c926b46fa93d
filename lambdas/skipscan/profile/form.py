"""What a value looks like, without keeping it: its form, its depth, the prefix of a sort key."""

import re
from typing import Any

from skipscan.dynamodb.attribute_value import AttributeValue

DELIMITERS = "#|:/~"
MOST_PREFIX = 32

_PREFIX = re.compile(rf"[#]?[A-Za-z][A-Za-z_]{{0,{MOST_PREFIX - 2}}}(?=[{DELIMITERS}])")
_CONSTANT = re.compile(rf"[#]?[A-Z][A-Z_]{{1,{MOST_PREFIX - 2}}}")
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")
_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].*)?", re.DOTALL)

NUMBER, ISO, SECONDS, MILLISECONDS = "number as text", "ISO 8601", "epoch seconds", "epoch milliseconds"

EPOCH_SECONDS = (1_000_000_000, 4_102_444_800)
"""From 2001 to 2100. Three digits more are milliseconds."""


def prefix(text: str) -> str | None:
    """Return the letters of a sort key before a delimiter, or the whole key if it is one word in capitals.

    Nothing else: what has digits or small letters without a delimiter is data, not a design.
    """
    found = _PREFIX.match(text) or _CONSTANT.fullmatch(text)
    return found[0] if found else None


def form(kind: str, content: Any) -> str | None:
    """Return the form of a number or a text, if it is one of those that matter."""
    if kind == "S":
        if not content or not (content[0].isdecimal() or content[0] in "+-"):
            return None
        if _ISO.fullmatch(content):
            return ISO
        return NUMBER if _NUMBER.fullmatch(content) else None
    return epoch(content) if kind == "N" else None


def epoch(number: str) -> str | None:
    """Return whether a number looks like seconds or milliseconds since 1970."""
    if not (number.isascii() and number.isdecimal() and 10 <= len(number) <= 13):
        return None
    low, high = EPOCH_SECONDS
    if low <= int(number) <= high:
        return SECONDS
    return MILLISECONDS if low <= int(number) // 1000 <= high else None


def depth(value: AttributeValue) -> int:
    """Return how many maps and lists are nested: 0 for a scalar or a set."""
    deepest, left = 0, [(value, 1)]
    while left:
        one, level = left.pop()
        ((kind, content),) = one.items()
        if kind in ("M", "L"):
            deepest = max(deepest, level)
            left.extend((member, level + 1) for member in (content.values() if kind == "M" else content))
    return deepest
