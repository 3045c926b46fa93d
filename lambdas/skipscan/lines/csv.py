"""customer,12.50: RFC 4180 with one column for each key attribute; binary is base64.

The first record names the attributes. Records end in CR LF, and a field is quoted if necessary. Quotes do not show
types: only the manifest shows that 007 is text and 7 is a number. `csv-safe` is for spreadsheets, which read text that
begins with =, +, - or @ as a formula: such text gets an apostrophe first, and cannot be read back.

A run that takes items has a column for each of them, in DynamoDB JSON so that types are kept, and one for the time. An
empty field means that there is no item. A run that counts has three columns for that, and one for the time.
"""

import base64
import csv
import json
import re
from collections.abc import Callable, Mapping, Sequence

from skipscan.dynamodb.attribute_value import AttributeValue, from_json
from skipscan.dynamodb.source import PartitionKey, Source
from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.lines.dynamodb_jsonl import typed
from skipscan.lines.line_format import Decode, DecodeTaken, Encode, EncodeTaken, LineFormat
from skipscan.scan.take import LINES, TYPES, Taken

LINE_END = "\r\n"
_QUOTED = re.compile(r"""[",\r\n]|^\s|\s$|^$""")
MORE_COLUMNS = {0, *(len(members) + 1 for members in LINES)}
"""The further columns of a record after its key: none, or what is taken and the time."""

csv.field_size_limit(1 << 24)  # an item has up to 400 KB, with at most one escape for each byte

_FORMULA = re.compile(r"[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
"""The first character of a formula (OWASP, "CSV Injection"), in full width too."""


def _field(content: str) -> str:
    if not _QUOTED.search(content):
        return content
    doubled = content.replace('"', '""')
    return f'"{doubled}"'


def _safe(content: str) -> str:
    return f"'{content}" if _FORMULA.match(content) else content


def _exact(content: str) -> str:
    return content


def _record(fields: Sequence[str]) -> bytes:
    # DynamoDB stores no lone surrogate. Other engines do and get it back; csv has no escape for it.
    return (",".join(map(_field, fields)) + LINE_END).encode("utf-8", "surrogatepass")


def _encoder(source: Source, text: Callable[[str], str]) -> Encode:
    several = len(source.partition_key) > 1

    def content(value: AttributeValue) -> str:
        ((kind, held),) = value.items()
        if kind == "N":
            return str(held)
        return text(held if kind == "S" else base64.b64encode(held).decode())

    def encode(key: PartitionKey) -> bytes:
        return _record([content(part) for part in (key if several else (key,))])

    return encode


def _taking(source: Source, text: Callable[[str], str]) -> EncodeTaken:
    encode_key = _encoder(source, text)

    def encode(taken: Taken) -> bytes:
        members = map(_written, taken.members.values())
        return encode_key(taken.key).removesuffix(LINE_END.encode()) + b"," + _record(list(members))

    return encode


def _header(source: Source, members: Sequence[str], text: Callable[[str], str]) -> bytes:
    return _record([*(text(attribute.name) for attribute in source.partition_key), *members])


def _fields(record: bytes) -> list[str]:
    if not record.endswith(b"\r\n"):
        raise ValueError("a record of a part has no end")
    (fields,) = csv.reader([record.decode("utf-8", "surrogatepass")], strict=True)
    return fields


def _decoder(partition_key: Sequence[KeyAttribute]) -> Decode:
    columns = len(partition_key)

    def decode(record: bytes) -> Mapping[str, AttributeValue]:
        fields = _fields(record)
        if len(fields) - columns not in MORE_COLUMNS:
            raise ValueError("a record of a part has columns other than the run's partition key and what it takes")
        return {key.name: _read(key.type, content) for key, content in zip(partition_key, fields, strict=False)}

    return decode


def _taken(partition_key: Sequence[KeyAttribute], members: Sequence[str]) -> DecodeTaken:
    columns = len(partition_key)

    def decode(record: bytes) -> Taken:
        fields = _fields(record)
        key = tuple(_read(each.type, content) for each, content in zip(partition_key, fields, strict=False))
        named = zip(members, fields[columns:], strict=True)
        taken = {member: _member(TYPES[member], content) for member, content in named}
        return Taken.of(key if columns > 1 else key[0], taken)

    return decode


def _written(value: AttributeValue) -> str:
    """Return what is taken as the content of a field."""
    ((kind, held),) = value.items()
    match kind:
        case "NULL":
            return ""
        case "M":
            return typed(value)
    return json.dumps(held) if kind == "BOOL" else str(held)


def _member(kind: str, content: str) -> AttributeValue:
    match kind:
        case "M":
            return from_json(json.loads(content)) if content else {"NULL": True}
        case "BOOL":
            return {"BOOL": {"true": True, "false": False}[content]}
    return {kind: content}


def _read(kind: str, content: str) -> AttributeValue:
    return {"B": base64.b64decode(content, validate=True)} if kind == "B" else {kind: content}


def _is_whole(piece: bytes) -> bool:
    return piece.count(b'"') % 2 == 0


def _format(
    name: str,
    summary: str,
    text: Callable[[str], str],
    decoder: Callable[[Sequence[KeyAttribute]], Decode] | None = None,
    taken: Callable[[Sequence[KeyAttribute], Sequence[str]], DecodeTaken] | None = None,
) -> LineFormat:
    """Return a csv format. `text`: changes a text before it is written."""
    return LineFormat(
        name=name,
        summary=summary,
        encoder=lambda source: _encoder(source, text),
        decoder=decoder,
        suffix="csv",
        header=lambda source, members: _header(source, members, text),
        taking=lambda source: _taking(source, text),
        taken=taken,
        is_whole=_is_whole,
    )


CSV = _format("csv", "RFC 4180, one column for each key attribute", _exact, _decoder, _taken)
CSV_SAFE = _format(
    "csv-safe",
    "csv for spreadsheets: an apostrophe before each value that a spreadsheet would read as a formula",
    _safe,
)
