"""The acts that send keys, what their documentation says about repeated keys, and receivers that may be odd."""

import io
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.simulation.histories.acts import COLLECTIONS, Act
from tests.simulation.histories.world import History
from tests.simulation.world.attempt import Attempt

FUNCTION = "arn:aws:lambda:us-east-1:123456789012:function:receiver"
QUEUE = "arn:aws:sqs:us-east-1:123456789012:receiver"
HANDED = ("invoke", "send")
TOGETHER = (1, 2)
"""Keys in one message."""


@dataclass(frozen=True)
class Delivery:
    """What came once. `id`, `keys`: of the message. `attempt`: whose call it was. `places`: of the keys done."""

    id: str
    keys: tuple[str, ...]
    attempt: Attempt
    places: tuple[int, ...]


class Receiver:
    """`deliveries`: in their order. `heard`: the ids that are answered, so that an attempt does not pass them on again.

    An odd receiver fails at some keys, at whole calls, or answers for some messages only.
    """

    def __init__(self, hands: History) -> None:
        self._hands = hands
        self._share = hands.random.choice([0.0, 0.1, 0.3])
        self.deliveries: list[Delivery] = []
        self.heard: list[tuple[Attempt, str]] = []

    def _is_odd(self) -> bool:
        return self._hands.random.random() < self._share

    def _come(self, body: str | bytes, *, fails: frozenset[int] = frozenset()) -> None:
        message = json.loads(body)
        keys = tuple(line["pk"] for line in message["keys"])
        places = tuple(place for place in range(len(keys)) if place not in fails)
        assert self._hands.by.attempt
        self.deliveries.append(Delivery(message["id"], keys, self._hands.by.attempt, places))


class Function(Receiver):
    """A Lambda function that is invoked with keys."""

    def invoke(self, *, Payload: bytes, **_: Any) -> dict[str, Any]:  # noqa: N803 (boto3's)
        size = len(json.loads(Payload)["keys"])
        if self._is_odd():  # it fails before it has done anything
            self._come(Payload, fails=frozenset(range(size)))
            return {"FunctionError": "Unhandled", "Payload": io.BytesIO(b"{}")}
        fails = frozenset(place for place in range(size) if self._is_odd())
        self._come(Payload, fails=fails)
        listed = [{"itemIdentifier": str(place)} for place in sorted(fails)]
        return {"Payload": io.BytesIO(json.dumps({"batchItemFailures": listed}).encode())}

    def hear(self, attempt: Attempt, asked: Mapping[str, Any], answer: Mapping[str, Any] | None) -> None:
        """Note an acknowledged message. Without an answer the function may be at work still: no reason to repeat it."""
        if answer is None or "FunctionError" not in answer:
            self.heard.append((attempt, json.loads(asked["Payload"])["id"]))


class Queue(Receiver):
    """An SQS queue."""

    def get_queue_url(self, *, QueueName: str, **_: Any) -> dict[str, Any]:  # noqa: N803 (boto3's)
        return {"QueueUrl": f"https://{QueueName}"}

    def send_message_batch(self, *, Entries: list[dict[str, Any]], **_: Any) -> dict[str, Any]:  # noqa: N803 (boto3's)
        answer: dict[str, list[dict[str, Any]]] = {"Successful": [], "Failed": []}
        for entry in Entries:
            if self._is_odd():  # it has not come; the answer says so, or says nothing
                if self._hands.random.random() < 0.5:
                    refusal = {"Code": "InternalError", "SenderFault": self._hands.random.random() < 0.3}
                    answer["Failed"].append({"Id": entry["Id"], **refusal})
                continue
            self._come(entry["MessageBody"])
            answer["Successful"].append({"Id": entry["Id"]})
        return {field: listed for field, listed in answer.items() if listed}

    def hear(self, attempt: Attempt, asked: Mapping[str, Any], answer: Mapping[str, Any] | None) -> None:
        """Note the acknowledged messages."""
        ids = {entry["Id"]: json.loads(entry["MessageBody"])["id"] for entry in asked["Entries"]}
        self.heard += [(attempt, ids[entry["Id"]]) for entry in (answer or {}).get("Successful", ())]


class HandOver(Act):
    """An act that sends the keys of six collections to a function or a queue: at least once, with a stated maximum."""

    def __init__(self, world: History, action: str) -> None:
        self.receiver: Function | Queue = Function(world) if action == "invoke" else Queue(world)
        together = world.random.choice(TOGETHER)
        handed = {
            "invoke": {"invoke": {"function": FUNCTION, "keys_per_call": together}},
            "send": {"send": {"queue": QUEUE, "keys_per_message": together}},
        }
        super().__init__(world, action, handed[action])
        world.receiver = self.receiver

    def at_end(self) -> str:
        """See docs/act.md: "What a crash repeats", and the outcomes of `invoke` and `send`."""
        return self._too_many() or self._needless() or self._missing()

    def _too_many(self) -> str:
        """Complain of an invocation that handed on more keys than the plan says."""
        handed = {(each.attempt, key) for each in self.receiver.deliveries for key in each.keys}
        most = max(Counter(attempt for attempt, _ in handed).values(), default=0)
        if most > max(self.plan.repeated_keys, self.plan.action.keys_together):
            return f"an invocation handed on {most} keys, and the plan says {self.plan.repeated_keys}"
        return ""

    def _needless(self) -> str:
        """Complain of keys that came again though a commit held them, or under another id, or though acknowledged."""
        ids: dict[str, str] = {}
        messages: dict[str, tuple[str, ...]] = {}
        acknowledged: Counter[tuple[Attempt, str]] = Counter(self.receiver.heard)
        for each in self.receiver.deliveries:
            if messages.setdefault(each.id, each.keys) != each.keys:  # a FIFO queue would drop one of them
                return f"{each.id} is {messages[each.id]} and {each.keys}"
            for key in each.keys:
                if ids.setdefault(key, each.id) != each.id:
                    return f"{key} came under {ids[key]} and {each.id}"
            if each.attempt.was_committed:
                return f"{each.id} came from an invocation that began after the commit of its batch"
        if again := [id for (_, id), times in acknowledged.items() if times > 1]:
            return f"{again} were handed on again by the invocation that they were acknowledged to"
        times = Counter(each.id for each in self.receiver.deliveries)
        self.world.faults[f"{self.action}: keys came again"] += sum(times.values()) - len(times)
        return ""

    def _missing(self) -> str:
        """Complain of a key that is neither done nor listed as failed, and of counts that do not add up."""
        done = {each.keys[place] for each in self.receiver.deliveries for place in each.places}
        failed = set()
        for name, stored in self.world.s3.objects.items():
            if name.startswith(self.layout.parts):
                failed |= {json.loads(line)["key"]["pk"] for line in stored.body.splitlines()}
        if missing := {*COLLECTIONS} - done - failed:
            return f"{sorted(missing)} were neither done nor listed as failed"
        counts: Counter[str] = Counter()
        for worker in self.execution.workers:
            counts.update({name: worker.states[-1]["counts"].get(name, 0) for name in ("keys", "sent", "failed")})
        if counts != Counter(keys=len(COLLECTIONS), sent=len(COLLECTIONS) - len(failed), failed=len(failed)):
            return f"the counts are {dict(counts)}, and {len(failed)} keys are listed as failed"
        if failed:
            self.world.faults[f"{self.action}: listed as failed"] += 1
        return ""
