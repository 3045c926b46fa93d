"""A run that takes first items: the content of its parts, and everything that uses them, from resume to act."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from types import ModuleType
from typing import Any

import boto3
import pytest
from moto import mock_aws

from tests.fakes.attribute_value import Item
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.handlers.acting import MARKER, QUEUE, Acting
from tests.fakes.handlers.execution import CONTEXT, Machine, through_json

KEYS = 23
TAKE = {"first": ["name", "photo"]}


@pytest.fixture(autouse=True)
def photos(dynamodb: FakeDynamoDB) -> None:
    items: Iterator[Item] = (
        {"pk": {"S": f"{pk}"}, "sk": {"S": f"{sk}"}, "name": {"S": f"n{pk}-{sk}"}, "photo": {"B": b"\xff" * 300}}
        for pk in range(KEYS)
        for sk in range(1 + pk % 4)
    )
    dynamodb.add(TableDefinition("T-1", KeySchema.of(("pk", "S"), ("sk", "S"))), items)


def test_each_line_has_key_sort_key_attributes_and_when_it_was_read(listing: Machine) -> None:
    before = datetime.now(UTC)
    output = listing.run({"table": "T-1", "take": TAKE, "segments": 3})
    photo = "/" * 400
    lines = listing.lines()
    assert sorted(lines, key=lambda line: int(line["pk"])) == [
        {"pk": f"{pk}", "first": {"sk": "0", "name": f"n{pk}-0", "photo": photo}, "read": line["read"]}
        for pk, line in enumerate(sorted(lines, key=lambda line: int(line["pk"])))
    ]
    for line in lines:
        assert before.timestamp() - 1 <= datetime.fromisoformat(line["read"]).timestamp() <= datetime.now().timestamp()
    manifest = json.loads(listing.read("skipscan/T-1/runs/run-1/manifest.json"))
    assert (manifest["take"], manifest["keys"], output["keys"]) == (TAKE, KEYS, KEYS)


@pytest.mark.parametrize("take", [None, {"first": "all"}])
def test_a_batch_ends_when_its_part_has_the_bytes_of_values_it_may_have(
    listing: Machine, dynamodb: FakeDynamoDB, take: Any
) -> None:
    """It overruns by what one page of its walk brings, 1 MB at most. Keys alone have too few bytes to end it."""
    items: list[Item] = [
        {"pk": {"S": f"{pk:02d}"}, "sk": {"S": "0"}, "payload": {"B": bytes(3000)}} for pk in range(40)
    ]
    dynamodb.add(TableDefinition("Large", KeySchema.of(("pk", "S"), ("sk", "S"))), items)
    function = listing.worker.function
    function.settings = replace(function.settings, batch_bytes=10_000, batch_pages=None)
    assert listing.run({"table": "Large", "take": take, "segments": 1})["keys"] == 40
    bodies = [body for name in listing.objects("/Large/runs/run-1/keys/") if (body := listing.read(name))]
    assert (len(bodies) > 1) == (take is not None)
    assert all(len(body) >= 10_000 for body in bodies[:-1])
    assert all(len(body) < 10_000 + 40 * 4_100 for body in bodies)


def test_an_act_hands_on_keys_and_no_item(acting: Acting, listing: Machine) -> None:
    with mock_aws():
        acting.worker.sqs = boto3.client("sqs", "us-east-1")  # type: ignore[attr-defined]
        acting.worker.sqs.create_queue(QueueName=QUEUE.rpartition(":")[2])
        listing.run({"table": "T-1", "take": TAKE})
        assert acting.act(send={"queue": QUEUE, "keys_per_message": 5})["sent"] == KEYS
        sent: list[Any] = []
        while messages := acting.worker.sqs.receive_message(QueueUrl="keys", MaxNumberOfMessages=10).get("Messages"):
            for message in messages:
                sent += json.loads(message["Body"])["keys"]
                acting.worker.sqs.delete_message(QueueUrl="keys", ReceiptHandle=message["ReceiptHandle"])
    assert sorted(sent, key=lambda key: int(key["pk"])) == [{"pk": f"{pk}"} for pk in range(KEYS)]


def test_an_act_and_a_comparison_refuse_a_run_with_a_line_for_each_item(acting: Acting, listing: Machine) -> None:
    listing.run({"table": "T-1", "take": {"items": "all"}})
    assert "it has a line for each item" in acting.act(put_item=MARKER, workers=2)["cause"]
    compared = listing.run({"table": "T-1", "take": {"items": "all"}, "compare": "run-1"}, "other")
    assert "runs are compared by their keys" in compared["cause"]


def test_runs_are_compared_by_their_keys_whatever_they_take(
    listing: Machine, compare: ModuleType, dynamodb: FakeDynamoDB
) -> None:
    def run(name: str, day: int, **document: Any) -> dict[str, Any]:
        planned = listing.planned({"table": "T-1", **document}, name, f"2026-01-{day:02d}T03:00:00Z")
        reports = [list(listing.turns(planned, worker))[-1]["report"] for worker in planned["workers"]]
        output = listing.finished(planned, reports)
        return through_json(compare.handler(through_json(output), CONTEXT)) if "compare" in output else output

    run("one", 1)
    dynamodb.table("T-1").put({"pk": {"S": "new"}, "sk": {"S": "0"}})
    two = run("two", 2, take=TAKE, compare="previous")
    assert (two["outcome"], two["new_keys"], two["vanished_keys"]) == ("compared", 1, 0)
    dynamodb.table("T-1").put({"pk": {"S": "0"}, "sk": {"S": "0"}, "name": {"S": "other"}})
    dynamodb.table("T-1").delete({"pk": {"S": "new"}, "sk": {"S": "0"}})
    three = run("three", 3, take=TAKE, compare="previous")
    assert (three["outcome"], three["new_keys"], three["vanished_keys"]) == ("compared", 0, 1)
    (part,) = listing.objects("/three/diff/vanished/")
    assert listing.read(part) == b'{"pk": "new"}\n'
