"""The number of an index's entries, counted by reading it: DescribeTable's number is up to six hours old."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any
from uuid import uuid4

from botocore.exceptions import ClientError

from skipscan.aws.answer import consumed_units
from skipscan.aws.faults import LOST_ANSWERS, code_of
from skipscan.aws.services import DynamoDBClient
from skipscan.dynamodb.page import Progression, most_page_units
from skipscan.items.allowance import Mean
from skipscan.loop.allotment import allot
from skipscan.loop.results import Results
from skipscan.pace.amounts import NOTHING, Amounts
from skipscan.pace.backoff import Fault
from skipscan.pace.bill import amounts
from skipscan.pace.budget import Budget
from skipscan.pace.rate import Rate
from skipscan.pace.spending import Spending
from skipscan.retrofit.plan import RetrofitPlan

THREADS = 16
STEP_UNITS = 0.5
"""The read units of 4 KB of an eventually consistent page."""

ROOM_SECONDS = 0.02
"""The wait for the answer of a page under way, whose reservation leaves no room for another page."""

ATTEMPTS, WAIT_SECONDS = 4, 1.0
"""How often a page without a usable answer is asked for, and how long between. The client retries refusals itself."""

ENTRY_UNITS = 0.05
"""The assumed read units of an entry until the first page is read."""


class Room:
    """What the count of all indexes may still consume, as the budget of the retrofit allows. Not safe for threads.

    The attempts of Finish share what the workers left, as those of a worker share its budget: each declares what it
    may consume before it reads, and counts what earlier attempts declared. `consumed`: by the workers.
    """

    def __init__(self, plan: RetrofitPlan, consumed: Amounts, results: Results) -> None:
        self._plan, self._consumed, self._results = plan, consumed, results
        self._page = amounts(plan.prices, most_page_units(STEP_UNITS))
        self._budget = Budget(NOTHING)

    def begin(self) -> bool | None:
        """Reserve a page if it may begin beside those under way; return `None` if no further page may begin."""
        least = amounts(self._plan.prices, STEP_UNITS)
        if not self._budget.has_room(least):
            if self._budget.is_busy:
                return False
            self._budget = Budget(self._allotted())
            if not self._budget.has_room(least):
                return None
        if not self._budget.may_begin(self._page):
            return False
        self._budget.begin(self._page)
        return True

    def settle(self, read_units: float) -> None:
        self._budget.settle(self._page, amounts(self._plan.prices, read_units))

    def fail(self) -> None:
        """Count a page without an answer with the most that it can have consumed."""
        self._budget.fail(self._page, Fault.PASSING)

    def _allotted(self) -> Amounts:
        plan = self._plan
        found = allot(
            self._results,
            plan.workers,  # a number that no worker has
            0,
            uuid4().hex,
            share=plan.budget,
            consumed=self._consumed,
            page=self._page,
            so_far=Spending(),
        )
        return found.amounts - self._consumed - found.spending.lost


class IndexCount:
    """Counts the entries of one index, by eventually consistent pages that return no items.

    `units_per_second`: the rate, `None` for none. `room`: `None` without a budget. `is_over`: whether the time is
    up.
    """

    def __init__(
        self,
        client: DynamoDBClient,
        table: str,
        index: str,
        *,
        units_per_second: float | None,
        room: Room | None = None,
        is_over: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._scan: Any = client.scan
        self._asked = {
            "TableName": table,
            "IndexName": index,
            "Select": "COUNT",
            "TotalSegments": THREADS,
            "ReturnConsumedCapacity": "TOTAL",
        }
        self._rate = Rate(units_per_second) if units_per_second else None
        self._room, self._is_over = room, is_over
        self._clock, self._sleep = clock, sleep
        self._lock = Lock()
        self._entry_units = Mean(ENTRY_UNITS)
        self._entries = 0
        self.requests = 0
        self.read_units = 0.0
        self.stopped_by: str | None = None

    def take(self) -> dict[str, Any]:
        """Return the figures. If the count did not end, `entries` is `None` and `stopped_by` says why.

        An error of DynamoDB stops the count, too: the job is done, and a failed count must not change that.
        """
        with ThreadPoolExecutor(THREADS, thread_name_prefix="count") as pool:
            list(pool.map(self._walk, range(THREADS)))
        return {
            "entries": None if self.stopped_by else self._entries,
            "requests": self.requests,
            "read_units": self.read_units,
            "stopped_by": self.stopped_by,
        }

    def _walk(self, segment: int) -> None:
        asked: dict[str, Any] = {**self._asked, "Segment": segment}
        progression, lost = Progression(), 0
        while (permitted := self._permitted()) is not None:
            limit, expected = permitted
            read_units: float | None = None
            try:
                page = self._scan(**asked, **({"Limit": limit} if limit else {}))
                read_units, count = consumed_units(page), int(page["Count"])
                progression.check(page.get("LastEvaluatedKey"))
            except Exception as error:
                code = code_of(error) if isinstance(error, ClientError) else ""
                lost += 1
                is_asked_again = isinstance(error, LOST_ANSWERS) and lost < ATTEMPTS
                with self._lock:
                    if not is_asked_again:
                        self.stopped_by = code or type(error).__name__
                    if self._room and read_units is None:
                        self._room.fail()
                    elif self._room:
                        self._room.settle(read_units or 0.0)
                    if self._rate:
                        self._rate.settle(expected, read_units or 0.0)
                if not is_asked_again:
                    return
                self._sleep(WAIT_SECONDS)
                continue
            lost = 0
            with self._lock:
                self._took_in(count, read_units, expected)
            if "LastEvaluatedKey" not in page:
                return
            asked["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def _permitted(self) -> tuple[int | None, float] | None:
        """Wait for the rate; return how many entries the next page may evaluate, and the units reserved for them.

        Without a rate a page has no limit. Returns `None` for no more pages.
        """
        while True:
            with self._lock:
                if not self.stopped_by and self._is_over():
                    self.stopped_by = "time"
                if self.stopped_by:
                    return None
                now = self._clock()
                wait = self._rate.wait_seconds(now) if self._rate else 0.0
                begins = not wait and (self._room is None or self._room.begin())
                if begins is None:
                    self.stopped_by = "budget"
                    return None
                if begins and self._rate is None:
                    return None, 0.0
                if begins and self._rate:
                    limit = max(1, int(self._rate.page_units / self._entry_units.of(1)))
                    expected = self._entry_units.of(limit)
                    self._rate.reserve(now, expected)
                    return limit, expected
            self._sleep(min(wait or ROOM_SECONDS, 1.0))

    def _took_in(self, entries: int, read_units: float, expected: float) -> None:
        self._entries += entries
        self.requests += 1
        self.read_units += read_units
        if self._room:
            self._room.settle(read_units)
        if entries:
            self._entry_units.add(read_units, entries)
        if self._rate:
            self._rate.settle(expected, read_units)


def count_indexes(
    client: DynamoDBClient,
    plan: RetrofitPlan,
    consumed: Amounts,
    results: Results,
    *,
    until: float,
    sleep: Callable[[float], object] = time.sleep,
) -> dict[str, Any]:
    """Return the figures of the indexes that a retrofit is to count, by name, one index after the other.

    The retrofit's own rate and budget hold, and no page is read after `until`. `consumed`: what counts against the
    budget already.
    """
    room = Room(plan, consumed, results) if plan.budget.is_bounded else None
    counted = {}
    for index in plan.counted:
        count = IndexCount(
            client,
            plan.reading.source.table,
            index,
            units_per_second=plan.reading.max_read_units_per_second,
            room=room,
            is_over=lambda: time.monotonic() >= until,
            sleep=sleep,
        )
        counted[index] = count.take()
    return counted
