"""Keys that are still open when a batch is committed: the next one does them, and no key that the commit holds."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from skipscan.errors import BatchError, DeniedError
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.error import service_error
from tests.fakes.faults import Wrapper
from tests.fakes.faulty import faulty
from tests.fakes.handlers.acting import KEYS, MARKER, QUEUE, TARGET, Acting, Receiver, markers
from tests.fakes.hostile.documented import FINAL
from tests.fakes.services import Queue
from tests.refusal import refused

pytestmark = [pytest.mark.usefixtures("run_over_table"), pytest.mark.slow]


@pytest.fixture(autouse=True)
def without_waits(acting: Acting) -> None:
    wait(acting, 0.0)


def wait(acting: Acting, part: float) -> None:
    """Have each backoff wait for so large a part of its span."""
    function = acting.worker.function
    function.dependencies = replace(function.dependencies, random=lambda: part)


class Hot(Wrapper):
    """DynamoDB that throttles the writes to some keys. `reads`, `writes`: how often each key was asked for."""

    def __init__(self, client: FakeDynamoDB, is_hot: Callable[[str], bool]) -> None:
        super().__init__(client)
        self.engine, self.is_hot = client, is_hot
        self.reads, self.writes = Counter[str](), Counter[str]()

    def get_item(self, **asked: Any) -> dict[str, Any]:
        self.reads[asked["Key"]["pk"]["S"]] += 1
        return self.engine.get_item(**asked)

    def query(self, **asked: Any) -> dict[str, Any]:
        self.reads[asked["ExpressionAttributeValues"][":k"]["S"]] += 1
        return self.engine.query(**asked)

    def put_item(self, **asked: Any) -> dict[str, Any]:
        return self._write(asked["Item"], "PutItem", lambda: self.engine.put_item(**asked))

    def delete_item(self, **asked: Any) -> dict[str, Any]:
        return self._write(asked["Key"], "DeleteItem", lambda: self.engine.delete_item(**asked))

    def _write(self, key: Any, operation: str, write: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        pk = key["pk"]["S"]
        if self.is_hot(pk):
            error: Any = service_error("ProvisionedThroughputExceededException", "", operation)
            error.response["ThrottlingReasons"] = [{"reason": "TableWriteKeyRangeThroughputExceeded"}]
            raise error
        self.writes[pk] += 1
        return write()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.engine, name)


def first_key(acting: Acting) -> str:
    pk: str = acting.listing.lines("/run-1/")[0]["pk"]
    return pk


def turns(acting: Acting, name: str = "job-1", **document: Any) -> tuple[Any, Any]:
    """Return the plan and the first turn's state of an act with one worker."""
    planned = acting.planned({"table": "T-1", "run": "run-1", "dry_run": False, "workers": 1, **document}, name)
    assert "work" in planned, planned
    return planned, acting.turn(planned, 0, None)


def end(acting: Acting, planned: Any, state: Any) -> dict[str, Any]:
    while not state["done"]:
        state = acting.turn(planned, 0, state)
    return acting.finished(planned, [state["report"]])


@pytest.mark.parametrize(
    ("action", "count"),
    [
        ({"delete_item": {"key": {"sk": "1"}}}, "deleted"),
        ({"put_item": MARKER}, "put"),
        ({"put_item": {**MARKER, "overwrite": True}}, "put"),
    ],
)
def test_a_throttled_key_has_none_of_a_committed_batch_done_again(
    acting: Acting, dynamodb: FakeDynamoDB, action: Any, count: str
) -> None:
    wait(acting, 1.0)
    hot = {first_key(acting)}
    client = acting.worker.dynamodb = Hot(dynamodb, lambda pk: pk in hot)  # type: ignore[attr-defined]
    planned, state = turns(acting, **action)
    assert (state["offset"], client.writes.total()) == (None, state["counts"][count])
    assert client.writes.total() > 0
    table, place = dynamodb.table("T-1"), "#static" if "put_item" in action else "1"
    for pk in client.writes:  # what a repeat would undo: the application puts what was deleted, deletes what was put
        key: Any = {"pk": {"S": pk}, "sk": {"S": place}}
        if count == "deleted":
            table.put({**key, "by": {"S": "the application"}})
        else:
            table.delete(key)
    since = [item for item in table.items() if item["sk"]["S"] == place and item["pk"]["S"] in client.writes]
    done = [*client.writes]
    hot.clear()
    output = end(acting, planned, state)
    assert (output["keys"], output[count]) == (KEYS, KEYS)
    assert set(client.writes.values()) == {1}
    assert [i for i in table.items() if i["sk"]["S"] == place and i["pk"]["S"] in done] == since


def test_a_message_of_a_committed_batch_is_not_sent_again(acting: Acting) -> None:
    """The queue refuses one of a request's messages until the batch has ended."""
    queue = queue_of(acting, *[refusing("1")] * 3)
    planned, state = turns(acting, send={"queue": QUEUE})
    assert sent(queue).total() == state["counts"]["sent"] > 0
    assert end(acting, planned, state)["sent"] == KEYS
    assert set(sent(queue).values()) == {1}
    assert sent(queue).total() == KEYS


def refusing(number: str = "", code: str = "InternalError") -> Any:
    """Have a queue take none of a request's entries yet, or all but the one with this number."""

    def step(send: Any, asked: dict[str, Any]) -> dict[str, Any]:
        taken = [entry for entry in asked["Entries"] if number not in {"", entry["Id"]}]
        answer = send(**{**asked, "Entries": taken}) if taken else {}
        refused = [entry["Id"] for entry in asked["Entries"] if entry not in taken]
        return {**answer, "Failed": [{"Id": each, "Code": code, "SenderFault": False} for each in refused]}

    return step


def queue_of(acting: Acting, *steps: Any) -> Any:
    """Give the functions a queue that answers so first."""
    queue = acting.worker.sqs = faulty(Queue(), {"send_message_batch": steps}, "sqs")  # type: ignore[attr-defined]
    return queue


def sent(queue: Any) -> Counter[str]:
    """Return how often each key was sent."""
    return Counter(key["pk"] for body in queue.bodies for key in json.loads(body)["keys"])


@pytest.mark.parametrize("code", ["InternalError", "KmsThrottled", "NotAcknowledged"])
def test_messages_that_a_queue_cannot_take_yet_are_not_listed(acting: Acting, code: str) -> None:
    """Five refusals are more than the three tries of a function that raises."""
    queue = queue_of(acting, *[refusing(code=code)] * 5)
    planned, state = turns(acting, send={"queue": QUEUE})
    output = end(acting, planned, state)
    assert (output["sent"], output["failed"], sent(queue).total()) == (KEYS, 0, KEYS)
    assert (output["throttles"] > 0) == (code == "KmsThrottled")


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
    receiver = acting.worker.lambda_ = faulty(Receiver(), service="lambda")  # type: ignore[attr-defined]
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
    client = acting.worker.dynamodb = faulty(dynamodb)  # type: ignore[attr-defined]
    queue_of(acting)
    client.refuse(FINAL["the table is gone"], "query")
    _, state = turns(acting, send={"queue": QUEUE}, skip_ended=True)
    assert "table was deleted" in state["report"]["ended_by"]


def test_a_function_that_fails_at_the_end_of_batches_is_called_three_times(acting: Acting) -> None:
    """Each batch ends with a call that fails: of 23 keys in calls of 10, the third."""
    receiver = acting.worker.lambda_ = Receiver({}, {}, *["raises"] * 99)  # type: ignore[attr-defined]
    output = acting.act(invoke={"function": TARGET, "keys_per_call": 10}, workers=1)
    assert (output["sent"], output["failed"]) == (20, 3)
    assert sorted(Counter(event["id"] for event in receiver.events).values()) == [1, 1, 3]


def test_a_function_that_fails_once_in_a_batch_of_its_own_is_called_again(
    acting: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = acting.worker.function.settings
    monkeypatch.setattr(acting.worker.function, "settings", replace(settings, batch_pages=1))
    receiver = acting.worker.lambda_ = Receiver("raises")  # type: ignore[attr-defined]
    output = acting.act(invoke={"function": TARGET}, workers=1)
    assert (output["sent"], output["failed"], len(receiver.events)) == (KEYS, 0, 2)


@pytest.mark.parametrize("action", [{"put_item": MARKER, "skip_ended": True}, {"undo": "job-0"}])
def test_reads_before_a_throttled_write_are_counted(acting: Acting, dynamodb: FakeDynamoDB, action: Any) -> None:
    if "undo" in action:
        acting.act("job-0", put_item=MARKER)
    hot = Counter(dict.fromkeys(map(str, range(0, KEYS, 4)), 2))

    def is_hot(pk: str) -> bool:
        hot[pk] -= 1
        return hot[pk] >= 0

    client = acting.worker.dynamodb = Hot(dynamodb, is_hot)  # type: ignore[attr-defined]
    output = acting.act(**action, workers=1)
    assert client.reads.total() == KEYS + 12
    assert (output["read_units"], output["throttles"]) == (client.reads.total(), 12)
    assert output["requests"] == client.reads.total() + client.writes.total()


def test_a_budget_pays_for_reads_before_writes_that_are_throttled(acting: Acting, dynamodb: FakeDynamoDB) -> None:
    """Reads alone use the dollars up: the act stops, although no key is settled."""
    table = dynamodb.table("T-1")
    for pk in range(KEYS):
        table.put({"pk": {"S": str(pk)}, "sk": {"S": "0"}, "body": {"B": bytes(390_000)}})
    client = acting.worker.dynamodb = Hot(dynamodb, lambda _: True)  # type: ignore[attr-defined]
    settings = acting.worker.function.settings
    acting.worker.function.settings = replace(settings, batch_pages=None)
    output = acting.act(put_item=MARKER, skip_ended=True, workers=1, max_dollars=0.002)
    assert output["error"] == "BudgetError"
    assert 0 < client.reads.total() * 96 * 0.125e-6 < 0.002 + 0.001
    assert markers(dynamodb) == set()


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
