"""Comparisons of runs on S3: exact for any keys, and the same after any interruption."""

import hashlib
import heapq
import json
import tracemalloc
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from pathlib import Path
from tempfile import gettempdir
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skipscan.aws.bucket import Bucket
from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind, TableIdentity
from skipscan.lines.formats import STORED, decoder, encoder, format_of
from skipscan.listing.compare import comparison
from skipscan.listing.compare import difference as module
from skipscan.listing.compare.difference import KeyChange, difference
from skipscan.listing.compare.finished_runs import FinishedRuns, to_compare
from skipscan.listing.fields import PREVIOUS
from skipscan.listing.kind import LISTING
from skipscan.listing.scope import Scope
from skipscan.loop.layout import Layout
from skipscan.loop.results import Results
from skipscan.loop.work import FORM
from skipscan.scan.take import KEYS
from tests.fakes.s3 import FakeS3

BUCKET = "results"
ORDERS = TableIdentity("arn:aws:dynamodb:us-east-1:111111111111:table/Orders", "id")
EXECUTION = "arn:aws:states:us-east-1:111111111111:execution:skipscan-dev:run"
NUMBERS = st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=-1000, max_value=1000)
VALUES: dict[str, st.SearchStrategy[AttributeValue]] = {
    "S": st.text(st.characters(exclude_categories=()), min_size=1, max_size=4).map(lambda text: {"S": text}),
    "N": NUMBERS.map(lambda number: {"N": str(number.normalize())}),
    "B": st.binary(min_size=1, max_size=3).map(lambda content: {"B": content}),
}


def frozen(value: AttributeValue) -> bytes:
    return repr(value).encode()


def in_hash_order(keys: Sequence[AttributeValue]) -> list[AttributeValue]:
    return sorted(keys, key=lambda key: hashlib.md5(frozen(key), usedforsecurity=False).digest())


def store(s3: Any, run: str, kind: str, keys: Sequence[AttributeValue], form: str) -> Results:
    """Put a finished run into the bucket; a manifest says of it what a comparison reads."""
    attribute = KeyAttribute("pk", kind)
    source = Source("Orders", None, SourceKind.TABLE, (attribute,), (), ())
    encode, first = encoder(source, form), format_of(form).header(source, KEYS)
    layout = LISTING.layout("skipscan", "Orders", run)
    ordered, stated = in_hash_order(keys), []
    for number in range(2):
        body = first + b"".join(map(encode, ordered[number::2]))
        s3.put_object(Bucket=BUCKET, Key=layout.part(number, 0), Body=body)
        digest = hashlib.sha256(body).hexdigest()
        stated.append({"name": layout.part(number, 0), "bytes": len(body), "sha256": digest})
    manifest = {
        "form": FORM,
        "table": "Orders",
        "identity": vars(ORDERS),
        "index": None,
        "run": run,
        "execution": EXECUTION,
        "started": "2026-01-01T00:00:00Z",
        "partition_key": [{"name": "pk", "type": kind}],
        "format": form,
        "keys": len(keys),
        "parts": stated,
    }
    s3.put_object(Bucket=BUCKET, Key=layout.manifest, Body=json.dumps(manifest).encode())
    return comparisons_of(s3, layout)


def comparisons_of(client: Any, layout: Layout) -> Results:
    return Results(Bucket(client, BUCKET), layout)


def compare(results: Results, piece_bytes: int = 40) -> Any:
    with patch.object(comparison, "PART_BYTES", piece_bytes):
        return comparison.compare_runs(results, "old", Path(gettempdir()))


@given(st.data(), st.sampled_from(sorted(VALUES)), st.sampled_from(list(STORED)), st.sampled_from(list(STORED)))
def test_any_two_sets_of_keys(data: st.DataObject, kind: str, old_form: str, new_form: str) -> None:
    pool = data.draw(st.lists(VALUES[kind], max_size=12, unique_by=frozen))
    old = [key for key in pool if data.draw(st.booleans())]
    new = [key for key in pool if data.draw(st.booleans())]
    s3: Any = FakeS3(BUCKET)
    store(s3, "old", kind, old, old_form)
    document = compare(store(s3, "new", kind, new, new_form))

    def found(change: str) -> set[bytes]:
        decode = decoder([KeyAttribute("pk", kind)], document["format"])
        stated = document["parts"][change]
        lines = [line for part in stated for line in s3.objects[part["name"]].body.splitlines(keepends=True)]
        assert len(lines) == sum(part["keys"] for part in stated) == document[f"{change}_keys"]
        assert all(part["bytes"] == len(s3.objects[part["name"]].body) for part in stated)
        return {frozen(decode(line)["pk"]) for line in lines}

    before, after = ({frozen(key) for key in keys} for keys in (old, new))
    assert (found("new"), found("vanished")) == (after - before, before - after)
    assert document["outcome"] == "compared"
    assert document["format"] == ("jsonl" if new_form == "csv" else new_form)  # no line of which holds a line end
    assert len([name for name in s3.objects if "/diff/" in name]) == sum(map(len, document["parts"].values()))


class Failing:
    """S3 that breaks off at one call: before it takes effect, or when its answer is on the way."""

    def __init__(self, s3: FakeS3, at: int, *, lost: bool) -> None:
        self._s3, self._at, self._lost = s3, at, lost
        self._calls = count()  # parts are read by several threads
        self.exceptions = s3.exceptions
        self.broke = False

    def __getattr__(self, operation: str) -> Any:
        method = getattr(self._s3, operation)

        def call(**asked: Any) -> Any:
            breaks = next(self._calls) == self._at
            self.broke |= breaks
            if breaks and not self._lost:
                raise ConnectionError
            answer = method(**asked)
            if breaks:
                raise ConnectionError
            return answer

        return call


def two_runs() -> tuple[Any, Layout]:
    s3: Any = FakeS3(BUCKET)
    store(s3, "old", "N", [{"N": str(number)} for number in range(40)], "jsonl")
    store(s3, "new", "N", [{"N": str(number)} for number in range(20, 60)], "jsonl")
    return s3, LISTING.layout("skipscan", "Orders", "new")


@pytest.mark.parametrize("lost", [False, True])
def test_a_crash_at_any_call_and_a_repeat_leave_what_one_attempt_leaves(lost: bool) -> None:
    whole, layout = two_runs()
    document = compare(comparisons_of(whole, layout))
    assert len(document["parts"]["new"]) > 3
    crashes = 0
    while True:
        s3, _ = two_runs()
        client: Any = Failing(s3, crashes, lost=lost)
        try:
            compare(comparisons_of(client, layout))
        except ConnectionError:
            assert layout.diff not in s3.objects or lost
        if not client.broke:
            break
        assert compare(comparisons_of(s3, layout)) == document
        assert {name: stored.body for name, stored in s3.objects.items()} == {
            name: stored.body for name, stored in whole.objects.items()
        }
        assert len(set(s3.journal)) == len(s3.journal), "something was written twice"
        crashes += 1
    assert crashes > 10


def test_two_at_once_and_a_latecomer_agree() -> None:
    s3, layout = two_runs()
    first, second = (comparisons_of(s3, layout) for _ in range(2))
    put = comparison._put_piece

    def overtaken(run: Results, piece: Any) -> Any:
        if run is first and second.document(second.layout.diff) is None:
            compare(second)
        return put(run, piece)

    with patch.object(comparison, "_put_piece", overtaken):
        assert compare(first) == second.document(second.layout.diff)
    assert len(set(s3.journal)) == len(s3.journal)


def test_the_previous_run_is_found_among_thousands_by_two_requests() -> None:
    s3: Any = FakeS3(BUCKET)
    keys = (KeyAttribute("pk", "S"),)
    scope = Scope(ORDERS, None, keys)
    others = Scope(ORDERS, "by-status", keys)
    for number in range(3000):
        started = f"2026-01-{1 + number // 1440:02d}T{number // 60 % 24:02d}:{number % 60:02d}:00Z"
        run = Results(Bucket(s3, BUCKET), LISTING.layout("skipscan", "Orders", f"r{number}"))
        FinishedRuns(run, (scope, others)[number % 2].id).add(started)
    store(s3, "r2998", "S", [], "jsonl")
    calls: list[str] = []

    class Counted:
        def __getattr__(self, name: str) -> Any:
            calls.append(name)
            return getattr(s3, name)

    counted: Any = Counted()
    now = Results(Bucket(counted, BUCKET), LISTING.layout("skipscan", "Orders", "now"))
    found, _ = to_compare(PREVIOUS, now, scope)
    assert (found, calls) == ("r2998", ["get_paginator", "get_object"])


# The difference of two runs, however small the sorted chunks are.


def test_memory_does_not_grow_with_the_runs(tmp_path: Path) -> None:
    def lines(count: int) -> Iterator[bytes]:
        return (b'{"customer": "customer-%08d"}\n' % (number * 7919 % count) for number in range(count))

    def peak_bytes(count: int) -> int:
        folder = tmp_path / str(count)
        folder.mkdir()
        tracemalloc.start()
        try:
            changes = sum(1 for _ in difference(lines(count), lines(count), folder, chunk_bytes=100_000))
            return tracemalloc.get_traced_memory()[1] + changes
        finally:
            tracemalloc.stop()

    # Four times the keys take four times the files, and each of them a buffer; without chunks it would be megabytes.
    assert peak_bytes(20_000) < 20_000 * 80 / 2


def test_more_chunks_than_may_be_open_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_FILES", 3)
    at_once: list[int] = []

    def merge(*files: Iterable[bytes]) -> Iterator[bytes]:
        at_once.append(len(files))
        return heapq.merge(*files)

    monkeypatch.setattr(module, "heapq", SimpleNamespace(merge=merge))
    lines = [b"%d\n" % (number * 7919 % 1000) for number in range(1000)]
    found = list(difference(lines, lines[:-1], tmp_path, chunk_bytes=1))
    assert found == [(KeyChange.VANISHED, lines[-1])]
    assert max(at_once) == 3
