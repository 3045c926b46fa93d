"""The declaration of a line format: one way to write partition keys, one per line.

Lines are UTF-8, and a key never breaks a line: line ends and control characters are escaped as in JSON, in the text
format too, including those that JSON allows (U+0085, U+2028 and others break a line in many programs). Only csv has no
escapes: a field that contains a line end is quoted, and its record continues on the next line.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from json.encoder import encode_basestring

from skipscan.dynamodb.source import Item, PartitionKey, Source
from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.inputs.names import MEDIA_TYPES
from skipscan.scan.take import Take
from skipscan.scan.taken import Taken

Encode = Callable[[PartitionKey], bytes]
Decode = Callable[[bytes], Item]
EncodeTaken = Callable[[Taken], bytes]
DecodeTaken = Callable[[bytes], Taken]

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


@dataclass(frozen=True)
class LineFormat:
    """One format. `summary`: for the help of a command.

    `suffix`: of the names of a run's parts: one of `MEDIA_TYPES`. `header`: returns what a file begins
    with, empty or a whole record. `quote`: what encloses line feeds within a record, so that one with an odd number of
    quotes so far goes on; `None` where no record holds line feeds.
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
    taking: Callable[[Source, Take], EncodeTaken] | None = None
    taken: Callable[[Source, Take], DecodeTaken] | None = None
    keeps_types: bool = True
    suffix: str = "jsonl"
    header: Callable[[Source, Take], bytes] = lambda source, take: b""
    quote: bytes | None = None

    def __post_init__(self) -> None:
        if self.suffix not in MEDIA_TYPES:
            raise ValueError(f"the suffix {self.suffix} has no media type in lambdas/skipscan/inputs/names.py: add it")
        if self.decoder and not (self.taking and self.taken):
            raise ValueError(f"parts in {self.name} may hold items: give the format taking and taken, or no decoder")

    def records(self, body: bytes) -> Iterator[bytes]:
        """Return the records of a file, with their line ends; a header is the first record."""
        return BytesIO(body) if self.quote is None else _quoted(body, self.quote)


def record_end(body: bytes, begin: int, quote: bytes | None) -> int:
    """Return where the record ends that begins there; 0 if the body does not have its end. `quote`: see `LineFormat`.

    Each byte is looked at once, however many line feeds the record has.
    """
    end, is_open = begin, False
    while following := body.find(b"\n", end) + 1:
        is_open ^= quote is not None and body.count(quote, end, following) % 2 == 1
        if not is_open:
            return following
        end = following
    return 0


def _quoted(body: bytes, quote: bytes) -> Iterator[bytes]:
    begin = 0
    while end := record_end(body, begin, quote):
        yield body[begin:end]
        begin = end
    if begin < len(body):
        yield body[begin:]


def to_line(line: str) -> bytes:
    # A lone surrogate has no UTF-8 form, so JSON writes an escape such as \ud800.
    return line.encode("utf-8", "backslashreplace")


def json_string(content: str) -> str:
    """Return a string as JSON, without any character that breaks a line."""
    written = encode_basestring(content)
    return written if content.isprintable() else escaped(written)


def escaped(text: str) -> str:
    """Return a text with its control characters escaped as in JSON."""
    return _CONTROL.sub(lambda match: json.dumps(match[0])[1:-1], text)
