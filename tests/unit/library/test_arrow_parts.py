"""Keys that Arrow reads from parts are those that are collected one by one, in columns of the same types."""

from collections.abc import Sequence
from decimal import Decimal
from itertools import chain
from typing import Any

import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

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


@given(
    st.lists(
        st.lists(st.decimals(allow_nan=False, allow_infinity=False).filter(lambda n: len(n.as_tuple().digits) <= 38)),
        max_size=3,
    )
)
def test_numbers_are_what_they_are_one_by_one(parts: list[list[Decimal]]) -> None:
    of, keys = manifest(n="N"), [[{"N": str(number)} for number in part] for part in parts]
    found, expected = table(of, *keys), one_by_one(of, list(chain(*keys)))
    assert found.schema.equals(expected.schema, check_metadata=True)
    assert list(map(Decimal, found["n"].to_pylist())) == list(map(Decimal, expected["n"].to_pylist()))


def test_keys_of_several_attributes_are_columns() -> None:
    of = manifest(**{"tenant": "S", "größe.1": "N"})
    keys = [({"S": f't"{number}\n'}, {"N": f"-{number}.5"}) for number in range(200)]
    found = table(of, keys[:7], [], keys[7:])
    assert found.equals(one_by_one(of, keys))
    assert [field.nullable for field in found.schema] == [False, False]


@pytest.mark.parametrize(
    "text", ["2026-01-31", "2026-01-31 03:00:00", "2026-01-31T03:00:00Z", "007", "1e3", "true", ""]
)
def test_texts_that_look_like_something_else_stay_as_they_are(text: str) -> None:
    of = manifest(customer="S")
    assert table(of, [{"S": text}]).to_pylist() == [{"customer": text}]


def test_a_member_that_no_line_has_is_an_error() -> None:
    with pytest.raises(pyarrow.ArrowInvalid):
        collected([b'{"customer":"a","other":"b"}'], manifest(customer="S"), "string")


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
