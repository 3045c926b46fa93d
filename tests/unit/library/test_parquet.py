"""Keys in Parquet have the types of their attributes, and every digit."""

import json
import re
import shlex
import sys
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from io import BytesIO
from typing import Any

import duckdb
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind
from skipscan.errors import InputError
from skipscan.library import parquet
from skipscan.library.parquet import ParquetFile
from skipscan.scan.take import Count, Counted, ItemSelection, Taken
from tests.refusal import refused

pytestmark = pytest.mark.slow


def source(*attributes: tuple[str, str]) -> Source:
    keys = tuple(KeyAttribute(name, kind) for name, kind in attributes)
    return Source("T", None, SourceKind.TABLE, keys, (), ())


def table(of: Source, keys: Sequence[Any]) -> Any:
    made, file = ParquetFile.begin(of), BytesIO()
    made.add(keys)
    made.write(file)
    file.seek(0)
    return pyarrow.parquet.read_table(file)


@given(st.lists(st.text()), st.lists(st.binary()))
def test_text_and_binary_come_back_as_they_were(texts: list[str], binaries: list[bytes]) -> None:
    found = table(source(("customer", "S")), [{"S": text} for text in texts])
    assert (str(found.schema.field(0).type), found["customer"].to_pylist()) == ("string", texts)
    found = table(source(("device", "B")), [{"B": content} for content in binaries])
    assert (str(found.schema.field(0).type), found["device"].to_pylist()) == ("binary", binaries)


@pytest.mark.parametrize(
    ("numbers", "kind"),
    [
        (["0", "-7", "9223372036854775807", "-9223372036854775808", "1E+2"], "int64"),
        (["9223372036854775808"], "decimal128(38, 0)"),
        (["-9223372036854775809"], "decimal128(38, 0)"),
        (["12.50", "7"], "decimal128(38, 1)"),
        (["0.10", "-99.999"], "decimal128(38, 3)"),
        (["9" * 38], "decimal128(38, 0)"),
        (["9" * 37, "0.1"], "decimal128(38, 1)"),
        (["9" * 38, "0.1"], "string"),
        (["1E+125", "1"], "string"),
        (["1E-130"], "string"),
        ([], "int64"),
    ],
)
def test_numbers_have_the_narrowest_type_that_keeps_every_digit(numbers: list[str], kind: str) -> None:
    found = table(source(("n", "N")), [{"N": number} for number in numbers])
    assert str(found.schema.field("n").type) == kind
    assert found.schema.field("n").metadata == {b"dynamodb_type": b"N"}
    assert [Decimal(value) for value in found["n"].to_pylist()] == [Decimal(number) for number in numbers]


@given(st.lists(st.decimals(allow_nan=False, allow_infinity=False).filter(lambda n: len(n.as_tuple().digits) <= 38)))
def test_no_number_loses_a_digit(numbers: list[Decimal]) -> None:
    found = table(source(("n", "N")), [{"N": str(number)} for number in numbers])
    assert [Decimal(value) for value in found["n"].to_pylist()] == numbers


def test_several_attributes_are_columns_and_rows_go_over_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "ROWS", 7)
    keys = [({"S": f"t{n}"}, {"N": str(n)}, {"B": bytes([n])}) for n in range(30)]
    found = table(source(("tenant", "S"), ("größe.1", "N"), ("device", "B")), keys)
    assert found.column_names == ["tenant", "größe.1", "device"]
    assert [tuple(row.values()) for row in found.to_pylist()] == [(f"t{n}", n, bytes([n])) for n in range(30)]


@pytest.mark.long
def test_a_row_group_has_no_more_rows_than_fit_into_memory() -> None:
    made, file = ParquetFile.begin(source(("n", "N"))), BytesIO()
    made.add({"N": "1"} for _ in range(100_001))
    made.write(file)
    groups = pyarrow.parquet.ParquetFile(file).metadata
    assert [groups.row_group(number).num_rows for number in range(groups.num_row_groups)] == [100_000, 1]


def test_keys_with_items_keep_their_digits_too() -> None:
    made = ParquetFile.begin(source(("n", "N")), ItemSelection({"first": None}))
    made.add([Taken({"N": "0.125"}, {"first": {"a": {"S": "b"}}}, "2026-01-31T03:00:00.112+00:00")])
    assert [row["n"] for row in made.table().to_pylist()] == [Decimal("0.125")]


def test_another_reader_finds_the_same(tmp_path: Any) -> None:
    made = ParquetFile.begin(source(("customer", "S"), ("n", "N")))
    made.add([({"S": 'a"b\n'}, {"N": "0.10"})])
    with (tmp_path / "keys.parquet").open("wb") as file:
        made.write(file)
    found = duckdb.read_parquet(str(tmp_path / "keys.parquet")).fetchall()
    assert found == [('a"b\n', Decimal("0.1"))]


def test_a_missing_pyarrow_is_reported_before_any_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    here = shlex.quote(sys.executable)
    with refused(InputError, "format", "parquet", rule="pyarrow", way=f"{re.escape(here)} -m pip install pyarrow$"):
        ParquetFile.begin(source(("customer", "S")))


def test_items_are_structs_of_typed_fields_and_mixed_values_keep_their_types() -> None:
    items: list[Any] = [
        {"sk": {"S": "a"}, "n": {"N": "1.50"}, "b": {"B": b"\xff"}, "x": {"S": "1"}, "l": {"L": [{"N": "1"}]}},
        {"sk": {"S": "b"}, "n": {"N": "2"}, "ok": {"BOOL": False}, "x": {"N": "1"}},
        None,
    ]
    read = "2026-01-31T03:00:00.112+00:00"
    made, file = ParquetFile.begin(source(("k", "N")), ItemSelection({"first": None, "last": ("gone",)})), BytesIO()
    made.add(Taken({"N": f"{n}"}, {"first": item, "last": None}, read) for n, item in enumerate(items))
    made.write(file)
    table = pyarrow.parquet.read_table(file)
    rows = table.to_pylist()
    assert [row["k"] for row in rows] == [0, 1, 2]
    assert rows[0]["first"] == {
        "sk": "a",
        "n": Decimal("1.50"),
        "b": b"\xff",
        "x": '{"S": "1"}',
        "l": '{"L": [{"N": "1"}]}',
        "ok": None,
    }
    assert rows[1]["first"]["x"] == '{"N": "1"}'
    assert rows[1]["first"]["ok"] is False
    assert rows[2]["first"] is None
    assert {row["last"] for row in rows} == {None}
    assert table.schema.field("last").type.field(0).name == "gone"
    assert {row["read"] for row in rows} == {datetime.fromisoformat(read)}


def test_a_count_has_typed_columns() -> None:
    made, file = ParquetFile.begin(source(("customer", "S")), ItemSelection({}, Count(5))), BytesIO()
    read = "2026-01-31T03:00:00.000+00:00"
    made.add([Taken({"S": "a"}, {}, read, Counted(5, 0.125, more=True)), Taken({"S": "b"}, {}, read, Counted(1, 0.5))])
    made.write(file)
    file.seek(0)
    found = pyarrow.parquet.read_table(file)
    assert [str(column.type) for column in found.schema] == [
        *("string", "int64", "bool", "double"),
        "timestamp[ms, tz=UTC]",
    ]
    assert [column.name for column in found.schema if column.nullable] == []
    rows = found.drop_columns(["read"]).to_pylist()
    assert rows == [
        {"customer": "a", "count": 5, "more": True, "read_units": 0.125},
        {"customer": "b", "count": 1, "more": False, "read_units": 0.5},
    ]


def test_keys_that_arrow_reads_by_itself_are_never_null() -> None:
    manifest = {"partition_key": [{"name": "customer", "type": "S"}], "format": "jsonl"}
    assert parquet.is_text_alone(manifest)
    found = parquet.texts(manifest, [b'{"customer":"a"}\n', b"", b'{"customer":"b"}\n'])
    assert (found["customer"].to_pylist(), found.schema.field("customer").nullable) == (["a", "b"], False)


@pytest.mark.parametrize(
    "text", ["2026-01-31", "2026-01-31 03:00:00", "2026-01-31T03:00:00Z", "007", "1e3", "true", ""]
)
def test_texts_that_look_like_something_else_stay_as_they_are(text: str) -> None:
    manifest = {"partition_key": [{"name": "customer", "type": "S"}], "format": "jsonl"}
    found = parquet.texts(manifest, [json.dumps({"customer": text}).encode()])
    assert found.to_pylist() == [{"customer": text}]


def test_a_member_that_no_line_has_is_an_error() -> None:
    manifest = {"partition_key": [{"name": "customer", "type": "S"}], "format": "jsonl"}
    with pytest.raises(pyarrow.ArrowInvalid):
        parquet.texts(manifest, [b'{"customer":"a","other":"b"}'])
