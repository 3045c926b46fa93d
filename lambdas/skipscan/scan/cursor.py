"""The place of a walk in its segment: everything that another Lambda function needs to continue."""

import base64
import json
import zlib
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol, Self

from skipscan import form
from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.source import Item, Source
from skipscan.scan.taken import Counted

CURSORS_BYTES = 96 * 1024
"""What the open cursors of a worker may take of the 256 KiB that state can hold."""

FIELDS_BYTES, PACKED = 128, 1.4
"""What a cursor takes in state: for the names of its fields, and for each byte of its key attributes.

Random control characters take up to 1.7 bytes each, in keys below 600 bytes even more: JSON escapes them. If the state
is too long, the cursors stay in the checkpoint.
"""


class SourcePlan(Protocol):
    """A plan by which a source is walked."""

    @property
    def source(self) -> Source: ...


class Cursor(NamedTuple):
    """A place in a segment.

    `start_key`: the last evaluated item; `None` at the segment's beginning. `reported`: its partition key is already
    among the found keys. `skipping`: the rest of its item collection is to be skipped. `counted`: the items until
    there of the group in which the place is, which is not found before all are counted; `None`: none is being counted.
    """

    segment: int
    start_key: Item | None = None
    reported: bool = False
    skipping: bool = True
    counted: Counted | None = None

    def to_json(self, plan: SourcePlan) -> dict[str, Any]:
        """Return the cursor as it rides in state: about 1.4 times the bytes of its key attributes, ASCII."""
        counted = self.counted
        document: dict[str, Any] = {
            "segment": self.segment,
            "skipping": self.skipping,
            "counted": counted and [counted.items, counted.read_units, counted.before_ties],
        }
        if self.start_key is not None:
            document["reported"] = self.reported
            document["start_key"] = _pack([self.start_key[a.name] for a in plan.source.key])
        return document

    @classmethod
    def from_json(cls, document: Mapping[str, Any], plan: SourcePlan) -> Self:
        always = {"segment", "skipping", "counted"}
        if document.keys() not in (always, {*always, "reported", "start_key"}):
            raise ValueError("a cursor has other members")
        start_key, reported, counted = None, False, None
        if "start_key" in document:
            start_key = dict(zip(plan.source.key_names, _unpack(document["start_key"]), strict=True))
            reported = form.read(bool, document["reported"])
        if document["counted"] is not None:
            items, read_units, ties = document["counted"]
            counted = Counted(form.read(int, items), form.read(float, read_units), before_ties=form.read(bool, ties))
        segment, skipping = form.read(int, document["segment"]), form.read(bool, document["skipping"])
        return cls(segment, start_key, reported, skipping, counted)


def cursors_that_fit(source: Source, open_now: Iterable[Cursor]) -> int:
    """Return how many cursors have room in state if each takes what the longest of those that are open takes."""
    longest = max((_key_bytes(cursor.start_key, source) for cursor in open_now), default=0)
    return int(CURSORS_BYTES // (FIELDS_BYTES + PACKED * longest))


def _key_bytes(start_key: Item | None, source: Source) -> int:
    if start_key is None:
        return 0
    values = (value for attribute in source.key for value in start_key[attribute.name].values())
    return sum(
        len(value) if isinstance(value, bytes) else len(value.encode("utf-8", "surrogatepass")) for value in values
    )


def _pack(values: list[AttributeValue]) -> str:
    """Return key values as one opaque word, so that the state stays small whatever characters they contain."""
    plain = [
        {kind: base64.b64encode(content).decode() if kind == "B" else content}
        for value in values
        for kind, content in value.items()
    ]
    text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode("utf-8", "surrogatepass"), 9)).decode()


def _unpack(token: str) -> list[AttributeValue]:
    text = zlib.decompress(base64.b64decode(token)).decode("utf-8", "surrogatepass")
    return [
        {kind: base64.b64decode(content) if kind == "B" else content}
        for value in json.loads(text)
        for kind, content in value.items()
    ]
