"""An act reads the keys of parts in csv, whose records may hold line ends, and hands them on as JSON lines."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from skipscan.act.parts import LineReader, Records, cut
from skipscan.act.task_source import Task, TaskResult
from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind
from skipscan.lines.csv import CSV
from skipscan.scan.take import KEYS
from tests.unit.act.line_reader.test_line_reader import read
from tests.unit.act.worker import Worker, plan, put

KEY = (KeyAttribute("pk", "S"),)
SOURCE = Source("", None, SourceKind.TABLE, KEY, (), ())
ODD = st.text(st.sampled_from('ab,"\r\n =é'), min_size=1, max_size=8)


def part(keys: list[str]) -> bytes:
    return CSV.header(SOURCE, KEYS) + b"".join(CSV.encoder(SOURCE)({"S": key}) for key in keys)


def manifest(body: bytes, form: str) -> dict[str, object]:
    return {"format": form, "parts": [{"name": "0", "bytes": len(body), "sha256": ""}]}


@given(st.lists(ODD), st.integers(1, 20), st.integers(0, 10))
def test_a_reader_takes_each_record_once_and_continues_behind_any(keys: list[str], chunk: int, stop: int) -> None:
    body, records, decode = part(keys), Records.of(KEY, "csv"), CSV.decoder
    assert decode is not None
    (whole,) = cut(manifest(body, "csv"))
    lines = read(LineReader(whole, None, chunk, records), body)
    assert [decode(KEY)(line)["pk"]["S"] for line in lines] == keys
    behind = len(part(keys[:stop]))
    assert read(LineReader(whole, behind, chunk, records), body) == lines[stop:]


def test_tasks_have_the_keys_as_json_lines() -> None:
    keys = ["plain", 'a,"b"', "line\nend\r\n", "=1+1", " space "]
    found: list[str] = []

    def does(task: Task) -> TaskResult:
        found.extend(json.loads(line)["pk"] for line in task.lines)
        return put(task)

    bodies = [part(keys), part([]), part(["last"])]
    worker = Worker(bodies, replace(plan(bodies), format="csv"), does)
    worker.run()
    assert sorted(found) == sorted([*keys, "last"])
