"""The canary in every key, for the calls of acts, Plan states and keepers: no fault reveals a key."""

import io
import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from skipscan.act.kind import ACT
from skipscan.act.plan import digest_of
from skipscan.aws.bucket import Bucket
from skipscan.aws.follower import described
from skipscan.dynamodb.table_description import TableDescription
from skipscan.listing import sample_requests
from skipscan.loop import turn as turns
from skipscan.loop.run_batch import run_batch
from skipscan.loop.storage import checksum
from skipscan.loop.work import stamped
from tests.fakes.denied import Denied
from tests.fakes.handlers.execution import CONTEXT
from tests.fakes.s3 import FakeS3
from tests.house.suite.examples import ALL
from tests.simulation.histories.acts import ACTIONS, plan
from tests.simulation.histories.tables import OLD
from tests.simulation.inputs.clock import Clock
from tests.simulation.inputs.test_jobs_keep_key_values_private import NAMED, module, said_by
from tests.simulation.inputs.test_key_values_stay_private import CANARY, FAULTS
from tests.simulation.world.functions import BUCKET

pytestmark = pytest.mark.slow

TRIED = FAULTS if ALL else ("validation", "parameters", "parser", "http client", "key error", "chained")
CONSUMED = {"ConsumedCapacity": {"CapacityUnits": 1.0}}
ITEM = {name: {"S": f"{CANARY}-{name}"} for name in ("pk", "sk", "a", "b")}
ARN = f"arn:aws:dynamodb:us-east-1:000000000000:table/{OLD}"
QUEUE = "arn:aws:sqs:us-east-1:000000000000:keys"
FUNCTION = "arn:aws:lambda:us-east-1:000000000000:function:receiver"
STREAM = f"{ARN}/stream/1"
DESCRIPTION = {
    "TableName": OLD,
    "TableArn": ARN,
    "TableId": "table-1",
    "TableStatus": "ACTIVE",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
    "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"},
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
    "LatestStreamArn": STREAM,
}
"""Of a table with a stream."""


class Faulty:
    """DynamoDB, SQS, Lambda, KMS and the Price List, of which one operation fails for good, or from a call on."""

    meta = SimpleNamespace(endpoint_url="http://127.0.0.1:8000", region_name="us-east-1")
    exceptions = SimpleNamespace(ConditionalCheckFailedException=type("Failed", (Exception,), {}))

    def __init__(self, operation: str, make: Callable[[], Exception], after: int = 0, **answers: Any) -> None:
        self._operation, self._make, self._after, self._answers = operation, make, after, answers
        self.failed = 0

    def __getattr__(self, operation: str) -> Callable[..., Any]:
        if operation.startswith("__") or operation == "unread":  # of the lean client alone
            raise AttributeError(operation)

        def call(**asked: Any) -> Any:
            if operation == self._operation:
                self._after -= 1
                if self._after < 0:
                    self.failed += 1
                    raise self._make()
            if operation in self._answers:
                return self._answers[operation]
            recovery = {"PointInTimeRecoveryStatus": "ENABLED"}
            return {
                "scan": {"Items": [ITEM], **CONSUMED},
                "query": {"Items": [], **CONSUMED},
                "get_item": CONSUMED,
                "get_queue_url": {"QueueUrl": "https://queue"},
                "send_message_batch": {"Successful": [{"Id": one["Id"]} for one in asked.get("Entries", ())]},
                "invoke": {"Payload": io.BytesIO(b"null")},
                "describe_table": {"Table": {**DESCRIPTION, "TableName": asked.get("TableName")}},
                "describe_continuous_backups": {
                    "ContinuousBackupsDescription": {"PointInTimeRecoveryDescription": recovery}
                },
                "get_products": {"PriceList": []},
            }.get(operation, CONSUMED)

        return call


class Listener:
    """All that a handler says: its log, what it returns and raises, stdout and stderr."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
    ) -> None:
        self._monkeypatch, self._capfd, self._caplog = monkeypatch, capfd, caplog
        self._logs = io.StringIO()
        self.heard: list[str] = []
        self.s3 = FakeS3(BUCKET)
        caplog.set_level(logging.INFO)

    def opened(self, name: str, **variables: str) -> Any:
        """Return a handler's module that writes to this listener's storage and log."""
        for variable, value in variables.items():
            self._monkeypatch.setenv(variable, value)
        opened, patched = module(name, **variables), self._monkeypatch.setattr
        logger = opened.function.logger if hasattr(opened, "function") else opened.follower.logger
        for handler in logger.handlers:
            patched(handler, "stream", self._logs)
        if hasattr(opened, "function"):
            clock = Clock()
            client: Any = self.s3
            function, storage = opened.function, Bucket(client, BUCKET)
            dependencies = replace(function.dependencies, clock=clock.monotonic, emit=lambda *_, **__: None)
            settings = replace(function.settings, writing={ARN: [QUEUE, FUNCTION]})
            patched(
                opened, "function", replace(function, storage=storage, dependencies=dependencies, settings=settings)
            )
            patched(turns, "run_batch", lambda *given, **more: run_batch(*given, **{**more, "sleep": clock.sleep}))
        return opened

    def check(self) -> None:
        out, err = self._capfd.readouterr()
        for text in (out, err, self._logs.getvalue(), self._caplog.text, *self.heard):
            assert CANARY not in text
        for name in self.s3.objects:
            assert CANARY not in name


@pytest.fixture
def call_listener(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> Iterator[Listener]:
    clock = Clock()
    monkeypatch.setattr(sample_requests, "time", clock)
    yield Listener(monkeypatch, capfd, caplog)
    described.cache_clear()


def run_of_canaries(listener: Listener) -> bytes:
    """Put a finished run whose keys are canaries; return its part."""
    part = b"".join(json.dumps({"pk": f"{CANARY}{number}"}).encode() + b"\n" for number in range(3))
    parts = [{"name": "run-1/keys/part", "keys": 3, "bytes": len(part), "sha256": checksum(part)}]
    manifest = stamped(
        {
            "identity": {"arn": ARN, "table_id": "table-1"},
            "partition_key": [{"name": "pk", "type": "S"}],
            "index": None,
            "format": "jsonl",
            "keys": 3,
            "parts": parts,
        }
    )
    listener.s3.put_object(Bucket=BUCKET, Key="run-1/keys/part", Body=part)
    body = json.dumps(manifest).encode()
    listener.s3.put_object(Bucket=BUCKET, Key=f"skipscan/{OLD}/runs/run-1/manifest.json", Body=body)
    return part


SENT = {
    "invoke": {"invoke": {"function": FUNCTION, "keys_per_call": 1}},
    "send": {"send": {"queue": QUEUE, "keys_per_message": 1}},
}
CALLS_OF_ACTS = [
    *((action, "describe_table") for action in ("put", "delete")),
    ("put", "put_item"),
    ("put if it lives", "query"),
    ("overwrite", "put_item"),
    ("delete", "delete_item"),
    ("delete if", "delete_item"),
    ("undo", "get_item"),
    ("undo", "delete_item"),
    ("invoke", "invoke"),
    ("send", "get_queue_url"),
    ("send", "send_message_batch"),
]


@pytest.mark.parametrize(("action", "operation"), CALLS_OF_ACTS)
@pytest.mark.parametrize("fault", TRIED)
def test_no_fault_of_an_act_reveals_a_key(call_listener: Listener, action: str, operation: str, fault: str) -> None:
    act, part = call_listener.opened("act"), run_of_canaries(call_listener)
    put = {**{name: {"S": f"{CANARY}0"} for name in ("pk", "GSI-pk")}, "sk": {"S": "#static"}}
    put["skipscan_job"] = {"S": "home/job-0/before"}
    faulty = Faulty(operation, FAULTS[fault], get_item={"Item": put, **CONSUMED})
    act.dynamodb = act.sqs = act.lambda_ = faulty
    decided = plan({**ACTIONS, **SENT}[action], part, SimpleNamespace(choice=max), skips_ended=operation == "query")
    manifest = call_listener.s3.get_object(Bucket=BUCKET, Key=f"skipscan/{OLD}/runs/run-1/manifest.json")["Body"].read()
    decided = replace(decided, table=OLD, identity=replace(decided.identity, arn=ARN, table_id="table-1"), workers=1)
    decided = replace(decided, manifest_sha256=digest_of(json.loads(manifest)))
    work: Any = ACT.begun(NAMED, replace(decided, slices=1, keys=3))
    event: dict[str, Any] = {"work": work.to_json(), "worker": 0}
    for _ in range(4):
        reached = said_by(act.handler, event, call_listener.heard)
        if reached is None or reached["done"]:
            break
        event["progress"] = reached
    assert faulty.failed, "the call was never made"
    call_listener.check()


PLANS = {
    "plan": {"table": OLD, "dry_run": True},
    "plan_act": {"table": OLD, "run": "run-1", **{"put_item": {"item": {"sk": "#static", "GSI-pk": "{pk}"}}}},
    "plan_retrofit": {"table": OLD, "set": {"made": "{a}_{b}"}},
    "plan_copy": {"table": OLD, "to": "New"},
}
CALLS_OF_PLANS = [
    *((name, "describe_table") for name in PLANS),
    *((name, "describe_continuous_backups") for name in ("plan_act", "plan_retrofit", "plan_copy")),
    *((name, "scan") for name in ("plan", "plan_retrofit", "plan_copy")),
    *((name, "get_products") for name in PLANS),
    ("plan_copy", "get_event_source_mapping"),
]


@pytest.mark.parametrize(("name", "operation"), CALLS_OF_PLANS)
@pytest.mark.parametrize("fault", TRIED)
def test_no_fault_of_a_plan_reveals_a_key(call_listener: Listener, name: str, operation: str, fault: str) -> None:
    opened = call_listener.opened(
        name,
        SKIPSCAN_RETROFIT=json.dumps([ARN]),
        SKIPSCAN_REPLICAS=json.dumps([{"source": OLD, "target": "New", "stream": STREAM, "queue": "https://queue"}]),
        SKIPSCAN_MAPPINGS=json.dumps([["mapping-1"]]),
    )
    run_of_canaries(call_listener)
    faulty = Faulty(operation, FAULTS[fault], get_event_source_mapping={"State": "Enabled"})
    opened.dynamodb = opened.pricing = opened.keys = faulty
    opened.lambda_ = faulty if name == "plan_copy" else Denied()
    opened.stepfunctions = Denied()
    event = {"input": PLANS[name], "name": "job-1", "execution": "arn:job-1", "started": "2026-01-01T00:00:00Z"}
    said_by(opened.handler, event, call_listener.heard)
    assert faulty.failed, "the call was never made"
    call_listener.check()


MARKED = {"sk": "#static", "GSI-pk": "{pk}"}
CALLS_OF_KEEPERS = [
    *(("keeper", operation) for operation in ("describe_table", "query", "get_item", "put_item", "delete_item")),
    *(("keep_attribute", operation) for operation in ("describe_table", "get_item", "update_item")),
]


@pytest.mark.parametrize(("name", "operation"), CALLS_OF_KEEPERS)
@pytest.mark.parametrize("fault", TRIED)
def test_no_fault_of_a_keeper_reveals_a_key(call_listener: Listener, name: str, operation: str, fault: str) -> None:
    opened = call_listener.opened(
        name,
        SKIPSCAN_TABLE=OLD,
        SKIPSCAN_STREAM=STREAM,
        SKIPSCAN_MARKER=json.dumps(MARKED),
        SKIPSCAN_KEPT=json.dumps({"set": {"made": "{a}_{b}"}}),
    )
    pk = f"{CANARY}-pk"
    marker = {"pk": {"S": pk}, "sk": {"S": "#static"}, "GSI-pk": {"S": pk}}
    home = (
        opened.mark.home("unnamed", CONTEXT.invoked_function_arn, TableDescription.from_json(DESCRIPTION))
        if name == "keeper"
        else ""
    )
    marked = {**marker, "skipscan_job": {"S": f"{home}/keeper"}}
    found = {"put_item": [ITEM], "delete_item": [marked]}.get(operation, [])
    answers: dict[str, Any] = {"query": {"Items": found, **CONSUMED}, "get_item": {"Item": ITEM, **CONSUMED}}
    if operation == "delete_item":
        answers["get_item"] = {"Item": marked, **CONSUMED}
    faulty = Faulty(operation, FAULTS[fault], **answers)
    opened.dynamodb = faulty
    change = {"Keys": {"pk": {"S": pk}, "sk": {"S": f"{CANARY}-sk"}}, "SequenceNumber": "1"}
    event = {"Records": [{"eventName": "REMOVE" if operation != "get_item" else "INSERT", "dynamodb": change}]}
    said_by(opened.handler, event, call_listener.heard)
    assert faulty.failed, "the call was never made"
    call_listener.check()
