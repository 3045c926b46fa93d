"""The keys of a finished run in columns. Needs pyarrow.

Keys that are strings and numbers, in JSON lines, are parsed by Arrow's own threads and not by Python.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from skipscan.library.parquet import STRING, ParquetFile, arrow
from skipscan.lines.convert import convert, reader, records, selection_of_manifest, source_of
from skipscan.lines.dynamodb_jsonl import DYNAMODB_JSONL
from skipscan.lines.json_lines import JSONL


def collected(bodies: Iterable[bytes], manifest: Mapping[str, Any], numbers: str) -> ParquetFile:
    """Return the keys of a run's parts, and what was taken along. `numbers`: what number keys become."""
    made = ParquetFile(source_of(manifest), selection_of_manifest(manifest), numbers)
    if numbers == STRING and is_read_by_arrow(manifest):
        for columns in _columns(manifest, bodies):
            made.add_columns(columns)
        return made
    read = reader(manifest, "parquet")
    for body in bodies:
        made.add(map(read, records(body, manifest)))
    return made


def is_read_by_arrow(manifest: Mapping[str, Any]) -> bool:
    """Return whether Arrow can read the parts of a run by itself."""
    types = {attribute.type for attribute in source_of(manifest).partition_key}
    return types <= {"S", "N"} and manifest["format"] == JSONL.name and not manifest.get("take")


def _columns(manifest: Mapping[str, Any], bodies: Iterable[bytes]) -> Iterator[list[Any]]:
    """Yield the keys of each part: a column of texts for each attribute."""
    pa, _ = arrow()
    from pyarrow import json  # noqa: PLC0415 (an extra)

    key = source_of(manifest).partition_key
    has_numbers = any(attribute.type == "N" for attribute in key)
    if has_numbers:
        # Arrow reads a number as a float, unless it is a text: {"N": "12.50"}.
        bodies = convert(bodies, manifest, DYNAMODB_JSONL.name)
    kinds = [(each.name, pa.struct([(each.type, pa.string())]) if has_numbers else pa.string()) for each in key]
    options = json.ParseOptions(explicit_schema=pa.schema(kinds), unexpected_field_behavior="error")
    for body in bodies:
        if body:
            parsed = json.read_json(pa.BufferReader(body), parse_options=options)
            yield [column.combine_chunks().field(0) for column in parsed] if has_numbers else list(parsed)
