r"""All line formats by name: the only list to which a new format is added.

Inputs, plans and manifests contain the name, and commands accept it as `--format`.

The text format is for a terminal and for other programs, and cannot be read back: strings and numbers are written
unchanged, binary in base64, several attributes separated by a tab; a control character in a string is escaped as in
JSON (\n, \u0000). For keys with such characters, JSON lines are exact.
"""

import base64
from collections.abc import Callable, Sequence
from typing import Any

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.lines.csv import CSV, CSV_SAFE
from skipscan.lines.dynamodb_jsonl import DYNAMODB_IMPORT, DYNAMODB_JSONL
from skipscan.lines.json_lines import JSONL
from skipscan.lines.line_format import Decode, Encode, LineFormat, escaped, to_line
from skipscan.scan.take import Take


def _encoder(source: Source) -> Encode:
    return lambda key: to_line("\t".join(map(_bare, source.parts(key))) + "\n")


def _bare(value: AttributeValue) -> str:
    ((kind, content),) = value.items()
    if kind == "B":
        return base64.b64encode(content).decode()
    return escaped(content)


TEXT = LineFormat(
    name="text",
    summary="the bare key",
    encoder=_encoder,
    decoder=None,
)


FORMATS = {form.name: form for form in (TEXT, JSONL, DYNAMODB_JSONL, DYNAMODB_IMPORT, CSV, CSV_SAFE)}

STORED = tuple(form.name for form in FORMATS.values() if form.decoder is not None)
"""The formats that a run's parts can have."""


def format_of(name: str) -> LineFormat:
    """Return the format with this name; raise `ValueError` if there is none."""
    if name not in FORMATS:
        raise ValueError(f"{name} is not a line format of this version of Skipscan")
    return FORMATS[name]


def header(source: Source, name: str, take: Take) -> bytes:
    """Return what a file in a format begins with, empty or a whole record."""
    return format_of(name).header(source.line, take)


def encoder(source: Source, name: str) -> Encode:
    """Return the function that writes one key as a line."""
    return format_of(name).encoder(source.line)


def line_encoder(source: Source, name: str, take: Take) -> Callable[[Any], bytes]:
    """Return the function that writes one line of a part: a key or, with `take`, a key and what is taken with it."""
    taking = format_of(name).taking
    if not take.members:
        return encoder(source, name)
    if taking is None:
        raise ValueError(f"the line format {name} cannot hold items")
    return taking(source.line, take)


def decoder(partition_key: Sequence[KeyAttribute], name: str) -> Decode:
    """Return the function that reads a line of a run's part."""
    make = format_of(name).decoder
    if make is None:
        raise ValueError(f"the line format {name} cannot be read back")
    return make(partition_key)
