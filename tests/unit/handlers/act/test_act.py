"""Jobs over a finished run: what each action does, shows beforehand, and refuses."""

import json
from typing import Any

import boto3
import pytest
from moto import mock_aws

from skipscan.items import mark
from skipscan.loop.work import FORM
from tests.fakes.attribute_value import Item
from tests.fakes.definition import TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faults import described
from tests.fakes.handlers.acting import (
    FIFO,
    KEYS,
    MARKER,
    QUEUE,
    SCHEMA,
    TARGET,
    Acting,
    Receiver,
    home,
    markers,
)
from tests.fakes.handlers.execution import BUCKET, Machine

pytestmark = [pytest.mark.usefixtures("run_over_table"), pytest.mark.slow]


def test_put_item_puts_one_item_into_each_item_collection(acting: Acting, dynamodb: FakeDynamoDB) -> None:
    output = acting.act(put_item=MARKER, workers=2)
    assert {n: output[n] for n in ("keys", "put", "requests", "write_units")} == {
        "keys": KEYS,
        "put": KEYS,
        "requests": KEYS,
        "write_units": 2.0 * KEYS,
    }
    assert output["manifest"] == "s3://results/skipscan/T-1/acts/job-1/manifest.json"
    assert (output["act"], output["table"], output["run"]) == ("job-1", "T-1", "run-1")
    found = dynamodb.table("T-1").get({"pk": {"S": "7"}, "sk": {"S": "#static"}})
    assert found == {
        "pk": {"S": "7"},
        "sk": {"S": "#static"},
        "GSI-pk": {"S": "7"},
        "skipscan_job": {"S": mark.of_job(home(dynamodb), "job-1", "2026-01-01T00:00:00Z")},
    }
    assert markers(dynamodb) == {str(n) for n in range(KEYS)}
    assert acting.failed() == []


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


def test_an_act_of_an_earlier_version_is_undone(acting: Acting, dynamodb: FakeDynamoDB) -> None:
    acting.act(put_item=MARKER)
    name = "skipscan/T-1/acts/job-1/plan.json"
    document = json.loads(acting.read(name))
    rests_on = {member: document["plan"][member] for member in ("identity", "run", "manifest_sha256", "action", "mark")}
    earlier = {**document, "form": FORM - 1, "plan": {**rests_on, "of": "another shape"}}
    acting.s3.put_object(Bucket=BUCKET, Key=name, Body=json.dumps(earlier).encode())
    assert acting.act("job-2", undo="job-1")["deleted"] == KEYS
    assert markers(dynamodb) == set()


def test_the_plan_of_an_undo_warns_of_a_job_that_may_be_running(acting: Acting) -> None:
    asked = {"table": "T-1", "run": "run-1"}
    acting.turn(acting.planned({**asked, "put_item": MARKER, "dry_run": False}), 0, None)
    assert "Stop its execution" in str(acting.planned({**asked, "undo": "job-1"}, "u-1")["explanation"]["advice"])
    acting.act(put_item=MARKER)
    assert acting.planned({**asked, "undo": "job-1"}, "u-2")["explanation"]["advice"] == []


def test_a_write_has_as_many_workers_as_the_table_serves_and_other_actions_do_not_care(
    acting: Acting, dynamodb: FakeDynamoDB
) -> None:
    acting.listing.run({"table": "T-1", "segments": 4, "workers": 2}, "run-2")
    warm = {"ReadUnitsPerSecond": 12_000, "WriteUnitsPerSecond": 1_000}
    acting.plan.dynamodb = described(dynamodb, lambda table: table.update(WarmThroughput=warm))
    asked = {"table": "T-1", "run": "run-2"}
    assert acting.planned({**asked, "put_item": MARKER})["explanation"]["workers"] == 1
    assert acting.planned({**asked, "invoke": {"function": TARGET}}, "job-2")["explanation"]["workers"] == 2


def test_the_plan_of_a_write_names_what_vector_indexes_cost_besides(acting: Acting, dynamodb: FakeDynamoDB) -> None:
    vectors = [{"IndexName": "by-meaning"}]
    acting.plan.dynamodb = described(dynamodb, lambda table: table.update(VectorIndexes=vectors))
    asked = {"table": "T-1", "run": "run-1"}
    (warning,) = acting.planned({**asked, "put_item": MARKER})["explanation"]["advice"]
    assert "(by-meaning). DynamoDB bills writes to them by the byte" in warning
    assert acting.planned({**asked, "invoke": {"function": TARGET}}, "job-2")["explanation"]["advice"] == []


ALL = (KEYS, 0, set[str]())
NONE_KNOWN = (0, KEYS, {"MalformedAnswer"})
NO_PLACES: tuple[Any, ...] = ("-1", "23", "first", None, {}, float("inf"))


@pytest.mark.parametrize(
    ("answers", "ended", "calls"),
    [
        ([], ALL, 1),
        ([{"batchItemFailures": [{"itemIdentifier": "2"}]}], (KEYS - 1, 1, {"batchItemFailure"}), 1),
        (["raises"], ALL, 2),
        (["raises"] * 99, (0, KEYS, {"FunctionError"}), 3),
        (["silent"], (0, KEYS, {"TimedOut"}), 1),
        *(([{"batchItemFailures": [{"itemIdentifier": place}]}], NONE_KNOWN, 1) for place in NO_PLACES),
    ],
)
def test_a_function_s_answer_decides_which_keys_are_sent_failed_or_handed_over_again(
    acting: Acting, answers: list[Any], ended: tuple[int, int, set[str]], calls: int
) -> None:
    receiver = acting.worker.lambda_ = Receiver(*answers)
    output = acting.act(invoke={"function": TARGET, "keys_per_call": KEYS}, workers=1)
    assert (output["sent"], output["failed"], {line["reason"] for line in acting.failed()}) == ended
    assert [event["id"] for event in receiver.events] == [receiver.events[0]["id"]] * calls
    event = receiver.events[0]
    assert (event["table"], event["run"], event["job"]) == ("T-1", "run-1", "job-1")
    assert sorted(int(key["pk"]) for key in event["keys"]) == list(range(KEYS))


@pytest.mark.parametrize("queue", [QUEUE, FIFO])
def test_send_sends_every_key_to_the_queue(acting: Acting, queue: str) -> None:
    with mock_aws():
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


def test_a_job_is_a_dry_run_by_default(acting: Acting, listing: Machine, dynamodb: FakeDynamoDB) -> None:
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
    assert document["plan"]["repeated_keys"] == 100_000


def test_an_empty_run_is_soon_done(acting: Acting, listing: Machine, dynamodb: FakeDynamoDB) -> None:
    dynamodb.add(TableDefinition("T-1", SCHEMA))
    listing.run({"table": "T-1"}, name="empty")
    assert acting.act(run="empty", put_item=MARKER)["keys"] == 0
