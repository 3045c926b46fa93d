"""A deployed retrofit and its keeper on a table with a stream, while several writers insert, change and delete items.

MiniStack's own DynamoDB has the stream; it takes no notice of the records that a function wants again.
"""

from __future__ import annotations

import random
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from local import audit_table
from local.embedded import Embedded
from local.execution import execute
from tests.engines.e2e.streams import SET, Streams
from tests.house.suite.examples import ALL

pytestmark = [pytest.mark.xdist_group("streams"), pytest.mark.in_order]

MADE = audit_table.ATTRIBUTE
ITEMS, WRITERS, WRITES, WAIT_SECONDS = 150, 3, 60 if ALL else 20, 600.0


def write(account: Embedded, seed: int) -> None:
    """Insert, change and delete items at random, as an application that does not know the attribute."""
    chance = random.Random(seed)
    for number in range(WRITES):
        old = f"{chance.randrange(ITEMS):06d}"
        match chance.randrange(6):
            case 0:
                account.dynamodb.delete_item(TableName="Audit", Key={"id": {"S": old}})
            case 1:
                put(account, f"new-{seed}-{number}", chance)
            case 2:
                put(account, old, chance)
            case _:
                account.dynamodb.update_item(
                    TableName="Audit",
                    Key={"id": {"S": old}},
                    UpdateExpression="SET #a = :a",
                    ExpressionAttributeNames={"#a": "action"},
                    ExpressionAttributeValues={":a": {"S": chance.choice(("viewed", "edited", "shared"))}},
                )


def put(account: Embedded, id_: str, chance: random.Random) -> None:
    names = {"id": id_, "resourceId": str(chance.randrange(99)), "action": "viewed", "accessedBy": "ann"}
    item: Any = {name: {"S": value} for name, value in {**names, "timestamp": "2026-01-01"}.items()}
    account.dynamodb.put_item(TableName="Audit", Item=item)


def wrong(account: Embedded) -> list[str]:
    """Return the items that have all sources and not what they make."""
    found = []
    for page in account.dynamodb.get_paginator("scan").paginate(TableName="Audit"):
        for item in page["Items"]:
            sources = [item.get(name, {}).get("S") for name in ("resourceId", "action", "accessedBy")]
            if None not in sources and item.get(MADE, {}).get("S") != "-".join(map(str, sources)):
                found.append(item["id"]["S"])
    return found


def test_every_item_is_right_once_the_retrofit_and_the_stream_are_through(streams: Streams) -> None:
    account = streams.account
    audit_table.load(account.dynamodb, "Audit", audit_table.items(ITEMS))
    document = {"table": "Audit", "set": SET, "dry_run": False, "without_recovery": True, "segments": 4, "workers": 2}
    with ThreadPoolExecutor(WRITERS) as writers:
        writing = [writers.submit(write, account, seed) for seed in range(WRITERS)]
        output = execute(account.stepfunctions, streams.outputs["RetrofitStateMachineArn"], document, name="retrofit")
        for writer in writing:
            writer.result()
    assert output["items"] > ITEMS / 2
    deadline = time.monotonic() + WAIT_SECONDS
    while wrong(account):
        assert time.monotonic() < deadline, "the keeper does not come to the end of the stream"
        time.sleep(1.0)  # a look at the table takes the engine long
    assert audit_table.when(account.dynamodb, "Audit", "123ccc", "viewed", "bill")


def test_the_keeper_is_allowed_every_call_it_made_and_no_other_to_a_table(streams: Streams) -> None:
    streams.check_rights("skipscan-streams-keep-Audit")
