"""The partition keys of a run that lists only these: read from a file or from the parts of a run, and stored.

A file has a key a line: as text; as a JSON object with the key's attributes, also with their types or as DynamoDB
imports items; as a JSON array of its values; or as csv whose first record names the attributes. What else an object or
a record has is left out. So what commands and runs write can be read, but for control characters in format text.

The keys of a run never change, whatever becomes of the file: they are stored with the run, each once. In the order of a
hash, because neighbours of a run's parts are neighbours in the table, and its walks are to be far apart.
"""

import csv
import json
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import lru_cache
from hashlib import blake2b, sha256
from io import BytesIO, TextIOWrapper
from itertools import groupby
from threading import Lock
from typing import Any, Self, cast

from skipscan.dynamodb.attribute_value import MOST_PARTITION_KEY_BYTES, AttributeValue, from_json, to_json
from skipscan.dynamodb.sort_range import sort_key_value
from skipscan.dynamodb.source import partition_key_of
from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.errors import MALFORMED, OMITTED, IncompleteRunError, InputError
from skipscan.inputs.fields import MAX_SEGMENTS, MOST_FILE_BYTES
from skipscan.lines.convert import key_reader, records, source_of
from skipscan.loop.reader import LOOKS
from skipscan.loop.results import Results
from skipscan.scan.plan import Only

MOST_RUN_BYTES = 1 << 30
"""Of the parts of a run, whose lines may hold items. Plan has 15 minutes, and reads 10 MB a second at least."""

CHUNK_KEYS = 4096
"""The keys of an object: few requests for them all, and little memory for those around a walk."""

Key = tuple[AttributeValue, ...]
"""The values of a partition key, one for each of its attributes."""

FORMS = {
    "S": f"text of 1 to {MOST_PARTITION_KEY_BYTES:,} bytes",
    "N": "a number of up to 38 digits, from 1E-130 to 9.99E+125",
    "B": f"base64 of 1 to {MOST_PARTITION_KEY_BYTES:,} bytes",
}


@dataclass(frozen=True)
class GivenKeys:
    """The keys of a run, each a line, in their order; none of a run of all keys. `id`: of the list of them all."""

    lines: Sequence[bytes] = ()
    id: str = ""

    @property
    def only(self) -> Only | None:
        """Return what the run's plan has of the keys."""
        return Only(self.id, len(self.lines)) if self.lines else None

    @classmethod
    def of(cls, keys: Iterable[Key], field: str) -> Self:
        """Return the keys, each once; raise `InputError` for none, and for too many. `field`: the input's."""
        found: set[bytes] = set()
        for key in keys:
            found.add(_line(key))
            if len(found) > MAX_SEGMENTS:
                way = "split them among several runs, or list all keys, which may cost less"
                raise InputError(field, OMITTED, f"has more than {MAX_SEGMENTS:,} keys", way)
        if not found:
            raise InputError(field, OMITTED, "has no key, so there is nothing to list", "give at least one")
        lines = sorted(found, key=lambda line: blake2b(line, digest_size=16).digest())
        whole = sha256()
        for line in lines:
            whole.update(line)
        return cls(lines, whole.hexdigest()[:32])

    def store(self, results: Results) -> None:
        """Store the keys with a run, before its plan: what another attempt stored has another name or is the same."""

        def put(begin: int) -> None:
            name = results.layout.given_keys(self.id, begin // CHUNK_KEYS)
            body = b"".join(self.lines[begin : begin + CHUNK_KEYS])
            if not results.storage.put_once(name, body, expires=True) and results.storage.get(name) != body:
                raise RuntimeError("the keys of the run could not be written: try again")

        with ThreadPoolExecutor(LOOKS) as pool:
            list(pool.map(put, range(0, len(self.lines), CHUNK_KEYS)))

    def key(self, number: int) -> Key:
        """Return the values of the key with this number."""
        return _key(self.lines[number])


def stored_keys(results: Results, only: Only | None) -> Callable[[int], Key] | None:
    """Return the function that reads the stored key with a number; `None` for a run of all keys.

    Safe to call from several threads.
    """
    if only is None:
        return None
    lock = Lock()

    @lru_cache(4)
    def chunk(number: int) -> Sequence[bytes]:
        name = results.layout.given_keys(only.id, number)
        lines = (results.storage.get(name) or b"").splitlines()
        if len(lines) != min(CHUNK_KEYS, only.keys - number * CHUNK_KEYS):
            rule = "does not have the keys that the run was given: it expired, or someone changed it"
            raise IncompleteRunError(name, rule=rule, remedy="start a new run")
        return lines

    @lru_cache(CHUNK_KEYS)  # a walk asks for its key with each page, and may be the last one in its object
    def key(number: int) -> Key:
        with lock:  # the first walks share one request
            lines = chunk(number // CHUNK_KEYS)
        return _key(lines[number % CHUNK_KEYS])

    return key


def keys_of_file(body: bytes, partition_key: Sequence[KeyAttribute]) -> GivenKeys:
    """Return the keys in a file; raise `InputError` with the line of the first that is none, and without its value."""
    check_size(len(body), MOST_FILE_BYTES, "only")
    try:
        return GivenKeys.of(_keys(body, partition_key), "only")
    except (UnicodeDecodeError, csv.Error):
        raise InputError("only", OMITTED, "is not UTF-8, or not csv", "correct it: UTF-8, a key a line") from None


def check_size(size: int, most: int, field: str) -> None:
    """Raise `InputError` for a file that is too large, or for such parts of a run."""
    if size > most:
        way = "leave out what is no key, or split the keys among several runs"
        raise InputError(field, OMITTED, f"has more than {most:,} bytes", way)


def keys_of_run(
    manifest: Mapping[str, Any], bodies: Iterable[bytes], partition_key: Sequence[KeyAttribute], field: str
) -> GivenKeys:
    """Return the keys of a finished run's lines; raise `InputError` for a run with other keys, or with too many bytes.

    `bodies`: of its parts.
    """
    listed = [*partition_key_of(manifest)]
    if listed != [*partition_key]:
        names = " and ".join(f'"{each.name}" ({each.type})' for each in listed)
        raise InputError(field, OMITTED, f"names a run that listed {names}", "give a run with the keys to list")
    check_size(sum(part["bytes"] for part in manifest["parts"]), MOST_RUN_BYTES, field)
    read, several = key_reader(manifest), len(source_of(manifest).partition_key) > 1
    found = (read(record) for body in bodies for record in records(body, manifest))
    # The last value of a group's key is its prefix; and each item of a key can be a line.
    keys = ((key if several else (key,))[: len(listed)] for key in found)
    return GivenKeys.of((key for key, _ in groupby(keys)), field)


def _keys(body: bytes, partition_key: Sequence[KeyAttribute]) -> Iterator[Key]:
    # Windows PowerShell 5 writes UTF-16, and Excel a byte order mark.
    is_wide = body.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    lines = TextIOWrapper(BytesIO(body), "utf-16" if is_wide else "utf-8-sig", newline="")
    names = [attribute.name for attribute in partition_key]
    first = lines.readline()
    is_csv = not first.startswith(("{", "[")) and {*names} <= {*next(csv.reader([first]), ())}
    lines.seek(0)
    reader = csv.DictReader(lines)
    rows: Iterator[tuple[int, Any]] = (
        ((reader.line_num, row) for row in reader)
        if is_csv
        else ((number, text) for number, line in enumerate(lines, start=1) if (text := line.rstrip("\r\n")))
    )
    for number, row in rows:
        try:
            values = row if is_csv else _values(row, names)
            yield tuple(_value(attribute.type, values[attribute.name]) for attribute in partition_key)
        except MALFORMED:
            held = " and ".join(f'"{each.name}", {FORMS[each.type]}' for each in partition_key)
            kinds = "csv" if is_csv else "a JSON object or, of one attribute, the bare key"
            rule = f"is no list of the table's keys: line {number:,} does not have {held}, as {kinds}"
            way = "correct the line" if is_csv else f"write it like {json.dumps(dict.fromkeys(names, '...'))}"
            raise InputError("only", OMITTED, rule, way) from None


def _values(line: str, names: Sequence[str]) -> Mapping[str, Any]:
    """Return the values of a line that is no csv, by their attributes; raise one of `MALFORMED` where it has none."""
    document = json.loads(line, parse_float=Decimal) if line.startswith(("{", "[")) else [line]
    if isinstance(document, list):
        return dict(zip(names, document, strict=True))
    return cast("Mapping[str, Any]", document if {*names} <= document.keys() else document["Item"])


def _value(kind: str, entered: Any) -> AttributeValue:
    """Return a value of a partition key; raise one of `MALFORMED` for none of this type."""
    value = sort_key_value(kind, entered, MOST_PARTITION_KEY_BYTES)
    # 1.0 is the key 1: DynamoDB compares numbers by value.
    return {"N": str(Context(38).normalize(Decimal(value["N"])) or 0)} if kind == "N" else value


def _line(key: Key) -> bytes:
    return json.dumps([to_json(value) for value in key]).encode() + b"\n"


def _key(line: bytes) -> Key:
    return tuple(from_json(value) for value in json.loads(line))


def line_of(values: Sequence[Any]) -> bytes:
    """Return a line of a file with a key of Python values: texts, bytes, numbers."""
    return _line(tuple(map(_typed, values)))


def _typed(value: Any) -> AttributeValue:
    if isinstance(value, str):
        return {"S": value}
    return {"B": value} if isinstance(value, (bytes, bytearray)) else {"N": str(value)}
