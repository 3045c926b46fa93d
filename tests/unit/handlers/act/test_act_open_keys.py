"""Keys that are still open when a batch is committed: the next one does them, and no key that the commit holds."""

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from skipscan.errors import BatchError, DeniedError
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.faulty import faulty
from tests.fakes.handlers.acting import KEYS, QUEUE, TARGET, Acting, Receiver
from tests.fakes.hostile.documented import FINAL
from tests.fakes.services import Queue
from tests.refusal import refused

pytestmark = [pytest.mark.usefixtures("run_over_table"), pytest.mark.slow]


@pytest.fixture(autouse=True)
def without_waits(acting: Acting) -> None:
    function = acting.worker.function
    function.dependencies = replace(function.dependencies, random=lambda: 0.0)


def turns(acting: Acting, **document: Any) -> tuple[Any, Any]:
    """Return the plan and the first turn's state of an act with one worker."""
    planned = acting.planned({"table": "T-1", "run": "run-1", "dry_run": False, "workers": 1, **document}, "job-1")
    assert "work" in planned, planned
    return planned, acting.turn(planned, 0, None)


def refusing(number: str = "") -> Any:
    """Have a queue take none of a request's entries yet, or all but the one with this number."""

    def step(send: Any, asked: dict[str, Any]) -> dict[str, Any]:
        taken = [entry for entry in asked["Entries"] if number not in {"", entry["Id"]}]
        answer = send(**{**asked, "Entries": taken}) if taken else {}
        refused = [entry["Id"] for entry in asked["Entries"] if entry not in taken]
        return {**answer, "Failed": [{"Id": each, "Code": "InternalError", "SenderFault": False} for each in refused]}

    return step


def queue_of(acting: Acting, *steps: Any) -> Any:
    """Give the functions a queue that answers so first."""
    queue = acting.worker.sqs = faulty(Queue(), {"send_message_batch": steps}, "sqs")
    return queue


def sent(queue: Any) -> Counter[str]:
    """Return how often each key was sent."""
    return Counter(key["pk"] for body in queue.bodies for key in json.loads(body)["keys"])


def test_a_queue_that_takes_nothing_fails_the_batch_and_lists_nothing(
    acting: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue_of(acting, *[refusing()] * 999)
    settings = acting.worker.function.settings
    monkeypatch.setattr(acting.worker.function, "settings", replace(settings, batch_pages=None))
    with refused(BatchError, "send", rule=r"\(InternalError\)"):
        turns(acting, send={"queue": QUEUE})
    assert acting.objects("/acts/job-1/failed/") == []


@pytest.mark.parametrize("operation", ["get_queue_url", "send_message_batch"])
def test_a_queue_that_does_not_exist_is_named_with_the_way_out(acting: Acting, operation: str) -> None:
    queue = queue_of(acting)
    queue.refuse(FINAL["the queue is gone"], operation)
    with refused(DeniedError, "send.queue", QUEUE, rule="not find", way="resume"):
        turns(acting, send={"queue": QUEUE})


def test_a_function_that_does_not_exist_is_named_with_the_way_out(acting: Acting) -> None:
    receiver = acting.worker.lambda_ = faulty(Receiver(), service="lambda")
    receiver.refuse(FINAL["the target function is gone"], "invoke")
    with refused(DeniedError, "invoke.function", TARGET, rule="not find", way="resume"):
        turns(acting, invoke={"function": TARGET})


def test_what_was_sent_before_the_queue_was_deleted_is_committed(acting: Acting) -> None:
    """The turn after that ends the worker."""
    queue = queue_of(acting, refusing("1"))
    planned, state = turns(acting, send={"queue": QUEUE})
    assert state["counts"]["sent"] > 0
    queue.refuse(FINAL["the queue is gone"], "send_message_batch")
    with refused(DeniedError, "send.queue", QUEUE, rule="not find", way="resume"):
        acting.turn(planned, 0, state)


def test_a_table_that_was_deleted_is_not_taken_for_the_queue(acting: Acting, dynamodb: FakeDynamoDB) -> None:
    client = acting.worker.dynamodb = faulty(dynamodb)
    queue_of(acting)
    client.refuse(FINAL["the table is gone"], "query")
    _, state = turns(acting, send={"queue": QUEUE}, skip_ended=True)
    assert "table was deleted" in state["report"]["ended_by"]


def test_characters_that_no_message_may_have_are_escaped(acting: Acting, dynamodb: FakeDynamoDB) -> None:
    odd = "a\ufffeb\uffffc\x0b\ud7ff\ue000\U0001ffff"
    dynamodb.table("T-1").put({"pk": {"S": odd}, "sk": {"S": "0"}})
    assert acting.listing.run({"table": "T-1"}, "odd")["keys"] == KEYS + 1
    queue = queue_of(acting)
    assert acting.act(run="odd", send={"queue": QUEUE, "keys_per_message": 5}, workers=1)["sent"] == KEYS + 1
    assert odd in sent(queue)
    assert not [body for body in queue.bodies if not all(map(is_allowed, body))]


def is_allowed(character: str) -> bool:
    """Tell what SQS takes (API reference, SendMessage, "MessageBody")."""
    code = ord(character)
    return character in "\t\n\r" or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000
