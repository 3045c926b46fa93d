"""A key is one line, and the line is the key."""

import base64
import csv
import json
from dataclasses import replace
from io import StringIO
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind
from skipscan.errors import InputError
from skipscan.lines.convert import convert, key_lines, reader, records
from skipscan.lines.csv import CSV
from skipscan.lines.formats import FORMATS, STORED, decoder, encoder, format_of, line_encoder
from skipscan.lines.json_lines import JSONL
from skipscan.loop.storage import Part
from skipscan.scan.take import KEYS, Count, Ends, Take
from skipscan.scan.taken import Counted, Taken
from tests.fakes.attribute_value import AttributeValue
from tests.fakes.tables import KEY_TYPES, values
from tests.refusal import refused
from tests.unit.dynamodb.test_attribute_value import VALUES as ANY_VALUE

KEY_VALUES = st.sampled_from(KEY_TYPES).flatmap(values)
NAMES = st.text(st.characters(exclude_categories=[]))  # control characters, too


def source(*names: str, kind: str = "S") -> Source:
    return Source("T", None, SourceKind.TABLE, tuple(KeyAttribute(name, kind) for name in names), (), ())


@given(NAMES, KEY_VALUES)
def test_json_lines_hold_every_key_exactly_and_text_has_a_line_for_any(name: str, value: dict[str, Any]) -> None:
    ((kind, content),) = value.items()
    line = encoder(source(name, kind=kind), "jsonl")(value)
    assert (line.count(b"\n"), line[-1:]) == (1, b"\n")
    (found,) = json.loads(line, parse_float=str, parse_int=str).values()
    assert (base64.b64decode(found) if kind == "B" else found) == content
    assert len(encoder(source("pk", kind=kind), "text")(value).decode().splitlines()) == 1


@given(KEY_VALUES, st.sampled_from(STORED))
def test_a_key_comes_back_as_it_was(value: AttributeValue, form: str) -> None:
    of = source("größe.1", kind=next(iter(value)))
    assert decoder(of.partition_key, form)(encoder(of, form)(value)) == {"größe.1": value}


@pytest.mark.parametrize(
    "line",
    [b"", b"{", b"[]", b"{}", b'{"a": "x", "b": "y"}', b'{"a": null}', b'{"a": ["x"]}', b'{"a": NaN}'],
)
def test_a_line_that_is_not_of_a_part_is_refused(line: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        decoder([KeyAttribute("a", "S")], "jsonl")(line)


ONE = source("größe.1", kind="N")
READ = "2026-01-31T03:00:00.000+00:00"
TAKING = [name for name in STORED if FORMATS[name].taking is not None]
TYPED = [name for name in STORED if FORMATS[name].taken is not None and FORMATS[name].keeps_types]
EVERYTHING: dict[str, Any] = {
    "S": {"S": "line\nend\u2028 and a \U0001f511"},
    "N": {"N": "12345678901234567890.123456789012345678"},
    "B": {"B": b"\xff\x00"},
    "BOOL": {"BOOL": False},
    "NULL": {"NULL": True},
    "SS": {"SS": ["a", '"']},
    "NS": {"NS": ["1.50", "1E+125"]},
    "BS": {"BS": [b"\xfe", b""]},
    "L": {"L": [{"S": "x"}, {"L": []}, {"M": {"of": {"N": "1"}}}]},
    "M": {"M": {"first": {"B": b"\n"}, 'qu"ote': {"NULL": True}}},
}
TAKEN = Taken({"N": "0.10"}, {"first": EVERYTHING}, READ)
FIRST_ITEM = Ends({"first": None})


def write(source: Source, form: str, take: Take = FIRST_ITEM) -> Any:
    return line_encoder(source, form, take)


def manifest(source: Source, stored: str) -> dict[str, Any]:
    names = [{"name": attribute.name, "type": attribute.type} for attribute in source.partition_key]
    take = {"first": "all"}
    return {"table": source.table, "index": source.index, "format": stored, "partition_key": names, "take": take}


@pytest.mark.parametrize(("stored", "form"), list(product(TAKING, FORMATS)))
def test_a_download_keeps_items_where_there_is_room_and_refuses_types_that_are_lost(stored: str, form: str) -> None:
    line = write(ONE, stored)(TAKEN)

    def downloaded() -> bytes:
        body = format_of(stored).header(ONE, FIRST_ITEM) + line
        return b"".join(convert([body, body], manifest(ONE, stored), form))

    if FORMATS[form].taking is None:
        assert downloaded() == format_of(form).header(ONE, KEYS) + encoder(ONE, form)(TAKEN.key) * 2
    elif stored == form or stored in TYPED:
        assert downloaded() == format_of(form).header(ONE, FIRST_ITEM) + write(ONE, form)(TAKEN) * 2
    else:
        with refused(InputError, "format", form, rule=f"^the run wrote its items as {stored}, which"):
            downloaded()


SORTED = Source("T", None, SourceKind.TABLE, (KeyAttribute("id", "S"),), (KeyAttribute("at", "N"),), ())
FLAT = Ends({"first": ("id",), "last": ("status", "at", "tags")})


def rows(*lines: bytes) -> list[list[str]]:
    return list(csv.reader(StringIO(b"".join(lines).decode("utf-8-sig"), newline=""), strict=True))


@pytest.mark.parametrize(
    ("key", "columns"),
    [
        (["types"], ["first.x", "first.x_", "read", "types_"]),
        (["first.x"], ["first.x__", "first.x_", "read", "types"]),
        (["types", "types_"], ["first.x", "first.x_", "read", "types__"]),
        (["first.x", "first.x_"], ["first.x__", "first.x___", "read", "types"]),
    ],
)
def test_csv_names_no_column_as_an_attribute_of_the_key(key: list[str], columns: list[str]) -> None:
    """The key keeps its names: SQL that joins by them still works."""
    of = source(*key)
    take = Ends({"first": ("x", "x_")})
    header = format_of("csv").header(of, take)
    assert rows(header) == [[*key, *columns]]
    parts = tuple({"S": f"{number}"} for number in range(len(key)))
    given_ = Taken(parts if len(parts) > 1 else parts[0], {"first": {"x": {"S": "a"}, "x_": {"N": "1"}}}, READ)
    taken = format_of("csv").taken
    assert taken
    assert taken(of, take)(write(of, "csv", take)(given_)) == given_


@given(st.one_of(st.none(), st.fixed_dictionaries({}, optional=dict.fromkeys(("at", "status", "tags"), ANY_VALUE))))
def test_any_item_comes_back_from_flat_columns(item: Any) -> None:
    given_ = Taken({"S": "a"}, {"first": {}, "last": item}, READ)
    taken = format_of("csv").taken
    assert taken
    assert taken(SORTED, FLAT)(write(SORTED, "csv", FLAT)(given_)) == given_


def test_the_words_of_csv_stay_those_that_are_in_parts_already() -> None:
    line = write(SORTED, "csv", FLAT)(Taken({"S": "a"}, {"first": {"at": {"N": "1"}}, "last": None}, READ))
    assert line == f"a,1,,,,{READ},N none none none\r\n".encode()


COUNTED = Taken({"N": "0.10"}, {}, READ, Counted(17, 2.5))
COUNTS = Count(1000)


def counts_manifest(stored: str) -> dict[str, Any]:
    return {**manifest(ONE, stored), "take": COUNTS.words}


@pytest.mark.parametrize(("stored", "form"), list(product(STORED, STORED)))
@pytest.mark.parametrize("counted", [Counted(17, 2.5), Counted(1000, 0.0125, more=True)])
def test_a_count_comes_back_from_every_format(stored: str, form: str, counted: Counted) -> None:
    """Also from jsonl, which keeps no types of items."""
    taken = COUNTED._replace(counted=counted)
    body = format_of(stored).header(ONE, COUNTS) + line_encoder(ONE, stored, COUNTS)(taken)
    converted = b"".join(convert([body], counts_manifest(stored), form))
    assert converted == format_of(form).header(ONE, COUNTS) + line_encoder(ONE, form, COUNTS)(taken)
    read = reader(counts_manifest(stored), "parquet")
    assert [read(record) for record in records(body, counts_manifest(stored))] == [taken]
    assert list(key_lines([body], counts_manifest(stored), form)) == [encoder(ONE, form)(COUNTED.key)]


# No character of a key breaks a line, and records are told apart from lines.


def test_a_record_ends_where_the_format_says_so() -> None:
    body = b'a\n"b\nc"\n"d\n'
    assert list(JSONL.records(body)) == [b"a\n", b'"b\n', b'c"\n', b'"d\n']
    assert list(replace(JSONL, quote=b'"').records(body)) == [b"a\n", b'"b\nc"\n', b'"d\n']


@pytest.mark.parametrize(
    ("changes", "said"),
    [({"suffix": "xyz"}, "inputs/names.py"), ({"taking": None}, "taking"), ({"taken": None}, "taken")],
)
def test_a_format_that_a_run_s_parts_could_not_have_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        replace(CSV, **changes)


# Keys in csv are read back by any reader of RFC 4180 as they were, and spreadsheets take none for a formula.


TEXTS = st.text() | st.text(st.sampled_from('a",\r\n \t=+-@;'))  # no lone surrogates: DynamoDB keeps none


def written(of: Source, keys: list[Any], form: str = "csv") -> bytes:
    part: Part = Part(encoder(of, form), format_of(form).header(of, KEYS))
    for key in keys:
        part.write([key])
    return part.body()


@given(st.lists(TEXTS, min_size=1))
def test_every_text_comes_back_by_another_reader(texts: list[str]) -> None:
    body = written(source("customer"), [{"S": text} for text in texts])
    assert rows(body) == [["customer"], *([text] for text in texts)]
    assert body.endswith(b"\r\n")


@given(st.lists(TEXTS, min_size=1))
def test_parts_hold_whole_records_for_any_keys(texts: list[str]) -> None:
    of = source("customer")
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
    assert rows(written(source("customer"), [{"S": text}], "csv-safe")) == [["customer"], [f"'{text}"]]
    assert rows(written(source(text), [{"S": "x"}], "csv-safe"))[0] == [f"'{text}"]
    assert rows(written(source("customer"), [{"S": text}])) == [["customer"], [text]]


@pytest.mark.parametrize("record", [b'"a"b\r\n', b'"a\r\n', b"a"])
def test_a_record_that_is_cut_or_malformed_is_read_as_no_key(record: bytes) -> None:
    decode = format_of("csv").decoder
    assert decode
    with pytest.raises((ValueError, csv.Error)):
        decode(source("customer").partition_key)(record)
