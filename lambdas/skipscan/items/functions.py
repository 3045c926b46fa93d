"""What a template can do to an attribute before it is written: {expires|ms_to_s}, {created|epoch+90d}.

Each function has a declared result, and is the identity on its own result, so that a repeated write changes nothing.
Only an offset is not; so no attribute can be set from itself with one.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from skipscan.dynamodb.attribute_value import AttributeValue, from_json
from skipscan.inputs.quantities import seconds_of

_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?")
_DATED = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_LEAST_MS = 10**11
"""As seconds the year 5138, as milliseconds 1973: a time of at least this is in milliseconds."""

_CALL = re.compile(r"(?P<attribute>.+)\|(?P<name>[a-z_]+)(?P<offset>[+-][0-9]{1,9}[smhdw])?", re.DOTALL)


def _milliseconds_to_seconds(kind: str, content: str) -> str | None:
    if kind != "N":
        return None
    milliseconds = int(Decimal(content))
    if milliseconds >= 1000 * _LEAST_MS:
        return None  # its thousandth would be taken for milliseconds again
    return str(milliseconds // 1000) if milliseconds >= _LEAST_MS else content


def _number(kind: str, content: str) -> str | None:
    if kind == "N":
        return content
    if kind != "S" or not _NUMBER.fullmatch(content):
        return None
    try:
        from_json({"N": content})  # of 38 digits, and in DynamoDB's range
    except ValueError:
        return None
    return content


def _epoch(kind: str, content: str) -> str | None:
    if kind == "N":
        return content
    if kind != "S" or not _DATED.match(content):  # Python also takes digits alone for a date
        return None
    try:
        time = datetime.fromisoformat(content)
    except ValueError:
        return None
    return str(int((time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp() // 1))


_FUNCTIONS: dict[str, tuple[str, str, Callable[[str, str], str | None]]] = {
    "ms_to_s": ("N", "holds no time in milliseconds or seconds", _milliseconds_to_seconds),
    "number": ("N", "holds no number that DynamoDB can store", _number),
    "string": ("S", "is no string or number", lambda kind, content: content if kind in "SN" else None),
    "epoch": ("N", "holds no time in ISO 8601", _epoch),
}
"""By name: the type of the result, what is wrong with a value that has none, and how it is made of type and content."""


@dataclass(frozen=True)
class AttributeFunction:
    """A function of one attribute. `offset`: seconds to add to its result."""

    name: str
    offset: int = 0

    @property
    def type(self) -> str:
        """Return the type of the result."""
        return _FUNCTIONS[self.name][0]

    def of(self, value: AttributeValue) -> AttributeValue | str:
        """Return the result, or why there is none, without the value."""
        kind, wrong, make = _FUNCTIONS[self.name]
        ((of, content),) = value.items()
        made = make(of, content) if isinstance(content, str) else None
        if made is None:
            return wrong
        if not self.offset:
            return {kind: made}
        try:
            datetime.fromtimestamp(0, UTC) + timedelta(seconds=int(Decimal(made)) + self.offset)
        except OverflowError:
            return "is out of the range of times"
        return {kind: str(int(Decimal(made)) + self.offset)}


def split_placeholder(placeholder: str) -> tuple[str, AttributeFunction | None]:
    """Return the attribute and the function of a placeholder; an attribute's name may hold a | itself."""
    found = _CALL.fullmatch(placeholder)
    if found is None or found["name"] not in _FUNCTIONS or (found["offset"] and found["name"] != "epoch"):
        return placeholder, None
    return found["attribute"], AttributeFunction(found["name"], seconds_of(found["offset"] or "0s"))
