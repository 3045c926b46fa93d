"""The declaration of a line format: one way to write partition keys, one per line.

Lines are UTF-8, and a key never breaks a line: line ends and control characters are escaped as in JSON, in the text
format too, including those that JSON allows (U+0085, U+2028 and others break a line in many programs). Only csv has no
escapes: a field that contains a line end is quoted, and its record continues on the next line.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from json.encoder import encode_basestring

from skipscan.dynamodb.source import Item, PartitionKey, Source
from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.scan.take import ItemSelection, Taken

Encode = Callable[[PartitionKey], bytes]
Decode = Callable[[bytes], Item]
EncodeTaken = Callable[[Taken], bytes]
DecodeTaken = Callable[[bytes], Taken]

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


@dataclass(frozen=True)
class LineFormat:
    """One format. `summary`: for the help of a command.

    `suffix`: of the names of a run's parts, by which storage says what they are. `header`: returns what a file begins
    with, empty or a whole record. `is_whole`: tells whether a piece that ends in a line feed is a whole record, where a
    record may hold line feeds; `None` where none does.
    `encoder`: returns the function that writes a partition key of a source as one line, line end included. `decoder`:
    returns the function that reads a line as key attributes, and raises `ValueError`, `LookupError` or `TypeError` for
    what is no such line; `None` for a format that cannot be read back exactly, and so cannot be that of a run's parts.
    `taking`: returns the function that writes a key with what is taken of its group; `None` for a format whose lines
    have no room for it. `taken`: returns the function that reads such a line back, or `None`. Both need the source's
    sort key too, which a taken item has. `keeps_types`: also those of items; a count needs none.
    """

    name: str
    summary: str
    encoder: Callable[[Source], Encode]
    decoder: Callable[[Sequence[KeyAttribute]], Decode] | None
    taking: Callable[[Source, ItemSelection], EncodeTaken] | None = None
    taken: Callable[[Source, ItemSelection], DecodeTaken] | None = None
    keeps_types: bool = True
    suffix: str = "jsonl"
    header: Callable[[Source, ItemSelection | None], bytes] = lambda source, take: b""
    is_whole: Callable[[bytes], bool] | None = None

    def records(self, body: bytes) -> Iterator[bytes]:
        """Return the records of a file, with their line ends; a header is the first record."""
        lines = BytesIO(body)
        return lines if self.is_whole is None else _whole(lines, self.is_whole)


def _whole(lines: Iterable[bytes], is_whole: Callable[[bytes], bool]) -> Iterator[bytes]:
    """Return the records of which some are several lines."""
    begun = b""
    for line in lines:
        begun += line
        if is_whole(begun):
            yield begun
            begun = b""
    if begun:
        yield begun


def to_line(line: str) -> bytes:
    # A lone surrogate has no UTF-8 form, so JSON writes its escape \udXXX.
    return line.encode("utf-8", "backslashreplace")


def json_string(content: str) -> str:
    """Return a string as JSON, without any character that breaks a line."""
    written = encode_basestring(content)
    return written if content.isprintable() else escaped(written)


def escaped(text: str) -> str:
    """Return a text with its control characters escaped as in JSON."""
    return _CONTROL.sub(lambda match: json.dumps(match[0])[1:-1], text)
