"""All line formats by name: the only list to which a new format is added.

Inputs, plans and manifests contain the name, and commands accept it as `--format`.
"""

from collections.abc import Callable, Sequence
from typing import Any

from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.lines.csv import CSV, CSV_SAFE
from skipscan.lines.dynamodb_import import DYNAMODB_IMPORT
from skipscan.lines.dynamodb_jsonl import DYNAMODB_JSONL
from skipscan.lines.jsonl import JSONL
from skipscan.lines.line_format import Decode, Encode, LineFormat
from skipscan.lines.text import TEXT
from skipscan.scan.take import ItemSelection

FORMATS = {form.name: form for form in (TEXT, JSONL, DYNAMODB_JSONL, DYNAMODB_IMPORT, CSV, CSV_SAFE)}

STORED = tuple(form.name for form in FORMATS.values() if form.decoder is not None)
"""The formats that a run's parts can have."""

HELP = " ".join(f"{form.name}: {form.summary}." for form in FORMATS.values())


def format_of(name: str) -> LineFormat:
    """Return the format with this name; raise `ValueError` if there is none."""
    if name not in FORMATS:
        raise ValueError(f"{name} is not a line format of this version of Skipscan")
    return FORMATS[name]


def header(source: Source, name: str, take: ItemSelection | None) -> bytes:
    """Return what a file in a format begins with, empty or a whole record."""
    return format_of(name).header(source.line, take)


def encoder(source: Source, name: str) -> Encode:
    """Return the function that writes one key as a line."""
    return format_of(name).encoder(source.line)


def line_encoder(source: Source, name: str, take: ItemSelection | None) -> Callable[[Any], bytes]:
    """Return the function that writes one line of a part: a key or, with `take`, a key and what is taken with it."""
    taking = format_of(name).taking
    if take is None:
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
