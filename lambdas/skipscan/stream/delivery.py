"""What a follower gets in one invocation: records of a table's stream, or messages of a queue, each about an item.

A record says where to look, and nothing else is believed of it: it may be old, late, or delivered twice.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skipscan.dynamodb.attribute_value import from_json
from skipscan.dynamodb.source import Item


@dataclass(frozen=True)
class Record:
    """`identifier`: what Lambda delivers again by, a sequence number or a message id. `key`: of the item, whole.

    `event`: INSERT, MODIFY or REMOVE. `created`: when, in seconds since 1970. Both are empty where they are not known.
    """

    identifier: str
    key: Item
    event: str = ""
    created: float | None = None


@dataclass(frozen=True)
class Change:
    """An item, or an item collection, and the records about it, in their order. `key`: by which records were joined."""

    key: Item
    records: tuple[Record, ...]


@dataclass(frozen=True)
class Delivery:
    """`unreadable`: identifiers of what is no record of the table; an empty one has the whole batch come again."""

    records: tuple[Record, ...]
    unreadable: tuple[str, ...]

    @property
    def identifiers(self) -> int:
        """How many records or messages came; a message may be about several items."""
        return len({record.identifier for record in self.records}) + len(self.unreadable)

    def changes(self, by: Sequence[str]) -> list[Change]:
        """Return what the records are about, each once, in the order of their first records.

        `by`: the key attributes that tell one from another: all of them for items, the partition key for collections.
        """
        found: dict[tuple[Any, ...], Change] = {}
        for record in self.records:
            key = {name: record.key[name] for name in by}
            identity = tuple(tuple(value.items()) for value in key.values())
            earlier = found.get(identity, Change(key, ()))
            found[identity] = Change(key, (*earlier.records, record))
        return list(found.values())


def from_stream(records: Iterable[Mapping[str, Any]], key_names: Sequence[str]) -> Delivery:
    """Return the records that Lambda hands a function on a stream. `key_names`: all key attributes of the table."""
    readable: list[Record] = []
    unreadable: list[str] = []
    for record in records:
        try:
            change = record["dynamodb"]
            key = {name: from_json(change["Keys"][name]) for name in key_names}
            event, created = record.get("eventName", ""), change.get("ApproximateCreationDateTime")
            readable.append(Record(str(change["SequenceNumber"]), key, event, created and float(created)))
        except (LookupError, TypeError, ValueError, AttributeError):
            unreadable.append(_sequence_number(record))
    return Delivery(tuple(readable), tuple(unreadable))


def _sequence_number(record: Any) -> str:
    try:
        return str(record["dynamodb"]["SequenceNumber"])
    except (LookupError, TypeError):
        return ""
