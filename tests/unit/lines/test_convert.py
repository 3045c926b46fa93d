"""Lines of a run's parts in another form are what the run would have written in it."""

from itertools import product

import pytest

from skipscan.dynamodb.source import PartitionKey, Source
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind
from skipscan.errors import IncompleteRunError
from skipscan.lines.convert import convert
from skipscan.lines.formats import FORMATS, STORED, encoder, format_of

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
    body = format_of(stored).header(source, ()) + b"".join(map(encoder(source, stored), keys))
    whole = format_of(form).header(source, ()) + b"".join(map(write, keys)) * 2
    assert b"".join(convert([body, b"", body], manifest(source, stored), form)) == whole


def manifest(source: Source, stored: str) -> dict[str, object]:
    names = [{"name": attribute.name, "type": attribute.type} for attribute in source.partition_key]
    return {"table": source.table, "index": source.index, "format": stored, "partition_key": names}


def test_a_strange_line_is_refused_without_showing_it() -> None:
    with pytest.raises(IncompleteRunError, match="is not a key of this run") as refused:
        list(convert([b'{"secret": "s"}\n'], manifest(ONE, "jsonl"), "text"))
    assert "secret" not in str(refused.value)
