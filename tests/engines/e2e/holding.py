"""A run that stays in progress."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event

from tests.engines.e2e.proxy import Call, Proxy, ProxyResponse


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
