"""customer,12.50: a column for each key attribute, as RFC 4180 has it; binary is base64.

The first record names the attributes. Records end in CR LF, and a field is quoted where it has to be. Quotes say
nothing of types: that 007 is text, and 7 a number, only the manifest says. `csv-safe` is for spreadsheets,
which take what begins with =, +, - or @ for a formula: such text gets an apostrophe first, and cannot be read back.
"""

import base64
import csv
import re
from collections.abc import Callable, Mapping, Sequence

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.source import PartitionKey, Source
from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.keys.line_format import Decode, Encode, LineFormat

LINE_END = "\r\n"
_QUOTED = re.compile(r"""[",\r\n]|^\s|\s$|^$""")
_FORMULA = re.compile(r"[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
"""How a formula begins (OWASP, "CSV Injection"), in full width too."""


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
    # DynamoDB keeps no lone surrogate. An engine that does gets it back; csv has no escape for it.
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


def _header(source: Source, text: Callable[[str], str]) -> bytes:
    return _record([text(attribute.name) for attribute in source.partition_key])


def _decoder(partition_key: Sequence[KeyAttribute]) -> Decode:
    def decode(record: bytes) -> Mapping[str, AttributeValue]:
        if not record.endswith(b"\r\n"):
            raise ValueError("a record of a part has no end")
        (fields,) = csv.reader([record.decode("utf-8", "surrogatepass")], strict=True)
        return {key.name: _read(key.type, content) for key, content in zip(partition_key, fields, strict=True)}

    return decode


def _read(kind: str, content: str) -> AttributeValue:
    return {"B": base64.b64decode(content, validate=True)} if kind == "B" else {kind: content}


def _is_whole(piece: bytes) -> bool:
    return piece.count(b'"') % 2 == 0


CSV = LineFormat(
    name="csv",
    summary="a column for each key attribute, as RFC 4180 has it",
    encoder=lambda source: _encoder(source, _exact),
    decoder=_decoder,
    suffix="csv",
    header=lambda source: _header(source, _exact),
    is_whole=_is_whole,
)

CSV_SAFE = LineFormat(
    name="csv-safe",
    summary="the same for spreadsheets, with an apostrophe before what they would take for a formula",
    encoder=lambda source: _encoder(source, _safe),
    decoder=None,
    suffix="csv",
    header=lambda source: _header(source, _safe),
    is_whole=_is_whole,
)
