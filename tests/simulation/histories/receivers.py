"""A function and a queue that take keys from an act, which may do it oddly."""

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.simulation.histories.versions import Author
from tests.simulation.histories.world import History


@dataclass(frozen=True)
class Delivery:
    """What came once. `id`, `keys`: of the message. `attempt`: whose call it was. `places`: of the keys done."""

    id: str
    keys: tuple[str, ...]
    attempt: Author
    places: tuple[int, ...]


class Receiver:
    """`deliveries`: in their order. `heard`: the ids that are answered, so that an attempt does not pass them on again.

    An odd receiver fails at some keys, at whole calls, or answers for some messages only.
    """

    def __init__(self, hands: History) -> None:
        self._hands = hands
        self._share = hands.random.choice([0.0, 0.1, 0.3])
        self.deliveries: list[Delivery] = []
        self.heard: list[tuple[Author, str]] = []

    def _is_odd(self) -> bool:
        return self._hands.random.random() < self._share

    def _come(self, body: str | bytes, attempt: Author, *, fails: frozenset[int] = frozenset()) -> Delivery:
        message = json.loads(body)
        keys = tuple(line["pk"] for line in message["keys"])
        places = tuple(place for place in range(len(keys)) if place not in fails)
        delivery = Delivery(message["id"], keys, attempt, places)
        self.deliveries.append(delivery)
        return delivery


class Function(Receiver):
    """A Lambda function that is invoked with keys."""

    def invoke(self, *, Payload: bytes, **_: Any) -> dict[str, Any]:  # noqa: N803 (boto3's)
        attempt = self._hands.by.attempt
        size = len(json.loads(Payload)["keys"])
        if self._is_odd():  # it fails before it has done anything
            self._come(Payload, attempt, fails=frozenset(range(size)))
            return {"FunctionError": "Unhandled", "Payload": io.BytesIO(b"{}")}
        fails = frozenset(place for place in range(size) if self._is_odd())
        self._come(Payload, attempt, fails=fails)
        listed = [{"itemIdentifier": str(place)} for place in sorted(fails)]
        return {"Payload": io.BytesIO(json.dumps({"batchItemFailures": listed}).encode())}

    def hear(self, attempt: Author, asked: Mapping[str, Any], answer: Mapping[str, Any] | None) -> None:
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
            self._come(entry["MessageBody"], self._hands.by.attempt)
            answer["Successful"].append({"Id": entry["Id"]})
        return {field: listed for field, listed in answer.items() if listed}

    def hear(self, attempt: Author, asked: Mapping[str, Any], answer: Mapping[str, Any] | None) -> None:
        """Note the acknowledged messages."""
        ids = {entry["Id"]: json.loads(entry["MessageBody"])["id"] for entry in asked["Entries"]}
        self.heard += [(attempt, ids[entry["Id"]]) for entry in (answer or {}).get("Successful", ())]
