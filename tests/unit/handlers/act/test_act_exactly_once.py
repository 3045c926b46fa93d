"""Repeats and latecomers between the turns of a job: each function is called for a key as often as its first time."""

from typing import Any

import pytest

from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.handlers.acting import TARGET, Acting, Receiver
from tests.fakes.handlers.execution import Machine

pytestmark = pytest.mark.slow

KEYS = 23
INVOKE = {"table": "T-1", "run": "run-1", "dry_run": False, "invoke": {"function": TARGET, "keys_per_call": 1}}


@pytest.fixture
def receiver(listing: Machine, dynamodb: FakeDynamoDB, acting: Acting) -> Any:
    """The function that a job calls, three times a batch."""
    items: Any = [{"pk": {"S": str(pk)}, "sk": {"S": "1"}} for pk in range(KEYS)]
    dynamodb.add(TableDefinition("T-1", KeySchema.of(("pk", "S"), ("sk", "S"))), items)
    assert listing.run({"table": "T-1"})["keys"] == KEYS
    acting.worker.lambda_ = Receiver()  # type: ignore[attr-defined]
    return acting.worker.lambda_


def called(receiver: Any) -> int:
    return sum(len(event["keys"]) for event in receiver.events)


def test_a_repeated_turn_calls_no_function_again(acting: Acting, receiver: Any) -> None:
    planned = acting.planned({**INVOKE, "workers": 1})
    first = acting.turn(planned, 0, None)
    second = acting.turn(planned, 0, first)
    before = called(receiver)
    assert acting.turn(planned, 0, first) == second
    assert called(receiver) == before == second["counts"]["sent"] < KEYS


def test_a_first_turn_continues_from_the_results_on_s3(acting: Acting, receiver: Any) -> None:
    planned = acting.planned({**INVOKE, "workers": 1})
    assert [acting.turn(planned, 0, None)["batch"] for _ in range(3)] == [1, 2, 3]
    report = list(acting.turns(planned, 0))[-1]["report"]
    assert acting.finished(planned, [report])["sent"] == called(receiver) == KEYS
