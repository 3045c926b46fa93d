"""The keys of a finished run in a requested format, read part by part from storage."""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, islice
from string import ascii_letters, digits, punctuation
from typing import Any, NamedTuple, Self, TypeVar

from skipscan.dynamodb.source import PREFIX, Item, Source, partition_key_of
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind
from skipscan.errors import OMITTED, IncompleteRunError, InputError
from skipscan.lines.formats import FORMATS, decoder, encoder, format_of, header, line_encoder
from skipscan.lines.line_format import DecodeTaken, Encode
from skipscan.loop.storage import Storage, checksum
from skipscan.scan.take import KEYS, EachItem, Take
from skipscan.scan.taken import ITEM

CANDIDATES = f"{ascii_letters}{digits}{punctuation} "
"""The characters of texts of which the plain ones are chosen."""

NUMBERS = {"-1": b"-?", "1": b"(?:0|[1-9][0-9]*+)", "1.5": rb"(?:\.[0-9]++)?+", "1E+20": b"(?:[eE][+-]?[0-9]++)?+"}
"""The places of a number, each with a number that is plain if all that stands there is. Binary is never plain."""

FEW = 64
"""So many lines are read and written one by one if a key among them is not plain; more are halved first."""


class Frame(NamedTuple):
    """What stands before and after a plain key in a line."""

    before: bytes
    after: bytes

    @classmethod
    def of(cls, encode: Encode, kind: str) -> Self:
        one, two = (encode({kind: content}) for content in ("1", "2"))
        place = next(place for place, (left, right) in enumerate(zip(one, two, strict=True)) if left != right)
        return cls(one[:place], one[place + 1 :])

    def around(self, content: str) -> bytes:
        return self.before + content.encode() + self.after


class PlainKeys:
    """Changes lines of plain keys from the format of `stored` to that of `target`. `kind`: the key attribute's type.

    A plain key is one that a format writes unchanged, between the same bytes in every line: {"id": "a-7"} is the key
    a-7 between `{"id": "` and `"}`. Many lines with plain keys change their format at once, by replacing the bytes
    between two keys: a hundred times as fast as reading and writing each key. The formats' own encoders decide which
    characters are plain.
    """

    def __init__(self, kind: str, stored: Encode, target: Encode) -> None:
        self._frames = [Frame.of(encode, kind) for encode in (stored, target)]
        written = list(zip((stored, target), self._frames, strict=True))

        def plain(*keys: str) -> bool:
            return all(encode({kind: key}) == frame.around(key) for encode, frame in written for key in keys)

        places = b"".join(place for number, place in NUMBERS.items() if plain(number))
        self._numbers = re.compile(b"\n(?:%b\n)++" % places) if kind == "N" else None
        characters = [each for each in CANDIDATES if plain(f"1{each}1")]
        self._allowed = "".join(characters).encode() + b"\n"
        begins = [f"\n{each}" for each in characters if not plain(f"{each}1")]
        ends = [f"{each}\n" for each in characters if not plain(f"1{each}")]
        # Of keys that stand between line feeds: an empty one is two of these.
        self._refused = [each.encode() for each in ("\n\n", *begins, *ends)]

    def change(self, lines: Sequence[bytes]) -> bytes | None:
        """Return the lines in the target format; `None` unless all of their keys are plain."""
        stored, target = self._frames
        body, between = b"".join(lines), stored.after + stored.before
        if not (body.startswith(stored.before) and body.endswith(stored.after)):
            return None
        inner = body[len(stored.before) : len(body) - len(stored.after)]
        if inner.count(between) != len(lines) - 1:
            return None
        keys = b"\n%b\n" % inner.replace(between, b"\n")
        if keys.count(b"\n") != len(lines) + 1 or not self._are_plain(keys):
            return None
        return target.before + keys[1:-1].replace(b"\n", target.after + target.before) + target.after

    def _are_plain(self, keys: bytes) -> bool:
        """Return whether all keys are plain, of keys that stand between line feeds."""
        if self._numbers is not None:
            return self._numbers.fullmatch(keys) is not None
        return not keys.translate(None, self._allowed) and not any(each in keys for each in self._refused)


def changed(lines: Sequence[bytes], plain: PlainKeys | None, convert: Callable[[bytes], bytes]) -> Iterator[bytes]:
    """Yield lines in another format, many at a time. `convert`: changes a line whose key is not plain."""
    if plain is not None and (done := plain.change(lines)) is not None:
        yield done
    elif plain is None or len(lines) <= FEW:
        yield b"".join(map(convert, lines))
    else:
        half = len(lines) // 2
        yield from changed(lines[:half], plain, convert)
        yield from changed(lines[half:], plain, convert)


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


def item_reader(keys: Sequence[KeyAttribute], form: str, *, has_level: bool = False) -> Callable[[bytes], Item]:
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
        keeping = " or ".join(name for name, each in FORMATS.items() if each.taken is not None and each.keeps_types)
        raise InputError(
            "format",
            form,
            f"the run wrote its items as {stored}, which does not keep types",
            f"use {stored}, or start a new run with the format {keeping}",
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
