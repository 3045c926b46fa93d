"""The number of an index's entries, counted by reading it: DescribeTable's number is up to six hours old."""

import random
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Lock
from typing import Any
from uuid import uuid4

from botocore.exceptions import ClientError

from skipscan.aws.answer import parse_count
from skipscan.aws.clients import DynamoDBClient
from skipscan.aws.faults import LOST_ANSWERS, code_of
from skipscan.dynamodb.page import STEP_UNITS, Page, Progression, after, most_page_units
from skipscan.dynamodb.prices import Prices
from skipscan.items.sizes import Mean
from skipscan.loop.allotment import allot
from skipscan.loop.results import Results
from skipscan.pace.bill import NOTHING, UNLIMITED, Amounts, Spending, amounts
from skipscan.pace.bounds import Clock
from skipscan.pace.budget import Budget
from skipscan.pace.ledger import Account, Booking, Reserved
from skipscan.pace.pace import Fault, retrying
from skipscan.retrofit.plan import RetrofitPlan

THREADS = 16
ROOM_SECONDS = 0.02
"""The wait for the answer of a page under way, whose reservation leaves no room for another page."""

ATTEMPTS, WAIT_SECONDS = 4, 1.0
"""How often a page without a usable answer is requested, and how long between. The client retries refusals itself."""

ENTRY_UNITS = 0.05
"""The assumed read units of an entry until the first page is read."""


def allotted(plan: RetrofitPlan, consumed: Amounts, results: Results) -> Amounts:
    """Return what this attempt may consume of the budget that is left, and declare it; unlimited without a budget.

    `consumed`: by the workers. All attempts of Finish share the rest: each declares its maximum before it reads, and
    subtracts what earlier attempts declared.
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


def account_of(units_per_second: float | None, budget: Amounts = UNLIMITED) -> Account:
    """Return what all indexes of a retrofit share. `budget`: the first allotment."""
    return Account(units_per_second, random.random, Clock(time.monotonic), budget=Budget(budget))


class IndexCount:
    """Counts the entries of one index, by eventually consistent pages that return no items.

    `account`: its rate and budget, which all indexes share. `allotted`: returns what a further allotment of the budget
    may consume, declared. `is_over`: whether the time is up.
    """

    def __init__(
        self,
        client: DynamoDBClient,
        table: str,
        index: str,
        prices: Prices,
        account: Account,
        *,
        allotted: Callable[[], Amounts] = lambda: UNLIMITED,
        is_over: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._scan: Any = client.scan
        self._parameters = {
            "TableName": table,
            "IndexName": index,
            "Select": "COUNT",
            "TotalSegments": THREADS,
            "ReturnConsumedCapacity": "TOTAL",
        }
        self._prices = prices
        self._account, self._allotted, self._is_over = account, allotted, is_over
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
        parameters: dict[str, Any] = {**self._parameters, "Segment": segment}
        progression = Progression()
        try:
            while page := retrying(
                lambda: self._page(parameters),
                [WAIT_SECONDS] * (ATTEMPTS - 1),
                passes=lambda error: isinstance(error, LOST_ANSWERS),
                sleep=self._sleep,
            ):
                if page.last_evaluated_key is None:
                    return
                progression.check(page.last_evaluated_key)
                parameters.update(after(page.last_evaluated_key))
        except Exception as error:
            code = code_of(error) if isinstance(error, ClientError) else ""
            with self._lock:
                self.stopped_by = code or type(error).__name__

    def _page(self, parameters: Mapping[str, Any]) -> Page | None:
        """Return a page, once rate and budget allow it; `None` if no further page may begin."""
        permitted = self._permitted(parameters["Segment"])
        if permitted is None:
            return None
        limit, booking = permitted
        try:
            page = parse_count(self._scan(**parameters, **({} if limit is None else {"Limit": limit})))
        except Exception:
            with self._lock:
                self._account.fail(booking, Fault.PASSING)
            raise
        with self._lock:
            self._account.release(booking, amounts(self._prices, page.read_units), page.read_units)
            self._entries += page.evaluated
            self.requests += 1
            self.read_units += page.read_units
            if page.evaluated:
                self._entry_units.add(page.read_units, page.evaluated)
        return page

    def _permitted(self, segment: int) -> tuple[int | None, Booking] | None:
        """Wait for rate and budget; return how many entries the next page may evaluate, `None` for no more pages."""
        while True:
            with self._lock:
                if not self.stopped_by and self._is_over():
                    self.stopped_by = "time"
                if self.stopped_by:
                    return None
                now = self._clock()
                wait = self._account.wait_seconds(now)
                if not wait:
                    if not self._has_room():
                        self.stopped_by = "budget"
                        return None
                    limit, booking = self._next(segment)
                    if self._account.reserve(booking, now) is Reserved.YES:
                        return limit, booking
            self._sleep(min(wait or ROOM_SECONDS, 1.0))

    def _has_room(self) -> bool:
        """Return whether the budget has room for a page, if need be from a further allotment."""
        least, account = amounts(self._prices, STEP_UNITS), self._account
        if not account.budget.has_room(least) and not account.budget.is_busy:
            account.budget = Budget(self._allotted())
        return account.budget.is_busy or account.budget.has_room(least)

    def _next(self, segment: int) -> tuple[int | None, Booking]:
        """Return how many entries the next page may evaluate, `None` for a full page, and its booking."""
        most = most_page_units(STEP_UNITS)
        ceiling, page_units = amounts(self._prices, most), self._account.page_units
        if page_units is None:
            return None, Booking(segment, 0.0, ceiling, most)
        limit = max(1, int(page_units / self._entry_units.of(1)))
        return limit, Booking(segment, self._entry_units.of(limit), ceiling, most)


def count_indexes(
    client: DynamoDBClient,
    plan: RetrofitPlan,
    consumed: Amounts,
    results: Results,
    *,
    until: float,
) -> dict[str, Any]:
    """Return the figures of the indexes that a retrofit is to count, by name, one index after the other.

    The retrofit's own rate and budget hold, and no page is read after `until`. `consumed`: what counts against the
    budget already.
    """
    account = account_of(plan.reading.max_read_units_per_second, NOTHING)
    counted = {}
    for index in plan.counted:
        count = IndexCount(
            client,
            plan.reading.source.table,
            index,
            plan.prices,
            account,
            allotted=partial(allotted, plan, consumed, results),
            is_over=lambda: time.monotonic() >= until,
        )
        counted[index] = count.take()
    return counted
