"""Names and keys made to break things: every key is one line that parses to it, below the run's own prefix."""

import base64
import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.errors import InputError
from skipscan.listing.kind import LISTING
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.handlers.execution import Machine
from tests.fakes.s3 import FakeS3
from tests.house.suite.examples import examples
from tests.simulation.inputs.bent import ANY_TEXT, EXTREME, many
from tests.simulation.inputs.test_key_values_stay_private import listed
from tests.simulation.world.clock import Clock

pytestmark = pytest.mark.slow

STRINGS = [
    *(each for each in EXTREME if isinstance(each, str) and re.fullmatch("[^\ud800-\udfff]{1,99}", each, re.DOTALL)),
    *('\\"', "\\n", "\r", "\t", "\x7f", "\u2029", "{", '{"a": 1}', '"}\n{"a": "', ",", "<script>", "\ufffe", "e\u0301"),
    *("k" * 2048, "\u20ac" * 682, "\U0001f511" * 512, '"' * 2048, "\n" * 2048, "\0" * 2048, "\\" * 2048),
]
SORT_KEYS = ["s" * 1024, "\0" * 1024, '"\n', "\u2028", "\U0010ffff" * 256]
NAMES = [
    "pk",
    "a.b",
    "#k0",
    ":v",
    '"',
    "'\"`",
    "\\",
    "\n",
    "a\u2028b",
    "\u00fc" * 127,
    "n" * 255,
    "B",
    "Items",
    "size",
    "{}",
]
BINARIES = [b"\n", b"\0" * 2048, b"\xff" * 2048, b'"', b"../"]
NUMBERS = [
    "0",
    "-0.5",
    "9.9999999999999999999999999999999999999E+125",
    "1E-130",
    "12345678901234567890123456789012345678",
]


def table(name: str, kind: Any, values: list[Any]) -> FakeDynamoDB:
    """A table with two items a key, the first as large as an item can be."""
    items: list[dict[str, Any]] = []
    for n, value in enumerate(values):
        first = {name: {kind: value}, "sort of": {"S": SORT_KEYS[n % len(SORT_KEYS)]}}
        if n == 0:
            first["large"] = {"S": "x" * ((400 << 10) - 4096)}
        items += [first, {name: {kind: value}, "sort of": {"S": "t"}}]
    return FakeDynamoDB(TableDefinition("Orders", KeySchema.of((name, kind), ("sort of", "S"))), items)


def read(line: str, name: str, kind: str, form: str) -> Any:
    document = json.loads(line, parse_float=str, parse_int=str)
    assert list(document) == [name]
    value = document[name]
    if form == "dynamodb-jsonl":
        assert list(value) == [kind]
        value = value[kind]
    return base64.b64decode(value) if kind == "B" else value


CASES: list[tuple[str, str, list[Any]]] = [
    *((name, "S", STRINGS) for name in NAMES),
    ("pk", "B", BINARIES),
    ("B", "B", BINARIES),
    ("pk", "N", NUMBERS),
]


@pytest.mark.parametrize("form", ["jsonl", "dynamodb-jsonl"])
def test_every_hostile_key_is_one_line_of_a_part_below_its_prefix(
    counted_listing: Machine, fake_bucket: FakeS3, form: str
) -> None:
    for name, kind, values in CASES:
        fake_bucket.objects.clear()
        counted_listing.plan.dynamodb = counted_listing.worker.dynamodb = table(name, kind, values)
        output = counted_listing.run({"table": "Orders", "segments": 4, "workers": 2, "format": form})
        assert output["keys"] == len(values)
        lines = [
            line
            for part in counted_listing.objects("/keys/")
            for line in counted_listing.read(part).decode().split("\n")[:-1]
        ]
        assert all(line.splitlines() == [line] for line in lines)
        # A number may be written in other digits that mean the same.
        found = [read(line, name, kind, form) for line in lines]
        if kind == "N":
            assert sorted(map(float, found)) == sorted(map(float, values))
        else:
            assert sorted(found) == sorted(values)
        [entry] = [each for each in fake_bucket.objects if not each.startswith("skipscan/Orders/runs/run-1/")]
        assert re.fullmatch("skipscan/Orders/finished/[0-9a-f]{16}/[0-9]{13}-run-1", entry)
        assert all(set(each) <= PLAIN for each in fake_bucket.objects)


PLAIN = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=")


@pytest.mark.parametrize("form", ["text", "jsonl", "dynamodb-jsonl"])
def test_every_hostile_key_is_one_line_of_stdout(monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    for name, kind, values in CASES:
        status, written, _ = listed(monkeypatch, table(name, kind, values), form, Clock())
        assert status == 0
        lines = written.split("\n")[:-1]
        assert len(lines) == len(values)
        assert all(line.splitlines() == [line] or line == "" for line in lines)
        assert not any(set(line) & {"\0", "\x1b", "\x7f", "\x85", "\r"} for line in lines)
        if form != "text" and kind != "N":
            assert sorted(read(line, name, kind, form) for line in lines) == sorted(values)
        elif form == "text" and kind == "B":
            assert sorted(map(base64.b64decode, lines)) == sorted(values)


def test_no_name_leads_out_of_its_prefix() -> None:
    tried = []

    @many(1_500)
    @given(ANY_TEXT | st.sampled_from([each for each in EXTREME if isinstance(each, str)] + STRINGS), st.booleans())
    def each(name: str, is_run: bool) -> None:
        tried.append(name)
        try:
            layout = LISTING.layout("skipscan", *(("Orders", name) if is_run else (name, "run-1")))
        except InputError:
            return
        steps = layout.part(0, 0).split("/")
        assert len(steps) == 7
        assert not {"", ".", ".."} & set(steps)
        assert layout.part(0, 0).isprintable() or is_run
        assert len(layout.checkpoint(999, 99999, "a" * 32).encode()) <= 1024

    each()
    assert len(tried) >= examples(1_500)
