"""Pages that boto3 read wait as bytes."""

import json
from concurrent.futures import ThreadPoolExecutor
from time import sleep
from typing import Any

import boto3

from skipscan.aws.lean.request import Raw
from skipscan.aws.unread import unread


def test_one_thread_at_a_time_makes_objects_of_a_page_that_boto3_read() -> None:
    """Each walk of a batch may hold a page, whose objects take up to a hundred times its bytes."""
    client = boto3.Session("key", "secret", region_name="us-east-1").client("dynamodb")
    body = json.dumps({"Items": [{"k": {"S": "a"}}], "Count": 1, "ScannedCount": 1}).encode()
    at_work, most = 0, 0

    def send(request: Any, **_: object) -> Any:
        return Raw(200, b"", body).for_boto3(request.url)

    def begin(**_: object) -> None:
        nonlocal at_work, most
        at_work += 1
        most = max(most, at_work)

    def end(**_: object) -> None:
        nonlocal at_work
        sleep(0.01)
        at_work -= 1

    client.meta.events.register("before-send.dynamodb", send)
    client.meta.events.register_last("before-parse.dynamodb", begin)
    client.meta.events.register("after-call.dynamodb", end)
    pages = unread(client)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: pages.scan(TableName="Orders"), range(8)))
    assert most == 1
    assert [answer()["Items"] for answer in answers] == [[{"k": {"S": "a"}}]] * 8
