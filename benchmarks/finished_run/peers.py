"""The same work by a peer: `python -m benchmarks.finished_run.peers duckdb|pyarrow WORK OLD NEW OUTPUT`."""

import sys
from pathlib import Path
from typing import Any

KEY = "pk"


def duckdb(work: str, old: Path, new: Path, output: str) -> None:
    import duckdb  # noqa: PLC0415 - each process imports its own peer alone

    def keys(run: Path) -> str:
        return f"read_json('{run}/keys/*/*.jsonl', columns={{{KEY}: 'VARCHAR'}}, format='newline_delimited')"

    connection = duckdb.connect()
    if work == "diff":
        for name, run in (("old", old), ("new", new)):
            connection.execute(f"CREATE TABLE {name} AS SELECT {KEY} FROM {keys(run)}")  # noqa: S608 - our own names
        for one, other in (("new", "old"), ("old", "new")):
            lines = f"SELECT {KEY} FROM {one} ANTI JOIN {other} USING ({KEY}) ORDER BY {KEY}"  # noqa: S608 - our own names
            connection.execute(f"COPY ({lines}) TO '{output}.{one}' (FORMAT csv, HEADER false)")
        return
    options = {
        "text": "FORMAT csv, HEADER false",
        "csv": "FORMAT csv, HEADER true",
        "parquet": "FORMAT parquet, COMPRESSION zstd",
    }[work]
    connection.execute(f"COPY (SELECT {KEY} FROM {keys(old)}) TO '{output}' ({options})")  # noqa: S608 - our own names


def pyarrow(work: str, old: Path, new: Path, output: str) -> None:
    import pyarrow as pa  # noqa: PLC0415 - as above
    from pyarrow import csv, json, parquet  # noqa: PLC0415

    options = json.ParseOptions(explicit_schema=pa.schema([(KEY, pa.string())]))

    def keys(run: Path) -> Any:
        parts = sorted(run.glob("keys/*/*.jsonl"))
        return pa.concat_tables([json.read_json(part, parse_options=options) for part in parts])

    def write_lines(table: Any, name: str, *, header: bool = False) -> None:
        csv.write_csv(table, name, csv.WriteOptions(include_header=header, quoting_style="needed"))

    if work == "diff":
        before, after = keys(old), keys(new)
        for one, other, name in ((after, before, "new"), (before, after, "old")):
            write_lines(one.join(other, KEY, join_type="left anti").sort_by(KEY), f"{output}.{name}")
    elif work == "parquet":
        parquet.write_table(keys(old), output, compression="zstd")
    else:
        write_lines(keys(old), output, header=work == "csv")


if __name__ == "__main__":
    _, peer, asked, one, other, to = sys.argv
    {"duckdb": duckdb, "pyarrow": pyarrow}[peer](asked, Path(one), Path(other), to)
