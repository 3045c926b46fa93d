"""The collections that a batch of stream records is about, each once."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from skipscan.dynamodb.attribute_value import from_json
from skipscan.dynamodb.maximum import AttributeValue
from skipscan.markers.marker import Marker


@dataclass(frozen=True)
class Change:
    """A collection and its records, by sequence number. `only_added`: see `keeper.keep`."""

    partition_key: AttributeValue
    records: tuple[str, ...]
    only_added: bool


def changes(records: Iterable[Mapping[str, Any]], marker: Marker) -> tuple[list[Change], list[str]]:
    """Return the changed collections in the order of their first records, and the records that cannot be read."""
    found: dict[tuple[Any, ...], Change] = {}
    unreadable: list[str] = []
    for record in records:
        try:
            key = {name: from_json(value) for name, value in record["dynamodb"]["Keys"].items()}
            partition_key = key[marker.partition_key.name]
            is_added = record["eventName"] == "INSERT" and not marker.lies_at(key)
            identity = tuple(partition_key.items())
            earlier = found.get(identity, Change(partition_key, (), only_added=True))
        except (LookupError, TypeError, ValueError, AttributeError):
            unreadable.append(_sequence_number(record))
            continue
        found[identity] = Change(
            partition_key, (*earlier.records, _sequence_number(record)), earlier.only_added and is_added
        )
    return list(found.values()), unreadable


def _sequence_number(record: Any) -> str:
    """Return the record's sequence number; an empty one makes Lambda deliver the whole batch again."""
    try:
        return str(record["dynamodb"]["SequenceNumber"])
    except (LookupError, TypeError):
        return ""
