"""The content of one invocation of a follower: records of a stream, or messages of a queue, each about an item.

A record only says where to look: it may be old, late, or delivered twice.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skipscan.dynamodb.attribute_value import from_json
from skipscan.dynamodb.source import Item


@dataclass(frozen=True)
class StreamRecord:
    """`identifier`: a sequence number or message id, by which Lambda delivers again. `key`: of the item, whole.

    `event`: INSERT, MODIFY or REMOVE. `created`: in seconds since 1970. Both are empty if unknown.
    """

    identifier: str
    key: Item
    event: str = ""
    created: float | None = None


@dataclass(frozen=True)
class Change:
    """An item, or an item collection, with its records in order. `key`: by which records were grouped."""

    key: Item
    records: tuple[StreamRecord, ...]


@dataclass(frozen=True)
class Delivery:
    """`unreadable`: identifiers of foreign records; an empty one makes Lambda deliver the whole batch again."""

    records: tuple[StreamRecord, ...]
    unreadable: tuple[str, ...]

    @property
    def identifiers(self) -> int:
        """Return how many records or messages arrived; a message may be about several items."""
        return len({record.identifier for record in self.records}) + len(self.unreadable)

    def changes(self, by: Sequence[str]) -> list[Change]:
        """Return the subjects of the records, each once, in the order of their first records.

        `by`: the key attributes that identify a subject: all of them for items, the partition key for collections.
        """
        found: dict[tuple[Any, ...], Change] = {}
        for record in self.records:
            key = {name: record.key[name] for name in by}
            identity = tuple(tuple(value.items()) for value in key.values())
            earlier = found.get(identity, Change(key, ()))
            found[identity] = Change(key, (*earlier.records, record))
        return list(found.values())


def from_stream(records: Iterable[Mapping[str, Any]], key_names: Sequence[str]) -> Delivery:
    """Return the records of an invocation by a stream. `key_names`: all key attributes of the table."""
    readable: list[StreamRecord] = []
    unreadable: list[str] = []
    for record in records:
        try:
            change = record["dynamodb"]
            key = {name: from_json(change["Keys"][name]) for name in key_names}
            event, created = record.get("eventName", ""), change.get("ApproximateCreationDateTime")
            readable.append(StreamRecord(str(change["SequenceNumber"]), key, event, created and float(created)))
        except (LookupError, TypeError, ValueError, AttributeError):
            unreadable.append(_sequence_number(record))
    return Delivery(tuple(readable), tuple(unreadable))


def _sequence_number(record: Any) -> str:
    try:
        return str(record["dynamodb"]["SequenceNumber"])
    except (LookupError, TypeError):
        return ""
