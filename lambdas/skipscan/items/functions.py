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


def _seconds(kind: str, content: str) -> str:
    milliseconds = int(Decimal(content))
    if milliseconds >= 1000 * _LEAST_MS:
        raise ValueError("its thousandth would be taken for milliseconds again")
    return str(milliseconds // 1000) if milliseconds >= _LEAST_MS else content


def _number(kind: str, content: str) -> str:
    if kind == "S" and not _NUMBER.fullmatch(content):
        raise ValueError("it is no number")
    return str(from_json({"N": content})["N"])  # of 38 digits, and in DynamoDB's range


def _epoch(kind: str, content: str) -> str:
    if kind == "N":
        return content
    if not _DATED.match(content):  # Python also takes digits alone for a date
        raise ValueError("it is no date")
    time = datetime.fromisoformat(content)
    return str(int((time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp() // 1))


_FUNCTIONS: dict[str, tuple[str, str, str, Callable[[str, str], str]]] = {
    "ms_to_s": ("N", "N", "holds no time in milliseconds or seconds", _seconds),
    "number": ("SN", "N", "holds no number that DynamoDB can store", _number),
    "string": ("SN", "S", "is no string or number", lambda kind, content: content),
    "epoch": ("SN", "N", "holds no time in ISO 8601", _epoch),
}
"""By name: the types that it takes, that of the result, what is wrong with another value, and how the result is made of
type and content: raises `ValueError` where there is none."""


@dataclass(frozen=True)
class AttributeFunction:
    """A function of one attribute. `offset`: seconds to add to its result."""

    name: str
    offset: int

    @property
    def type(self) -> str:
        """Return the type of the result."""
        return _FUNCTIONS[self.name][1]

    def of(self, value: AttributeValue) -> AttributeValue | str:
        """Return the result, or why there is none, without the value."""
        kinds, kind, wrong, make = _FUNCTIONS[self.name]
        ((of, content),) = value.items()
        if of not in {*kinds}:
            return wrong
        try:
            made = make(of, content)
        except ValueError:
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
