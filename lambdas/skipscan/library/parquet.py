"""Keys as a Parquet file, or as an Arrow table: a column for each key attribute. Needs pyarrow.

The type of a column follows from what the table declares, never from the values of one night: a reader of many files
takes the types of the first one, and would round or refuse the others' values. A string is `string`, binary is
`binary`. A number is a string with every digit, because no type of Parquet holds all numbers of DynamoDB, or on request
a double, as long as it gives back every digit.

DynamoDB declares types for keys only. Any other attribute of a taken item is a string, as in csv. The item is a struct
of the named attributes, or a map if all attributes are taken, which only the items know. The time is a `timestamp` in
UTC. A count is `int64`, and its read units are `float64`.
"""

import shlex
import shutil
import sys
import weakref
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from datetime import datetime
from decimal import Decimal
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from tempfile import TemporaryFile
from typing import IO, Any

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.errors import InputError
from skipscan.inputs import field
from skipscan.lines.csv import columns_of, csv_text
from skipscan.scan.take import KEYS, Count, Take
from skipscan.scan.taken import COUNT, MORE, READ, READ_UNITS, Taken


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


PARQUET, PARQUET_DOUBLE = "parquet", "parquet-double"
PARQUETS = {
    PARQUET: "columns for other tools, numbers as text with every digit (needs pyarrow)",
    PARQUET_DOUBLE: "the same with number keys as double, refused where it would round",
}
"""The formats that are no lines, with their summaries."""

STRING, DOUBLE = "string", "double"
"""What a number can be in a column."""

ROWS, ITEM_ROWS = 100_000, 5_000
"""Rows of a row group, which is held in memory: of keys, and of keys with items."""

Column = tuple[Any, Callable[[Any], Any]]
"""A column's field, and the function that returns its value of what was found."""


def numbers_of(form: str) -> str:
    return DOUBLE if form == PARQUET_DOUBLE else STRING


def key_column(pa: Any, attribute: KeyAttribute, numbers: str, *, nullable: bool = False) -> Column:
    """Return the column of a key attribute."""
    kind, name = attribute.type, attribute.name

    def double(value: AttributeValue) -> float:
        number = float(value["N"])
        if Decimal(repr(number)) != Decimal(value["N"]):
            raise InputError(
                "numbers",
                DOUBLE,
                f'attribute "{name}" has a number that a double would round',
                f"use {STRING} (the format {PARQUET}), which keeps every digit",
            )
        return number

    made = pa.float64() if kind == "N" and numbers == DOUBLE else pa.binary() if kind == "B" else pa.string()
    field = pa.field(name, made, nullable=nullable, metadata={"dynamodb_type": kind})
    return field, double if field.type == pa.float64() else lambda value: value[kind]


def columns(pa: Any, source: Source, take: Take, numbers: str) -> list[Column]:
    """Return all columns: of what a listing finds, a key or what is taken along with one."""

    def key(number: int) -> Callable[[Any], Any]:
        read = key_columns[number][1]
        return lambda found: read(source.parts(found.key if take.members else found)[number])

    key_columns = [key_column(pa, attribute, numbers) for attribute in source.partition_key]
    found: list[Column] = [(field, key(number)) for number, (field, _) in enumerate(key_columns)]
    if not take.members:
        return found
    found += [_item(pa, source, take, member, numbers) for member in take.attributes]
    if isinstance(take, Count):
        found += [
            (pa.field(COUNT, pa.int64(), nullable=False), lambda taken: taken.counted.items),
            (pa.field(MORE, pa.bool_(), nullable=False), lambda taken: taken.counted.more),
            (pa.field(READ_UNITS, pa.float64(), nullable=False), lambda taken: taken.counted.read_units),
        ]
    time = pa.timestamp("ms", tz="UTC")
    return [*found, (pa.field(READ, time, nullable=False), lambda taken: datetime.fromisoformat(taken.read))]


def _item(pa: Any, source: Source, take: Take, member: str, numbers: str) -> Column:
    """Return the column of a taken item: a struct of the named attributes, or a map of all."""
    declared = {attribute.name: attribute for attribute in source.sort_key}
    names = [column.attribute for column in columns_of(source, take) if column.member == member]
    parts: dict[str, Column] = {
        name: key_column(pa, declared[name], numbers, nullable=True)
        if name in declared
        else (pa.field(name, pa.string()), csv_text)
        for name in names
        if name is not None
    }

    def whole(taken: Taken) -> list[tuple[str, str | None]] | None:
        item = taken.items[member]
        return None if item is None else [(name, csv_text(value)) for name, value in item.items()]

    def struct(taken: Taken) -> dict[str, Any] | None:
        item = taken.items[member]
        if item is None:
            return None
        return {name: read(item[name]) for name, (_, read) in parts.items() if name in item}

    if not parts:
        return pa.field(member, pa.map_(pa.string(), pa.string())), whole
    return pa.field(member, pa.struct([field for field, _ in parts.values()])), struct


class ParquetFile:
    """Collects keys in an unnamed file, a row group at a time. Not safe for several threads."""

    def __init__(self, source: Source, take: Take = KEYS, numbers: str = STRING) -> None:
        """Begin an empty file; raise `InputError` if pyarrow is missing. `numbers`: what numbers become."""
        field.one_of("numbers", numbers, (STRING, DOUBLE))
        self._pa, parquet = arrow()
        self._columns = columns(self._pa, source, take, numbers)
        self._schema = self._pa.schema([field for field, _ in self._columns])
        self._rows: list[list[Any]] = []
        self._most_rows = ITEM_ROWS if take.attributes else ROWS
        with ExitStack() as stack:
            self._made: IO[bytes] = stack.enter_context(TemporaryFile())
            self._writer = stack.enter_context(parquet.ParquetWriter(self._made, self._schema, compression="zstd"))
            # Also where an error ends the collection before anybody writes the file.
            weakref.finalize(self, stack.pop_all().close)

    def add(self, found: Iterable[Any]) -> int:
        """Add keys, with the taken items if any, as a listing finds them; return about how many bytes that took."""
        before = self._made.tell()
        for each in found:
            self._rows.append([read(each) for _, read in self._columns])
            if len(self._rows) == self._most_rows:
                self._end_group()
        return self._made.tell() - before

    def _end_group(self) -> None:
        values = zip(*self._rows, strict=True) if self._rows else [[] for _ in self._columns]
        arrays = [self._pa.array(each, field.type) for each, field in zip(values, self._schema, strict=True)]
        self.add_columns(arrays)
        self._rows.clear()

    def add_columns(self, arrays: Sequence[Any]) -> None:
        """Add rows by their columns, which have the right types."""
        self._writer.write_table(self._pa.Table.from_arrays(arrays, schema=self._schema), row_group_size=ROWS)

    def _end(self) -> None:
        if self._rows:
            self._end_group()
        self._writer.close()
        self._made.seek(0)

    def write(self, file: IO[bytes]) -> None:
        """Write the file; it need not be seekable."""
        self._end()
        with self._made:
            shutil.copyfileobj(self._made, file)

    def table(self) -> Any:
        """Return all rows as one `pyarrow.Table`."""
        self._end()
        _, parquet = arrow()
        with self._made:
            return parquet.read_table(self._made)


def arrow() -> tuple[Any, Any]:
    """Return pyarrow and its Parquet module; raise `InputError` if they are missing."""
    try:
        import pyarrow  # noqa: PLC0415 - an extra, of 150 MB
        import pyarrow.parquet  # noqa: PLC0415
    except ImportError:
        raise InputError("format", "parquet", "pyarrow is missing", install("pyarrow")) from None
    return pyarrow, pyarrow.parquet
