"""Keys that Arrow reads from parts are those that are collected one by one, in columns of the same types."""

from collections.abc import Sequence
from decimal import Decimal
from io import BytesIO
from itertools import chain
from typing import Any

import pyarrow.parquet
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from skipscan.library import arrow_parts
from skipscan.library.arrow_parts import arrow_table, is_read_by_arrow, write_parts
from skipscan.library.parquet import EXACT, Numbers, ParquetFile
from skipscan.lines.convert import source_of
from skipscan.lines.formats import encoder

pytestmark = pytest.mark.slow

INTEGERS = st.integers(-(10**38) + 1, 10**38 - 1)
DECIMALS = st.builds(
    lambda digits, places: f"{Decimal(digits).scaleb(-places, EXACT):f}",
    st.integers(-(10**12), 10**12) | INTEGERS,
    st.integers(0, 12) | st.integers(0, 38),
)
EXTREMES = st.sampled_from(["0", "-0", "12.50", "7.0", "1E+2", "1E+125", "1E-130", "-9223372036854775808", "9" * 38])


def manifest(**attributes: str) -> dict[str, Any]:
    return {"partition_key": [{"name": name, "type": kind} for name, kind in attributes.items()], "format": "jsonl"}


def bodies(of: dict[str, Any], *parts: Sequence[Any]) -> list[bytes]:
    encode = encoder(source_of(of), "jsonl")
    return [b"".join(map(encode, keys)) for keys in parts]


def collected(of: dict[str, Any], keys: Sequence[Any]) -> Any:
    made = ParquetFile.begin(source_of(of))
    made.add(keys)
    return made.table()


def written(of: dict[str, Any], *parts: Sequence[Any]) -> Any:
    file = BytesIO()
    write_parts(of, bodies(of, *parts), file)
    return pyarrow.parquet.ParquetFile(file)


@example([["1E-130"]])  # Arrow reads it as 0
@example([["0.0000000000000000000000000000005076", "462253188226908363"]])  # 38 digits do not hold both
@given(
    st.lists(
        st.lists(INTEGERS.map(str) | DECIMALS | EXTREMES, max_size=4) | st.lists(st.integers().map(str)), max_size=3
    )
)
def test_numbers_have_the_type_and_every_digit_that_they_have_one_by_one(parts: list[list[str]]) -> None:
    of, keys = manifest(n="N"), [[{"N": number} for number in part] for part in parts]
    found, expected = arrow_table(of, bodies(of, *keys)), collected(of, list(chain(*keys)))
    assert found.schema.equals(expected.schema, check_metadata=True)
    assert found["n"].to_pylist() == expected["n"].to_pylist()


def test_keys_of_several_attributes_are_columns() -> None:
    of = manifest(**{"tenant": "S", "größe.1": "N"})
    keys = [({"S": f't"{number}\n'}, {"N": f"-{number}.5"}) for number in range(200)]
    found = written(of, keys[:7], [], keys[7:])
    assert found.read().equals(collected(of, keys))
    assert [field.nullable for field in found.schema_arrow] == [False, False]


def test_strings_are_never_null() -> None:
    of = manifest(customer="S")
    found = arrow_table(of, [b'{"customer":"a"}\n', b"", b'{"customer":"b"}\n'])
    assert (found["customer"].to_pylist(), found.schema.field("customer").nullable) == (["a", "b"], False)


@pytest.mark.parametrize(
    "text", ["2026-01-31", "2026-01-31 03:00:00", "2026-01-31T03:00:00Z", "007", "1e3", "true", ""]
)
def test_texts_that_look_like_something_else_stay_as_they_are(text: str) -> None:
    of = manifest(customer="S")
    assert arrow_table(of, bodies(of, [{"S": text}])).to_pylist() == [{"customer": text}]


def test_a_member_that_no_line_has_is_an_error() -> None:
    with pytest.raises(pyarrow.ArrowInvalid):
        arrow_table(manifest(customer="S"), [b'{"customer":"a","other":"b"}'])


def test_numbers_are_seen_many_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """One by one they took 12 microseconds each, twenty times as long as strings."""
    seen: list[Decimal] = []
    add = Numbers.add

    def add_seen(numbers: Numbers, number: Decimal) -> None:
        seen.append(number)
        add(numbers, number)

    monkeypatch.setattr(Numbers, "add", add_seen)
    for numbers in (
        range(5_000),
        (Decimal(number) / 100 for number in range(5_000)),
        range(-(10**30), -(10**30) + 5_000),
    ):
        seen.clear()
        arrow_table(of := manifest(n="N"), bodies(of, [{"N": f"{number}"} for number in numbers]))
        assert 0 < len(seen) < 10


def test_rows_are_in_groups_that_fit_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow_parts, "ROWS", 10)
    found = written(manifest(n="N"), [{"N": f"{number}"} for number in range(13)], [{"N": "1.5"}] * 8)
    assert [found.metadata.row_group(number).num_rows for number in range(found.num_row_groups)] == [10, 10, 1]


def test_a_reader_of_one_group_holds_100_000_rows() -> None:
    found = written(manifest(n="N"), [{"N": f"{number}"} for number in range(100_001)])
    assert [found.metadata.row_group(number).num_rows for number in range(found.num_row_groups)] == [100_000, 1]


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
