"""Keys in csv are read back by any reader of RFC 4180 as they were, and spreadsheets take none for a formula."""

import csv
from io import StringIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind
from skipscan.lines.convert import convert
from skipscan.lines.formats import encoder, format_of
from skipscan.loop.storage import Part
from skipscan.scan.take import KEYS

TEXTS = st.text() | st.text(st.sampled_from('a",\r\n \t=+-@;'))  # no lone surrogates: DynamoDB keeps none


def source(*attributes: tuple[str, str]) -> Source:
    keys = tuple(KeyAttribute(name, kind) for name, kind in attributes)
    return Source("T", None, SourceKind.TABLE, keys, (), ())


def read(body: bytes) -> list[list[str]]:
    return list(csv.reader(StringIO(body.decode("utf-8-sig"), newline=""), strict=True))


def written(of: Source, keys: list[Any], form: str = "csv") -> bytes:
    part: Part[Any] = Part(encoder(of, form), format_of(form).header(of, KEYS))
    for key in keys:
        part.write([key])
    return part.body()


@given(st.lists(TEXTS, min_size=1))
def test_every_text_comes_back_by_another_reader(texts: list[str]) -> None:
    body = written(source(("customer", "S")), [{"S": text} for text in texts])
    assert read(body) == [["customer"], *([text] for text in texts)]
    assert body.endswith(b"\r\n")


@given(st.lists(TEXTS, min_size=1))
def test_parts_hold_whole_records_for_any_keys(texts: list[str]) -> None:
    of = source(("customer", "S"))
    keys = [{"S": text} for text in texts]
    manifest = {
        "table": "T",
        "index": None,
        "format": "csv",
        "partition_key": [{"name": "customer", "type": "S"}],
    }
    bodies = [written(of, keys), b"", written(of, keys)]
    lines = b"".join(convert(bodies, manifest, "dynamodb-jsonl"))
    assert lines == b"".join(map(encoder(of, "dynamodb-jsonl"), keys)) * 2
    assert b"".join(convert(bodies, manifest, "csv")) == written(of, keys * 2)


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\uff1d1", '=HYPERLINK("x")', "-", "=cmd|' /C'!A0"]
)
def test_spreadsheets_are_kept_from_taking_text_for_a_formula(text: str) -> None:
    assert read(written(source(("customer", "S")), [{"S": text}], "csv-safe")) == [["customer"], [f"'{text}"]]
    assert read(written(source((text, "S")), [{"S": "x"}], "csv-safe"))[0] == [f"'{text}"]
    assert read(written(source(("customer", "S")), [{"S": text}])) == [["customer"], [text]]


@pytest.mark.parametrize("record", [b'"a"b\r\n', b'"a\r\n', b"a"])
def test_a_record_that_is_cut_or_malformed_is_read_as_no_key(record: bytes) -> None:
    decode = format_of("csv").decoder
    assert decode
    with pytest.raises((ValueError, csv.Error)):
        decode(source(("customer", "S")).partition_key)(record)
