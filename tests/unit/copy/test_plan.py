"""How many keys a verification compares."""

from itertools import count
from typing import Any

import pytest

from skipscan.copy.input import MOST_COMPARE_ITEMS
from skipscan.copy.item import CopyCounts, CopyProgress
from skipscan.copy.job import CopyJob
from skipscan.copy.plan import CopyPlan
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.step import Get
from skipscan.items.engine import Engine
from skipscan.pace.bounds import Bounds, Clock, Pause
from tests.fakes import pair
from tests.fakes.small_table import item

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


@pytest.mark.parametrize("compare_only", [False, True])
@pytest.mark.parametrize("asked", [600, MOST_COMPARE_ITEMS])
def test_as_many_as_there_are_or_more_are_all_compared(asked: int, compare_only: bool) -> None:
    counts, _ = verified(verifying(compare_items=asked, compare_only=compare_only, **STALE))
    assert counts.compared == 1200
