"""The keys of a finished run, part by part from where they are stored, in the format that is asked for."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import Any

from skipscan.dynamodb.source import Item, Source
from skipscan.dynamodb.table_description import KeyAttribute, Kind
from skipscan.errors import IncompleteRunError
from skipscan.keys.formats import decoder, encoder, format_of
from skipscan.keys.line_format import Decode
from skipscan.loop.part import checksum
from skipscan.loop.storage import Storage

LINES = 10_000  # converted at once


def source_of(manifest: Mapping[str, Any]) -> Source:
    """Return what a run listed, as far as its keys' formats go."""
    keys = tuple(KeyAttribute(**entry) for entry in manifest["partition_key"])
    return Source(manifest["table"], manifest["index"], Kind.TABLE, keys, (), ())


def header(manifest: Mapping[str, Any], form: str) -> bytes:
    """Return what a file of the run's keys begins with in a format."""
    return format_of(form).header(source_of(manifest))


def reader(manifest: Mapping[str, Any]) -> Decode:
    """Return the function that reads a record of a part."""
    decode = decoder(source_of(manifest).partition_key, manifest["format"])

    def read(record: bytes) -> Item:
        try:
            return decode(record)
        except (ValueError, LookupError, TypeError):
            raise IncompleteRunError(
                "a line of a part is no key of this run: it was written by another version of Skipscan, or changed. "
                "List the table anew"
            ) from None

    return read


def converter(manifest: Mapping[str, Any], form: str) -> Callable[[bytes], bytes] | None:
    """Return the function that turns a record of a part into one of a format; `None` if it has that already."""
    if form == manifest["format"]:
        return None
    source, read = source_of(manifest), reader(manifest)
    encode = encoder(source, form)
    names = [key.name for key in source.partition_key]

    def convert(line: bytes) -> bytes:
        item = read(line)
        return encode(item[names[0]] if len(names) == 1 else tuple(item[name] for name in names))

    return convert


def convert(bodies: Iterable[bytes], manifest: Mapping[str, Any], form: str) -> Iterator[bytes]:
    """Return a file with the parts' keys in that format, many whole records at a time."""
    convert = converter(manifest, form)
    if first := header(manifest, form):
        yield first
    for body in bodies:
        if convert is None:
            yield body.removeprefix(first)
            continue
        found = records(body, manifest)
        while several := b"".join(map(convert, islice(found, LINES))):
            yield several


def lines(bodies: Iterable[bytes], manifest: Mapping[str, Any], form: str) -> Iterator[bytes]:
    """Return the parts' records in that format, each with its line end; no header."""
    convert = converter(manifest, form)
    for body in bodies:
        found = records(body, manifest)
        yield from found if convert is None else map(convert, found)


def records(body: bytes, manifest: Mapping[str, Any]) -> Iterator[bytes]:
    """Return the records of a part, without its header."""
    form = manifest["format"]
    return format_of(form).records(body.removeprefix(header(manifest, form)))


AHEAD = 3
"""Parts that are fetched while one is used; each is held in memory, and has 32 MB at most unless limits were raised."""


def bodies(storage: Storage, manifest: Mapping[str, Any]) -> Iterator[bytes]:
    """Return the parts in the manifest's order, each whole and as the manifest's checksum says.

    Raises `IncompleteRunError` for a part that is gone or is another.
    """
    waiting: deque[Future[bytes]] = deque()
    parts = iter(manifest["parts"])
    with ThreadPoolExecutor(AHEAD) as pool:
        try:
            while True:
                while len(waiting) < AHEAD and (part := next(parts, None)) is not None:
                    waiting.append(pool.submit(_body, storage, part))
                if not waiting:
                    return
                yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _body(storage: Storage, part: Mapping[str, Any]) -> bytes:
    body = storage.get(part["name"]) or b""
    if checksum(body) != part["sha256"]:
        raise IncompleteRunError(
            f"{part['name']} is not what the manifest says, by its checksum: the run's result was changed. List the "
            "table anew"
        )
    return body
