"""The profile of a table: what the page draws and the command prints as JSON.

`python -m skipscan.profile.table_profile` prints its JSON Schema, which is made from the classes.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from skipscan.sample.interval import Interval


@dataclass(frozen=True)
class ReadPart:
    """What was read.

    Without the permission to read items, nothing. `is_exact`: everything, so that no figure is an estimate. `is_cut`:
    reading stopped in the largest segment, so that no total and no share has an upper bound.
    """

    segments: int
    segments_read: int
    items: int
    requests: int
    read_units: float
    dollars: float
    is_exact: bool
    is_cut: bool
    seed: int


@dataclass(frozen=True)
class Collections:
    """Item collections. `items`, `bytes`: of a collection, by percentile.

    `top`: the share of the bytes that the largest tenth, hundredth and thousandth hold; `None` where the sample has too
    few of them. `unseen_larger`: how many may be larger than the largest seen (95 %); `None` if all were seen, or
    no segment was read to its end.
    `local_index_part`: what the largest seen has of the 10 GB that a local index allows; `None` without such an index.
    `histogram`: the shares of collections by bytes, each with the end of its class.
    """

    count: Interval
    items: Mapping[str, Interval]
    bytes: Mapping[str, Interval]
    top: Mapping[str, Interval | None]
    largest_items: int
    largest_bytes: int
    unseen_larger: float | None
    local_index_part: float | None
    histogram: Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Items:
    """Items. `histogram`: the shares of items by size, each with the end of its class in bytes.

    `read_units`, `write_units`: of an average item, read alone with eventual consistency, and written to the table
    alone. `read_rounding`, `write_rounding`: the part of these that pays for rounding up.
    """

    count: Interval
    bytes: Interval
    mean_bytes: Interval
    histogram: Sequence[tuple[int, float]]
    above: Mapping[str, Interval]
    read_units: Interval
    write_units: Interval
    read_rounding: float
    write_rounding: float
    deepest: int


@dataclass(frozen=True)
class Attribute:
    """One attribute. `bytes_share`: of all bytes, with its names. `name_share`: of all bytes, its names alone.

    `types`: the share of its values of each type. `forms`: the share with a form, such as numbers as text.
    `dollars_a_month`: of the table's storage.
    """

    name: str
    presence: Interval
    bytes_share: Interval
    name_share: float
    mean_bytes: float
    types: Mapping[str, float]
    forms: Mapping[str, float]
    dollars_a_month: float


@dataclass(frozen=True)
class EntityType:
    """Items whose sort keys share a prefix. `attributes`: the share of the type's bytes, by name, the largest first."""

    prefix: str
    keys: Interval
    items: Interval
    bytes: Interval
    attributes: Mapping[str, float]


@dataclass(frozen=True)
class TimeToLive:
    """`attribute`: `None` if none is configured. `states`: the share of all items in each state."""

    attribute: str | None
    status: str
    presence: Interval | None = None
    states: Mapping[str, Interval] = field(default_factory=dict)


@dataclass(frozen=True)
class IndexProfile:
    """A secondary index. `items`: the share of the table's items in it. `mean_bytes`: of an entry.

    `write_units`: that a write of an average item adds, if it changes what is projected; `None` if no item was read.
    `same_keys`: indexes with the same keys. `same_content`: indexes with the same items and attributes in what was
    read; an index without items has none.
    """

    name: str
    kind: str
    partition_key: Sequence[str]
    projection: str
    items: Interval
    mean_bytes: float
    dollars_a_month: float
    write_units: float | None
    same_keys: Sequence[str]
    same_content: Sequence[str]


@dataclass(frozen=True)
class Skew:
    """How evenly the items lie over the hash space, and what is known of the partitions, which DynamoDB does not show.

    `fullest_tenth`: the share of the bytes that the fullest of ten equal parts of the hash space holds, where even is a
    tenth; `None` with too few segments. `read_units_per_second`, `write_units_per_second`: provisioned, or by the warm
    throughput, what the table serves at once. `partitions_by_size`, `partitions_by_throughput`: at least so many for
    that size and for that throughput. `None`: DescribeTable does not say.
    """

    fullest_tenth: Interval | None
    read_units_per_second: int | None
    write_units_per_second: int | None
    partitions_by_size: int | None
    partitions_by_throughput: int | None


@dataclass(frozen=True)
class MarkerIndex:
    """Listing the keys through an index that has one small item, a marker, for each item collection. In dollars.

    `listing`: once, through it. `set_up`: writing all markers once. `storage`: of the markers and the index, a month.
    `pays_after`: the number of listings that save what `set_up` cost; `None` for never.
    """

    listing: float
    set_up: float
    storage: float
    pays_after: float | None


@dataclass(frozen=True)
class Money:
    """Dollars. `storage`: of the table alone, a month. `storage_other_class`: in the other class.

    `table_class`, `billing`: `None` if not known. `capacity`: of the provisioned units of the table and its indexes, a
    month; `None` on demand. `infrequent_access_pays_below`: dollars of reads and writes a month below which Standard-IA
    is cheaper. `ways`: what it costs once to read everything, by way. `storage_region`: whose prices storage and
    capacity have.
    """

    table_class: str | None
    billing: str | None
    storage: Interval
    storage_other_class: Interval
    storage_region: str
    capacity: float | None
    infrequent_access_pays_below: float
    ways: Mapping[str, Interval]
    marker_index: MarkerIndex | None
    prices: Sequence[str]


@dataclass(frozen=True)
class Advice:
    """One sentence with its figure. `rule`: the name of the rule."""

    rule: str
    sentence: str


@dataclass(frozen=True)
class TableProfile:
    """`missing`: sections that are left out, with the reason; these are `None` or empty. `partition_key`: names.

    Without the permission to describe the table, `collections` and `entity_types` are missing; without that to read
    items, `items` and `attributes`, too.
    """

    table: str
    region: str
    made: str
    partition_key: Sequence[str]
    described_items: int
    described_bytes: int
    reading: ReadPart
    collections: Collections | None
    items: Items | None
    attributes: Sequence[Attribute]
    entity_types: Sequence[EntityType]
    time_to_live: TimeToLive | None
    indexes: Sequence[IndexProfile]
    vector_indexes: Sequence[str]
    skew: Skew
    money: Money
    missing: Sequence[str]
    advice: Sequence[Advice]

    @property
    def is_empty(self) -> bool:
        """Whether the whole table was read and has no item, so that no figure means anything."""
        return self.reading.is_exact and self.items is not None and not self.items.count.estimate

    def to_json(self) -> dict[str, Any]:
        """Return the profile as JSON; the unknown end of an interval is null."""
        document: dict[str, Any] = _json(self)
        return document


def _json(value: Any) -> Any:
    if isinstance(value, Interval):
        return value.to_json(6)
    if is_dataclass(value):
        return {one.name: _json(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Mapping):
        return {name: _json(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_json(one) for one in value]
    return round(value, 6) if isinstance(value, float) else value


NUMBER, NULL = {"type": "number"}, {"type": "null"}
INTERVAL = {
    name: NUMBER if name == "estimate" else {"type": ["number", "null"]} for name in ("estimate", "low", "high")
}


def profile_schema() -> dict[str, Any]:
    """Return the schema."""
    about = "Intervals are 95 % confidence intervals; equal ends: exact; a null end: unknown."
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The profile of a table",
        "description": about,
        **_schema(TableProfile),
    }


def _schema(kind: Any) -> dict[str, Any]:  # noqa: PLR0911 (one return for each kind of type)
    if kind is Interval:
        return _object(INTERVAL)
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        return _object({one.name: _schema(hints[one.name]) for one in fields(kind)})
    origin, inner = get_origin(kind), get_args(kind)
    if origin is UnionType:
        return {"anyOf": [NULL if one is NoneType else _schema(one) for one in inner]}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _schema(inner[1])}
    if origin is Sequence:
        return {"type": "array", "items": _schema(inner[0])}
    if origin is tuple:
        return {"type": "array", "prefixItems": [_schema(one) for one in inner], "minItems": len(inner)}
    return {"type": {str: "string", bool: "boolean", int: "integer", float: "number"}[kind]}


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "required": list(properties),
        "additionalProperties": False,
        "properties": dict(properties),
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(profile_schema(), indent=2) + "\n")
