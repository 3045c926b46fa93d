"""Every statement for DuckDB, pandas and polars that a page or an example shows reads hostile keys as they are.

Athena and Spark cannot be installed here: tests/engines/e2e/test_examples.py checks the columns of Athena's tables.
"""

import re
import runpy
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd  # type: ignore[import-untyped]
import polars as pl
import pytest

import skipscan
from tests.fakes.attribute_value import KeyType
from tests.fakes.definition import KeySchema, TableDefinition
from tests.unit.cli.command import invoke
from tests.unit.folder.local_listing import Client

pytestmark = pytest.mark.slow

PAGES = [Path("README.md"), *sorted(Path("docs").glob("*.md"))]
EXAMPLES = [path for path in sorted(Path("examples").glob("*.sql")) if "athena" not in path.name]
NAMES = ("customer", "worker", "run", "_part", "filename")
"""Of the key: also such as readers have for folders, files and partitions."""

TEXTS = [
    *("NA", "N/A", "null", "NULL", "None", "nan", "\\N", "-", "true", "False"),
    *("007", "7", "1e5", "100000", "1.0", "1.00", "0x10", "1_000", "9" * 40),
    *("2024-01-01", "2024-01-01T00:00:00Z", "2024-01-01T01:00:00+01:00", "2024-01-01 00:00:00"),
    *("6f9619ff-8b86-d011-b42d-00c04fc964ff", "6F9619FF-8B86-D011-B42D-00C04FC964FF"),
    *(" a", "a ", "a", "\t", "it's", 'say "hi"', '"', "a,b", "a;b", "a|b", "#a", "=1+1", "{}", "[]", '{"N": "1"}'),
    *("line\nend", "line\r\nend", "line\rend", "\u2028", "größe 🔑"),
]
NUMBERS = ["1", "2.5", "0.1", "9" * 38, "12345678901234567890.123456789012345678", "-7", "1" + "0" * 60]
BINARIES = [b"\xff", b"hi", b"\0\n"]


INLINE = r"^(?:>>> )?(?:duckdb|pandas|polars)\.\w+\(.*"
"""A call of a reader on a page."""


def statements() -> list[tuple[str, str]]:
    """Return each statement with where it stands."""
    found = [(path.name, each) for path in EXAMPLES for each in path.read_text(encoding="utf-8").split(";")]
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        commands = re.findall(r'duckdb -c "(.*)"$', text, re.MULTILINE)
        calls = [each.removeprefix(">>> ") for each in re.findall(INLINE, text, re.MULTILINE)]
        found += [(page.name, each) for each in (*(each.replace('\\"', '"') for each in commands), *calls)]
    return [(where, each.strip()) for where, each in found if re.search(r"SELECT|read_", each)]


def listed(name: str, kind: KeyType, keys: Sequence[Any], **options: Any) -> None:
    """List a table with these keys, an item for each, into the folder `run`."""
    client: Any = Client()
    others: Any = {"sk": {"S": "ORDER#1"}, "placed": {"S": "NA"}, "total": {"N": "12.50"}, "name": {"S": "007"}}
    client.engine.add(
        TableDefinition("Customers", KeySchema.of((name, kind), ("sk", "S"))),
        [{**others, name: {kind: key}} for key in keys],
    )
    skipscan.list_into("run", "Customers", client=client, segments=2, **options)


def prepare(statement: str, name: str) -> Sequence[Any]:
    """Make the files that a statement reads; return the keys that are in them."""
    if "STRUCT(N" in statement:
        listed(name, "N", NUMBERS, format="dynamodb-jsonl")
        return NUMBERS
    if "from_base64" in statement:
        listed(name, "B", BINARIES)
        return BINARIES
    options: dict[str, Any] = {}
    if '"first"' in statement:
        options = {"first": ["name", "since"]}
    elif "latest" in statement:
        options = {"last": ["placed", "total"], "format": "dynamodb-jsonl"}
    elif "counts" in statement:
        options = {"count": 100}
    listed(name, "S", TEXTS, **options)
    Path(f"{name}=1").symlink_to("run", target_is_directory=True)
    for file, form in (("customers.csv", "csv"), ("latest.parquet", "parquet"), ("counts.parquet", "parquet")):
        if file in statement:
            assert invoke("download", "./run", "--format", form, "--output", file).status == 0
    return TEXTS


STATEMENTS = statements()
[PARTS] = re.findall(r'>>> parts = "(.*)"', Path("docs/use-the-keys.md").read_text(encoding="utf-8"))


def test_statements_are_found() -> None:
    assert {where for where, _ in STATEMENTS} >= {*(path.name for path in EXAMPLES), "use-the-keys.md", "recipes.md"}
    assert len(STATEMENTS) >= 12


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("number", range(len(STATEMENTS)), ids=[where for where, _ in STATEMENTS])
def test_a_statement_reads_every_key_as_it_is(
    number: int, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("os.fsync", lambda file: None)
    statement = STATEMENTS[number][1]
    keys = prepare(statement, name)
    written = re.sub(r"\bcustomer\b", name, statement.replace("s3://BUCKET/skipscan/Orders/runs/RUN", "customer=1"))
    if re.match(r"\w+\.", written):
        known = {"pandas": pd, "polars": pl, "duckdb": duckdb, "keys": skipscan.open_run("run").arrow()}
        found = eval(written, {**known, "parts": PARTS.replace("customer", name)})  # noqa: S307 (from a page)
        rows = [(key,) for key in found[name]] if written.startswith(("pandas", "polars")) else found
    else:
        rows = duckdb.execute(f"SELECT #1 FROM ({written})").fetchall()  # noqa: S608 (from a page)
    if not isinstance(rows, list):
        rows = rows.fetchall()
    if "count(DISTINCT" in written:
        assert rows == [(len(keys),)]
    elif limit := re.search(r"LIMIT (\d+)", written):
        assert len({key for (key,) in rows} & set(keys)) == int(limit[1])
    else:
        assert sorted(key for (key,) in rows) == sorted(keys)


TAKEN: dict[str, tuple[dict[str, Any], str, str, str, object]] = {
    "first_items": (
        {"first": ["name", "since"]},
        *("items", "`first` struct<name:string,since:string>", "first.name", "007"),
    ),
    "latest_orders": (
        {"last": ["placed", "total"], "format": "dynamodb-jsonl"},
        *("orders", "`last` struct<sk:string,placed:string,total:decimal(12,2)>", "total", Decimal("12.50")),
    ),
}
"""By example: what its run takes, its variable, its column for Athena, and what a column of its own holds."""


@pytest.mark.parametrize("example", TAKEN)
def test_an_example_of_items_reads_every_key_in_python_and_has_their_column_for_athena(
    example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, (options, variable, for_athena, column, value) = Path("examples").resolve(), TAKEN[example]
    assert for_athena in (folder / f"{example}_athena.sql").read_text()
    monkeypatch.chdir(tmp_path)
    listed("customer", "S", TEXTS, **options)
    if "last" in options:
        assert invoke("download", "./run", "--format", "parquet", "--output", "latest.parquet").status == 0
    frame = runpy.run_path(str(folder / f"{example}.py"))[variable]
    assert sorted(frame["customer"]) == sorted(TEXTS)
    assert set(frame[column]) == {value}
