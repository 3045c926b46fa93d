"""customer,12.50: RFC 4180 with one column for each key attribute; binary is base64.

The first record names the attributes. Records end in CR LF, and a field is quoted if necessary. Quotes do not show
types: only the manifest shows that 007 is text and 7 is a number. `csv-safe` is for spreadsheets, which read text that
begins with =, +, - or @ as a formula: such text gets an apostrophe first, and cannot be read back.

A run that takes items has a column for each attribute of each item, such as `last.status`, then `read`, the time, and
`types`: a word for each of these columns. The word is the value's type in DynamoDB; `-` where the item has no such
attribute, and `none` where there is no item. So a line is read back exactly, and who needs no types ignores the last
column. Lists, maps and sets are DynamoDB JSON. If all attributes are taken, which only the items know, the item is one
column of DynamoDB JSON. `csv-safe` has no types. A run that counts has three columns for that, and one for the time.
Where the partition key has an attribute of such a name, the key keeps it, and the other column gets an underscore:
`types_`, `read_`.
"""

import base64
import csv
import json
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from skipscan.dynamodb.attribute_value import AttributeValue, from_json
from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.lines.dynamodb_jsonl import typed
from skipscan.lines.line_format import Decode, DecodeTaken, Encode, EncodeTaken, LineFormat
from skipscan.scan.take import Take
from skipscan.scan.taken import COUNTED, READ, TYPES, Taken

LINE_END = "\r\n"
_QUOTED = re.compile(r"""[",\r\n]|^\s|\s$|^$""")
TYPES_COLUMN = "types"
ABSENT, NO_ITEM = "-", "none"

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


def _record(fields: Sequence[str | None]) -> bytes:
    """Return a record. `None`: a field without a value, which readers such as DuckDB distinguish from an empty text."""
    # DynamoDB stores no lone surrogate. Other engines do and get it back; csv has no escape for it.
    return (",".join("" if each is None else _field(each) for each in fields) + LINE_END).encode(
        "utf-8", "surrogatepass"
    )


def _encoder(source: Source, text: Callable[[str], str]) -> Encode:
    return lambda key: _record([_content(part, text) for part in source.parts(key)])


def csv_text(value: AttributeValue) -> str | None:
    """Return a value as a field of csv has it; `None` for NULL."""
    return _content(value, _exact)


def _content(value: AttributeValue, text: Callable[[str], str]) -> str | None:
    ((kind, held),) = value.items()
    match kind:
        case "N":
            return str(held)
        case "S" | "B":
            return text(held if kind == "S" else base64.b64encode(held).decode())
        case "BOOL":
            return "true" if held else "false"
        case "NULL":
            return None
    return typed(value)


class Column(NamedTuple):
    """A column of what is taken. `attribute`: of an item; `None` for the whole member."""

    member: str
    attribute: str | None

    @property
    def name(self) -> str:
        return self.member if self.attribute is None else f"{self.member}.{self.attribute}"

    def value(self, members: Mapping[str, AttributeValue]) -> AttributeValue | str:
        """Return what the column holds of a line's members: a value, or the word for none."""
        held = members[self.member]
        if "NULL" in held:
            return NO_ITEM
        return held if self.attribute is None else held["M"].get(self.attribute, ABSENT)


def columns_of(source: Source, take: Take) -> list[Column]:
    """Return the columns of a count, or of items: their sort key and the attributes taken, or else the whole item."""
    key, sort_key = ([each.name for each in part] for part in (source.partition_key, source.sort_key))
    found: list[Column] = []
    for member, names in take.attributes.items():
        known = [] if names is None else [name for name in dict.fromkeys((*sort_key, *names)) if name not in key]
        found += [Column(member, name) for name in known] or [Column(member, None)]
    return [*found, *(Column(member, None) for member in (each for each in take.members if each in COUNTED))]


def _taking(source: Source, take: Take, text: Callable[[str], str], *, is_typed: bool) -> EncodeTaken:
    encode_key, columns = _encoder(source, text), columns_of(source, take)
    has_types = is_typed and bool(take.attributes)

    def encode(taken: Taken) -> bytes:
        members = taken.members
        values = [column.value(members) for column in columns]
        fields = [None if isinstance(value, str) else _content(value, text) for value in values]
        kinds = (value if isinstance(value, str) else next(iter(value)) for value in values)
        types = [" ".join(kinds)] if has_types else []
        record = _record([*fields, taken.read, *types])
        return encode_key(taken.key).removesuffix(LINE_END.encode()) + b"," + record

    return encode


def _header(source: Source, take: Take, text: Callable[[str], str], *, is_typed: bool) -> bytes:
    key = [text(attribute.name) for attribute in source.partition_key]
    if not take.members:
        return _record(key)
    types = [TYPES_COLUMN] if is_typed and take.attributes else []
    others = [*(column.name for column in columns_of(source, take)), READ, *types]
    return _record([*key, *_apart(others, key)])


def _apart(names: Sequence[str], key: Sequence[str]) -> Iterator[str]:
    """Yield the names of the other columns, which differ; one that a key attribute has, with underscores behind it."""
    used = {*names, *key}
    for name in names:
        column = name
        if name in key:
            while column in used:
                column += "_"
            used.add(column)
        yield column


def _fields(record: bytes) -> list[str]:
    if not record.endswith(b"\r\n"):
        raise ValueError("a record of a part has no end")
    (fields,) = csv.reader([record.decode("utf-8", "surrogatepass")], strict=True)
    return fields


def _decoder(partition_key: Sequence[KeyAttribute]) -> Decode:
    columns = len(partition_key)

    def decode(record: bytes) -> Mapping[str, AttributeValue]:
        fields = _fields(record)
        more = len(fields) - columns
        with_items = len(fields[-1].split(" ")) + 2  # the time and the types
        if more not in (0, len(COUNTED) + 1, with_items):
            raise ValueError("a record of a part has columns other than the run's partition key and what it takes")
        return {key.name: _read(key.type, content) for key, content in zip(partition_key, fields, strict=False)}

    return decode


def _taken(source: Source, take: Take) -> DecodeTaken:
    key, columns = source.partition_key, columns_of(source, take)

    def decode(record: bytes) -> Taken:
        fields = _fields(record)
        parts = [_read(each.type, content) for each, content in zip(key, fields, strict=False)]
        kinds = fields.pop().split(" ") if take.attributes else [TYPES[column.member] for column in columns]
        *contents, read = fields[len(key) :]
        members: dict[str, AttributeValue] = {READ: {"S": read}}
        for column, content, kind in zip(columns, contents, kinds, strict=True):
            if kind == NO_ITEM:
                members[column.member] = {"NULL": True}
            elif column.attribute is None:
                members[column.member] = _read(kind, content)
            else:
                item = members.setdefault(column.member, {"M": {}})["M"]
                item |= {} if kind == ABSENT else {column.attribute: _read(kind, content)}
        return Taken.of(tuple(parts) if len(parts) > 1 else parts[0], members)

    return decode


def _read(kind: str, content: str) -> AttributeValue:
    match kind:
        case "S" | "N":
            return {kind: content}
        case "B":
            return {"B": base64.b64decode(content, validate=True)}
        case "BOOL":
            return {"BOOL": {"true": True, "false": False}[content]}
        case "NULL":
            return {"NULL": True}
    return from_json(json.loads(content))


def _format(
    name: str,
    summary: str,
    text: Callable[[str], str],
    decoder: Callable[[Sequence[KeyAttribute]], Decode] | None = None,
    taken: Callable[[Source, Take], DecodeTaken] | None = None,
    *,
    mark: bytes = b"",
) -> LineFormat:
    """Return a csv format. `text`: changes a text before it is written. `mark`: what a file begins with."""
    return LineFormat(
        name=name,
        summary=summary,
        encoder=lambda source: _encoder(source, text),
        decoder=decoder,
        suffix="csv",
        header=lambda source, take: mark + _header(source, take, text, is_typed=taken is not None),
        taking=lambda source, take: _taking(source, take, text, is_typed=taken is not None),
        taken=taken,
        quote=b'"',
    )


CSV = _format("csv", "RFC 4180, one column for each key attribute", _exact, _decoder, _taken)
CSV_SAFE = _format(
    "csv-safe",
    "csv for spreadsheets: an apostrophe before each value that a spreadsheet would read as a formula",
    _safe,
    mark=BOM_UTF8,  # without it Excel takes the file for one of the machine's own code page
)
