"""Keys as a Parquet file: a column for each key attribute, with the attribute's type. Needs pyarrow.

Strings are `string`, binary is `binary`. Numbers are `int64` if all of them are whole and fit, else `decimal128` of 38
digits if all fit into one scale, else text with every digit, because no Parquet type covers all numbers of DynamoDB. So
the keys are kept in an unnamed file until the last of them is known.

A taken item is a struct with a field for each of its attributes. Booleans are `bool`. An attribute with several types,
and a list, map or set, is text in DynamoDB JSON. The time is a `timestamp` in UTC. A count is `int64`, and its read
units are `float64`.
"""

import shlex
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from shutil import which
from tempfile import TemporaryFile
from typing import IO, Any, Self

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.source import Item, Source
from skipscan.errors import InputError
from skipscan.lines.dynamodb_jsonl import read_typed, typed
from skipscan.lines.formats import decoder, encoder
from skipscan.lines.json_lines import JSONL, taken_decoder, taken_encoder
from skipscan.scan.take import COUNT, MORE, READ, READ_UNITS, ItemSelection, Taken


def install(package: str) -> str:
    """Return the command that installs a package here: the pip on the path is often that of another Python."""
    if "pipx" in Path(sys.prefix).parts:
        return f"pipx inject skipscan {package}"
    here = shlex.quote(sys.executable)
    if find_spec("pip"):
        return f"{here} -m pip install {package}"
    if which("uv"):
        return f"uv pip install --python {here} {package}"
    return f"{here} -m ensurepip && {here} -m pip install {package}"


PARQUET = "parquet"
SUMMARY = "typed columns, for other tools (needs pyarrow)"
ROWS, ITEM_ROWS = 100_000, 5_000
"""Rows of a row group, which is held in memory: of keys, and of keys with items."""

DIGITS = 38
INT64 = range(-(2**63), 2**63)
EXACT = Context(prec=10 * DIGITS, Emin=MIN_EMIN, Emax=MAX_EMAX)
"""For `normalize`: the usual context rounds to 28 digits."""


@dataclass
class Numbers:
    """The digits that a column's numbers need. `digits`: before the point, `scale`: after it."""

    is_whole: bool = True
    digits: int = 0
    scale: int = 0

    def add(self, number: Decimal) -> None:
        short = number.normalize(EXACT)
        places = int(short.as_tuple().exponent)
        self.scale = max(self.scale, -places)
        self.digits = max(self.digits, short.adjusted() + 1 if short else 0)
        self.is_whole &= places >= 0 and self.digits <= 19 and int(short) in INT64

    @property
    def kind(self) -> str:
        if self.is_whole:
            return "int64"
        return "decimal" if self.digits + self.scale <= DIGITS else "text"


@dataclass
class Values:
    """The requirements of a column's values. `kinds`: the types that occurred."""

    kinds: set[str] = field(default_factory=set)
    numbers: Numbers = field(default_factory=Numbers)

    def add(self, value: AttributeValue) -> None:
        ((kind, content),) = value.items()
        self.kinds.add(kind)
        if kind == "N":
            self.numbers.add(Decimal(content))

    def field(self, pa: Any, name: str, *, nullable: bool) -> tuple[Any, Callable[[AttributeValue], Any]]:
        """Return a column's field, and the function that converts a value for it."""
        kind = "S" if not self.kinds else min(self.kinds) if len(self.kinds) == 1 else "any"
        made: dict[str, tuple[Any, Callable[[AttributeValue], Any]]] = {
            "S": (pa.string(), lambda value: value["S"]),
            "B": (pa.binary(), lambda value: value["B"]),
            "BOOL": (pa.bool_(), lambda value: value["BOOL"]),
        }
        if kind == "N":
            made["N"] = {
                "int64": (pa.int64(), lambda value: int(Decimal(value["N"]))),
                "decimal": (pa.decimal128(DIGITS, self.numbers.scale), lambda value: Decimal(value["N"])),
                "text": (pa.string(), lambda value: value["N"]),
            }[self.numbers.kind]
        column, read = made.get(kind, (pa.string(), typed))
        return pa.field(name, column, nullable=nullable, metadata={"dynamodb_type": kind}), read


class ParquetFile:
    """Collects keys on disk, and writes them as one file. Not safe for several threads."""

    def __init__(self, source: Source, take: ItemSelection | None = None) -> None:
        self._attributes, self._parts = source.partition_key, source.parts
        self._keys = [Values({attribute.type}) for attribute in self._attributes]
        self._takes, self._counts = take is not None, take is not None and take.count is not None
        sort_key = [attribute.name for attribute in source.sort_key]
        self._items: dict[str, dict[str, Values]] = {
            member: {name: Values() for name in (*sort_key, *(names or ()))}
            for member, names in (take.wanted if take else {}).items()
        }
        self._encode_key, self._encode_taken = encoder(source, JSONL.name), taken_encoder(source, typed)
        self._kept: IO[bytes] = TemporaryFile()  # noqa: SIM115 - it stays open until it is written out

    @classmethod
    def begin(cls, source: Source, take: ItemSelection | None = None) -> Self:
        """Return an empty file; raise `InputError` if pyarrow is missing."""
        arrow()
        return cls(source, take)

    def add(self, found: Iterable[Any]) -> int:
        """Add keys, with the taken items if any, as a listing finds them; return their size in bytes."""
        return sum(map(self._add_taken if self._takes else self._add_key, found))

    def _add_key(self, key: Any) -> int:
        self._see_key(key)
        return self._kept.write(self._encode_key(key))

    def _add_taken(self, taken: Taken) -> int:
        self._see_key(taken.key)
        for member, item in taken.items.items():
            for name, value in (item or {}).items():
                self._items[member].setdefault(name, Values()).add(value)
        return self._kept.write(self._encode_taken(taken))

    def _see_key(self, key: Any) -> None:
        for values, value in zip(self._keys, self._parts(key), strict=True):
            values.add(value)

    def write(self, file: IO[bytes]) -> None:
        """Write the file; it need not be seekable."""
        pa, _ = arrow()
        write_tables(*self._tables(pa), file)
        self._kept.close()

    def table(self) -> Any:
        """Return all rows as one `pyarrow.Table`."""
        pa, _ = arrow()
        schema, tables = self._tables(pa)
        whole = pa.concat_tables([schema.empty_table(), *tables])
        self._kept.close()
        return whole

    def _tables(self, pa: Any) -> tuple[Any, Iterator[Any]]:
        """Return the schema, and a table for each group of rows."""
        columns = [*self._key_columns(pa), *self._item_columns(pa), *self._other_columns(pa)]
        schema = pa.schema([column for column, _ in columns])

        def filled(rows: Sequence[Any]) -> Any:
            arrays = [pa.array(map(read, rows), column.type) for column, read in columns]
            return pa.Table.from_arrays(arrays, schema=schema)

        return schema, map(filled, self._rows())

    def _rows(self) -> Iterator[Sequence[tuple[Item, Taken | None]]]:
        """Yield the rows of one group after the other: each key by its attributes, and the taken items."""
        self._kept.seek(0)
        decode, decode_taken = decoder(self._attributes, JSONL.name), taken_decoder(self._attributes, read_typed)
        names = [attribute.name for attribute in self._attributes]

        def row(line: bytes) -> tuple[Item, Taken | None]:
            if not self._takes:
                return decode(line), None
            taken = decode_taken(line)
            return dict(zip(names, self._parts(taken.key), strict=True)), taken

        while lines := list(islice(self._kept, ITEM_ROWS if self._items else ROWS)):
            yield list(map(row, lines))

    def _key_columns(self, pa: Any) -> Iterator[tuple[Any, Callable[[Any], Any]]]:
        for attribute, values in zip(self._attributes, self._keys, strict=True):
            column, read = values.field(pa, attribute.name, nullable=False)

            def key(row: Any, name: str = attribute.name, read: Callable[[Any], Any] = read) -> Any:
                return read(row[0][name])

            yield column, key

    def _item_columns(self, pa: Any) -> Iterator[tuple[Any, Callable[[Any], Any]]]:
        for member, attributes in self._items.items():
            fields = [(name, *values.field(pa, name, nullable=True)) for name, values in attributes.items()]
            kind = pa.struct([column for _, column, _ in fields]) if fields else pa.null()

            def item(row: Any, member: str = member, fields: Any = fields) -> Any:
                found = row[1].items[member]
                return found and {name: read(found[name]) for name, _, read in fields if name in found}

            yield pa.field(member, kind), item

    def _other_columns(self, pa: Any) -> Iterator[tuple[Any, Callable[[Any], Any]]]:
        """Yield the columns of a count, and of the time."""
        if self._counts:
            yield pa.field(COUNT, pa.int64(), nullable=False), lambda row: row[1].counted.items
            yield pa.field(MORE, pa.bool_(), nullable=False), lambda row: row[1].counted.more
            yield pa.field(READ_UNITS, pa.float64(), nullable=False), lambda row: row[1].counted.read_units
        if self._takes:
            time = pa.timestamp("ms", tz="UTC")
            yield pa.field(READ, time, nullable=False), lambda row: datetime.fromisoformat(row[1].read)


def write_tables(schema: Any, tables: Iterable[Any], file: IO[bytes]) -> None:
    """Write tables as one Parquet file; it need not be seekable."""
    _, parquet = arrow()
    with TemporaryFile() as made:
        with parquet.ParquetWriter(made, schema, compression="zstd") as writer:
            for rows in tables:
                writer.write_table(rows, row_group_size=ROWS)
        made.seek(0)
        shutil.copyfileobj(made, file)


def arrow() -> tuple[Any, Any]:
    """Return pyarrow and its Parquet module; raise `InputError` if they are missing."""
    try:
        import pyarrow  # noqa: PLC0415 - an extra, of 150 MB
        import pyarrow.parquet  # noqa: PLC0415
    except ImportError:
        raise InputError("format", "parquet", "pyarrow is missing", install("pyarrow")) from None
    return pyarrow, pyarrow.parquet
