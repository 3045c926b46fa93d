"""The lines of a run's parts in the format that is asked for."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from io import BytesIO
from itertools import islice
from typing import Any

from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import KeyAttribute, Kind
from skipscan.errors import IncompleteRunError
from skipscan.keys.formats import decoder, encoder

LINES = 10_000  # converted at once


def converter(manifest: Mapping[str, Any], form: str) -> Callable[[bytes], bytes] | None:
    """Return the function that turns a line of a part into a line of a format; `None` if it has that already."""
    if form == manifest["format"]:
        return None
    keys = tuple(KeyAttribute(**entry) for entry in manifest["partition_key"])
    source = Source(manifest["table"], manifest["index"], Kind.TABLE, keys, (), ())
    decode, encode = decoder(keys, manifest["format"]), encoder(source, form)
    names = [key.name for key in keys]

    def convert(line: bytes) -> bytes:
        try:
            item = decode(line)
        except (ValueError, LookupError, TypeError):
            raise IncompleteRunError(
                "a line of a part is no key of this run: it was written by another version of Skipscan, or changed. "
                "List the table anew"
            ) from None
        return encode(item[names[0]] if len(names) == 1 else tuple(item[name] for name in names))

    return convert


def convert(bodies: Iterable[bytes], manifest: Mapping[str, Any], form: str) -> Iterator[bytes]:
    """Return the parts' content in that format, many whole lines at a time."""
    convert = converter(manifest, form)
    for body in bodies:
        if convert is None:
            yield body
            continue
        lines = BytesIO(body)
        while several := b"".join(map(convert, islice(lines, LINES))):
            yield several


def lines(bodies: Iterable[bytes], manifest: Mapping[str, Any], form: str) -> Iterator[bytes]:
    """Return the parts' lines in that format, each with its line end."""
    convert = converter(manifest, form)
    for body in bodies:
        yield from BytesIO(body) if convert is None else map(convert, BytesIO(body))
