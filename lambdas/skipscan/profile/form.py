"""What a value looks like, without keeping it: its form, its depth, the prefix of a sort key."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

DELIMITERS = "#|:/~"
MOST_PREFIX = 32

_PREFIX = re.compile(rf"[#]?[A-Za-z][A-Za-z_]{{0,{MOST_PREFIX - 2}}}(?=[{DELIMITERS}])")
_CONSTANT = re.compile(rf"[#]?[A-Z][A-Z_]{{1,{MOST_PREFIX - 2}}}")
_FIRST = frozenset("+-0123456789")
_NUMBER = re.compile(r"[+-]?(0|[1-9][0-9]*)(\.[0-9]+)?")
"""Without leading zeros, which codes have: as numbers they would lose them."""

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


def forms(kind: str, contents: Sequence[Any]) -> Counter[str]:
    """Return how many numbers or texts have each of the forms that matter."""
    if kind == "S":
        found = (_text_form(text) for text in contents if text and text[0] in _FIRST)
    elif kind == "N":
        found = (epoch(number) for number in contents if 10 <= len(number) <= 13)
    else:
        return Counter()
    return Counter(one for one in found if one)


def _text_form(text: str) -> str | None:
    if _ISO.fullmatch(text):
        return ISO
    return NUMBER if _NUMBER.fullmatch(text) else None


def epoch(number: str) -> str | None:
    """Return whether a number looks like seconds or milliseconds since 1970."""
    if not (number.isascii() and number.isdecimal() and 10 <= len(number) <= 13):
        return None
    low, high = EPOCH_SECONDS
    if low <= int(number) <= high:
        return SECONDS
    return MILLISECONDS if low <= int(number) // 1000 <= high else None


def depth(kind: str, contents: Sequence[Any]) -> int:
    """Return how many maps and lists of this type are nested, at most: 1 for maps of scalars and sets."""
    deepest, level = 0, [(kind, content) for content in contents]
    while level:
        deepest += 1
        members = [value for kind, content in level for value in (content.values() if kind == "M" else content)]
        level = [(kind, content) for value in members for kind, content in value.items() if kind in {"M", "L"}]
    return deepest
