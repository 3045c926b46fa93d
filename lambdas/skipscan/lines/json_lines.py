"""JSON objects with a partition key's attributes, one per line: what the JSON formats share, and the plainest of them.

Its lines have values only, {"id": 12.50}: numbers keep every digit, binary is base64.

A line of a run that takes items has more members: `first` and `last` are the collection's items without their partition
key, or null if there is none. A line of a run that counts has `count`, `more` and `read_units`. `read` is the time at
which either was read.
"""

import base64
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.source import PartitionKey, Source
from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.lines.line_format import Decode, DecodeTaken, Encode, EncodeTaken, LineFormat, json_string, to_line
from skipscan.scan.taken import LINES, READ, TYPES, Taken

Write = Callable[[AttributeValue], str]


def object_encoder(source: Source, value: Write, start: str = "", end: str = "") -> Encode:
    """Return the function that writes a key as an object, its values by `value`; `start`, `end`: the text around it."""
    start, end = f"{start}{{", f"}}{end}\n"
    if len(source.partition_key) == 1:
        head = f"{start}{json_string(source.partition_key[0].name)}: "
        return lambda key: to_line(f"{head}{value(key)}{end}")
    members = _members(source, value)
    return lambda key: to_line(f"{start}{members(key)}{end}")


def taken_encoder(source: Source, value: Write, start: str = "", end: str = "") -> EncodeTaken:
    """Return the function that writes a key and what is taken with it as an object; else like `object_encoder`."""
    start, end = f"{start}{{", f"}}{end}\n"
    members = _members(source, value)

    def encode(taken: Taken) -> bytes:
        others = ", ".join(f'"{member}": {value(held)}' for member, held in taken.members.items())
        return to_line(f"{start}{members(taken.key)}, {others}{end}")

    return encode


def _members(source: Source, value: Write) -> Callable[[PartitionKey], str]:
    """Return the function that writes a key's attributes as the members of an object."""
    names = [json_string(attribute.name) for attribute in source.partition_key]

    def members(key: PartitionKey) -> str:
        return ", ".join(f"{name}: {value(part)}" for name, part in zip(names, source.parts(key), strict=True))

    return members


def object_decoder(
    partition_key: Sequence[KeyAttribute],
    value: Callable[[str, object], AttributeValue],
    inner: Callable[[object], object] = lambda document: document,
) -> Decode:
    """Return the function that reads the key of a line. Numbers keep every digit: they come as strings.

    `value`: of a type's name and a JSON value. `inner`: finds the object.
    """
    read = _reader(partition_key, inner)
    types = {attribute.name: attribute.type for attribute in partition_key}

    def decode(line: bytes) -> Mapping[str, AttributeValue]:
        document = read(line)
        return {name: value(kind, document[name]) for name, kind in types.items()}

    return decode


def taken_decoder(
    partition_key: Sequence[KeyAttribute],
    value: Callable[[str, object], AttributeValue],
    inner: Callable[[object], object] = lambda document: document,
) -> DecodeTaken:
    """Return the function that reads a line with what was taken; `value` reads its types; else as `object_decoder`."""
    read = _reader(partition_key, inner)
    # A run may take an item of a table whose key has the name of another member, such as "count".
    types = {member: kind for member, kind in TYPES.items() if member not in {key.name for key in partition_key}}

    def decode(line: bytes) -> Taken:
        document = read(line)
        key = tuple(value(attribute.type, document[attribute.name]) for attribute in partition_key)
        members = {member: value(kind, document[member]) for member, kind in types.items() if member in document}
        return Taken.of(key if len(key) > 1 else key[0], members)

    return decode


def _reader(
    partition_key: Sequence[KeyAttribute], inner: Callable[[object], object]
) -> Callable[[bytes], Mapping[str, Any]]:
    """Return the function that reads a line as the object it is; `ValueError` for members that no line has."""
    names = {attribute.name for attribute in partition_key}
    with_more = [names | {READ, *members} for members in LINES]
    # Created once: `json.loads` would create one for every line.
    read = json.JSONDecoder(parse_int=str, parse_float=str).decode

    def members(line: bytes) -> Mapping[str, Any]:
        document = inner(read(line.decode()))
        if not isinstance(document, dict) or document.keys() not in (names, *with_more):
            raise ValueError("a line of a part has members other than the run's partition key and what it takes")
        return document

    return members


_JSON_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")


def _written(value: AttributeValue) -> str:
    if "S" in value:  # as most keys are, and a line is written for each
        return json_string(value["S"])
    ((kind, content),) = value.items()
    return _content(kind, content)


def _content(kind: str, content: Any) -> str:
    match kind:
        case "S" | "B":
            return json_string(content if kind == "S" else base64.b64encode(content).decode())
        case "N":
            return content if _JSON_NUMBER.fullmatch(content) else json.dumps(content)
        case "BOOL" | "NULL":
            return "null" if kind == "NULL" else "true" if content else "false"
        case "L":
            return f"[{', '.join(map(_written, content))}]"
        case "M":
            return f"{{{', '.join(f'{json_string(name)}: {_written(each)}' for name, each in content.items())}}}"
    return f"[{', '.join(_content(kind[0], member) for member in content)}]"


def _read(kind: str, content: object) -> AttributeValue:
    """Return a value with its attribute's type, which the line does not show."""
    if not isinstance(content, str):
        raise ValueError("a line of a part has a value that is not a string, number or binary")
    return {"B": base64.b64decode(content, validate=True)} if kind == "B" else {kind: content}


def _read_counted(kind: str, content: object) -> AttributeValue:
    """Return a member of a line with a count, as `_read` returns those of a key."""
    return {"BOOL": content} if kind == "BOOL" and isinstance(content, bool) else _read(kind, content)


JSONL = LineFormat(
    name="jsonl",
    summary="one JSON object per line",
    encoder=lambda source: object_encoder(source, _written),
    decoder=lambda keys: object_decoder(keys, _read),
    taking=lambda source, _take: taken_encoder(source, _written),
    taken=lambda source, _take: taken_decoder(source.partition_key, _read_counted),
    keeps_types=False,
)
