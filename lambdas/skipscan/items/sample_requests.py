"""Whole items of some random segments: the sample of a retrofit's or a copy's forecast."""

import random
import time
from collections.abc import Sequence
from dataclasses import replace
from math import inf

from skipscan.aws.clients import DynamoDBClient
from skipscan.aws.faults import fault, scrub
from skipscan.dynamodb.page import STEP_BYTES, Page, most_page_units
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.write_units import item_bytes
from skipscan.items.forecast import Sampled
from skipscan.items.plan import ItemPlan
from skipscan.loop.allotment import PlanAttempt
from skipscan.pace.bill import affordable_reads
from skipscan.pace.pace import Fault, Pace
from skipscan.pace.rate import PAGE_SECONDS
from skipscan.sample.requests import due, paced, pay_off, whole_items
from skipscan.sample.sampling import MOST_SECONDS
from skipscan.scan.plan import Plan

SEGMENTS, ITEMS = 8, 250
"""How many segments are read, and how many items of each: mostly some KB a segment, 1 MB at most."""

BUDGET_PART = 0.05
READS_OF_A_WRITE = 5.0
"""A write unit costs as much as five read units (price list of DynamoDB)."""


def sample_items(client: DynamoDBClient, decided: ItemPlan, seed: int, attempt: PlanAttempt) -> Sampled:
    """Return all items of a table of one page, else the first items of random segments.

    Partition keys are spread by a hash, so segments differ in size only. With a budget, the first page has one item,
    because DescribeTable's sizes are hours old. The sample ends when another item would exceed a twentieth of the
    budget, and no later page can exceed all of it. With a rate, it ends when its next page would have to wait too long.
    """
    plan, room = decided.reading, _SampleBudget(decided, attempt)
    pace, begun = Pace(plan.max_read_units_per_second, random.random), time.monotonic()
    if room.is_bounded:
        attempt.declare(room.ceiling)

    def read(segment: int, segments: int) -> Page:
        return _page(client, replace(plan, segments=segments), segment, pace, room)

    def sampled(items: Sequence[Item], segments: int, *, ended: bool) -> Sampled:
        pay_off(pace)
        return Sampled(tuple(items), segments, ended, room.read_units)

    whole = read(0, 1)
    if room.is_bounded and whole.last_evaluated_key and room.limit:
        whole = read(0, 1)
    if whole.last_evaluated_key is None:
        return sampled(whole.items, plan.segments, ended=True)
    chosen = random.Random(seed).sample(range(plan.segments), min(SEGMENTS, plan.segments))
    items: list[Item] = []
    ended = True
    for number, segment in enumerate(chosen):
        if due(pace) - begun > MOST_SECONDS or not room.limit:
            # The first page is of the whole table: its items are no more than those of all segments.
            found = (items, number) if items else (whole.items, plan.segments)
            return sampled(*found, ended=False)
        page = read(segment, plan.segments)
        items += page.items
        ended = ended and page.last_evaluated_key is None
    return sampled(items, len(chosen), ended=ended)


class _SampleBudget:
    """What a sample may read. `limit`: the items of its next page, 0 if another item would exceed its part.

    `read_units`: of its pages. The attempt also counts the most of requests without an answer.
    """

    def __init__(self, decided: ItemPlan, attempt: PlanAttempt) -> None:
        plan, budget = decided.reading, decided.limits.budget
        self._plan, self._attempt = plan, attempt
        self._budget = affordable_reads(plan.prices, budget)
        self._part = BUDGET_PART * min(self._budget, READS_OF_A_WRITE * budget.write_units)
        self._page = PAGE_SECONDS * plan.max_read_units_per_second if plan.max_read_units_per_second else inf
        self._item_bytes = plan.item_bytes
        self.read_units = 0.0
        self.is_bounded = budget.is_bounded
        self.limit = 1 if self.is_bounded else max(1, self._items(self._page))

    @property
    def ceiling(self) -> float:
        """Return the most read units: the last page may exceed the sample's part, and a page of one item the budget."""
        item, page = (most_page_units(self._plan.step_units, limit) for limit in (1, None))
        return min(self._budget + item, self._part + page)

    def receive(self, page: Page) -> None:
        """Record a page: what it has consumed, and how large its items are."""
        self.read_units += page.read_units
        if page.items:
            self._item_bytes = max(self._plan.item_bytes, sum(map(item_bytes, page.items)) / len(page.items))
        self._take(page.read_units)

    def lose(self) -> None:
        """Count a page without an answer with the most that it can have consumed."""
        self._take(most_page_units(self._plan.step_units, self.limit))

    def _take(self, read_units: float) -> None:
        self._attempt.read_units += read_units
        left = self._part - self._attempt.read_units
        self.limit = min(max(1, self._items(self._page)), self._items(left), self._within(self._budget))

    def _items(self, units: float) -> int:
        """Return how many items of average size so many units read."""
        each = max(self._item_bytes * self._plan.step_units / STEP_BYTES, 1e-9)
        # A page is rounded up to 4 KB.
        return 0 if units < self._plan.step_units else min(ITEMS, int(min(units, 1e9) / each))

    def _within(self, budget: float) -> int:
        """Return the most items of a page that stays within the budget, however large they are."""
        left = budget - self._attempt.read_units
        fits = [limit for limit in (1, 2, 3) if most_page_units(self._plan.step_units, limit) <= left]
        return ITEMS if most_page_units(self._plan.step_units) <= left else max(fits, default=1)


def _page(client: DynamoDBClient, plan: Plan, segment: int, pace: Pace, room: _SampleBudget) -> Page:
    def scan() -> Page:
        try:
            page = whole_items(client, plan.source.table, segment, plan.segments, Limit=room.limit)
        except Exception as error:
            if fault(error) is Fault.PASSING:
                room.lose()
                if not room.limit:  # of its part, which another page would exceed
                    raise scrub(error) from None
            raise
        room.receive(page)
        return page

    try:
        return paced(pace, segment, plan.step_units, scan)
    except Exception as error:
        raise scrub(error) from None
