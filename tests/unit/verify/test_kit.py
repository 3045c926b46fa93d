"""The kit creates and loads tables, and waits for what AWS does later, for no longer than it says."""

from collections.abc import Mapping
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from skipscan.environment.executions import Deployment
from tests.fakes.pages import Answer, paged, refuse
from tests.simulation.world.clock import Clock
from verify import environment, kit, stack
from verify.checks import functions, jobs
from verify.errors import NotHeldError, NotTriedError
from verify.kit import Kit

MACHINES = {"run": "arn:aws:states:us-east-1:000000000000:stateMachine:skipscan-dev"}


KEPT = {
    "TableStatus": "ACTIVE",
    "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}, {"AttributeName": "s", "KeyType": "RANGE"}],
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in "ps"],
}


def kit_of(**services: dict[str, Answer]) -> Kit:
    session: Any = SimpleNamespace(client=lambda service, **_: paged(service, **services[service]))
    return Kit(session, Deployment("dev", "results", MACHINES), "launch", policy_seconds=10.0)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    for module in (kit, environment):
        monkeypatch.setattr(module, "time", made)
    monkeypatch.setattr("botocore.waiter.time", made)
    return made


class Loaded:
    """DynamoDB's BatchWriteItem: refuses the first request, then writes one item of each request."""

    def __init__(self) -> None:
        self.items: list[str] = []
        self._refuses = True

    def write(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        if self._refuses:
            self._refuses = False
            refuse("ProvisionedThroughputExceededException", "BatchWriteItem")
        [(table, [first, *rest])] = asked["RequestItems"].items()
        self.items.append(first["PutRequest"]["Item"]["p"]["S"])
        return {"UnprocessedItems": {table: rest} if rest else {}}


def test_items_that_dynamodb_leaves_are_written_again_later(clock: Clock) -> None:
    loaded = Loaded()
    made = kit_of(dynamodb={"batch_write_item": loaded.write})
    made.load("things", [{"p": {"S": name}} for name in "abc"])
    assert loaded.items == ["a", "b", "c"]
    assert clock.monotonic() == pytest.approx(0.1 + 0.2 + 0.4)


def test_what_comes_late_is_waited_for_and_no_longer_than_that(clock: Clock) -> None:
    made, comes = kit_of(), iter([None, None, "here"])
    assert made.until("a thing", lambda: next(comes)) == "here"
    assert clock.monotonic() == pytest.approx(0.1 + 0.15)
    with pytest.raises(NotTriedError, match="a thing did not come within 30 s"):
        made.until("a thing", lambda: None, seconds=30.0)
    assert 30 < clock.monotonic() < 33


def test_refused_workers_are_counted_on_every_page_of_the_history() -> None:
    def at(second: int, error: str) -> dict[str, Any]:
        failed = {"error": error, "cause": ""}
        return {"timestamp": datetime.fromtimestamp(second, UTC), "lambdaFunctionFailedEventDetails": failed}

    events = [at(1, functions.NO_SLOT), at(2, "States.Timeout"), at(3, functions.NO_SLOT)]
    states = paged("stepfunctions", get_execution_history=lambda _: {"events": events})
    assert functions._refusals(states, "arn:aws:states:us-east-1:000000000000:execution:a:b") == [1, 3]


def test_results_are_removed_from_every_page_and_what_is_left_is_named() -> None:
    removed: list[str] = []

    def delete(asked: Mapping[str, Any]) -> dict[str, Any]:
        removed.extend(entry["Key"] for entry in asked["Delete"]["Objects"])
        return {"Errors": [{"Key": "c", "Code": "AccessDenied", "Message": "no"}] if "c" in removed else []}

    objects = {"Contents": [{"Key": name} for name in "abc"]}
    made = kit_of(
        s3={"list_objects_v2": lambda _: objects, "delete_objects": delete},
        cloudformation={"delete_stack": lambda _: {}, "describe_stacks": lambda _: gone()},
    )
    [left] = made.remove()
    assert removed == ["a", "b", "c"]
    assert left.startswith("results in bucket results")


def gone() -> Any:
    return refuse("ValidationError", "DescribeStacks")


def test_a_stack_that_is_not_created_or_removed_says_what_failed_first(clock: Clock) -> None:
    events = [
        {"LogicalResourceId": "late", "ResourceStatus": "DELETE_FAILED"},
        {"LogicalResourceId": "role", "ResourceStatus": "CREATE_FAILED", "ResourceStatusReason": "denied"},
        {"LogicalResourceId": "queue", "ResourceStatus": "CREATE_COMPLETE"},
    ]
    answers: dict[str, Answer] = {
        "create_stack": lambda _: {},
        "delete_stack": lambda _: {},
        "describe_stacks": lambda _: {
            "Stacks": [{"StackName": "s", "StackStatus": states[min(int(clock.monotonic() / 5), len(states) - 1)]}]
        },
        "describe_stack_events": lambda _: {"StackEvents": events},
    }
    states = ["CREATE_IN_PROGRESS", "ROLLBACK_COMPLETE"]
    client = kit_of(cloudformation=answers).client("cloudformation")
    template = stack.Template("dev", MACHINES["run"])
    with pytest.raises(NotTriedError, match="verify-skipscan-dev was not created: role: denied"):
        stack.create(client, template, "dev", role=None)
    states[1:] = ["DELETE_IN_PROGRESS", "DELETE_FAILED"]
    assert stack.delete(client, "dev") == ["stack verify-skipscan-dev: role: denied"]


@pytest.mark.parametrize(("copied", "outcome"), [([240], "240 items"), ([0, 3], "3 items"), ([0, 0, 0], None)])
def test_a_copy_that_the_replicator_was_faster_than_is_started_again(
    monkeypatch: pytest.MonkeyPatch, copied: list[int], outcome: str | None
) -> None:
    items = {("p", "s"): {"p": {"S": "p"}, "s": {"S": "s"}}}
    started = list[str]()

    def job(_kit: Kit, _noun: str, _table: str, *, what: str, to: str) -> Mapping[str, Any]:
        started.append(what)
        return {"copied": copied[len(started) - 1]}

    monkeypatch.setattr(jobs, "job", job)
    monkeypatch.setattr(jobs, "_by_key", lambda _kit, _table: items)
    described: Any = {"describe_table": lambda _: {"Table": {**KEPT, "TableName": "t"}}, "delete_item": lambda _: {}}
    made = kit_of(dynamodb=described)
    monkeypatch.setattr(environment, "executions", lambda _kit, _noun: None)
    if outcome is None:
        with pytest.raises(NotTriedError, match="the replicator wrote all items before"):
            jobs.copy(made)
    else:
        assert jobs.copy(made).startswith(outcome)
    assert started == [f"copy-{number}" for number in range(len(copied))]


def test_a_table_that_lacks_an_item_of_the_other_does_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    item = {"p": {"S": "p"}, "s": {"S": "s"}}
    monkeypatch.setattr(jobs, "job", lambda *_, **__: {"copied": 1})
    monkeypatch.setattr(jobs, "_by_key", lambda _, table: {("p", "s"): item} if table == jobs.COPIED else {})
    monkeypatch.setattr(environment, "executions", lambda _kit, _noun: None)
    described: Any = {"describe_table": lambda _: {"Table": {**KEPT, "TableName": "t"}}}
    with pytest.raises(NotHeldError, match="0 of 1 are right, 0 are there"):
        jobs.copy(kit_of(dynamodb=described))
