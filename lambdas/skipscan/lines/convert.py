"""The keys of a finished run in a requested format, read part by part from storage."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, islice
from typing import Any, TypeVar

from skipscan.dynamodb.source import PREFIX, Item, Source, partition_key_of
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind
from skipscan.errors import OMITTED, IncompleteRunError, InputError
from skipscan.lines.formats import FORMATS, decoder, encoder, format_of, header, line_encoder
from skipscan.lines.line_format import DecodeTaken
from skipscan.lines.plain_keys import PlainKeys, changed
from skipscan.loop.storage import Storage, checksum
from skipscan.scan.take import KEYS, EachItem, Take
from skipscan.scan.taken import ITEM

Read = TypeVar("Read")

LINES = 10_000  # records converted at once


def source_of(manifest: Mapping[str, Any]) -> Source:
    """Return the source of a run, as far as the line formats need it: its partition key is what a line has."""
    level = manifest.get("level")
    prefix = [KeyAttribute(PREFIX, level["type"])] if level else []
    sort_key = [KeyAttribute(**entry) for entry in manifest.get("sort_key", ())]
    return _source((*partition_key_of(manifest), *prefix), sort_key)


def _source(keys: Sequence[KeyAttribute], sort_key: Sequence[KeyAttribute] = ()) -> Source:
    return Source("", None, SourceKind.TABLE, tuple(keys), tuple(sort_key), ())


def has_items(manifest: Mapping[str, Any]) -> bool:
    """Return whether the lines of a run's parts contain items or counts."""
    return bool(manifest.get("take"))


def selection_of_manifest(manifest: Mapping[str, Any]) -> Take:
    """Return the further members of the lines of a run's parts, after the key."""
    return Take.of_words(manifest.get("take"))


def header_of(keys: Sequence[KeyAttribute], form: str) -> bytes:
    """Return the header of a file with keys of these attributes in a format."""
    return header(_source(keys), form, KEYS)


def reader(manifest: Mapping[str, Any], form: str) -> Callable[[bytes], Any]:
    """Return the function that reads a record of a part as a listing found it: a key, or what is taken along with one.

    Raises `InputError` where the parts keep no types of their items. `form`: what for, in words.
    """
    return taken_reader(manifest, form) if has_items(manifest) else key_reader(manifest)


def key_reader(manifest: Mapping[str, Any]) -> Callable[[bytes], Any]:
    """Return the function that reads the key of a record of a part, which has its type in every format."""
    source = source_of(manifest)
    decode, key = _checked(decoder(source.partition_key, manifest["format"])), source.partition_key_of()
    return lambda record: key(decode(record))


def item_reader(keys: Sequence[KeyAttribute], form: str, *, has_level: bool) -> Callable[[bytes], Item]:
    """Return the function that reads a record with a whole item of its own as that item, with its key.

    `has_level`: the key on the record ends with the group's prefix, which is no attribute of the item.
    """
    prefix = [KeyAttribute(PREFIX, "S")] if has_level else []
    source, reading = _source((*keys, *prefix)), format_of(form).taken
    if reading is None:
        raise ValueError(f"the line format {form} cannot hold items")
    read, names = _checked(reading(source, EachItem({ITEM: None}))), [key.name for key in keys]

    def whole(record: bytes) -> Item:
        taken = read(record)
        return {**dict(zip(names, source.parts(taken.key), strict=False)), **(taken.items[ITEM] or {})}

    return whole


def _checked(decode: Callable[[bytes], Read]) -> Callable[[bytes], Read]:
    """Return the function that raises `IncompleteRunError` for an invalid record."""

    def read(record: bytes) -> Read:
        try:
            return decode(record)
        except (ValueError, LookupError, TypeError):
            raise IncompleteRunError(
                "a line of a part",
                OMITTED,
                "is not a key of this run",
                "another version of Skipscan wrote it, or someone changed it. Start a new run",
            ) from None

    return read


Convert = Callable[[bytes], bytes]


def converter(manifest: Mapping[str, Any], form: str) -> Convert | None:
    """Return the function that converts a record of a part to a format; `None` if the record has it already.

    A record with an item keeps it, unless the format cannot hold items. Raises `InputError` if the parts lack the
    items' types.
    """
    if not has_items(manifest) or format_of(form).taking is None:
        return key_converter(manifest, form)
    if form == manifest["format"]:
        return None
    read = taken_reader(manifest, form)
    encode = line_encoder(source_of(manifest), form, selection_of_manifest(manifest))
    return lambda line: encode(read(line))


def key_converter(manifest: Mapping[str, Any], form: str) -> Convert | None:
    """Return the function that converts a record of a part to its key's record; `None` if no change is needed."""
    if form == manifest["format"] and not has_items(manifest):
        return None
    return to_keys(source_of(manifest).partition_key, manifest["format"], form)


def to_keys(keys: Sequence[KeyAttribute], stored: str, form: str) -> Convert:
    """Return the function that reads a record in the stored format, with an item or without, and writes its key."""
    source = _source(keys)
    read, key, encode = _checked(decoder(keys, stored)), source.partition_key_of(), encoder(source, form)
    return lambda line: encode(key(read(line)))


def taken_reader(manifest: Mapping[str, Any], form: str) -> DecodeTaken:
    """Return the function that reads a record of a part with its items, including their types.

    Raises `InputError` if the parts do not keep types. `form`: the requested format, for the message.
    """
    stored, selection = manifest["format"], selection_of_manifest(manifest)
    kept = format_of(stored)
    reading = kept.taken if kept.keeps_types or not selection.attributes else None
    if reading is None:
        keeping = ", ".join(name for name, each in FORMATS.items() if each.taken is not None and each.keeps_types)
        raise InputError(
            "format",
            form,
            f"the run wrote its items as {stored}, which does not keep types",
            f"use {stored}, or start a new run with one of the formats {keeping}",
        )
    return _checked(reading(source_of(manifest), selection))


def convert(bodies: Iterable[bytes], manifest: Mapping[str, Any], form: str) -> Iterator[bytes]:
    """Return a file with the parts' keys in that format, many whole records at a time."""
    convert = converter(manifest, form)
    if first := header(source_of(manifest), form, selection_of_manifest(manifest) if format_of(form).taking else KEYS):
        yield first
    if convert is None:
        yield from (_after_header(body, form) for body in bodies) if first else bodies
    else:
        yield from _converted(bodies, manifest, form, convert)


def key_lines(bodies: Iterable[bytes], manifest: Mapping[str, Any], form: str) -> Iterator[bytes]:
    """Return the parts' keys in that format, one record with its line end each; without items and header."""
    convert = key_converter(manifest, form)
    if convert is None:
        return chain.from_iterable(records(body, manifest) for body in bodies)
    return chain.from_iterable(map(format_of(form).records, _converted(bodies, manifest, form, convert)))


def _converted(bodies: Iterable[bytes], manifest: Mapping[str, Any], form: str, convert: Convert) -> Iterator[bytes]:
    """Return the parts' records in that format, many at a time. `convert`: changes one."""
    plain = _plain_keys(manifest, form)
    for body in bodies:
        found = records(body, manifest)
        while some := list(islice(found, LINES)):
            yield from changed(some, plain, convert)


def _plain_keys(manifest: Mapping[str, Any], form: str) -> PlainKeys | None:
    """Return what changes plain keys; `None` for lines that have more than one attribute, or none that is plain."""
    source = source_of(manifest)
    kinds = [attribute.type for attribute in source.partition_key]
    if len(kinds) > 1 or kinds[0] == "B" or has_items(manifest):
        return None
    return PlainKeys(kinds[0], encoder(source, manifest["format"]), encoder(source, form))


def records(body: bytes, manifest: Mapping[str, Any]) -> Iterator[bytes]:
    """Return the records of a part, without its header."""
    form = manifest["format"]
    has_header = header(source_of(manifest), form, selection_of_manifest(manifest))
    return format_of(form).records(_after_header(body, form) if has_header else body)


def _after_header(body: bytes, form: str) -> bytes:
    """Return what follows a part's header: its first record, whose names may be those of an earlier version."""
    return body[len(next(format_of(form).records(body), b"")) :]


AHEAD = 3
"""Parts that are fetched ahead; each is held in memory, and has at most 32 MB unless limits were raised."""


def bodies(storage: Storage, manifest: Mapping[str, Any]) -> Iterator[bytes]:
    """Return the parts in the manifest's order, complete and with the manifest's checksums.

    Raises `IncompleteRunError` for a missing or changed part.
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
            pool.shutdown(cancel_futures=True)


def _body(storage: Storage, part: Mapping[str, Any]) -> bytes:
    body = storage.get(part["name"]) or b""
    if checksum(body) != part["sha256"]:
        raise IncompleteRunError(
            f"{part['name']}",
            OMITTED,
            "does not have the checksum in the manifest",
            "someone changed the run's result. Start a new run",
        )
    return body
