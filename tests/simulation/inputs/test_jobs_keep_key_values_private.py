"""The canary in every key and value, for the jobs that write: no fault of any call reveals one."""

from __future__ import annotations

import io
import json
import logging
import traceback
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from botocore.exceptions import ClientError

from skipscan.aws.bucket import Bucket
from skipscan.copy.kind import COPY
from skipscan.copy.replica import late_look_messages
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.loop import turn as turns
from skipscan.loop.run_batch import run_batch
from skipscan.loop.work import ExecutionId
from skipscan.retrofit.count_requests import IndexCount, account_of
from skipscan.retrofit.kind import RETROFIT
from skipscan.retrofit.plan import RetrofitPlan
from tests.fakes.handlers.execution import CONTEXT, through_json
from tests.fakes.pair import copy_plan
from tests.fakes.s3 import FakeS3
from tests.fakes.small_table import DESCRIPTION, retrofit_plan
from tests.simulation.inputs.clock import Clock
from tests.simulation.inputs.test_key_values_stay_private import CANARY, FAULTS
from tests.simulation.world.functions import BUCKET, VARIABLES, loaded

pytestmark = pytest.mark.slow

ITEM = {name: {"S": f"{CANARY}-{name}"} for name in ("id", "a", "b")}
KEY = {"id": ITEM["id"]}
CONSUMED = {"ConsumedCapacity": {"CapacityUnits": 1.0}}
NAMED = ExecutionId("job-1", "arn:job-1", "2026-01-01T00:00:00+00:00")


class ConditionalCheckFailedException(ClientError):  # noqa: N818 (as boto3 names it)
    """That the item is another."""


class Faulty:
    """DynamoDB and SQS with one item, of which one operation fails for good. `asked`: the operations, in order."""

    meta = SimpleNamespace(endpoint_url="http://127.0.0.1:8000", region_name="us-east-1")
    exceptions = SimpleNamespace(ConditionalCheckFailedException=ConditionalCheckFailedException)

    def __init__(self, operation: str, make: Callable[[], Exception]) -> None:
        self._operation, self._make = operation, make
        self.asked: list[str] = []

    def __getattr__(self, operation: str) -> Callable[..., Any]:
        if operation == "unread":  # of the lean client alone
            raise AttributeError(operation)

        def call(**asked: Any) -> Any:
            self.asked.append(operation)
            if operation == self._operation:
                raise self._make()
            if operation == "put_item" and "ConditionExpression" in asked and self._operation == "send_message_batch":
                refusal: Any = {"Error": {"Code": "ConditionalCheckFailedException", "Message": CANARY}}
                raise ConditionalCheckFailedException(refusal, "PutItem")
            if operation == "update_item" and self._operation == "get_item":
                refusal = {"Error": {"Code": "ConditionalCheckFailedException", "Message": CANARY}}
                raise ConditionalCheckFailedException(refusal, "UpdateItem")
            return {
                "scan": {"Items": [ITEM] if asked.get("Segment", 0) == 0 else [], **CONSUMED},
                "get_item": CONSUMED if asked.get("TableName") == "Audit-2" else {"Item": ITEM, **CONSUMED},
                "send_message_batch": {"Successful": [{"Id": one["Id"]} for one in asked.get("Entries", ())]},
                "describe_table": {"Table": DESCRIPTIONS.get(asked.get("TableName", ""), DESCRIPTION)},
            }.get(operation, CONSUMED)

        return call


DESCRIPTIONS = {"arn:target": {**DESCRIPTION, "TableArn": "arn:target", "TableId": "id"}}
"""Of the tables that the plans are over, and of no others."""


def joined(segments: int, workers: int, *, verify: bool) -> RetrofitPlan:
    """Return the plan of a retrofit whose separator no value holds."""
    return replace(retrofit_plan(segments, workers, verify=verify), templates={"made": "{a}_{b}"})


KINDS: dict[str, Any] = {"copy": ("copy_page", COPY, copy_plan), "retrofit": ("retrofit", RETROFIT, joined)}
CALLS = [
    *(("copy", operation) for operation in ("scan", "put_item", "get_item", "send_message_batch")),
    *(("retrofit", operation) for operation in ("scan", "update_item", "get_item")),
]


@cache
def module(name: str, **variables: str) -> Any:
    with patch.dict("os.environ", {**VARIABLES, "POWERTOOLS_LOG_LEVEL": "INFO", **variables}):
        return loaded(name)


def said_by(handler: Callable[..., Any], event: Any, heard: list[str]) -> Any:
    try:
        answer = through_json(handler(event, CONTEXT))
    except Exception as error:
        heard += [*traceback.format_exception(error), str(error), repr(error)]
        return None
    heard.append(json.dumps({name: value for name, value in answer.items() if name != "cursors"}))
    return answer


@pytest.mark.sampled(3)
@pytest.mark.parametrize("called", CALLS, ids="-".join)
@pytest.mark.parametrize("fault", FAULTS)
def test_no_fault_of_a_job_reveals_a_key(
    called: tuple[str, str],
    fault: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    kind, operation = called
    name, of, plan = KINDS[kind]
    worker, clock, s3, logs = module(name), Clock(), FakeS3(BUCKET, page_size=2), io.StringIO()
    client: Any = s3
    faulty = Faulty(operation, FAULTS[fault])
    dependencies = replace(worker.function.dependencies, clock=clock.monotonic, emit=lambda *_, **__: None)
    monkeypatch.setattr(
        worker, "function", replace(worker.function, storage=Bucket(client, BUCKET), dependencies=dependencies)
    )
    monkeypatch.setattr(worker, "dynamodb", faulty)
    monkeypatch.setattr(worker, "sqs", faulty, raising=False)
    monkeypatch.setattr(
        turns, "run_batch", lambda *arguments, **more: run_batch(*arguments, **{**more, "sleep": clock.sleep})
    )
    for handler in worker.function.logger.handlers:
        monkeypatch.setattr(handler, "stream", logs)
    heard: list[str] = []
    work: Any = of.begun(NAMED, plan(2, 1, verify=True))
    event: dict[str, Any] = {"work": work.to_json(), "worker": 0}
    for _ in range(6):
        reached = said_by(worker.handler, through_json(event), heard)
        if reached is None or reached["done"]:
            break
        event["progress"] = reached
    assert operation in faulty.asked, "the call was never made"
    out, err = capfd.readouterr()
    for text in (out, err, logs.getvalue(), caplog.text, *heard):
        assert CANARY not in text
    for stored, found in s3.objects.items():
        assert CANARY not in stored
        assert "/failed/" in stored or "/checkpoints/" in stored or CANARY.encode() not in found.body


@pytest.mark.parametrize("operation", ["describe_table", "get_item", "put_item", "send_message_batch"])
@pytest.mark.parametrize("fault", FAULTS)
def test_no_fault_of_the_replicator_reveals_a_key(
    operation: str, fault: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    replicator, logs, heard = module("replicator"), io.StringIO(), list[str]()
    faulty = Faulty(operation, FAULTS[fault])
    monkeypatch.setattr(replicator, "dynamodb", faulty)
    monkeypatch.setattr(replicator, "sqs", faulty)
    replica = {**copy_plan().replica.to_json(), "source": "Audit", "target": "Audit-2"}
    monkeypatch.setenv("SKIPSCAN_REPLICA", json.dumps(replica))
    for handler in replicator.follower.logger.handlers:
        monkeypatch.setattr(handler, "stream", logs)
    change = {"Keys": KEY, "SequenceNumber": "1"}
    streamed = {"Records": [{"eventSource": "aws:dynamodb", "dynamodb": change}]}
    messages = late_look_messages([KEY], replica["stream"])
    late = {"Records": [{"messageId": f"m{n}", "body": body} for n, body in enumerate(messages)]}
    for event in (streamed, late):
        said_by(replicator.handler, event, heard)
    assert operation in faulty.asked
    out, err = capfd.readouterr()
    for text in (out, err, logs.getvalue(), *heard):
        assert CANARY not in text


@pytest.mark.parametrize("fault", FAULTS)
def test_no_fault_of_the_count_of_an_index_reveals_a_key_or_counts_as_a_count(fault: str) -> None:
    faulty: Any = Faulty("scan", FAULTS[fault])
    clock = Clock()
    counting = IndexCount(
        faulty, "Audit", "by-made", US_EAST_1, account_of(None), clock=clock.monotonic, sleep=clock.sleep
    )
    counted = counting.take()
    assert counted["entries"] is None
    assert counted["stopped_by"]
    assert CANARY not in json.dumps(counted)


def test_the_count_of_an_index_does_not_follow_pages_that_go_in_a_circle() -> None:
    page = {"Count": 1, "LastEvaluatedKey": KEY, **CONSUMED}
    client: Any = SimpleNamespace(scan=lambda **_: page)
    counted = IndexCount(client, "Audit", "by-made", US_EAST_1, account_of(None)).take()
    assert (counted["entries"], counted["stopped_by"]) == (None, "TableError")
