"""The items that a batch of stream records is about, each once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skipscan.dynamodb.attribute_value import from_json
from skipscan.dynamodb.source import Item


@dataclass(frozen=True)
class ChangedItem:
    """An item's key, and the sequence numbers of its records."""

    key: Item
    records: tuple[str, ...]


def changed_items(
    records: Iterable[Mapping[str, Any]], key_names: Sequence[str]
) -> tuple[list[ChangedItem], list[str]]:
    """Return the changed items in the order of their first records, and the records that cannot be read."""
    found: dict[tuple[Any, ...], ChangedItem] = {}
    unreadable: list[str] = []
    for record in records:
        try:
            number = str(record["dynamodb"]["SequenceNumber"])
        except (LookupError, TypeError):
            number = ""  # makes Lambda deliver the whole batch again
        try:
            keys = record["dynamodb"]["Keys"]
            key = {name: from_json(keys[name]) for name in key_names}
        except (LookupError, TypeError, ValueError, AttributeError):
            unreadable.append(number)
            continue
        identity = tuple(tuple(value.items()) for value in key.values())
        earlier = found.get(identity, ChangedItem(key, ()))
        found[identity] = ChangedItem(key, (*earlier.records, number))
    return list(found.values()), unreadable
