"""The calls of acts, keepers, retrofits, copies and samples: all reads and writes of items, by the product's code."""

import time
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from skipscan.aws import table
from skipscan.aws.item import do
from skipscan.copy.replica import Replica
from skipscan.dynamodb.page import Page
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.dynamodb.step import Answer, First, Get, Write
from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.items.job import UnitRequest
from skipscan.items.lane import ReadPage
from skipscan.items.sample_requests import sample_items
from skipscan.listing.execution_input import parse
from skipscan.listing.plan import plan_listing
from skipscan.loop.run_batch import Unread
from skipscan.pace.bill import UNLIMITED, Amounts
from skipscan.retrofit.count_requests import count_indexes
from skipscan.retrofit.requests import retrofit_requests
from skipscan.sample import requests as sample_requests
from tests.engines.e2e.wire.world import COPY, INDEX, INDEXED, TABLE, World
from tests.fakes.small_table import retrofit_plan

Make = Callable[[World], Any]

KEY: Any = {"pk": {"S": "a"}, "sk": {"S": "1"}}
NOTHING: Any = None
PAGE = UnitRequest(NOTHING, None, ReadPage(0, 0, None, 10), NOTHING)
NUMBERS = count()


def new_key() -> Any:
    return {"pk": {"S": f"new-{next(NUMBERS)}"}, "sk": {"S": "1"}}


def replica(world: World) -> Replica:
    return Replica(TABLE, COPY, world.arns["stream"], world.arns["url"])


UPDATE = Write(TABLE, KEY, sets={"w": {"S": "w"}}, expects={"v": {"S": "x"}})


def put_new(client: Any) -> Answer:
    key = new_key()
    return do(client, Write(COPY, key, put=key, expects={"pk": None}))


def page(world: World) -> int:
    reading = SimpleNamespace(
        source=SimpleNamespace(table=INDEXED, partition_key=(KeyAttribute("pk", "S"),)),
        segments=1,
        consistent_read=False,
    )
    asked: Any = SimpleNamespace(table=INDEXED, reading=reading, projected=("pk", "sk", "v"))
    answer = retrofit_requests(world.dynamodb, asked)(PAGE)
    read = answer.read() if isinstance(answer, Unread) else answer
    assert isinstance(read, Page)
    return len(read.items)


def sampled_items(world: World) -> int:
    reading = SimpleNamespace(
        source=SimpleNamespace(table=INDEXED),
        segments=1,
        step_units=0.5,
        prices=US_EAST_1,
        item_bytes=0.0,
        max_read_units_per_second=None,
    )
    decided: Any = SimpleNamespace(reading=reading, limits=SimpleNamespace(budget=UNLIMITED))
    attempt: Any = SimpleNamespace(read_units=0.0)
    with patch.object(sample_requests, "ATTEMPTS", 1):
        return len(sample_items(world.dynamodb, decided, 0, attempt).items)


def sampled_keys(world: World) -> bool:
    listing = plan_listing(parse({"table": INDEXED, "segments": 1}), table.describe(world.direct, INDEXED))
    with patch.object(sample_requests, "ATTEMPTS", 1):
        return sample_requests.take_sample(world.dynamodb, listing, items=1, seed=0) is not None


def counted(world: World) -> int | None:
    plan = retrofit_plan()
    plan = replace(plan, reading=replace(plan.reading, source=replace(plan.source, table=INDEXED)), counted={INDEX: {}})
    until = time.monotonic() + 10.0
    found = count_indexes(world.dynamodb, plan, Amounts(), NOTHING, until=until, sleep=lambda _: None)
    entries: int | None = found[INDEX]["entries"]
    return entries


ITEM_CALLS: dict[str, Make] = {
    "dynamodb:GetItem": lambda world: do(world.dynamodb, Get(TABLE, KEY, ("v",))),
    "dynamodb:PutItem": lambda world: put_new(world.dynamodb),
    "dynamodb:PutItem, whatever is there": lambda world: do(world.dynamodb, Write(COPY, KEY, put=KEY)),
    "dynamodb:DeleteItem": lambda world: do(world.dynamodb, Write(COPY, new_key())),
    "dynamodb:UpdateItem": lambda world: do(world.dynamodb, UPDATE),
    "dynamodb:Query": lambda world: do(world.dynamodb, First(TABLE, {"pk": {"S": "a"}}, ("sk", "GSI-pk"), 2)),
    "dynamodb:Scan, by a job": page,
    "dynamodb:Scan, a sample of items": sampled_items,
    "dynamodb:Scan, a sample of keys": sampled_keys,
    "dynamodb:Scan, an index's count": counted,
}
"""Acts, keepers, retrofits and copies make their calls by the same code."""
