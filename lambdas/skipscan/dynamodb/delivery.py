"""The content of one invocation of a follower: records of a stream, or messages of a queue, each about an item.

A record only says where to look: it may be old, late, or delivered twice.

Before a follower acts, it checks that the table still is the one whose stream is followed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skipscan.dynamodb.attribute_value import from_json
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import OMITTED, TableError


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


def check_followed(table: TableDescription, stream: str) -> None:
    """Raise `TableError` unless the stream is the table's current one and the table is not being deleted.

    A table that was deleted and created again has the same name and another stream. Nobody deleted the items that it
    lacks.
    """
    if table.stream is None:
        raise TableError(
            f'table "{table.name}"',
            OMITTED,
            "has no stream, without which its changes cannot be followed",
            "switch it on (KEYS_ONLY is enough), write its ARN into cdk.json, and deploy",
        )
    if table.stream != stream:
        raise TableError(
            f'table "{table.name}"',
            OMITTED,
            f"has a new stream; the environment follows {stream}",
            "write the table's LatestStreamArn into cdk.json and deploy; if the table was created again, "
            "first remove its followers from cdk.json and deploy, which drops the changes of the old table",
        )
    if table.status == "DELETING":
        raise TableError(f'table "{table.name}"', OMITTED, "is being deleted", "nothing follows it any more")


MOST_READERS = 2
"""Readers of one shard at once; more are throttled (developer guide, "Reading and processing a stream")."""


def reader_warnings(table: TableDescription, followers: Mapping[str, Sequence[str]]) -> list[str]:
    """Return warnings about the stream of a table.

    `followers`: by table name, the environment's functions that read its stream.
    """
    names = followers.get(table.name, ())
    said = (
        f'the stream of table "{table.name}" is read by {len(names)} functions of this environment ({", ".join(names)})'
    )
    if len(names) >= MOST_READERS:
        return [
            f"{said}; DynamoDB allows {MOST_READERS} readers a shard and throttles more: a trigger of your own would "
            "be the third reader: do not add it, or remove one of these functions first"
        ]
    if names and table.is_global:
        return [
            f"{said}, and it is a global table; AWS recommends one function for each stream of a global table: do "
            "not add a trigger of your own"
        ]
    return []
