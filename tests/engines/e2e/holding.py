"""Requests to S3 that are held on their way until a test releases them, and a run that stays in progress."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock
from time import monotonic, sleep

from tests.engines.e2e.proxy import Call, Proxy, ProxyResponse

SECONDS = 600


class Held:
    """Keeps the puts of a name from S3 until it is released: those of the attempt that comes first.

    A put that waits for long is sent once more by its client.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = Lock()
        self._attempt: str | None = None
        self._waiting = 0
        self.reached, self.released = Event(), Event()
        self.answers: list[int] = []

    def __call__(self, call: Call) -> ProxyResponse:
        with self._lock:
            is_held = self._name in call.name and call.name.startswith("PUT ") and not self.released.is_set()
            if is_held and self._attempt is None:
                self._attempt = call.attempt
            is_held = is_held and self._attempt == call.attempt
            self._waiting += is_held
        if not is_held:
            return call.forward()
        self.reached.set()
        try:
            assert self.released.wait(SECONDS)
            answer = call.forward()
            self.answers.append(answer.status)
        finally:
            with self._lock:
                self._waiting -= 1
        return answer

    def release(self) -> None:
        """Release the puts and wait for their results."""
        self.released.set()
        deadline = monotonic() + SECONDS
        while self._waiting and monotonic() < deadline:
            sleep(0.02)


@contextmanager
def holding(proxy: Proxy, name: str) -> Iterator[Held]:
    """Hold the first puts of a name, and release them at the end of the block."""
    puts = Held(name)
    with proxy.failing(puts):
        try:
            yield puts
        finally:
            puts.release()


@contextmanager
def held(dynamodb: Proxy) -> Iterator[Event]:
    """Let a run be at work for the length of the block, and no longer; the event says that its workers are.

    Each segment has its first page. From then on a page is late, empty, and leads nowhere but back, as DynamoDB's may:
    no number of pages and no time-out brings the run to its end, and it has nothing to fail by.
    """
    at_work, ended = Event(), Event()

    def hold(call: Call) -> ProxyResponse | None:
        asked = json.loads(call.body) if call.name == "Scan" else {}
        if "ExclusiveStartKey" not in asked:
            return call.forward()
        at_work.set()
        if ended.wait(1):
            return call.forward()
        page = {"Items": [], "Count": 0, "ScannedCount": 0, "LastEvaluatedKey": asked["ExclusiveStartKey"]}
        page["ConsumedCapacity"] = {"TableName": asked["TableName"], "CapacityUnits": 0.5}
        return ProxyResponse(200, json.dumps(page).encode(), (("Content-Type", "application/x-amz-json-1.0"),))

    with dynamodb.failing(hold):
        try:
            yield at_work
        finally:
            ended.set()
