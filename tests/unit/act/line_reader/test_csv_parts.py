"""An act reads the keys of parts in csv, whose records may hold line ends, and hands them on as JSON lines."""

from __future__ import annotations

import json
from dataclasses import replace

from skipscan.act.task_source import Task, TaskResult
from skipscan.dynamodb.source import Source
from skipscan.dynamodb.table_description import KeyAttribute, SourceKind
from skipscan.lines.csv import CSV
from skipscan.scan.take import KEYS
from tests.unit.act.worker import Worker, plan, put

KEY = (KeyAttribute("pk", "S"),)
SOURCE = Source("", None, SourceKind.TABLE, KEY, (), ())


def part(keys: list[str]) -> bytes:
    return CSV.header(SOURCE, KEYS) + b"".join(CSV.encoder(SOURCE)({"S": key}) for key in keys)


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
