"""Jobs over a finished run: what each action does, shows beforehand, and refuses."""

import io
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError, ReadTimeoutError
from moto import mock_aws

from skipscan.aws.bucket import Bucket
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import BatchError, IncompleteRunError, InputError, StateError, TableError
from skipscan.items import mark
from tests.fakes.attribute_value import Item
from tests.fakes.definition import IndexDefinition, KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.handlers.acting import FIFO, MARKER, QUEUE, TARGET, Acting
from tests.handlers.execution import BUCKET, CONTEXT, Machine

KEYS = 23
MARKERS = IndexDefinition("markers", KeySchema.of(("GSI-pk", "S")), projection="KEYS_ONLY")
SCHEMA = KeySchema.of(("pk", "S"), ("sk", "S"))


@pytest.fixture(autouse=True)
def table(listing: Machine, dynamodb: FakeDynamoDB) -> None:
    """A table and a finished run over it, `run-1`."""
    items: Iterator[Item] = ({"pk": {"S": f"{pk}"}, "sk": {"S": f"{sk}"}} for pk in range(KEYS) for sk in range(3))
    dynamodb.add(TableDefinition("T-1", SCHEMA, (MARKERS,)), items)
    assert listing.run({"table": "T-1"})["keys"] == KEYS


def home(dynamodb: FakeDynamoDB) -> str:
    description = dynamodb.describe_table(TableName="T-1")["Table"]
    return mark.home("unnamed", CONTEXT.invoked_function_arn, TableDescription.from_json(description))


def markers(dynamodb: FakeDynamoDB) -> set[str]:
    return {item["pk"]["S"] for item in dynamodb.table("T-1").items() if item["sk"]["S"] == "#static"}


def test_put_item_puts_one_item_into_each_collection(acting: Acting, dynamodb: FakeDynamoDB) -> None:
    output = acting.act(put_item=MARKER, workers=2)
    assert {n: output[n] for n in ("keys", "put", "requests", "write_units")} == {
        "keys": KEYS,
        "put": KEYS,
        "requests": KEYS,
        "write_units": 2.0 * KEYS,
    }
    assert output["manifest"] == "s3://results/skipscan/T-1/acts/job-1/manifest.json"
    found = dynamodb.table("T-1").get({"pk": {"S": "7"}, "sk": {"S": "#static"}})
    assert found == {
        "pk": {"S": "7"},
        "sk": {"S": "#static"},
        "GSI-pk": {"S": "7"},
        "skipscan_job": {"S": mark.of_job(home(dynamodb), "job-1", "2026-01-01T00:00:00Z")},
    }
    assert markers(dynamodb) == {str(n) for n in range(KEYS)}
    assert acting.failed() == []


def test_the_marker_index_then_lists_the_same_keys(acting: Acting, listing: Machine) -> None:
    acting.act(put_item=MARKER)
    listing.run({"table": "T-1", "index": "markers"}, name="by-index")
    listed = {line["GSI-pk"] for line in listing.lines("/by-index/")}
    assert listed == {line["pk"] for line in listing.lines("/run-1/")}


@pytest.mark.parametrize("form", ["jsonl", "dynamodb-jsonl", "dynamodb-import"])
def test_a_job_reads_every_format(acting: Acting, listing: Machine, dynamodb: FakeDynamoDB, form: str) -> None:
    listing.run({"table": "T-1", "format": form}, name="other")
    assert acting.act(run="other", put_item=MARKER)["put"] == KEYS
    assert markers(dynamodb) == {str(n) for n in range(KEYS)}


def test_an_item_that_is_there_is_kept(acting: Acting, dynamodb: FakeDynamoDB) -> None:
    mine: Item = {"pk": {"S": "3"}, "sk": {"S": "#static"}, "body": {"B": bytes(3000)}}
    dynamodb.table("T-1").put(mine)
    output = acting.act(put_item=MARKER)
    assert (output["put"], output["present"], output["keys"]) == (KEYS - 1, 1, KEYS)
    assert dynamodb.table("T-1").get(mine) == mine
    assert output["write_units"] == 2.0 * (KEYS - 1) + 3


def test_overwrite_replaces_an_item(acting: Acting, dynamodb: FakeDynamoDB) -> None:
    mine: Item = {"pk": {"S": "3"}, "sk": {"S": "#static"}, "body": {"S": "mine"}}
    dynamodb.table("T-1").put(mine)
    assert acting.act(put_item={**MARKER, "overwrite": True})["put"] == KEYS
    assert "body" not in (dynamodb.table("T-1").get(mine) or {})


def test_undo_removes_what_the_job_put_and_nothing_else(acting: Acting, dynamodb: FakeDynamoDB) -> None:
    table = dynamodb.table("T-1")
    theirs: Item = {"pk": {"S": "1"}, "sk": {"S": "#static"}, "by": {"S": "the application"}}
    table.put(theirs)
    acting.act(put_item=MARKER)
    overwritten: Item = {"pk": {"S": "2"}, "sk": {"S": "#static"}, "by": {"S": "the application"}}
    table.put(overwritten)
    changed: Item = {**(table.get({"pk": {"S": "3"}, "sk": {"S": "#static"}}) or {}), "GSI-pk": {"S": "else"}}
    table.put(changed)
    added: Item = {**(table.get({"pk": {"S": "7"}, "sk": {"S": "#static"}}) or {}), "balance": {"N": "7"}}
    table.put(added)
    table.delete({"pk": {"S": "4"}, "sk": {"S": "#static"}})
    before = len(table.items())

    output = acting.act("job-2", undo="job-1")

    assert (output["deleted"], output["present"], output["absent"]) == (KEYS - 5, 4, 1)
    assert (output["read_units"], output["requests"]) == (KEYS, KEYS + KEYS - 5)
    assert before - len(table.items()) == KEYS - 5
    assert [table.get(item) for item in (theirs, overwritten, changed, added)] == [theirs, overwritten, changed, added]
    assert markers(dynamodb) == {"1", "2", "3", "7"}


def test_the_plan_of_an_undo_has_a_read_for_each_key(acting: Acting) -> None:
    acting.act(put_item=MARKER)
    plan = acting.planned({"table": "T-1", "run": "run-1", "undo": "job-1"}, "job-2")["explanation"]
    assert (plan["read_units"], plan["requests"]) == (KEYS, 2 * KEYS)
    assert plan["dollars"]["read_units"] == round(KEYS * 0.125e-6, 6)


def test_undo_of_a_job_that_crashed_half_way(acting: Acting, dynamodb: FakeDynamoDB) -> None:
    planned = acting.planned({"table": "T-1", "run": "run-1", "put_item": MARKER, "dry_run": False})
    acting.turn(planned, 0, None)
    assert 0 < len(markers(dynamodb)) < KEYS
    output = acting.act("job-2", undo="job-1")
    assert (output["keys"], markers(dynamodb)) == (KEYS, set())


def test_delete_item_deletes_that_item_alone(acting: Acting, dynamodb: FakeDynamoDB) -> None:
    table = dynamodb.table("T-1")
    table.delete({"pk": {"S": "5"}, "sk": {"S": "1"}})
    table.put({"pk": {"S": "6"}, "sk": {"S": "1"}, "state": {"S": "kept"}})
    output = acting.act(delete_item={"key": {"sk": "1"}})
    assert (output["deleted"], output["absent"]) == (KEYS - 1, 1)
    assert sum(item["sk"]["S"] == "1" for item in table.items()) == 0
    assert len(table.items()) == 2 * KEYS


def test_delete_item_may_ask_for_attribute_values(acting: Acting, dynamodb: FakeDynamoDB) -> None:
    table = dynamodb.table("T-1")
    table.put({"pk": {"S": "6"}, "sk": {"S": "1"}, "state": {"S": "done-6"}})
    output = acting.act(delete_item={"key": {"sk": "1"}, "if": {"state": "done-{pk}"}})
    assert (output["deleted"], output["present"]) == (1, KEYS - 1)
    assert table.get({"pk": {"S": "6"}, "sk": {"S": "1"}}) is None


class Receiver:
    """A function that records its invocations, and answers as configured."""

    def __init__(self, *answers: Any) -> None:
        self.answers, self.events = list(answers), list[Any]()
        self.exceptions = SimpleNamespace()

    def invoke(self, FunctionName: str, Payload: bytes) -> dict[str, Any]:  # noqa: N803 (boto3's names)
        assert FunctionName == TARGET
        self.events.append(json.loads(Payload))
        answer = self.answers.pop(0) if self.answers else {}
        if answer == "silent":
            raise ReadTimeoutError(endpoint_url="http://localhost")
        if answer == "raises":
            return {"FunctionError": "Unhandled", "Payload": io.BytesIO(b'{"errorMessage": "a key"}')}
        return {"Payload": io.BytesIO(json.dumps(answer).encode())}


def test_invoke_hands_every_key_to_the_function(acting: Acting) -> None:
    receiver = acting.worker.lambda_ = Receiver()  # type: ignore[attr-defined]
    output = acting.act(invoke={"function": TARGET, "keys_per_call": 10})
    assert (output["sent"], output["requests"], output["write_units"]) == (KEYS, 3, 0)
    assert sorted(int(key["pk"]) for event in receiver.events for key in event["keys"]) == list(range(KEYS))
    event = receiver.events[0]
    assert (event["table"], event["run"], event["job"]) == ("T-1", "run-1", "job-1")
    assert len({event["id"] for event in receiver.events}) == len(receiver.events)


def test_keys_that_a_function_refuses_are_listed(acting: Acting) -> None:
    acting.worker.lambda_ = Receiver({"batchItemFailures": [{"itemIdentifier": "2"}]})  # type: ignore[attr-defined]
    output = acting.act(invoke={"function": TARGET, "keys_per_call": 100}, workers=1)
    assert (output["sent"] + output["failed"], output["failed"]) == (KEYS, 1)
    assert [line["reason"] for line in acting.failed()] == ["batchItemFailure"]


def test_a_function_that_raises_is_called_again_and_then_given_up(acting: Acting) -> None:
    acting.worker.random = SimpleNamespace(random=lambda: 0.0)  # type: ignore[attr-defined]
    acting.worker.lambda_ = Receiver("raises")  # type: ignore[attr-defined]
    assert acting.act(invoke={"function": TARGET})["sent"] == KEYS
    receiver = acting.worker.lambda_ = Receiver(*["raises"] * 99)  # type: ignore[attr-defined]
    output = acting.act("job-2", invoke={"function": TARGET})
    assert (output["failed"], {line["reason"] for line in acting.failed("job-2")}) == (KEYS, {"FunctionError"})
    times = Counter(event["id"] for event in receiver.events)
    assert set(times.values()) == {3}


def test_a_function_that_does_not_answer_is_not_called_again(acting: Acting) -> None:
    receiver = acting.worker.lambda_ = Receiver("silent")  # type: ignore[attr-defined]
    assert acting.act(invoke={"function": TARGET})["failed"] == KEYS
    assert (len(receiver.events), acting.failed()[0]["reason"]) == (1, "TimedOut")


@mock_aws()
@pytest.mark.parametrize("queue", [QUEUE, FIFO])
def test_send_sends_every_key_to_the_queue(acting: Acting, queue: str) -> None:
    sqs = boto3.client("sqs")
    name = queue.rpartition(":")[2]
    attributes = {"FifoQueue": "true"} if name.endswith(".fifo") else {}
    url = sqs.create_queue(QueueName=name, Attributes=attributes)["QueueUrl"]
    output = acting.act(send={"queue": queue, "keys_per_message": 2})
    received: list[Any] = []
    while messages := sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages"):
        received += [json.loads(message["Body"]) for message in messages]
    assert sorted(int(key["pk"]) for body in received for key in body["keys"]) == list(range(KEYS))
    assert (output["sent"], max(len(body["keys"]) for body in received)) == (KEYS, 2)


def test_a_job_is_a_dry_run_unless_told(acting: Acting, listing: Machine, dynamodb: FakeDynamoDB) -> None:
    explanation = acting.planned({"table": "T-1", "run": "run-1", "put_item": MARKER})["explanation"]
    assert (explanation["keys"], explanation["write_units"]) == (KEYS, 2 * KEYS)
    assert explanation["write_units_per_key"] == {"table": 1.0, "markers": 1.0}
    assert explanation["first_items"][0] == {"pk": "S", "sk": "S", "GSI-pk": "S", "skipscan_job": "S"}
    assert explanation["dollars"]["write_units"] == round(2 * KEYS * 0.625e-6, 6)
    assert (explanation["prices"]["write_units"]["as_of"], explanation["point_in_time_recovery"]) == ("2024-11", True)
    assert "items" not in explanation
    assert markers(dynamodb) == set()
    document = json.loads(listing.read("skipscan/T-1/acts/job-1/plan.json"))
    assert document["items"][0]["sk"] == {"S": "#static"}


def test_a_dry_run_shows_the_items_if_asked(acting: Acting) -> None:
    planned = acting.planned({"table": "T-1", "run": "run-1", "put_item": MARKER, "show_items": True})
    items = planned["explanation"]["items"]
    assert len(items) == 5
    assert all(item["GSI-pk"] == item["pk"] for item in items)


def test_a_budget_stops_a_job_that_goes_on_when_resumed(acting: Acting, dynamodb: FakeDynamoDB) -> None:
    stopped = acting.act(put_item=MARKER, max_write_units=20)
    assert stopped["error"] == "BudgetError"
    assert '"resume": "job-1"' in stopped["cause"]
    assert len(markers(dynamodb)) == 10
    too_small = acting.planned({"table": "T-1", "run": "run-1", "resume": "job-1", "max_write_units": 1}, "small")
    assert "max_write_units is 1; " in too_small["cause"]
    planned = acting.planned({"table": "T-1", "run": "run-1", "resume": "job-1"}, "another")
    output = acting.finished(planned, [list(acting.turns(planned, w))[-1]["report"] for w in planned["workers"]])
    assert (output["act"], output["put"], output["write_units"]) == ("job-1", KEYS, 2.0 * KEYS)


def test_keys_that_dynamodb_refuses_are_listed_with_the_reason(
    acting: Acting, listing: Machine, dynamodb: FakeDynamoDB
) -> None:
    long = "x" * 1020
    dynamodb.table("T-1").put({"pk": {"S": long}, "sk": {"S": "0"}})
    listing.run({"table": "T-1"}, name="longer")
    output = acting.act(run="longer", put_item={"item": {"sk": "marker-{pk}"}})
    assert (output["put"], output["failed"]) == (KEYS, 1)
    names = listing.objects("/acts/job-1/failed/")
    (line,) = [json.loads(line) for name in names for line in listing.read(name).splitlines()]
    assert line == {"key": {"pk": long}, "reason": "ValidationException"}


def test_an_error_that_is_raised_holds_no_key(acting: Acting, dynamodb: FakeDynamoDB) -> None:
    refusal: Any = {"Error": {"Code": "AccessDeniedException", "Message": "not for customer 17"}}
    acting.worker.dynamodb = SimpleNamespace(  # type: ignore[attr-defined]
        put_item=lambda **_: (_ for _ in ()).throw(ClientError(refusal, "PutItem")),
        describe_table=dynamodb.describe_table,
        exceptions=dynamodb.exceptions,
    )
    with pytest.raises(BatchError, match="AWS refused PutItem with AccessDeniedException") as raised:
        acting.act(put_item=MARKER)
    assert "17" not in str(raised.value)


def test_a_state_that_no_turn_of_the_worker_returned_is_refused(acting: Acting, dynamodb: FakeDynamoDB) -> None:
    planned = acting.planned({"table": "T-1", "run": "run-1", "put_item": MARKER, "dry_run": False})
    state = acting.turn(planned, 0, None)
    before = markers(dynamodb)
    for changed in ({"offset": 0}, {"visit": 1}, {"worker": 1}, {"seal": ""}):
        with pytest.raises(StateError, match=r'"resume": "job-1"'):
            acting.turn(planned, 0, {**state, **changed})
    events: list[Any] = [{}, {"work": 5, "worker": 0}, {"work": planned["work"], "worker": 2}, [], {"run": "run-1"}]
    for event in events:
        with pytest.raises(InputError, match="not one that the state machine sends to Act"):
            acting.worker.handler(event, CONTEXT)
    assert markers(dynamodb) == before


def test_an_empty_run_is_soon_done(acting: Acting, listing: Machine, dynamodb: FakeDynamoDB) -> None:
    dynamodb.add(TableDefinition("T-1", SCHEMA))
    listing.run({"table": "T-1"}, name="empty")
    assert acting.act(run="empty", put_item=MARKER)["keys"] == 0


@pytest.mark.parametrize(
    ("document", "error", "cause"),
    [
        ({"put_item": MARKER, "send": {"queue": QUEUE}}, "InputError", "give one of them"),
        ({}, "InputError", "the input has no action; a job has exactly one action"),
        ({"put_item": {"items": {}}}, "InputError", "did you mean item?"),
        ({"put_item": {"item": {"GSI-pk": "{pk}"}}}, "InputError", "put_item.item.sk is missing"),
        ({"put_item": {"item": {"sk": "x", "pk": "y"}}}, "InputError", "which is filled in: leave it out"),
        ({"put_item": {"item": {"sk": "x", "skipscan_job": "y"}}}, "InputError", "is the mark"),
        ({"put_item": {"item": {"sk": "x", "GSI-pk": None}}}, "InputError", "GSI-pk is null"),
        ({"put_item": {"item": {"sk": "{sk}"}}}, "InputError", "only {pk} is known"),
        ({"put_item": {"item": {"sk": "x", "a": "y" * 40_000}}}, "InputError", "the state cannot hold more"),
        ({"delete_item": {"key": {"sk": "x", "a": "b"}}}, "InputError", "not the table's sort key"),
        ({"put_item": MARKER, "run": "nobody"}, "InputError", "has no finished run with this name"),
        ({"put_item": MARKER, "run": None}, "InputError", "run is missing"),
        (
            {"put_item": MARKER, "max_write_units": 1},
            "InputError",
            "needs at least 2, because a request",
        ),
        ({"put_item": MARKER, "max_keys_per_second": 5}, "InputError", "has no meaning for a writing job"),
        ({"invoke": {"function": TARGET}, "max_write_units": 5}, "InputError", "has no meaning for invoke"),
        ({"invoke": {"function": "receiver"}}, "InputError", "must be the ARN of a Lambda function"),
        ({"invoke": {"function": f"{TARGET}-2"}}, "TableError", "add it to the targets in cdk.json"),
        ({"undo": "nobody"}, "InputError", "has no act with this name"),
        ({"resume": "nobody", "dry_run": None}, "InputError", "has no act with this name"),
        ({"resume": "job-1", "put_item": MARKER, "dry_run": None}, "InputError", "leave put_item out"),
    ],
)
def test_refuses(acting: Acting, listing: Machine, document: dict[str, Any], error: str, cause: str) -> None:
    refused = acting.act(**document)
    assert (refused.get("error"), cause in refused.get("cause", "")) == (error, True), refused
    assert listing.objects("/acts/") == []


def test_refuses_tables_and_runs_that_do_not_fit(acting: Acting, listing: Machine, dynamodb: FakeDynamoDB) -> None:
    of_run = "skipscan/{}/runs/run-1/manifest.json"
    listing.s3.objects[of_run.format("Other")] = listing.s3.objects[of_run.format("T-1")]
    dynamodb.add(TableDefinition("Other", SCHEMA))
    assert "that run belongs to table" in acting.act(table="Other", put_item=MARKER)["cause"]
    listing.run({"table": "Other"}, name="own")
    assert '"writing": {"Other": {"act": true}}' in acting.act(table="Other", run="own", put_item=MARKER)["cause"]
    acting.act(put_item=MARKER)
    listing.run({"table": "T-1", "index": "markers"}, name="index")
    assert "whose keys differ from the table's keys" in acting.act("j", run="index", put_item=MARKER)["cause"]
    acting.worker.lambda_ = Receiver()  # type: ignore[attr-defined]
    assert acting.act("k", run="index", invoke={"function": TARGET})["sent"] == KEYS
    dynamodb.add(TableDefinition("T-1", KeySchema.of(("id", "S"), ("sk", "S"))))
    assert "partition key is now id" in acting.act("l", put_item=MARKER)["cause"]


def test_a_write_wants_point_in_time_recovery_unless_told(acting: Acting, dynamodb: FakeDynamoDB) -> None:
    dynamodb.add(TableDefinition("T-1", SCHEMA, has_recovery=False))
    assert 'recovery of table "T-1" is off' in acting.act(put_item=MARKER)["cause"]
    dry = acting.planned({"table": "T-1", "run": "run-1", "put_item": MARKER}, "dry")
    assert dry["explanation"]["point_in_time_recovery"] is False
    assert acting.act(put_item=MARKER, without_recovery=True)["put"] == KEYS


def test_only_a_put_can_be_undone_and_only_what_stopped_resumed(acting: Acting) -> None:
    acting.act("deleted", delete_item={"key": {"sk": "1"}})
    assert "only put_item can be undone" in acting.act("u", undo="deleted")["cause"]
    refused = acting.planned({"table": "T-1", "run": "run-1", "resume": "deleted"}, "r")
    assert "that act is complete" in refused["cause"]
    acting.planned({"table": "T-1", "run": "run-1", "put_item": MARKER}, "dry")
    assert "that was a dry run" in acting.planned({"table": "T-1", "run": "run-1", "resume": "dry"}, "r")["cause"]


def crash_at_the_commit(acting: Acting, planned: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Do a first turn of worker 0 that dies before its batch is committed."""
    put_once = Bucket.put_once

    def dies(self: Bucket, name: str, *rest: Any, **others: Any) -> bool:
        if "/failed/" in name:
            raise ConnectionError("crashed here")
        return put_once(self, name, *rest, **others)

    with monkeypatch.context() as patched:
        patched.setattr(Bucket, "put_once", dies)
        with pytest.raises(BatchError, match="ConnectionError"):
            acting.turn(planned, 0, None)


def test_a_repeated_overwrite_leaves_what_the_application_has_set_since(
    acting: Acting, dynamodb: FakeDynamoDB, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = dynamodb.table("T-1")
    for key in range(KEYS):
        table.put({"pk": {"S": str(key)}, "sk": {"S": "#static"}, "old": {"BOOL": True}})
    action = {"put_item": {**MARKER, "overwrite": True}}
    planned = acting.planned({"table": "T-1", "run": "run-1", "dry_run": False, "workers": 1, **action})
    crash_at_the_commit(acting, planned, monkeypatch)
    written = [item for item in table.items() if item["sk"]["S"] == "#static" and "old" not in item]
    assert 0 < len(written) < KEYS
    changed: list[Item] = [{**item, "balance": {"N": "7"}} for item in written]
    for item in changed:
        table.put(item)
    report = list(acting.turns(planned, 0))[-1]["report"]
    output = acting.finished(planned, [report])
    assert (output["put"], output["keys"]) == (KEYS, KEYS)
    assert [table.get(item) for item in changed] == changed
    assert not any("old" in item for item in table.items())


def test_a_crash_repeats_no_more_keys_than_the_plan_says(
    acting: Acting, dynamodb: FakeDynamoDB, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skipscan.act.plan.REPEATED_KEYS", 5)
    monkeypatch.setattr("skipscan.act.plan.THREADS", 1)
    function = acting.worker.function
    monkeypatch.setattr(function, "settings", replace(function.settings, batch_pages=None))
    table = dynamodb.table("T-1")
    action = {"delete_item": {"key": {"sk": "1"}}}
    planned = acting.planned({"table": "T-1", "run": "run-1", "dry_run": False, "workers": 1, **action})
    assert planned["work"]["plan"]["repeated_keys"] == 5
    crash_at_the_commit(acting, planned, monkeypatch)
    gone = [pk for pk in map(str, range(KEYS)) if not table.get({"pk": {"S": pk}, "sk": {"S": "1"}})]
    assert len(gone) == 5
    states = list(acting.turns(planned, 0))
    assert [state["counts"]["keys"] for state in states] == [5, 10, 15, 20, KEYS]
    output = acting.finished(planned, [states[-1]["report"]])
    assert (output["deleted"], output["absent"]) == (KEYS - 5, 5)


@pytest.mark.parametrize(
    ("action", "is_idempotent", "keys"),
    [
        ({"put_item": MARKER}, True, 100_000),
        ({"put_item": {**MARKER, "overwrite": True}}, False, 1_000),
        ({"delete_item": {"key": {"sk": "1"}}}, False, 1_000),
        ({"delete_item": {"key": {"sk": "1"}, "if": {"state": "closed"}}}, True, 100_000),
        ({"invoke": {"function": TARGET, "keys_per_call": 100}}, False, 1_600),
        ({"send": {"queue": QUEUE}}, False, 1_000),
    ],
)
def test_a_dry_run_says_what_a_crash_may_repeat(acting: Acting, action: Any, is_idempotent: bool, keys: int) -> None:
    explanation = acting.planned({"table": "T-1", "run": "run-1", **action})["explanation"]
    assert (explanation["idempotent"], explanation["repeated_keys_per_worker"]) == (is_idempotent, keys)
    assert explanation["repeat_means"]


def test_a_condition_that_dynamodb_would_not_take_is_refused_in_the_dry_run(acting: Acting) -> None:
    wide = {f"attribute {number}": number for number in range(240)}
    condition = {"delete_item": {"key": {"sk": "1"}, "if": wide}}
    refused = acting.planned({"table": "T-1", "run": "run-1", **condition})
    assert (refused["error"], "DynamoDB allows 4,096" in refused["cause"]) == ("InputError", True)
    acting.act("wide", put_item={"item": {**MARKER["item"], **wide}})
    refused = acting.planned({"table": "T-1", "run": "run-1", "undo": "wide"}, "undone")
    assert (refused["error"], "DynamoDB allows 4,096" in refused["cause"]) == ("InputError", True)


THEIRS = TableDefinition("T-1", SCHEMA, (MARKERS,), account="222222222222")
ANEW = TableDefinition("T-1", SCHEMA, (MARKERS,), id="11111111-1111-1111-1111-111111111111")


def test_a_run_over_another_account_s_table_of_the_same_name_is_refused(
    acting: Acting, listing: Machine, dynamodb: FakeDynamoDB
) -> None:
    dynamodb.add(THEIRS, [{"pk": {"S": "theirs"}, "sk": {"S": "0"}}])
    assert listing.run({"table": THEIRS.arn}, name="theirs")["keys"] == 1
    refused = acting.act(run="theirs", put_item=MARKER)
    assert refused["error"] == "InputError"
    assert 'table "T-1" has no finished run with this name' in refused["cause"]
    assert markers(dynamodb) == set()


def test_the_table_s_own_arn_is_the_same_table(acting: Acting, dynamodb: FakeDynamoDB) -> None:
    assert acting.act(table=dynamodb.table("T-1").definition.arn, put_item=MARKER)["put"] == KEYS


def test_a_run_over_a_table_that_was_created_anew_is_refused(acting: Acting, dynamodb: FakeDynamoDB) -> None:
    acting.act("before", put_item=MARKER, max_write_units=20)
    dynamodb.add(ANEW, [{"pk": {"S": "new"}, "sk": {"S": "0"}}])
    for document in ({"put_item": MARKER}, {"invoke": {"function": TARGET}}, {"undo": "before"}):
        refused = acting.act("after", **document)
        assert (refused["error"], "deleted and created again" in refused["cause"]) == ("TableError", True)
    resumed = acting.planned({"table": "T-1", "run": "run-1", "resume": "before"}, "after")
    assert "deleted and created again" in resumed["cause"]
    assert len(dynamodb.table("T-1").items()) == 1


def test_no_batch_writes_to_a_table_that_was_created_anew(acting: Acting, dynamodb: FakeDynamoDB) -> None:
    planned = acting.planned({"table": "T-1", "run": "run-1", "put_item": MARKER, "dry_run": False})
    state = acting.turn(planned, 0, None)
    dynamodb.add(ANEW)
    with pytest.raises(TableError, match="act job-1 belongs to a table that no longer exists"):
        acting.turn(planned, 0, state)
    assert dynamodb.table("T-1").items() == []


def test_an_undo_is_of_an_act_over_the_same_table(acting: Acting, listing: Machine, dynamodb: FakeDynamoDB) -> None:
    acting.act(put_item=MARKER)
    dynamodb.add(THEIRS, [{"pk": {"S": "theirs"}, "sk": {"S": "0"}}])
    acting.plan.function.settings.writing[THEIRS.arn] = []
    listing.run({"table": THEIRS.arn}, name="theirs")
    refused = acting.act("undone", table=THEIRS.arn, run="theirs", undo="job-1")
    assert refused["error"] in {"InputError", "TableError"}
    assert markers(dynamodb) == {str(n) for n in range(KEYS)}


@pytest.mark.parametrize("action", [{"put_item": MARKER}, {"invoke": {"function": TARGET}}])
def test_nothing_is_done_by_a_part_that_is_not_what_the_manifest_says(
    acting: Acting, listing: Machine, dynamodb: FakeDynamoDB, action: Any
) -> None:
    receiver = acting.worker.lambda_ = Receiver()  # type: ignore[attr-defined]
    planned = acting.planned({"table": "T-1", "run": "run-1", "dry_run": False, **action})
    (name,) = listing.objects("/run-1/keys/")[:1]
    other = listing.read(name)[::-1][1:] + b"\n"
    listing.s3.put_object(Bucket=BUCKET, Key=name, Body=other)
    with pytest.raises(IncompleteRunError, match="someone changed the run's result"):
        list(acting.turns(planned, 0))
    assert (markers(dynamodb), receiver.events) == (set(), [])


def test_a_job_of_the_same_name_is_refused(acting: Acting) -> None:
    acting.act(put_item=MARKER)
    document = {"table": "T-1", "run": "run-1", "put_item": MARKER, "dry_run": False}
    assert "with another name" in acting.planned(document, started="2027-01-01T00:00:00Z")["cause"]
