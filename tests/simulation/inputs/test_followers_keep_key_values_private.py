"""The canary in every key and value, for what follows a stream and the count of an index: no fault reveals one.

For the calls of all states: tests/simulation/states/test_canary.py.
"""

import io
import json
import logging
import traceback
from collections.abc import Callable, Iterator
from functools import cache
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest

from skipscan import form
from skipscan.aws.follower import described
from skipscan.copy.replica import late_look_messages
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.dynamodb.table_description import TableDescription
from skipscan.retrofit.count_requests import IndexCount, account_of
from tests.fakes.handlers.execution import CONTEXT, through_json
from tests.fakes.pair import copy_plan
from tests.fakes.small_table import DESCRIPTION
from tests.house.suite.examples import ALL
from tests.simulation.inputs.clock import Clock
from tests.simulation.inputs.test_key_values_stay_private import CANARY, FAULTS
from tests.simulation.world.functions import ARN, STREAM, TABLE, VARIABLES, loaded

pytestmark = pytest.mark.slow

TRIED = FAULTS if ALL else ("validation", "parameters", "parser", "http client", "key error", "chained")
CONSUMED = {"ConsumedCapacity": {"CapacityUnits": 1.0}}
ITEM = {name: {"S": f"{CANARY}-{name}"} for name in ("id", "pk", "sk", "a", "b")}
KEPT = {
    "TableName": TABLE,
    "TableArn": f"{ARN}{TABLE}",
    "TableId": "table-1",
    "TableStatus": "ACTIVE",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
    "LatestStreamArn": STREAM,
}


class Faulty:
    """DynamoDB and SQS, of which one operation fails for good. `failed`: how often."""

    meta = SimpleNamespace(endpoint_url="http://127.0.0.1:8000", region_name="us-east-1")
    exceptions = SimpleNamespace(ConditionalCheckFailedException=type("Failed", (Exception,), {}))

    def __init__(self, operation: str, make: Callable[[], Exception], **answers: Callable[..., Any]) -> None:
        self._operation, self._make, self._answers = operation, make, answers
        self.failed = 0

    def __getattr__(self, operation: str) -> Callable[..., Any]:
        if operation == "unread":  # of the lean client alone
            raise AttributeError(operation)

        def call(**asked: Any) -> Any:
            if operation == self._operation:
                self.failed += 1
                raise self._make()
            answer = self._answers[operation](**asked) if operation in self._answers else {}
            return {**CONSUMED, **answer}

        return call


@cache
def module(name: str) -> Any:
    with patch.dict("os.environ", {**VARIABLES, "POWERTOOLS_LOG_LEVEL": "INFO"}):
        return loaded(name)


@pytest.fixture
def check(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> Iterator[Callable[..., None]]:
    """What has a function handle events while a call fails, and fails if anything shows a canary."""
    caplog.set_level(logging.INFO)

    def checked(name: str, faulty: Faulty, *events: Any) -> None:
        follower, logs, heard = module(name), io.StringIO(), list[str]()
        for service in ("dynamodb", "sqs"):
            monkeypatch.setattr(follower, service, faulty, raising=False)
        for handler in follower.follower.logger.handlers:
            monkeypatch.setattr(handler, "stream", logs)
        for event in events:
            try:
                heard.append(json.dumps(through_json(follower.handler(event, CONTEXT))))
            except Exception as error:
                heard += [*traceback.format_exception(error), str(error), repr(error)]
        assert faulty.failed, "the call was never made"
        for text in (*capfd.readouterr(), logs.getvalue(), caplog.text, *heard):
            assert CANARY not in text

    yield checked
    described.cache_clear()


CALLS_OF_KEEPERS = [
    *(("keeper", operation) for operation in ("describe_table", "query", "get_item", "put_item", "delete_item")),
    *(("keep_attribute", operation) for operation in ("describe_table", "get_item", "update_item")),
]


@pytest.mark.parametrize(("name", "operation"), CALLS_OF_KEEPERS)
@pytest.mark.parametrize("fault", TRIED)
def test_no_fault_of_a_keeper_reveals_a_key(
    check: Callable[..., None], monkeypatch: pytest.MonkeyPatch, name: str, operation: str, fault: str
) -> None:
    marker = {"pk": ITEM["pk"], "sk": {"S": "#static"}, "GSI-pk": ITEM["pk"]}
    for variable, value in {
        "TABLE": TABLE,
        "STREAM": STREAM,
        "MARKER": json.dumps({"sk": "#static", "GSI-pk": "{pk}"}),
        "KEPT": json.dumps({"set": {"made": "{a}_{b}"}}),
    }.items():
        monkeypatch.setenv(f"SKIPSCAN_{variable}", value)
    keeper = module(name)
    if name == "keeper":
        home = keeper.mark.home("unnamed", CONTEXT.invoked_function_arn, TableDescription.from_json(KEPT))
        marker["skipscan_job"] = {"S": f"{home}/keeper"}
    found = {"put_item": [ITEM], "delete_item": [marker]}.get(operation, [])
    faulty = Faulty(
        operation,
        FAULTS[fault],
        describe_table=lambda **_: {"Table": KEPT},
        query=lambda **_: {"Items": found},
        get_item=lambda **_: {"Item": marker if operation == "delete_item" else ITEM},
    )
    change = {"Keys": {name: ITEM[name] for name in ("pk", "sk")}, "SequenceNumber": "1"}
    event = {"Records": [{"eventName": "REMOVE" if operation != "get_item" else "INSERT", "dynamodb": change}]}
    check(name, faulty, event)


@pytest.mark.parametrize("operation", ["describe_table", "get_item", "put_item", "send_message_batch"])
@pytest.mark.parametrize("fault", FAULTS)
def test_no_fault_of_the_replicator_reveals_a_key(
    check: Callable[..., None], monkeypatch: pytest.MonkeyPatch, operation: str, fault: str
) -> None:
    replica = {**form.write(copy_plan().replica), "source": "Audit", "target": "Audit-2"}
    monkeypatch.setenv("SKIPSCAN_REPLICA", json.dumps(replica))
    faulty = Faulty(
        operation,
        FAULTS[fault],
        describe_table=lambda **_: {"Table": DESCRIPTION},
        get_item=lambda **asked: {} if asked["TableName"] == "Audit-2" else {"Item": ITEM},
        send_message_batch=lambda **asked: {"Successful": [{"Id": one["Id"]} for one in asked["Entries"]]},
    )
    key = {"id": ITEM["id"]}
    streamed = {"Records": [{"eventSource": "aws:dynamodb", "dynamodb": {"Keys": key, "SequenceNumber": "1"}}]}
    messages = late_look_messages([key], replica["stream"])
    late = {"Records": [{"messageId": f"m{n}", "body": body} for n, body in enumerate(messages)]}
    check("replicator", faulty, streamed, late)


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
    page = {"Count": 1, "LastEvaluatedKey": {"id": ITEM["id"]}, **CONSUMED}
    client: Any = SimpleNamespace(scan=lambda **_: page)
    counted = IndexCount(client, "Audit", "by-made", US_EAST_1, account_of(None)).take()
    assert (counted["entries"], counted["stopped_by"]) == (None, "TableError")
