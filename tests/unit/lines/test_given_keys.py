"""Lists of keys: every form that commands and people write, each key once, and never a value in a refusal."""

import csv
import json
from codecs import BOM_UTF8
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.errors import IncompleteRunError, InputError
from skipscan.folder.storage import Folder
from skipscan.lines import given_keys
from skipscan.lines.convert import source_of
from skipscan.lines.formats import STORED, encoder, header
from skipscan.lines.given_keys import GivenKeys, Key, keys_of_file, keys_of_run, line_of, stored_keys
from skipscan.loop.layout import Layout
from skipscan.loop.results import Results
from skipscan.scan.plan import Only
from skipscan.scan.take import KEYS
from tests.refusal import refused

TENANT = (KeyAttribute("tenant", "S"),)
NUMBER = (KeyAttribute("n", "N"),)
BINARY = (KeyAttribute("b", "B"),)
PAIR = (KeyAttribute("day", "S"), KeyAttribute("n", "N"))


def keys(body: bytes, partition_key: Any = TENANT) -> list[Key]:
    given = keys_of_file(body, partition_key)
    assert given.only == Only(given.id, len(given.lines))
    return sorted((given.key(number) for number in range(len(given.lines))), key=repr)


def texts(*values: str) -> list[Key]:
    return [({"S": value},) for value in values]


@pytest.mark.parametrize(
    "body",
    [
        b"a\nb\n",
        b"b\r\n\r\na",
        b"a\nb\na\nb\n",
        BOM_UTF8 + b"a\nb\n",
        "\ufeffa\nb\n".encode("utf-16-le"),
        b'{"tenant": "a"}\n{"tenant": "b", "name": 1}\n',
        b'{"tenant": "a", "of": "x,tenant,y"}\nb\n',  # no header of csv
        b'{"tenant": {"S": "a"}}\n{"Item": {"tenant": {"S": "b"}, "n": {"N": "1"}}}\n',
        b'["a"]\n[{"S": "b"}]\n',
        BOM_UTF8 + b"tenant\r\na\r\nb\r\n",
        b'name,tenant\n"x\ny",a\nz,"b"\n',
    ],
)
def test_a_key_is_read_in_every_form_and_counts_once(body: bytes) -> None:
    assert keys(body) == texts("a", "b")


@pytest.mark.parametrize("form", STORED)
def test_what_a_run_writes_is_read(form: str) -> None:
    source = source_of({"partition_key": [{"name": "day", "type": "S"}, {"name": "n", "type": "N"}]})
    written: list[Key] = [({"S": "m\n,\"'"}, {"N": "1"}), ({"S": "x"}, {"N": "-2.5"})]
    body = header(source, form, KEYS) + b"".join(map(encoder(source, form), written))
    assert keys(body, PAIR) == sorted(written, key=repr)


def test_a_number_is_one_key_however_it_is_written() -> None:
    body = b"1\n1.0\n1e0\n0\n-0\n100\n12345678901234567890123456789012345678\n"
    held = {Decimal(key[0]["N"]) for key in keys(body, NUMBER)}
    assert held == {Decimal(text) for text in ("1", "0", "100", "12345678901234567890123456789012345678")}


def test_binary_is_base64() -> None:
    assert keys(b'AQI=\n["AQI="]\n{"b": {"B": "/w=="}}\n', BINARY) == [({"B": b"\x01\x02"},), ({"B": b"\xff"},)]


@pytest.mark.parametrize(
    ("body", "partition_key", "line"),
    [
        (b"a\n" + b"s" * 2049 + b"\n", TENANT, 2),
        (b'{"tenant": "a"}\n{"tenant": 1}\n', TENANT, 2),
        (b'{"tenant": "a"}\n{"customer": "secret"}\n', TENANT, 2),
        (b'{"tenant": "a"}\n\n{"tenant": "secret"\n', TENANT, 3),
        (b'{"tenant": "\\ud800"}\n', TENANT, 1),
        (b'["a", "secret"]\n', TENANT, 1),
        (b"1\nsecret\n", NUMBER, 2),
        (b'{"n": true}\n', NUMBER, 1),
        (b'{"n": {"S": "1"}}\n', NUMBER, 1),
        (b"123456789012345678901234567890123456789\n", NUMBER, 1),
        (b"secret!\n", BINARY, 1),
        (b"day,n\nx,1\nsecret\n", PAIR, 3),
        (b"secret\n", PAIR, 1),
    ],
)
def test_a_line_that_is_no_key_is_named_by_its_number(body: bytes, partition_key: Any, line: int) -> None:
    with refused(InputError, "only", rule=rf"line {line} does not have") as caught:
        keys(body, partition_key)
    assert "secret" not in str(caught.value)
    assert "123456" not in str(caught.value)


@pytest.mark.parametrize(("body", "rule"), [(b"\n \xff\n", "UTF-8"), (b"", "has no key"), (b"tenant\n", "has no key")])
def test_a_file_without_keys_is_refused(body: bytes, rule: str) -> None:
    with refused(InputError, "only", rule=rule):
        keys(body)


def test_too_many_keys_and_bytes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(given_keys, "MAX_SEGMENTS", 2)
    assert keys(b"a\nb\na\n") == texts("a", "b")
    with refused(InputError, "only", rule="more than 2 keys"):
        keys(b"a\nb\nc\n")
    monkeypatch.setattr(given_keys, "MOST_FILE_BYTES", 5)
    with refused(InputError, "only", rule="more than 5 bytes"):
        keys(b"a\nb\na\n")
    assert keys(b"a\nb\na") == texts("a", "b")


def test_neighbours_in_a_file_are_far_apart() -> None:
    numbers = [f"{number:03}" for number in range(100)]
    given = keys_of_file("\n".join(numbers).encode(), TENANT)
    listed = [given.key(place)[0]["S"] for place in range(100)]
    assert sum(after == f"{int(before) + 1:03}" for before, after in pairwise(listed)) < 10


def test_what_csv_does_not_allow_is_refused() -> None:
    most = csv.field_size_limit(5)
    try:
        with refused(InputError, "only", rule="not csv"):
            keys(b"tenant\nabcdef\n")
    finally:
        csv.field_size_limit(most)


def test_python_values_are_lines_of_a_file() -> None:
    assert keys(line_of(["a"]) + line_of([b"b"]).replace(b'"B"', b'"S"')) == texts("Yg==", "a")
    assert keys(line_of(["x", Decimal("1.50")]) + line_of(["x", 1.5]), PAIR) == [({"S": "x"}, {"N": "1.5"})]
    assert keys(line_of([bytearray(b"\xff")]), BINARY) == [({"B": b"\xff"},)]


def test_the_id_is_of_the_keys_and_not_of_their_file() -> None:
    assert keys_of_file(b"b\na\n", TENANT).id == keys_of_file(b'{"tenant": "a"}\n["b"]\n', TENANT).id
    assert keys_of_file(b"b\na\n", TENANT).id != keys_of_file(b"b\n", TENANT).id


@pytest.fixture
def run_results(tmp_path: Path) -> Results:
    folder = Folder(tmp_path)
    folder.clear()
    return Results(folder, Layout("", "Orders", "runs", "run", at=""))


def test_stored_keys_are_those_that_were_given(run_results: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(given_keys, "CHUNK_KEYS", 3)
    given = keys_of_file(b"".join(b"%d\n" % number for number in range(10)), TENANT)
    given.store(run_results)
    given.store(run_results)  # another attempt
    key = stored_keys(run_results, given.only)
    assert key
    assert [key(number) for number in range(10)] == [given.key(number) for number in range(10)]
    assert len({*map(repr, (key(number) for number in range(10)))}) == 10


def test_a_list_that_is_gone_or_short_is_no_empty_list(run_results: Results) -> None:
    given = keys_of_file(b"a\nb\n", TENANT)
    key = stored_keys(run_results, given.only)
    assert key
    with pytest.raises(IncompleteRunError):
        key(0)
    run_results.storage.put(run_results.layout.given_keys(given.id, 0), given.lines[0])
    with pytest.raises(IncompleteRunError):
        key(0)


def test_what_another_put_is_not_taken_for_the_keys(run_results: Results) -> None:
    given = keys_of_file(b"a\nb\n", TENANT)
    run_results.storage.put(run_results.layout.given_keys(given.id, 0), b"[]\n[]\n")
    with pytest.raises(RuntimeError, match="try again"):
        given.store(run_results)


MANIFEST: dict[str, Any] = {"partition_key": [{"name": "tenant", "type": "S"}], "format": "jsonl", "parts": []}


def of_run(body: bytes, **more: Any) -> GivenKeys:
    return keys_of_run({**MANIFEST, **more}, [body], TENANT, "only_run")


def test_the_lines_of_a_run_give_its_keys_once_whatever_else_they_have() -> None:
    level = {"delimiter": "#", "depth": 1, "type": "S"}
    groups = b'{"tenant": "a", "prefix": "x#"}\n{"tenant": "a", "prefix": "y#"}\n{"tenant": "b", "prefix": "x#"}\n'
    assert of_run(groups, level=level).only == keys_of_file(b"a\nb\n", TENANT).only
    items = [json.dumps({"tenant": "a", "item": {"n": n}, "read": "now"}).encode() + b"\n" for n in range(3)]
    assert of_run(b"".join(items), take={"items": "all"}).only == keys_of_file(b"a\n", TENANT).only


def test_a_run_of_other_keys_and_one_that_is_too_large_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with refused(InputError, "only_run", rule='"customer" .S.'):
        of_run(b"", partition_key=[{"name": "customer", "type": "S"}])
    with refused(InputError, "only_run", rule='"tenant" .N.'):
        of_run(b"", partition_key=[{"name": "tenant", "type": "N"}])
    with refused(InputError, "only_run", rule="more than 1,073,741,824 bytes"):
        of_run(b"", parts=[{"bytes": 1 << 30}, {"bytes": 1}])
