"""The size of an item, by which writes are billed."""

from typing import Any

import pytest
from hypothesis import given

from skipscan.dynamodb.write_units import item_bytes, value_bytes
from tests.fakes.item_size import item_bytes as second_account
from tests.unit.dynamodb.test_attribute_value import VALUES


@given(VALUES)
def test_sizes_agree_with_a_second_account(value: Any) -> None:
    assert item_bytes({"größe": value}) == second_account({"größe": value})


@pytest.mark.parametrize(
    ("item", "size"),
    [
        ({"a": {"S": ""}}, 1),
        ({"ä": {"S": "🔑"}}, 6),
        ({"n": {"N": "12"}}, 3),
        ({"n": {"N": "120"}}, 4),
        ({"n": {"N": "-0.5"}}, 4),
        ({"n": {"N": "0"}}, 2),
        ({"b": {"BOOL": True}}, 2),
        ({"l": {"L": [{"S": "ab"}]}}, 1 + 3 + 1 + 2),
        ({"m": {"M": {"k": {"S": "v"}}}}, 1 + 3 + 1 + 1 + 1),
    ],
)
def test_sizes(item: Any, size: int) -> None:
    assert item_bytes(item) == size


@pytest.mark.parametrize(
    ("written", "plain"), [("1E+3", "1000"), ("-12e-1", "-1.2"), ("007", "7"), ("+5", "5"), ("0E+9", "0")]
)
def test_a_number_takes_the_same_bytes_however_it_is_written(written: str, plain: str) -> None:
    assert value_bytes({"N": written}) == value_bytes({"N": plain})
