"""The kit creates and loads tables, and waits for what AWS does later, for no longer than it says."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from skipscan.environment.executions import Deployment
from tests.fakes.pages import Answer, paged, refuse
from tests.simulation.inputs.clock import Clock
from verify import environment, function, kit
from verify.checks import functions, jobs, runs, stream, trail
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


@pytest.mark.waits("verify.kit:Kit.create_table")
def test_a_table_is_used_once_it_is_active(clock: Clock) -> None:
    states = iter(["CREATING", "CREATING", "ACTIVE"])
    asked = kit_of(
        dynamodb={
            "create_table": lambda _: {},
            "describe_table": lambda _: {"Table": {"TableStatus": next(states)}},
        }
    ).create_table(
        "things",
        {
            "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "p", "AttributeType": "S"}],
            "BillingMode": "PAY_PER_REQUEST",
        },
    )
    assert (asked, clock.monotonic()) == ("skipscan-verify-dev-launch-things", 2)


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


@pytest.mark.asked_again("verify.kit:Kit.load.put")
@pytest.mark.waits("verify.kit:Kit.load.put")
def test_items_that_dynamodb_leaves_are_written_again_later(clock: Clock) -> None:
    loaded = Loaded()
    made = kit_of(dynamodb={"batch_write_item": loaded.write})
    made.load("things", [{"p": {"S": name}} for name in "abc"])
    assert loaded.items == ["a", "b", "c"]
    assert clock.monotonic() == pytest.approx(0.1 + 0.2 + 0.4)


def test_a_table_that_takes_no_items_is_not_tried(clock: Clock) -> None:
    made = kit_of(dynamodb={"batch_write_item": lambda asked: {"UnprocessedItems": asked["RequestItems"]}})
    with pytest.raises(NotTriedError, match="left items unprocessed for two minutes"):
        made.load("things", [{"p": {"S": "a"}}])
    assert 100 < clock.monotonic() < 130


@pytest.mark.waits("verify.kit:Kit.until")
def test_what_comes_late_is_waited_for_and_no_longer_than_that(clock: Clock) -> None:
    made, comes = kit_of(), iter([None, None, "here"])
    assert made.until("a thing", lambda: next(comes)) == "here"
    assert clock.monotonic() == pytest.approx(0.1 + 0.15)
    with pytest.raises(NotTriedError, match="a thing did not come within 30 s"):
        made.until("a thing", lambda: None, seconds=30.0)
    assert 30 < clock.monotonic() < 33


@pytest.mark.waits("verify.environment:wait_for_policy")
def test_a_policy_has_the_time_that_it_takes_to_hold(clock: Clock) -> None:
    environment.wait_for_policy(kit_of())
    assert clock.monotonic() == 10.0


@pytest.mark.waits("verify.function:make_function")
def test_a_function_is_used_once_it_is_active(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its role takes seconds until Lambda can assume it."""
    arn = "arn:aws:lambda:us-east-1:000000000000:function:f"
    roles, states = iter([False, True]), iter(["Pending", "Active"])
    monkeypatch.setattr(environment, "runtime", lambda _: {"Runtime": "python3.14", "Architectures": ["arm64"]})

    def create(_: object) -> dict[str, Any]:
        if not next(roles):
            refuse("InvalidParameterValueException", "CreateFunction")
        return {"FunctionArn": arn}

    answers: dict[str, Answer] = {
        "create_function": create,
        "get_function": lambda _: {"Configuration": {"State": next(states)}},
    }
    made = kit_of(**{"lambda": answers})
    assert function.make_function(made, "f", "arn:aws:iam::000000000000:role/verify") == arn
    assert clock.monotonic() == pytest.approx(0.1 + 1)


@pytest.mark.second_page("verify.checks.functions:_refusals")
def test_refused_workers_are_counted_on_every_page_of_the_history() -> None:
    def at(second: int, error: str) -> dict[str, Any]:
        failed = {"error": error, "cause": ""}
        return {"timestamp": datetime.fromtimestamp(second, UTC), "lambdaFunctionFailedEventDetails": failed}

    events = [at(1, functions.NO_SLOT), at(2, "States.Timeout"), at(3, functions.NO_SLOT)]
    states = paged("stepfunctions", get_execution_history=lambda _: {"events": events})
    assert functions._refusals(states, "arn:aws:states:us-east-1:000000000000:execution:a:b") == [1, 3]


def records(shards: dict[str, list[list[int]]]) -> dict[str, Answer]:
    """Return a stream of shards by name, with the records of their pages; a page of shards has one of them."""
    names = list(shards)

    def describe(asked: Mapping[str, Any]) -> dict[str, Any]:
        place = names.index(asked["ExclusiveStartShardId"]) + 1 if "ExclusiveStartShardId" in asked else 0
        more = {"LastEvaluatedShardId": names[place]} if place + 1 < len(names) else {}
        return {"StreamDescription": {"Shards": [{"ShardId": names[place]}], **more}}

    def read(asked: Mapping[str, Any]) -> dict[str, Any]:
        shard, page = asked["ShardIterator"].split()
        more = {"NextShardIterator": f"{shard} {int(page) + 1}"} if int(page) + 1 < len(shards[shard]) else {}
        return {"Records": [{"eventID": str(one)} for one in shards[shard][int(page)]], **more}

    return {
        "describe_stream": describe,
        "get_shard_iterator": lambda asked: {"ShardIterator": f"{asked['ShardId']} 0"},
        "get_records": read,
    }


@pytest.mark.second_page("verify.checks.stream:_all", "verify.checks.stream:_shards")
def test_the_records_of_a_stream_are_on_all_pages_of_all_shards() -> None:
    first, second = "shardId-" + "0" * 20, "shardId-" + "1" * 20
    most = stream.ITEMS * len(stream.CHANGES)
    half = most // 2
    shards = {first: [[], [*range(half)]], second: [[*range(half, most)]]}
    arn = "arn:aws:dynamodb:us-east-1:000000000000:table/T/stream/2026"
    found = stream._all(kit_of(dynamodbstreams=records(shards)), arn)
    assert found is not None
    assert [int(record["eventID"]) for record in found] == [*range(most)]
    assert stream._all(kit_of(dynamodbstreams=records({first: [[1]]})), arn) is None


@pytest.mark.second_page("verify.checks.trail:machine_sources.look")
def test_the_event_of_a_role_is_found_on_any_page_of_the_trail(monkeypatch: pytest.MonkeyPatch) -> None:
    role = "arn:aws:iam::000000000000:role/machine"
    seen: list[Any] = []

    def judge(events: Any, _: object) -> str:
        seen.extend(events)
        return "judged"

    monkeypatch.setattr(trail, "finished", lambda _: ("table", {"started": "2026-01-01T00:00:00+00:00"}))
    monkeypatch.setattr(trail, "trusted", lambda _: [])
    monkeypatch.setattr(trail, "judged", judge)
    events = [{"CloudTrailEvent": json.dumps({"requestParameters": {"roleArn": arn}})} for arn in ("arn:another", role)]
    made = kit_of(
        stepfunctions={"describe_state_machine": lambda _: {"roleArn": role}},
        iam={"get_role": lambda _: {"Role": {"AssumeRolePolicyDocument": "{}"}}},
        cloudtrail={"lookup_events": lambda _: {"Events": events}},
    )
    trail.machine_sources(made)
    assert seen == [{"requestParameters": {"roleArn": role}}]


def test_a_table_that_stays_is_made_once_and_is_no_launch_s_to_make_or_remove(clock: Clock) -> None:
    tables: dict[str, dict[str, Any]] = {}

    def describe(asked: Mapping[str, Any]) -> Mapping[str, Any]:
        if asked["TableName"] not in tables:
            refuse("ResourceNotFoundException", "DescribeTable")
        return {"Table": tables[asked["TableName"]]}

    def create(asked: Mapping[str, Any]) -> Mapping[str, Any]:
        name = asked["TableName"]
        assert name not in tables
        stream = {"LatestStreamArn": f"arn:{name}/stream/1"} if "StreamSpecification" in asked else {}
        tables[name] = {
            **{field: asked[field] for field in ("TableName", "KeySchema", "AttributeDefinitions")},
            **{"TableStatus": "ACTIVE", "StreamSpecification": asked.get("StreamSpecification", {}), **stream},
        }
        return {}

    services: Any = {"describe_table": describe, "create_table": create, "batch_write_item": lambda _: {}}
    made = kit_of(dynamodb=services)
    with pytest.raises(NotTriedError, match="skipscan-verify-dev-copied: --prepare makes it"):
        made.table("copied")
    assert tables == {}
    said = jobs.to_copy(kit_of(dynamodb=services))
    assert jobs.to_copy(made) == said
    assert said["writing"] == {
        "skipscan-verify-dev-copied": {
            "copy": {"to": "skipscan-verify-dev-copy", "stream": "arn:skipscan-verify-dev-copied/stream/1"}
        }
    }
    assert kit_of(dynamodb=services).table("copied") == "skipscan-verify-dev-copied"
    assert made.made == []


def test_a_table_that_stays_but_could_not_be_loaded_is_removed(clock: Clock) -> None:
    def describe(asked: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"Table": {"TableStatus": "ACTIVE"}} if created else refuse("ResourceNotFoundException", "DescribeTable")

    def create(asked: Mapping[str, Any]) -> Mapping[str, Any]:
        created.append(asked)
        return {}

    created: list[Any] = []
    full: Any = {"batch_write_item": lambda asked: {"UnprocessedItems": asked["RequestItems"]}}
    made = kit_of(dynamodb={"describe_table": describe, "create_table": create, **full})
    with pytest.raises(NotTriedError, match="could not be loaded"):
        made.keep("copied")
    assert [thing.name for thing in made.made] == ["skipscan-verify-dev-copied"]


def test_without_a_key_no_table_is_made_for_it() -> None:
    with pytest.raises(NotTriedError, match="no key: give one with --kms-key"):
        runs.table_key(kit_of(dynamodb={}))


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
