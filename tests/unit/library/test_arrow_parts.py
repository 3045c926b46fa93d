"""Keys that Arrow reads from parts are those that are collected one by one, in columns of the same types."""

from collections.abc import Sequence
from typing import Any

import pytest

from skipscan.library.arrow_parts import collected, is_read_by_arrow
from skipscan.library.parquet import ParquetFile
from skipscan.lines.convert import source_of
from skipscan.lines.formats import encoder

pytestmark = pytest.mark.slow


def manifest(**attributes: str) -> dict[str, Any]:
    return {"partition_key": [{"name": name, "type": kind} for name, kind in attributes.items()], "format": "jsonl"}


def bodies(of: dict[str, Any], *parts: Sequence[Any]) -> list[bytes]:
    encode = encoder(source_of(of), "jsonl")
    return [b"".join(map(encode, keys)) for keys in parts]


def one_by_one(of: dict[str, Any], keys: Sequence[Any]) -> Any:
    made = ParquetFile.begin(source_of(of))
    made.add(keys)
    return made.table()


def table(of: dict[str, Any], *parts: Sequence[Any]) -> Any:
    return collected(bodies(of, *parts), of, "string").table()


def test_keys_of_several_attributes_are_columns() -> None:
    of = manifest(**{"tenant": "S", "größe.1": "N"})
    keys = [({"S": f't"{number}\n'}, {"N": f"-{number}.5"}) for number in range(200)]
    found = table(of, keys[:7], [], keys[7:])
    assert found.equals(one_by_one(of, keys))
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
