"""A job reads back what a listing wrote: the same value of the same type, in every format."""

import pytest
from hypothesis import given

from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind
from skipscan.lines.formats import STORED, decoder, encoder
from tests.fakes.attribute_value import AttributeValue
from tests.fakes.tables import KEY_TYPES, values

from hypothesis import strategies as st  # isort: skip


def source(*attributes: KeyAttribute) -> Source:
    return Source("T", None, SourceKind.TABLE, attributes, (), ())


@given(st.sampled_from(KEY_TYPES).flatmap(values), st.sampled_from(STORED))
def test_a_key_comes_back_as_it_was(value: AttributeValue, form: str) -> None:
    key = KeyAttribute("größe.1", next(iter(value)))
    line = encoder(source(key), form)(value)
    assert decoder([key], form)(line) == {"größe.1": value}


@pytest.mark.parametrize("form", STORED)
def test_several_attributes_come_back(form: str) -> None:
    keys = (KeyAttribute("a", "S"), KeyAttribute("b", "N"))
    line = encoder(source(*keys), form)(({"S": "x"}, {"N": "1.50"}))
    assert decoder(keys, form)(line) == {"a": {"S": "x"}, "b": {"N": "1.50"}}


@pytest.mark.parametrize("number", ["0.10", "9" * 38, "1E+125", "-1E-130", "100"])
def test_numbers_keep_every_digit(number: str) -> None:
    key = KeyAttribute("n", "N")
    line = encoder(source(key), "jsonl")({"N": number})
    assert decoder([key], "jsonl")(line) == {"n": {"N": number}}


@pytest.mark.parametrize(
    "line",
    [b"", b"{", b"[]", b"{}", b'{"a": "x", "b": "y"}', b'{"a": null}', b'{"a": ["x"]}', b'{"a": NaN}'],
)
def test_a_line_that_is_not_of_a_part_is_refused(line: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        decoder([KeyAttribute("a", "S")], "jsonl")(line)
