"""An act that only writes makes one read with both clients before its first write, and counts it."""

from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest

from skipscan.act.task_source import Reads, Task
from skipscan.act.write_requests import Writer
from skipscan.dynamodb.table_description import KeyAttribute
from tests.fakes.actions import decided
from tests.unit.aws.lean.conftest import Clients
from tests.unit.aws.lean.test_trial import makers
from tests.unit.aws.lean.wire import Wire

ACTIONS: dict[str, dict[str, Any]] = {
    "PutItem": {"put_item": {"item": {"sk": "#static"}}},
    "DeleteItem": {"delete_item": {"key": {"sk": "#static"}}},
}


@pytest.mark.parametrize("operation", ACTIONS)
def test_an_act_that_only_writes_makes_one_read_with_both_clients(make: Clients, server: Wire, operation: str) -> None:
    results = _act(make.lean(server.url), operation)
    operations = [asked.operation for asked in server.asked]
    assert operations == ["GetItem"] * 2 + [operation] * len(results)
    assert makers(server) == ["lean", "boto3"] + ["lean"] * len(results)
    assert b'"Key": {"pk": {"S": ' in server.asked[0].body
    assert b'"sk": {"S": "#static"}}' in server.asked[0].body
    assert sorted(results) == [(0.0, 1)] * 7 + [(2.0, 2)]
    assert make.notices == []


def _act(client: Any, operation: str) -> list[tuple[float, int]]:
    """Return the read units and requests of eight tasks of an act on as many threads."""
    work: Any = SimpleNamespace(
        plan=SimpleNamespace(
            action=decided(ACTIONS[operation]),
            table="T",
            partition_key=(KeyAttribute("pk", "S"),),
            sort_key=(KeyAttribute("sk", "S"),),
            line_format="jsonl",
            mark="home/act/now",
        )
    )
    writer = Writer(client, work)

    def call(task: Task) -> tuple[float, int]:
        reads = Reads()
        requests = writer.call([task], reads).requests + reads.requests
        return reads.read_units, requests

    with ThreadPoolExecutor(8) as pool:
        tasks = [Task(0, (f'{{"pk": "{number}"}}\n'.encode(),), 0, 0, "a-0") for number in range(8)]
        return list(pool.map(call, tasks))
