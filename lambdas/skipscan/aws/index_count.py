"""The number of an index's entries, counted by reading it: DescribeTable's number is up to six hours old."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any

from botocore.exceptions import ClientError

from skipscan.aws.answer import consumed_units
from skipscan.aws.faults import LOST_ANSWERS, code_of
from skipscan.aws.services import DynamoDBClient
from skipscan.dynamodb.page import Progression
from skipscan.items.allowance import Mean
from skipscan.pace.bill import amounts
from skipscan.pace.counts import Counts
from skipscan.pace.rate import Rate
from skipscan.retrofit.plan import RetrofitPlan

THREADS = 16
ATTEMPTS, WAIT_SECONDS = 4, 1.0
"""How often a page without a usable answer is asked for, and how long between. The client retries refusals itself."""

ENTRY_UNITS = 0.05
"""The assumed read units of an entry until the first page is read."""


class IndexCount:
    """Counts the entries of one index, by eventually consistent pages that return no items.

    `units_per_second`: the rate, `None` for none. `refusal`: returns why no further page may be read after so many read
    units, `None` if one may.
    """

    def __init__(
        self,
        client: DynamoDBClient,
        table: str,
        index: str,
        *,
        units_per_second: float | None,
        refusal: Callable[[float], str | None],
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
        self._refusal = refusal
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
        while (limit := self._permitted()) is not None:
            expected = self._entry_units.of(limit) if self._rate else 0.0
            try:
                page = self._scan(**asked, **({"Limit": limit} if self._rate else {}))
                read_units, count = consumed_units(page), int(page["Count"])
                progression.check(page.get("LastEvaluatedKey"))
            except Exception as error:
                lost += 1
                if isinstance(error, LOST_ANSWERS) and lost < ATTEMPTS:
                    self._sleep(WAIT_SECONDS)
                    continue
                code = code_of(error) if isinstance(error, ClientError) else ""
                self.stopped_by = code or type(error).__name__
                return
            lost = 0
            with self._lock:
                self._took_in(count, read_units, expected)
            if "LastEvaluatedKey" not in page:
                return
            asked["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def _permitted(self) -> int | None:
        """Wait for the rate; return how many entries the next page may evaluate, `None` for no more pages."""
        while True:
            with self._lock:
                self.stopped_by = self.stopped_by or self._refusal(self.read_units)
                if self.stopped_by:
                    return None
                if self._rate is None:
                    return 1
                now = self._clock()
                wait = self._rate.wait_seconds(now)
                if not wait:
                    limit = max(1, int(self._rate.page_units / self._entry_units.of(1)))
                    self._rate.reserve(now, self._entry_units.of(limit))
                    return limit
            self._sleep(min(wait, 1.0))

    def _took_in(self, entries: int, read_units: float, expected: float) -> None:
        self._entries += entries
        self.requests += 1
        self.read_units += read_units
        if entries:
            self._entry_units.add(read_units, entries)
        if self._rate:
            self._rate.settle(expected, read_units)


def count_indexes(client: DynamoDBClient, plan: RetrofitPlan, counts: Counts, *, until: float) -> dict[str, Any]:
    """Return the figures of the indexes that a retrofit is to count, by name, one index after the other.

    The retrofit's own rate and budget hold, and no page is read after `until`.
    """
    consumed = counts.read_units
    counted = {}
    for index in plan.counted:

        def refusal(read_units: float, before: float = consumed) -> str | None:
            if time.monotonic() >= until:
                return "time"
            taken = amounts(plan.prices, before + read_units, counts.write_units)
            return None if taken.fits(plan.budget) else "budget"

        count = IndexCount(
            client,
            plan.reading.source.table,
            index,
            units_per_second=plan.reading.max_read_units_per_second,
            refusal=refusal,
        )
        counted[index] = count.take()
        consumed += count.read_units
    return counted
