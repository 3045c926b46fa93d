"""How many keys a verification compares."""

import zlib
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from skipscan.copy.input import MOST_COMPARE_ITEMS, parse_copy
from skipscan.copy.item import CopyCounts, CopyProgress
from skipscan.copy.job import CopyJob
from skipscan.copy.plan import CopyPlan, copy_plan
from skipscan.copy.replica import Replica
from skipscan.dynamodb.prices import default_prices
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import Get
from skipscan.dynamodb.table_description import TableDescription
from skipscan.items.engine import Engine
from skipscan.pace.bounds import Bounds, Clock, Pause
from tests.fakes import pair
from tests.fakes.small_table import item

DOCUMENT: dict[str, Any] = {
    "TableName": "Audit",
    "TableArn": "arn:aws:dynamodb:us-east-1:123456789012:table/Audit",
    "TableStatus": "ACTIVE",
    "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
    "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"},
}


@pytest.mark.parametrize(
    ("items", "compared", "share"),
    [(0, 1_000, 1.0), (500, 1_000, 1.0), (4_000, 1_000, 0.25), (10**11, MOST_COMPARE_ITEMS, 1.0)],
)
def test_the_largest_number_covers_every_key_of_a_large_table(items: int, compared: int, share: float) -> None:
    asked = parse_copy({"table": "Audit", "to": "Audit-2", "compare_only": True, "compare_items": compared})
    description = replace(TableDescription.from_json(DOCUMENT), items=items, size_bytes=items * 100)
    replica = Replica("Audit", "Audit-2", "arn:stream", "https://queue")
    plan = copy_plan(asked, replica, description, description, default_prices(is_infrequent_access=False))
    assert plan.compared_share == share
    assert plan.compare_items == compared


SEGMENTS, WORKERS = 8, 2
ITEMS: dict[str, Item] = {f"{n:04}": item(f"{n:04}", a="x", b=str(n)) for n in range(600)}
STALE: Any = {"compared_share": 1.0}
"""Of a table whose items DescribeTable had not counted yet."""


def verifying(**changed: Any) -> CopyPlan:
    return pair.copy_plan(SEGMENTS, WORKERS, verify=True, **changed)


def verified(plan: CopyPlan, *, pages: int | None = None) -> tuple[CopyCounts, set[str]]:
    """Return what the workers of a copy count, and the keys that they compare; a batch ends after so many pages."""
    target = {id_: plan.replica.transform(each).item for id_, each in ITEMS.items()} if plan.compare_only else {}
    tables = pair.Pair(dict(ITEMS), target, page_items=50, segments=SEGMENTS)
    total, compared, ticks = CopyCounts(), set(), count()
    for worker in range(plan.workers):
        progress: Any = CopyProgress(worker)
        while not progress.done(plan):
            job, clock = CopyJob(plan, progress), Clock(lambda: next(ticks) * 0.01)
            batch = Engine(job, progress, bounds=Bounds(pages=pages), clock=clock, write=len)
            while (request := batch.take()) is not None:
                if isinstance(request, Pause):
                    continue
                if isinstance(request.step, Get):
                    compared.add(request.step.key["id"]["S"])
                batch.give(request, tables.answer(request))
            progress = batch.progress
        total += progress.counts
    return total, compared


@pytest.mark.parametrize("pages", [None, 1])
@pytest.mark.parametrize("compare_only", [False, True])
def test_a_table_with_more_items_than_described_is_compared_as_asked(compare_only: bool, pages: int | None) -> None:
    counts, _ = verified(verifying(compare_items=40, compare_only=compare_only, **STALE), pages=pages)
    assert (counts.source_items, counts.target_items) == (600, 600)
    assert 40 <= counts.compared <= 4 * 40  # of two tables, and at most twice as many of each
    assert counts.missing == counts.surplus == counts.different == 0


def test_the_compared_keys_are_not_only_the_first_ones_of_a_worker() -> None:
    _, compared = verified(verifying(compare_items=80, **STALE))
    assert {zlib.crc32(id_.encode()) % SEGMENTS for id_ in compared} == set(range(SEGMENTS))


@pytest.mark.parametrize("compare_only", [False, True])
@pytest.mark.parametrize("asked", [600, MOST_COMPARE_ITEMS])
def test_as_many_as_there_are_or_more_are_all_compared(asked: int, compare_only: bool) -> None:
    counts, _ = verified(verifying(compare_items=asked, compare_only=compare_only, **STALE))
    assert counts.compared == 1200


def test_a_described_table_is_compared_by_its_share() -> None:
    counts, _ = verified(verifying(compare_items=300, compared_share=0.5))
    assert 500 <= counts.compared <= 700
