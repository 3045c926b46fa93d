"""The calls of acts, keepers, retrofits, copies and samples: all reads and writes of items, by the product's code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import count
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from skipscan.act.task_source import Task, TaskResult
from skipscan.aws import table
from skipscan.aws.follower import ItemEffect
from skipscan.aws.item import do
from skipscan.copy.replica import Replica
from skipscan.copy.requests import LateLooks, copy_requests
from skipscan.dynamodb.page import Page
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.dynamodb.step import Answer, First, Get, Write
from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.items.engine import UnitRequest
from skipscan.items.mark import MARK
from skipscan.items.sample_requests import sample_items
from skipscan.items.sizes import ReadPage
from skipscan.listing.execution_input import parse
from skipscan.listing.plan import plan_listing
from skipscan.loop.run_batch import Unread
from skipscan.markers.marker import Marker
from skipscan.markers.requests import marker_keeping
from skipscan.pace.bill import UNLIMITED
from skipscan.retrofit.count_requests import IndexCount, account_of
from skipscan.retrofit.requests import retrofit_requests
from skipscan.sample import requests as sample_requests
from tests.engines.e2e.wire.world import COPY, INDEX, INDEXED, TABLE, World
from tests.fakes.acting import Acting
from tests.fakes.actions import decided
from tests.unit.act.worker import plan

Make = Callable[[World], Any]

KEY: Any = {"pk": {"S": "a"}, "sk": {"S": "1"}}
MARKED: Mapping[str, Any] = {"sk": "marker", "GSI-pk": "{pk}"}
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


def written(world: World, key: str, *, skips_ended: bool = False, **document: Any) -> TaskResult:
    """Return the outcome of one key of an act."""
    act = replace(plan([], decided(document)), table=TABLE, skips_ended=skips_ended)
    (outcome,) = Acting.over(world.dynamodb, act).act(Task(0, (f'{{"pk": "{key}"}}\n'.encode(),), 0, 0, "a-0"))
    return outcome


def undone(world: World, *, changed: bool) -> TaskResult:
    """Undo what a job put; an application may have added an attribute."""
    more = {"added": {"S": "theirs"}} if changed else {}
    put = {"pk": {"S": "undone"}, "sk": {"S": "marker"}, "GSI-pk": {"S": "undone"}, MARK: {"S": "home/old/then"}}
    world.direct.put_item(TableName=TABLE, Item={**put, **more})
    return written(world, "undone", undo={"job": "old", "item": dict(MARKED), "mark": "home/old/then"})


def kept(world: World) -> tuple[Marker, ItemEffect]:
    marker = Marker.described(dict(MARKED), TABLE, table.describe(world.direct, TABLE), "home/keeper")
    return marker, marker_keeping(world.dynamodb, marker, check=lambda: None)


def marker_put(world: World) -> dict[str, float]:
    (_, markers), item = kept(world), new_key()
    markers.do(Write(TABLE, item, put=item, expects={"pk": None}))
    return markers.spent.to_json()


def marker_deleted(world: World) -> dict[str, float]:
    marker, markers = kept(world)
    item = marker.item({"S": "k"})
    world.direct.put_item(TableName=TABLE, Item=item)
    key = {name: item[name] for name in ("pk", "sk")}
    markers.do(Write(TABLE, key, expects={name: value for name, value in item.items() if name not in key}))
    return markers.spent.to_json()


def whole(answer: object) -> Page:
    page = answer.read() if isinstance(answer, Unread) else answer
    assert isinstance(page, Page)
    return page


def retrofit_page(world: World) -> int:
    reading = SimpleNamespace(
        source=SimpleNamespace(table=INDEXED, partition_key=(KeyAttribute("pk", "S"),)),
        segments=1,
        consistent_read=False,
    )
    asked: Any = SimpleNamespace(table=INDEXED, reading=reading, projected=("pk", "sk", "v"))
    return len(whole(retrofit_requests(world.dynamodb, asked).do(PAGE)).items)


def copy_page(world: World) -> int:
    asked: Any = SimpleNamespace(
        replica=replica(world),
        key_names=("pk", "sk"),
        reading=SimpleNamespace(segments=1),
        verified_side=lambda _: None,
    )
    return len(whole(copy_requests(world.dynamodb, asked, LateLooks(world.sqs, replica(world))).do(PAGE)).items)


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
    count = IndexCount(world.dynamodb, INDEXED, INDEX, US_EAST_1, account_of(None))
    entries: int | None = count.take()["entries"]
    return entries


ITEM_CALLS: dict[str, Make] = {
    "dynamodb:GetItem": lambda world: do(world.dynamodb, Get(TABLE, KEY, ("v",))),
    "dynamodb:GetItem, of a copy": lambda world: do(world.dynamodb, Get(TABLE, KEY)),
    "dynamodb:GetItem, lean": lambda world: do(world.lean, Get(TABLE, KEY)).value,
    "dynamodb:GetItem, by an undo": lambda world: undone(world, changed=True),
    "dynamodb:GetItem, of a marker": lambda world: kept(world)[1].do(
        Get(TABLE, {"pk": {"S": "none"}, "sk": {"S": "marker"}})
    ),
    "dynamodb:PutItem": lambda world: put_new(world.dynamodb),
    "dynamodb:PutItem, lean": lambda world: put_new(world.lean),
    "dynamodb:PutItem, whatever is there": lambda world: do(world.dynamodb, Write(COPY, KEY, put=KEY)),
    "dynamodb:PutItem, by an act": lambda world: written(
        world, f"put-{next(NUMBERS)}", put_item={"item": dict(MARKED)}
    ),
    "dynamodb:PutItem, of a marker": marker_put,
    "dynamodb:DeleteItem": lambda world: do(world.dynamodb, Write(COPY, new_key())),
    "dynamodb:DeleteItem, by an undo": lambda world: undone(world, changed=False),
    "dynamodb:DeleteItem, of a marker": marker_deleted,
    "dynamodb:UpdateItem": lambda world: do(world.dynamodb, UPDATE),
    "dynamodb:Query": lambda world: kept(world)[1].do(First(TABLE, {"pk": {"S": "a"}}, ("sk", "GSI-pk"), 2)),
    "dynamodb:Query, whether a collection lives": lambda world: written(
        world, "ended", skips_ended=True, put_item={"item": dict(MARKED)}
    ),
    "dynamodb:Scan, by a retrofit": retrofit_page,
    "dynamodb:Scan, by a copy": copy_page,
    "dynamodb:Scan, a sample of items": sampled_items,
    "dynamodb:Scan, a sample of keys": sampled_keys,
    "dynamodb:Scan, an index's count": counted,
}
