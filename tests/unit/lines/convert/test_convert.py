"""Lines of a run's parts in another form are what the run would have written in it."""

from itertools import product
from typing import cast

import pytest

from skipscan.dynamodb.source import PartitionKey, Source
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind
from skipscan.errors import IncompleteRunError
from skipscan.lines.convert import bodies, convert, header_of
from skipscan.lines.formats import FORMATS, STORED, decoder, encoder, format_of
from skipscan.loop.storage import Storage, checksum
from skipscan.scan.take import KEYS
from tests.refusal import refused

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


@pytest.mark.parametrize("form", FORMATS)
def test_the_header_of_a_part_is_no_key_whatever_names_it_has(form: str) -> None:
    """An earlier version wrote other names of columns, and a name may hold a line end."""
    body = b'"former\n""name"""\r\n' + encoder(ONE, "csv")({"S": "plain"})
    whole = format_of(form).header(ONE, KEYS) + encoder(ONE, form)({"S": "plain"}) * 2
    assert b"".join(convert([body, b"", body], manifest(ONE, "csv"), form)) == whole


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


def test_a_file_of_keys_begins_with_their_names() -> None:
    assert header_of(TWO.partition_key, "csv") == b"a,b\r\n"
    assert header_of(TWO.partition_key, "jsonl") == b""


class Stored:
    """Storage with one part."""

    def get(self, name: str) -> bytes | None:
        return b'{"a": 1}\n' if name == "part" else None


def test_a_part_has_the_checksum_of_the_manifest() -> None:
    part = {"name": "part", "sha256": checksum(b'{"a": 1}\n')}
    storage = cast(Storage, Stored())
    assert [*bodies(storage, {"parts": [part, part]})] == [b'{"a": 1}\n'] * 2
    for changed in ({**part, "sha256": checksum(b"")}, {**part, "name": "gone"}):
        with refused(IncompleteRunError, changed["name"]):
            list(bodies(storage, {"parts": [part, changed]}))
