"""Facts about a value, without keeping it: its form and depth, a sort key's prefix, its expiry, its bin."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache, partial
from math import log2
from typing import Any

from skipscan.dynamodb.attribute_value import AttributeValue

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


YEAR_SECONDS = 365.25 * 86_400
FAR_YEARS = 10
OLD_YEARS = 5
"""DynamoDB deletes nothing that expired longer ago."""


class Expiry(StrEnum):
    FUTURE = "in the future"
    PAST = "in the past, not deleted yet"
    OLD = "more than five years in the past, never deleted"
    FAR = "more than ten years in the future"
    MILLISECONDS = "in milliseconds, never deleted"
    WRONG_TYPE = "not a number, never deleted"


_BY_TIME = (Expiry.OLD, Expiry.PAST, Expiry.FUTURE, Expiry.FAR, Expiry.MILLISECONDS)


def expiries(values: Sequence[AttributeValue], now: float) -> Counter[Expiry]:
    """Return how many values are in each state at `now` (seconds since 1970)."""
    ends = (now - OLD_YEARS * YEAR_SECONDS, now, now + FAR_YEARS * YEAR_SECONDS, 1000 * EPOCH_SECONDS[0])
    numbers = [float(value["N"]) for value in values if "N" in value]
    found = Counter(_BY_TIME[place] for place in map(partial(bisect_right, ends), numbers))
    if others := len(values) - len(numbers):
        found[Expiry.WRONG_TYPE] = others
    return found


EXACT, FOR_EACH_OCTAVE = 32, 16


@lru_cache(maxsize=1 << 14)
def bin_of(value: int) -> int:
    """Return the bin of a number above 0; larger numbers have higher bins."""
    return value if value < EXACT else EXACT + int(FOR_EACH_OCTAVE * (log2(value) - log2(EXACT)) + 1e-9)


def bin_ends(place: int) -> tuple[float, float]:
    """Return the smallest and the largest number of a bin."""
    if place < EXACT:
        return float(place), float(place)
    return tuple(EXACT * 2 ** ((place - EXACT + more) / FOR_EACH_OCTAVE) for more in (0, 1))  # type: ignore[return-value]
