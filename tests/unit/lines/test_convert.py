"""Lines of a run's parts in another form are what the run would have written in it."""

import json
from itertools import product
from typing import Any, cast

import pytest
from hypothesis import given

from skipscan.dynamodb.attribute_value import AttributeValue, to_json
from skipscan.dynamodb.source import PartitionKey, Source
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind
from skipscan.errors import IncompleteRunError
from skipscan.lines.absent import Absent
from skipscan.lines.convert import bodies, convert
from skipscan.lines.dynamodb_jsonl import read_typed, typed
from skipscan.lines.formats import FORMATS, STORED, decoder, encoder, format_of, header, line_encoder
from skipscan.lines.plain_keys import FEW, PlainKeys, changed
from skipscan.loop.storage import Storage, checksum
from skipscan.scan.take import KEYS, Ends
from skipscan.scan.taken import Taken
from tests.refusal import refused
from tests.unit.dynamodb.test_attribute_value import VALUES

ONE = Source("Orders", None, SourceKind.TABLE, (KeyAttribute("größe.1", "S"),), (), ())
TWO = Source("Orders", "by", SourceKind.TABLE, (KeyAttribute("a", "N"), KeyAttribute("b", "B")), (), ())
STRINGS: list[PartitionKey] = [
    {"S": content} for content in ("plain", 'q"\\', "line\nend\r\x85\u2028", "\ud800", "🔑", "")
]
PAIRS: list[PartitionKey] = [({"N": number}, {"B": b"\xff\n"}) for number in ("0.10", "9" * 38, "1E+125")]


@pytest.mark.parametrize(("stored", "form"), list(product(STORED, FORMATS)))
@pytest.mark.parametrize(("source", "keys"), [(ONE, STRINGS), (TWO, PAIRS)])
def test_every_form_can_be_had_of_every_other(source: Source, keys: list[PartitionKey], stored: str, form: str) -> None:
    write = encoder(source, form)
    body = format_of(stored).header(source, KEYS) + b"".join(map(encoder(source, stored), keys))
    whole = format_of(form).header(source, KEYS) + b"".join(map(write, keys)) * 2
    assert b"".join(convert([body, b"", body], manifest(source, stored), form)) == whole


def manifest(source: Source, stored: str) -> dict[str, object]:
    names = [{"name": attribute.name, "type": attribute.type} for attribute in source.partition_key]
    return {"table": source.table, "index": source.index, "format": stored, "partition_key": names}


def test_a_strange_line_is_refused_without_showing_it() -> None:
    with refused(IncompleteRunError, "a line of a part", rule="not a key") as raised:
        list(convert([b'{"secret": "s"}\n'], manifest(ONE, "jsonl"), "text"))
    assert "secret" not in str(raised.value)


def test_a_form_that_keeps_no_types_is_not_read_back() -> None:
    unread = set(FORMATS) - set(STORED)
    assert unread
    for form in unread:
        with pytest.raises(ValueError, match="cannot be read back"):
            decoder(ONE.partition_key, form)


class Stored:
    """Storage with one part."""

    def get(self, name: str) -> bytes | None:
        return b'{"a": 1}\n' if name == "part" else None


def test_a_part_has_the_checksum_of_the_manifest() -> None:
    part = {"name": "part", "sha256": checksum(b'{"a": 1}\n')}
    storage = cast("Storage", Stored())
    assert [*bodies(storage, {"parts": [part, part]})] == [b'{"a": 1}\n'] * 2
    for other in ({**part, "sha256": checksum(b"")}, {**part, "name": "gone"}):
        with refused(IncompleteRunError, other["name"]):
            list(bodies(storage, {"parts": [part, other]}))


PLAIN = {"S": ["a-7", "1", "Ab", "customer#9 x/y"], "N": ["1", "17", "9007", "0", "1.5", "1E+20", "1e-7"]}


def of_kind(kind: str) -> Source:
    return Source("Orders", None, SourceKind.TABLE, (KeyAttribute('1"1,', kind),), (), ())


def lines(kind: str, form: str, keys: list[str]) -> list[bytes]:
    return [encoder(of_kind(kind), form)({kind: key}) for key in keys]


def plain_keys(kind: str, stored: str, form: str) -> PlainKeys:
    return PlainKeys(kind, encoder(of_kind(kind), stored), encoder(of_kind(kind), form))


@pytest.mark.parametrize(("stored", "form"), list(product(STORED, FORMATS)))
@pytest.mark.parametrize("kind", PLAIN)
def test_plain_keys_are_changed_at_once(kind: str, stored: str, form: str) -> None:
    found = plain_keys(kind, stored, form).change(lines(kind, stored, PLAIN[kind]))
    assert found == b"".join(lines(kind, form, PLAIN[kind]))


def test_only_the_lines_near_an_odd_key_are_changed_one_by_one() -> None:
    keys = [f"customer-{number}" for number in range(20 * FEW)]
    keys[7] = 'an "odd" one'
    alone: list[bytes] = []

    def convert(line: bytes) -> bytes:
        alone.append(line)
        return line.replace(b"customer", b"CUSTOMER")

    plain, stored = plain_keys("S", "jsonl", "text"), lines("S", "jsonl", keys)
    found = b"".join(changed(stored, plain, convert))
    assert lines("S", "jsonl", [keys[7]])[0] in alone
    assert len(alone) <= FEW
    assert found.endswith(b"".join(lines("S", "text", keys[FEW:])))
    assert found.startswith(b"".join(map(convert, stored[:7])))


ORDERS = Source("T", None, SourceKind.TABLE, (KeyAttribute("customer", "S"),), (KeyAttribute("placed", "N"),), ())
TAKE = Ends({"first": ("status",), "last": ("total", "placed", "customer")})
MANIFEST = {
    "partition_key": [{"name": "customer", "type": "S"}],
    "sort_key": [{"name": "placed", "type": "N"}],
    "take": TAKE.words,
}


def line(last: dict[str, Any] | None) -> Taken:
    return Taken({"S": "a"}, {"first": {"placed": {"N": "1"}}, "last": last}, "2026-01-31T03:00:00.000+00:00")


def absent(form: str, *lines: Taken) -> str:
    write = line_encoder(ORDERS, form, TAKE)
    body = header(ORDERS, form, TAKE) + b"".join(map(write, lines)) if lines else b""
    return str(Absent.of({**MANIFEST, "format": form}, [b"", body]))


@pytest.mark.parametrize("form", STORED)
def test_what_no_item_has_is_named(form: str) -> None:
    without = line({"placed": {"N": "2"}})
    assert (
        absent(form, without, line(None))
        == "no item had `status` or `total`: check the names of the attributes to take"
    )
    assert absent(form, without, line({"status": {"S": ""}, "total": {"NULL": True}})) == (
        "" if form != "csv" else "no item had `status`: check the names of the attributes to take"
    )
    assert absent(form) == ""


# Every value of DynamoDB has its JSON, and comes back from it.


@given(VALUES)
def test_a_value_is_written_with_its_type_and_read_back(value: AttributeValue) -> None:
    document = to_json(value)
    assert json.loads(typed(value)) == document
    assert read_typed("", document) == value
