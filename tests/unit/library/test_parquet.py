"""Columns in Parquet have the types that the table declares, whatever the values are, and numbers keep every digit."""

import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from typing import Any

import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind
from skipscan.errors import InputError
from skipscan.library.arrow_parts import collected, is_read_by_arrow
from skipscan.library.parquet import ParquetFile
from skipscan.lines.convert import source_of
from skipscan.lines.formats import encoder
from skipscan.scan.take import Count, Ends, Take
from skipscan.scan.taken import Counted, Taken
from tests.refusal import refused

pytestmark = pytest.mark.slow


def source(*attributes: tuple[str, str]) -> Source:
    keys = tuple(KeyAttribute(name, kind) for name, kind in attributes)
    return Source("T", None, SourceKind.TABLE, keys, (), ())


def table(of: Source, keys: Sequence[Any], numbers: str = "string") -> Any:
    made, file = ParquetFile(of, numbers=numbers), BytesIO()
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


@pytest.mark.parametrize("number", ["9007199254740993", "0.12345678901234567890", "1.0000000000000000000001E+30"])
def test_a_double_that_would_round_is_refused_without_the_value(number: str) -> None:
    with refused(InputError, "numbers", "double", rule='^attribute "n" has a number', way="string") as error:
        table(source(("n", "N")), [{"N": "1"}, {"N": number}], "double")
    assert number not in str(error.value)


def test_a_missing_pyarrow_is_reported_before_any_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    here = shlex.quote(sys.executable)
    with refused(InputError, "format", "parquet", rule="pyarrow", way=f"{re.escape(here)} -m pip install pyarrow$"):
        ParquetFile(source(("customer", "S")))


ITEMS: list[Any] = [
    {"sk": {"N": "1.50"}, "n": {"N": "1.50"}, "b": {"B": b"\xff"}, "x": {"S": "1"}, "l": {"L": [{"N": "1"}]}},
    {"sk": {"N": "2"}, "n": {"NULL": True}, "ok": {"BOOL": False}, "x": {"N": "1"}},
    None,
]


def with_items(items: Sequence[Any], take: Take, numbers: str = "string") -> Any:
    of = replace(source(("k", "N")), sort_key=(KeyAttribute("sk", "N"),))
    made = ParquetFile(of, take, numbers)
    made.add(
        Taken({"N": f"{n}"}, dict.fromkeys(take.attributes, item), "2026-01-31T03:00:00.112+00:00")
        for n, item in enumerate(items)
    )
    return made.table()


@pytest.mark.parametrize("take", [Ends({"first": None}), Ends({"last": ("n", "ok", "b", "gone")})])
@pytest.mark.parametrize("numbers", ["string", "double"])
def test_the_columns_of_items_do_not_depend_on_their_values(take: Take, numbers: str) -> None:
    schemas = [with_items(items, take, numbers).schema for items in ([], ITEMS[:1], ITEMS[1:], ITEMS)]
    assert all(each.equals(schemas[0], check_metadata=True) for each in schemas)


def test_a_count_has_typed_columns() -> None:
    made, file = ParquetFile(source(("customer", "S")), Count(5)), BytesIO()
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


# Keys that Arrow reads from parts are those that are collected one by one, in columns of the same types.


def manifest(**attributes: str) -> dict[str, Any]:
    return {"partition_key": [{"name": name, "type": kind} for name, kind in attributes.items()], "format": "jsonl"}


def test_keys_of_several_attributes_are_columns() -> None:
    of = manifest(**{"tenant": "S", "größe.1": "N"})
    keys = [({"S": f't"{number}\n'}, {"N": f"-{number}.5"}) for number in range(200)]
    encode, one_by_one = encoder(source_of(of), "jsonl"), ParquetFile(source_of(of))
    bodies = [b"".join(map(encode, part)) for part in (keys[:7], [], keys[7:])]
    found = collected(bodies, of, "string").table()
    one_by_one.add(keys)
    assert found.equals(one_by_one.table())
    assert [field.nullable for field in found.schema] == [False, False]


@pytest.mark.parametrize(
    ("of", "is_read"),
    [
        (manifest(a="S", b="N"), True),
        (manifest(a="B"), False),
        ({**manifest(a="S"), "format": "csv"}, False),
        ({**manifest(a="S"), "take": {"first": None}}, False),
    ],
)
def test_binary_keys_other_formats_and_items_are_not_read_by_arrow(of: dict[str, Any], *, is_read: bool) -> None:
    assert is_read_by_arrow(of) is is_read
