"""A deployed retrofit and its keeper on a table with a stream, while several writers insert, change and delete items.

MiniStack's own DynamoDB has the stream; it takes no notice of the records that a function wants again.
"""

import random
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from local import audit_table
from local.embedded import Embedded
from local.execution import execute
from tests.engines.e2e.streams import AUDIT, SET, Streams, change, items_of, made
from tests.house.suite.examples import ALL

pytestmark = [pytest.mark.xdist_group("streams"), pytest.mark.in_order]

ITEMS, WRITERS, WRITES, WAIT_SECONDS = 150, 3, 60 if ALL else 20, 600.0


def write(account: Embedded, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(WRITES):
        change(account, AUDIT, chance, ITEMS)


def wrong(account: Embedded) -> list[str]:
    """Return the items that have not what their sources make."""
    found = items_of(account, AUDIT).items()
    return [id_ for id_, item in found if item.get(audit_table.ATTRIBUTE) != {"S": made(item)}]


def test_every_item_is_right_once_the_retrofit_and_the_stream_are_through(streams: Streams) -> None:
    account = streams.account
    audit_table.load(account.dynamodb, AUDIT, audit_table.items(ITEMS))
    document = {"table": AUDIT, "set": SET, "dry_run": False, "without_recovery": True, "segments": 4, "workers": 2}
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
    assert audit_table.when(account.dynamodb, AUDIT, "123ccc", "viewed", "bill")


def test_the_keeper_is_allowed_every_call_it_made_and_no_other_to_a_table(streams: Streams) -> None:
    streams.check_rights("skipscan-streams-keep-Audit")
