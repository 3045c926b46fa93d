"""Keys as a Parquet file: a column for each key attribute, of the attribute's type. Needs pyarrow.

Strings are `string`, binary is `binary`. Numbers are `int64` where all of them are whole and fit, else `decimal128` of
38 digits where all fit into one scale, else text with every digit: no type of Parquet holds all that DynamoDB does. So
the keys are kept in a file without a name until the last of them is known.
"""

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from tempfile import TemporaryFile
from typing import IO, Any, Self

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.source import Source
from skipscan.errors import InputError
from skipscan.keys.formats import decoder, encoder
from skipscan.keys.jsonl import JSONL

PARQUET = "parquet"
SUMMARY = "typed columns, for other tools (needs pyarrow)"
ROWS = 100_000
"""Of a row group, which is held in memory."""

DIGITS = 38
INT64 = range(-(2**63), 2**63)


@dataclass
class Numbers:
    """What the numbers of a column need. `digits`: before the point, `scale`: after it."""

    is_whole: bool = True
    digits: int = 0
    scale: int = 0

    def add(self, number: Decimal) -> None:
        # Not `normalize`, which rounds to the 28 digits of the context.
        _, digits, exponent = number.as_tuple()
        written = "".join(map(str, digits)).lstrip("0")
        kept = written.rstrip("0")
        places = int(exponent) + len(written) - len(kept) if kept else 0
        self.scale = max(self.scale, -places)
        self.digits = max(self.digits, len(kept) + places)
        self.is_whole &= places >= 0 and self.digits <= 19 and int(number) in INT64

    @property
    def kind(self) -> str:
        if self.is_whole:
            return "int64"
        return "decimal" if self.digits + self.scale <= DIGITS else "text"


class ParquetFile:
    """Gathers keys, in no memory to speak of, and writes them out as one file. Not safe for several threads."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._attributes = source.partition_key
        self._numbers = {key.name: Numbers() for key in self._attributes if key.type == "N"}
        self._encode = encoder(source, JSONL.name)
        self._kept: IO[bytes] = TemporaryFile()  # noqa: SIM115 - it stays open until it is written out

    @classmethod
    def begin(cls, source: Source) -> Self:
        """Return an empty file; raise `InputError` where pyarrow is missing."""
        arrow()
        return cls(source)

    def add(self, keys: Iterable[Any]) -> int:
        """Add keys as a listing finds them; return the bytes that they take up."""
        several = len(self._attributes) > 1
        size = 0
        for key in keys:
            for attribute, value in zip(self._attributes, key if several else (key,), strict=True):
                if attribute.type == "N":
                    self._numbers[attribute.name].add(Decimal(value["N"]))
            size += self._kept.write(self._encode(key))
        return size

    def add_items(self, items: Iterable[Mapping[str, AttributeValue]]) -> None:
        """Add keys by their attributes."""
        names = [attribute.name for attribute in self._attributes]
        self.add(item[names[0]] if len(names) == 1 else tuple(item[name] for name in names) for item in items)

    def write(self, file: IO[bytes]) -> None:
        """Write the file, which need not be one that can be sought in."""
        pa, parquet = arrow()
        columns = [self._column(pa, attribute.name, attribute.type) for attribute in self._attributes]
        schema = pa.schema([field for field, _ in columns])
        with TemporaryFile() as made:
            with parquet.ParquetWriter(made, schema, compression="zstd") as writer:
                for rows in self._rows():
                    arrays = [pa.array([read(row[field.name]) for row in rows], field.type) for field, read in columns]
                    writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
            made.seek(0)
            shutil.copyfileobj(made, file)
        self._kept.close()

    def _rows(self) -> Iterator[Sequence[Mapping[str, AttributeValue]]]:
        self._kept.seek(0)
        decode = decoder(self._attributes, JSONL.name)
        while lines := list(islice(self._kept, ROWS)):
            yield [decode(line) for line in lines]

    def _column(self, pa: Any, name: str, kind: str) -> tuple[Any, Callable[[AttributeValue], Any]]:
        """Return a column's field, and the function that makes a value of it."""
        made: dict[str, tuple[Any, Callable[[AttributeValue], Any]]] = {
            "S": (pa.string(), lambda value: value["S"]),
            "B": (pa.binary(), lambda value: value["B"]),
        }
        if kind == "N":
            needed = self._numbers[name]
            made["N"] = {
                "int64": (pa.int64(), lambda value: int(Decimal(value["N"]))),
                "decimal": (pa.decimal128(DIGITS, needed.scale), lambda value: Decimal(value["N"])),
                "text": (pa.string(), lambda value: value["N"]),
            }[needed.kind]
        column, read = made[kind]
        return pa.field(name, column, nullable=False, metadata={"dynamodb_type": kind}), read


def arrow() -> tuple[Any, Any]:
    """Return pyarrow and its Parquet; raise `InputError` where they are missing."""
    try:
        import pyarrow  # noqa: PLC0415 - an extra, of 150 MB
        import pyarrow.parquet  # noqa: PLC0415
    except ImportError:
        raise InputError("format is \"parquet\"; pyarrow is missing: pip install 'skipscan[parquet]'") from None
    return pyarrow, pyarrow.parquet
