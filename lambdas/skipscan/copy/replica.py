"""A table and the new one that follows it, as the environment names them; copy and replicator share this.

Late looks: messages of a queue, with keys to look at again when no request can still arrive, see `skipscan.copy`.
A message names the stream of the table that its keys are of. In a table that was created again, with another stream, a
look at them would find items missing that nobody deleted.

A replicator makes the target agree with the source, again at every change. Another writer of the target does the same
for its own source, and neither ever ends. So nothing else that an environment names may write there.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import Any, Self

from skipscan import form
from skipscan.dynamodb.attribute_value import from_json, to_json
from skipscan.dynamodb.delivery import Delivery, StreamRecord, check_followed
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import MALFORMED, OMITTED, TableError
from skipscan.inputs.names import table_name
from skipscan.items.assignments import Assignments, Update
from skipscan.items.concatenation import Separator, Unmade


class Side(StrEnum):
    SOURCE = "source"
    TARGET = "target"


@dataclass(frozen=True)
class Replica:
    """`source` and `target`: tables, by name or ARN. `stream`: the source's, by ARN. `queue`: of late looks, by URL.

    `templates`: attributes that the target's items have in addition; none if items are copied unchanged.
    """

    source: str
    target: str
    stream: str
    queue: str
    templates: Mapping[str, str] = field(default_factory=dict)
    separator: Separator = Separator.REFUSE

    @classmethod
    def configured(cls, document: Mapping[str, Any]) -> Self:
        """Return the pair of a function's configuration, which leaves out what is the default."""
        return form.read(cls, {"templates": {}, "separator": Separator.REFUSE, **document})

    @cached_property
    def targets(self) -> Assignments:
        """The attributes that the copy sets."""
        return Assignments.parse(self.templates, self.separator) if self.templates else Assignments(())

    def transform(self, item: Item) -> tuple[Item, str]:
        """Return what the copy makes of an item: of it alone, so every caller gets the same result at any time.

        And why attributes could not be set, so that the item is copied unchanged; empty if they could.
        """
        match self.targets.judge(item):
            case Update(values=values):
                return {**item, **values}, ""
            case Unmade(reason=reason):
                return item, reason
        return item, ""

    def check(self, source: TableDescription, target: TableDescription) -> None:
        """Raise `TableError` or `InputError` unless the two tables can be a pair."""
        check_followed(source, self.stream)
        if source.key != target.key:
            raise TableError(
                f'table "{target.name}"',
                OMITTED,
                f'has the key {_said(target)}; table "{source.name}" has {_said(source)}; a copied item keeps its key',
                "create the target with the same key",
            )
        if target.status != "ACTIVE":
            raise TableError(f'table "{target.name}"', OMITTED, f"is {target.status}", "wait until it is ACTIVE")
        self.targets.described(target)


def _said(description: TableDescription) -> str:
    return ", ".join(f"{attribute.name} ({attribute.type})" for attribute in description.key)


DELAY_SECONDS = 900
"""The longest delay of an SQS message."""

PUT_SECONDS = 300.0
"""A batch of the copy is over by then: its 300 s and the 300 s of a signature are well below the delay."""

MESSAGE_KEYS = 25
MESSAGE_BYTES = 24_000
"""Ten messages go in one request of 256 KiB, which SQS took until 2025; it takes 1 MiB now. A key has at most 3,072
bytes, or 18,432 if every byte is escaped."""


def late_look_messages(keys: Iterable[Item], stream: str) -> Iterator[str]:
    """Return messages with all the keys. `stream`: the ARN of their table's stream."""
    texts = [json.dumps({name: to_json(value) for name, value in key.items()}, separators=(",", ":")) for key in keys]
    together = min(MESSAGE_KEYS, MESSAGE_BYTES // max(map(len, texts), default=1))
    for start in range(0, len(texts), together):
        yield f'{{"stream":{json.dumps(stream)},"keys":[{",".join(texts[start : start + together])}]}}'


def keys_of(body: str, key_names: Sequence[str], stream: str) -> list[Item]:
    """Return the keys of a message; raise one of `MALFORMED` if it is not ours, or about another stream's table."""
    message = json.loads(body)
    if message["stream"] != stream:
        raise ValueError("a message is about a table with another stream")
    return [{name: from_json(key[name]) for name in key_names} for key in message["keys"]]


def from_queue(messages: Iterable[Mapping[str, Any]], key_names: Sequence[str], stream: str) -> Delivery:
    """Return the keys of the messages in an invocation by the queue. `stream`: the one that is followed."""
    readable: list[StreamRecord] = []
    unreadable: list[str] = []
    for message in messages:
        identifier = message["messageId"]
        try:
            readable += [StreamRecord(identifier, key) for key in keys_of(message["body"], key_names, stream)]
        except MALFORMED:
            unreadable.append(identifier)
    return Delivery(tuple(readable), tuple(unreadable))


KEEPERS = ("keeper", "attribute_keeper")
"""The followers that write to the table that they follow, by their fields in cdk.json."""


def check_apart(
    replica: Replica,
    others: Iterable[Replica] = (),
    followers: Mapping[str, Sequence[str]] = MappingProxyType({}),
    retrofitted: Sequence[str] = (),
) -> None:
    """Raise `TableError` for a copy whose target is its source, or has another writer.

    `others`: the environment's other pairs. `followers`: by table name, the functions that follow its stream.
    `retrofitted`: the names of the tables that retrofits may write to.
    """
    source, target = table_name(replica.source), table_name(replica.target)
    if target == source:
        raise TableError("to", target, "it is the table itself", "use another table in cdk.json, and deploy")
    pairs = [(table_name(other.source), table_name(other.target)) for other in others]
    for other, its_target in pairs:
        if its_target == target and other != source:
            raise TableError(
                "to",
                target,
                f'this environment also copies table "{other}" to it, and each replicator would undo what the '
                "other writes",
                "give every copy a target of its own in cdk.json, and deploy",
            )
    if source in (reached := _reached(target, pairs)):
        way = " to ".join(f'"{name}"' for name in reached)
        raise TableError(
            "to",
            target,
            f"this environment also copies it: {way}, so each change would come back to its table, without end",
            'remove one "copy" from cdk.json, and deploy',
        )
    writers = {*followers.get(target, ()), *(["retrofit"] if target in retrofitted else [])}
    for writer in (*KEEPERS, "retrofit"):
        if writer in writers:
            raise TableError(
                "to",
                target,
                f'its "{writer}" in this environment writes to it, and the replicator would undo that',
                f'remove "{writer}" of "{target}" from cdk.json, and deploy it again after the cut-over',
            )


def target_warnings(target: TableDescription) -> list[str]:
    """Return a warning for a target with a stream that others may follow; the table does not show who does."""
    if target.stream is None:
        return []
    return [
        f'table "{target.name}" has a stream: a function that follows it and writes to this table or to the old one, '
        "also one of another environment, would undo each change or bring it back, without end: check its triggers"
    ]


def _reached(start: str, pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Return the tables to which a change of a table is copied, from one to the next, beginning with it."""
    following = dict(pairs)
    way = [start]
    while (target := following.get(way[-1])) is not None and target not in way:
        way.append(target)
    return way
