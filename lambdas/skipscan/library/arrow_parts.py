"""The keys of a finished run in columns, read from its parts by Arrow's own threads and not by Python. Needs pyarrow.

Only keys that are strings and numbers, in JSON lines: `parquet` collects all others one by one.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from tempfile import TemporaryFile
from typing import IO, Any

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.library.parquet import DIGITS, ROWS, Numbers, Values, arrow, write_tables
from skipscan.lines.convert import convert, source_of
from skipscan.lines.dynamodb_jsonl import DYNAMODB_JSONL
from skipscan.lines.json_lines import JSONL

LONGEST = DIGITS + len("-.")


def is_read_by_arrow(manifest: Mapping[str, Any]) -> bool:
    """Return whether Arrow can read the parts of a run by itself."""
    types = {attribute.type for attribute in source_of(manifest).partition_key}
    return types <= {"S", "N"} and manifest["format"] == JSONL.name and not manifest.get("take")


def arrow_table(manifest: Mapping[str, Any], bodies: Iterable[bytes]) -> Any:
    """Return the keys of such parts as one `pyarrow.Table`."""
    pa, _ = arrow()
    schema, tables = _tables(pa, manifest, bodies)
    return pa.concat_tables([schema.empty_table(), *tables])


def write_parts(manifest: Mapping[str, Any], bodies: Iterable[bytes], file: IO[bytes]) -> None:
    """Write the keys of such parts as Parquet, one part after the other; the file need not be seekable."""
    pa, _ = arrow()
    write_tables(*_tables(pa, manifest, bodies), file)


def _tables(pa: Any, manifest: Mapping[str, Any], bodies: Iterable[bytes]) -> tuple[Any, Iterator[Any]]:
    """Return the schema, and tables of all keys in their order."""
    values = {attribute.name: Values({attribute.type}) for attribute in source_of(manifest).partition_key}
    numbers = {name: each.numbers for name, each in values.items() if "N" in each.kinds}
    texts = pa.schema([(name, pa.string()) for name in values])
    if numbers:
        # Arrow reads a number as a float, unless it is a text: {"N": "12.50"}.
        members = [(name, pa.struct([(kind, pa.string())])) for name, each in values.items() for kind in each.kinds]
        parsed = _parsed(pa, convert(bodies, manifest, DYNAMODB_JSONL.name), pa.schema(members))
        flat = (pa.table([column.combine_chunks().field(0) for column in table], schema=texts) for table in parsed)
        kept = _kept(pa, flat, numbers, texts)  # before the schema, which the last number decides
    else:
        kept = _parsed(pa, bodies, texts)
    columns = [each.field(pa, name, nullable=False) for name, each in values.items()]
    schema = pa.schema([column for column, _ in columns])

    def typed(table: Any) -> Any:
        arrays = [_typed(pa, column, *field) for column, field in zip(table, columns, strict=True)]
        return pa.Table.from_arrays(arrays, schema=schema)

    return schema, map(typed, kept)


def _parsed(pa: Any, bodies: Iterable[bytes], schema: Any) -> Iterator[Any]:
    from pyarrow import json  # noqa: PLC0415 (an extra)

    options = json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="error")
    return (json.read_json(pa.BufferReader(body), parse_options=options) for body in bodies if body)


def _kept(pa: Any, tables: Iterable[Any], numbers: Mapping[str, Numbers], texts: Any) -> Iterator[Any]:
    """Keep tables of texts in an unnamed file, and see their numbers; return them again, of `ROWS` rows each."""
    file = TemporaryFile()  # noqa: SIM115 - it stays open until it is read again
    with pa.ipc.new_stream(file, texts) as writer:
        for table in tables:
            for name, each in numbers.items():
                _see(pa, each, table[name])
            writer.write_table(table)
    return _groups(pa, file)


def _groups(pa: Any, file: IO[bytes]) -> Iterator[Any]:
    with file:
        file.seek(0)
        with pa.ipc.open_stream(file) as batches:
            rest = batches.schema.empty_table()
            for batch in batches:
                rest = pa.concat_tables([rest, pa.Table.from_batches([batch])])
                while rest.num_rows >= ROWS:
                    yield rest.slice(0, ROWS)
                    rest = rest.slice(ROWS)
            if rest.num_rows:
                yield rest


def _see(pa: Any, numbers: Numbers, texts: Any) -> None:
    """Add a column's numbers: where one scale is enough for all of them, the least and the greatest decide the rest."""
    from pyarrow import compute  # noqa: PLC0415 (an extra)

    for scale in range(DIGITS + 1):
        # Of 76 digits, because Arrow 26 does not notice that a number with so many zeros behind it has more than 38.
        if (column := _decimals(texts, pa.decimal256(2 * DIGITS, scale))) is not None:
            numbers.add(Decimal((0, (1,), -scale)))
            found = compute.min_max(column).as_py().values()
            break
    else:
        found = map(Decimal, texts.to_pylist())
    for number in found:
        numbers.add(number)


def _typed(pa: Any, texts: Any, column: Any, read: Callable[[AttributeValue], Any]) -> Any:
    """Return a column of texts with its type."""
    if pa.types.is_string(column.type):
        return texts
    is_whole = pa.types.is_int64(column.type)
    decimals = _decimals(texts, pa.decimal128(DIGITS, 0) if is_whole else column.type)
    if decimals is None:
        return pa.array([read({"N": text}) for text in texts.to_pylist()], column.type)
    return decimals.cast(column.type)


def _decimals(texts: Any, kind: Any) -> Any:
    """Return a column of texts as decimals; `None` if one does not fit, or if Arrow cannot be trusted with it.

    Arrow 26 reads 1E-130 as 0.
    """
    import pyarrow as pa  # noqa: PLC0415 (an extra)
    from pyarrow import compute  # noqa: PLC0415

    longest = compute.max(compute.binary_length(texts)).as_py() or 0
    if longest > LONGEST or compute.any(compute.match_substring(texts, "E", ignore_case=True)).as_py():
        return None
    try:
        return texts.cast(kind)
    except pa.ArrowException:
        return None
