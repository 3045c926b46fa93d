"""A range of sort keys: those with a prefix, or those between two values."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any, Self

from skipscan import form
from skipscan.dynamodb.attribute_value import (
    MOST_SORT_KEY_BYTES,
    AttributeValue,
    from_json,
    greatest,
    predecessor,
    to_json,
)

NO_ENDS = dict.fromkeys(("prefix", "since", "until"))
"""The ends of a range by name, as JSON has them where there are none."""


@dataclass(frozen=True)
class SortRange:
    """The sort keys of a range, within every item collection.

    `attribute`: the sort key's name. `prefix`: alone. `since`, `until`: both belong to the range, as with DynamoDB's
    BETWEEN; `None` where it has no end.
    """

    attribute: str
    prefix: AttributeValue | None = None
    since: AttributeValue | None = None
    until: AttributeValue | None = None

    @property
    def words(self) -> str:
        """Return the range for people, without its bounds, which are key values."""
        ends = {
            (): "with a prefix",
            (":since",): "from a value on",
            (":until",): "up to a value",
            (":since", ":until"): "between two values",
        }
        return f"{json.dumps(self.attribute, ensure_ascii=False)} {ends[() if self.prefix else tuple(self.values)]}"

    @property
    def least(self) -> AttributeValue | None:
        """The least sort key that can be in the range; `None` where it has no end."""
        return self.since if self.prefix is None else self.prefix

    @property
    def greatest(self) -> AttributeValue | None:
        """The greatest sort key that can be in the range; `None` where it has no end."""
        return self.until if self.prefix is None else greatest(self.prefix)

    def side(self, sort_key: AttributeValue) -> int:
        """Return -1 for a sort key before the range, 0 for one in it, and 1 for one behind it."""
        least, most = self._ends
        place = ordered(sort_key)
        if least is not None and place < least:
            return -1
        return int(most is not None and place > most)

    def is_end(self, sort_key: AttributeValue) -> bool:
        """Return whether no greater sort key is in the range."""
        most = self._ends[1]
        return most is not None and bool(ordered(sort_key) >= most)

    @cached_property
    def before(self) -> AttributeValue | None:
        """The greatest sort key before the range; `None` if there is none."""
        return None if self.least is None else predecessor(self.least)

    def within(self, other: "SortRange | None") -> "SortRange":
        """Return the range of what is in both, of which something is."""
        if other is None:
            return self
        least = [end for end in (self.least, other.least) if end is not None]
        most = [end for end in (self.greatest, other.greatest) if end is not None]
        since, until = max(least, key=ordered, default=None), min(most, key=ordered, default=None)
        return SortRange(self.attribute, since=since, until=until)

    @cached_property
    def _ends(self) -> tuple[Any, Any]:
        least, most = self.least, self.greatest
        return None if least is None else ordered(least), None if most is None else ordered(most)

    @property
    def is_reversed(self) -> bool:
        """Return whether the end comes before the beginning, which DynamoDB refuses."""
        return self.since is not None and self.until is not None and ordered(self.since) > ordered(self.until)

    def condition(self, name: str) -> str:
        """Return the condition of a Query on the sort key, of which there can be one. `name`: its placeholder."""
        if self.prefix is not None:
            return f"begins_with({name}, :prefix)"
        if self.since is not None and self.until is not None:
            return f"{name} BETWEEN :since AND :until"
        return f"{name} >= :since" if self.until is None else f"{name} <= :until"

    @property
    def values(self) -> dict[str, AttributeValue]:
        """Return the values of the condition by their placeholders."""
        ends = {":prefix": self.prefix, ":since": self.since, ":until": self.until}
        return {name: value for name, value in ends.items() if value is not None}

    def __str__(self) -> str:
        ends = (
            f"{name[1:]} {json.dumps(content)}"
            for name, end in self.values.items()
            for content in to_json(end).values()
        )
        return f"{json.dumps(self.attribute)} {' '.join(ends)}"

    def to_json(self) -> dict[str, Any]:
        return {**NO_ENDS, **self.stated}

    @property
    def stated(self) -> dict[str, Any]:
        """The range as a manifest has it: with the ends that it has."""
        return {"attribute": self.attribute, **{name[1:]: to_json(value) for name, value in self.values.items()}}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        ends = {name: None if document[name] is None else from_json(document[name]) for name in NO_ENDS}
        if not any(ends.values()) or document.keys() != {*NO_ENDS, "attribute"}:
            raise ValueError("a range has an end, and no other members")
        return cls(form.member(str, document, "attribute"), **ends)

    @classmethod
    def of_stated(cls, document: Mapping[str, Any]) -> Self:
        """Return the range that a manifest states."""
        return cls.from_json({**NO_ENDS, **document})


Bound = str | int | float | Mapping[str, str]
"""A sort key as a person enters it; or with its type, as DynamoDB JSON has it: {"B": "aGk="}."""

_IS = {"S": "it is a text", "N": "it is a number", "B": "it is binary"}


def sort_key_value(kind: str, entered: Bound, most_bytes: int = MOST_SORT_KEY_BYTES) -> AttributeValue:
    """Return a person's text or number as a sort key of this type; raise `ValueError` if it is none.

    Binary is base64. Texts are up to 1,024 bytes, those of partition keys up to 2,048, and never empty (developer
    guide, "Quotas").
    """
    if isinstance(entered, Mapping):
        ((given, entered),) = entered.items()
        if given != kind:
            raise ValueError(_IS[given])
    if kind != "N" and not isinstance(entered, str):
        raise ValueError("it is a number")
    # Not str(entered): a `class Colour(str, Enum)` has its own, and its name would become another text.
    text = "".join(entered) if isinstance(entered, str) else str(entered)
    try:
        value = from_json({kind: text})
    except ValueError:  # its text repeats the value, which the refusal shows already
        a_number = "it is not a number of up to 38 digits, from 1E-130 to 9.99E+125"
        raise ValueError(a_number if kind == "N" else "it is not base64") from None
    size = len(text.encode() if kind == "S" else value[kind])
    if kind != "N" and not 1 <= size <= most_bytes:
        raise ValueError(f"it must have 1 to {most_bytes} bytes")
    # How DynamoDB reads "+1" or ".5" is not documented, and an engine refuses the first when the run is under way.
    return {"N": str(Decimal(value["N"]))} if kind == "N" else value


def ordered(sort_key: AttributeValue) -> Any:
    """Return a sort key's content, which Python orders as DynamoDB does: texts by code points are by UTF-8 bytes."""
    ((kind, content),) = sort_key.items()
    return Decimal(content) if kind == "N" else content
