"""The number of an index's entries, counted by reading it: DescribeTable's number is up to six hours old."""

import random
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from uuid import uuid4

from skipscan.aws.answer import parse_count
from skipscan.aws.clients import DynamoDBClient
from skipscan.aws.faults import fault, name_of
from skipscan.dynamodb.page import STEP_UNITS, Page, after, most_page_units
from skipscan.dynamodb.source import Item
from skipscan.items.engine import Engine
from skipscan.items.job import THREADS, Job, Size, Unit, UnitRequest
from skipscan.items.lane import ReadPage, SegmentLane
from skipscan.items.progress import ItemCounts
from skipscan.items.segments import Mean
from skipscan.loop.allotment import allot
from skipscan.loop.results import Results
from skipscan.loop.run_batch import ReadyBatch, run_batch
from skipscan.pace.bill import NOTHING, UNLIMITED, Amounts, Spending, amounts
from skipscan.pace.bounds import Bounds, Clock
from skipscan.pace.ledger import Booking, Ledger
from skipscan.pace.progress import Progress
from skipscan.pace.rate import SharedRate
from skipscan.retrofit.plan import RetrofitPlan
from skipscan.scan.cursor import Cursor

ENTRY_UNITS = 0.05
"""The assumed read units of an entry until the first page is read."""


MOST_ENTRIES = 1_000_000
"""The Limit of a page without a rate: more entries than 1 MB holds, so that the page is full."""


class IndexCount(Job):
    """Counts the entries of one index as `items`, by eventually consistent pages that return none.

    `lanes`: its segments that are not counted yet. `entry_units`: of an entry, as far as pages have shown it.
    """

    done = "items"

    def __init__(self, lanes: deque[Any], entry_units: Mean, ledger: Ledger) -> None:
        self.lanes = lanes
        self._entry_units = entry_units
        self._limits = ledger.limits
        self._reads = ledger.reads()

    def read(self, lane: SegmentLane) -> tuple[ReadPage, Size]:
        limit, most = MOST_ENTRIES, self._limits.page
        if (page_units := self._reads.page_units) is not None:
            limit = max(1, int(page_units / self._entry_units.of(1)))
        booking = Booking(lane.segment, self._entry_units.of(limit), most, most.read_units)
        return ReadPage(0, lane.segment, lane.start_key, limit), Size(self._reads, booking, self._limits.least)

    def size(self, unit: Unit, lane: SegmentLane) -> Size:
        raise NotImplementedError

    def count(self, answer: Page) -> ItemCounts:
        if answer.evaluated:
            self._entry_units.add(answer.read_units, answer.evaluated)
        return ItemCounts(items=answer.evaluated, requests=1, read_units=answer.read_units)

    def ended(self, result: object, lane: SegmentLane) -> tuple[int, ItemCounts, Sequence[object]]:
        raise NotImplementedError

    def reached(self, progress: Any) -> Any:
        return progress


def allotted(plan: RetrofitPlan, consumed: Amounts, results: Results) -> Amounts:
    """Return what a batch may consume of the budget that is left, and declare it; unlimited without a budget.

    `consumed`: by the workers. All batches of all attempts of Finish share the rest: each declares its maximum before
    it reads, and subtracts what earlier ones declared.
    """
    if not plan.limits.budget.is_bounded:
        return UNLIMITED
    most, spending = allot(
        results,
        plan.workers,  # a number that no worker has
        0,
        uuid4().hex,
        share=plan.limits.budget,
        consumed=consumed,
        page=amounts(plan.prices, most_page_units(STEP_UNITS)),
        so_far=Spending(),
    )
    return most - consumed - spending.lost


def count_indexes(
    client: DynamoDBClient,
    plan: RetrofitPlan,
    consumed: Amounts,
    results: Results,
    *,
    until: float,
    now: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], object] = time.sleep,
) -> dict[str, Any]:
    """Return the figures of the indexes that a retrofit is to count, by name, one index after the other.

    If a count did not end, its `entries` is `None` and `stopped_by` says why. An error of DynamoDB stops it, too: the
    job is done, and a failed count must not change that. The retrofit's own rate and budget hold, and no page is read
    after `until`. `consumed`: what counts against the budget already.
    """
    most = most_page_units(STEP_UNITS)
    limits = replace(
        plan.limits,
        workers=1,
        least=amounts(plan.prices, STEP_UNITS),
        page=amounts(plan.prices, most),
        reads=SharedRate(plan.reading.max_read_units_per_second, most),
    )
    spending, room, figures = Spending(), NOTHING, dict[str, Any]()
    for index in plan.counted:
        lanes = deque(SegmentLane(Cursor(segment), _no_unit) for segment in range(THREADS))
        counts, entry_units, stopped_by = ItemCounts(), Mean(ENTRY_UNITS), ""
        while lanes and not stopped_by:
            is_declared_anew = not limits.least.fits(room)
            try:
                room = allotted(plan, consumed, results) if is_declared_anew else room
            except Exception as refusal:  # of S3; the job is done all the same
                stopped_by = name_of(refusal)
                break
            bounds = Bounds(seconds=until - now(), allotted=room)
            progress = Progress[Any, ItemCounts](plan.workers, None, ItemCounts(), spending=spending)
            ledger = Ledger(limits, progress, bounds=bounds, clock=Clock.started(now), random=random.random)
            batch = Engine(IndexCount(lanes, entry_units, ledger), ledger, write=len)
            ready = ReadyBatch(batch, partial(_page, client, plan.table, index), THREADS)
            error = run_batch(ready, fault=fault, sleep=sleep)
            counts += batch.counts
            spending = Spending(reads_paid_off=ledger.spending.reads_paid_off)
            # The next index has what this one leaves: a declaration takes its part of the budget for good.
            room = ledger.left
            if error:
                stopped_by = name_of(error)
            elif lanes and now() >= until:
                stopped_by = "time"
            elif not batch.counts.requests and is_declared_anew:
                stopped_by = "budget"
        figures[index] = {
            "entries": None if stopped_by else counts.items,
            "requests": counts.requests,
            "read_units": counts.read_units,
            "stopped_by": stopped_by or None,
        }
    return figures


def _no_unit(item: Item) -> Unit:
    raise TypeError("a page of a count holds no items")


def _page(client: Any, table: str, index: str, request: UnitRequest) -> Page:
    step: ReadPage = request.step
    place = {"TotalSegments": THREADS, "Segment": step.segment, **after(step.start_key), "Limit": step.limit}
    consumed = {"Select": "COUNT", "ReturnConsumedCapacity": "TOTAL"}
    return parse_count(client.scan(TableName=table, IndexName=index, **place, **consumed))
