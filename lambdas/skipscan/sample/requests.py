"""Takes a sample of a real table, one page after the other."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from skipscan.aws.answer import parse_page
from skipscan.aws.clients import DynamoDBClient
from skipscan.aws.faults import fault, scrub
from skipscan.aws.table import Table
from skipscan.dynamodb.page import Page, after
from skipscan.pace.bill import NOTHING
from skipscan.pace.bounds import Clock
from skipscan.pace.ledger import Account, Booking
from skipscan.pace.pace import Fault, retrying
from skipscan.sample.sample import Sample
from skipscan.sample.sampler import A_co, SampleReader, SegmentPage, random_segments
from skipscan.sample.walks import PageRequest, Walks
from skipscan.scan.plan import Plan
from skipscan.scan.take import KEYS

ATTEMPTS = 6
"""How often a page is requested; a table too busy to answer should not be sampled now."""


LONGEST_DEBT_SECONDS = 120.0
"""The longest wait for the debt of a sample's last page; Plan's function may take fifteen minutes."""


class Sampling:
    """Reads a sample at a rate, one page after the other. Its reader says when the budget is used up."""

    def __init__(self, units_per_second: float | None, step_units: float) -> None:
        self._account = Account(units_per_second, random.random, Clock(time.monotonic))
        self._booking = Booking(0, step_units)

    def due(self) -> float:
        """Return when the rate allows the next page. A sample ends when that is too late."""
        now = time.monotonic()
        return now + self._account.wait_seconds(now)

    def pay_off(self) -> None:
        """Wait until the rate allows another page, so that the work that follows owes nothing."""
        time.sleep(min(self._account.wait_seconds(time.monotonic()), LONGEST_DEBT_SECONDS))

    def read(self, reader: SampleReader[A_co], scan: Callable[[A_co], Page | None]) -> Iterator[None]:
        """Read, and yield after each page but the last. A refusal is raised without the values that it quotes."""
        steps = random_segments(reader)
        with suppress(StopIteration):
            ask = next(steps)
            while True:
                try:
                    answer = self._page(partial(scan, ask))
                except Exception as error:
                    raise scrub(error) from None
                ask = steps.send(answer)
                yield

    def _page(self, scan: Callable[[], Page | None]) -> Page | None:
        """Return the answer to a page's request, once the rate allows it; retry it after errors that pass."""
        account, booking = self._account, self._booking

        def attempt() -> Page | None:
            now = time.monotonic()
            time.sleep(max(account.wait_seconds(now), account.walk_wait_seconds(booking.walk, now)))
            account.reserve(booking, time.monotonic())
            return scan()

        def passes(error: Exception) -> bool:
            return account.fail(booking, fault(error))

        # The account waits, so that no attempt begins before the rate and the backoff allow it.
        answer = retrying(attempt, [0.0] * (ATTEMPTS - 1), passes=passes, sleep=time.sleep)
        account.release(booking, NOTHING, answer.read_units if answer else 0.0)
        account.recovered(booking.walk)
        return answer


def whole_items(client: DynamoDBClient, table: str, ask: SegmentPage) -> Page:
    """Return a page of a segment with all attributes."""
    parameters: dict[str, Any] = {"TableName": table, "Segment": ask.segment, "TotalSegments": ask.segments}
    if ask.limit is not None:
        parameters["Limit"] = ask.limit
    return parse_page(client.scan(**parameters, ReturnConsumedCapacity="TOTAL", **after(ask.start_key)))


def take_sample(client: DynamoDBClient, plan: Plan, *, items: int, seed: int, is_followed: bool = False) -> Sample:
    """Return a sample of a plan's source. `items`: by DescribeTable, 0 if unknown.

    `is_followed`: the run begins after the sample, and its rate does not know what the sample has just consumed.
    """

    def scan(ask: PageRequest) -> Page | None:
        request = ask.request
        try:
            return Table(client, replace(plan, segments=ask.segments, take=KEYS)).scan(request)
        except Exception as error:
            if fault(error) is Fault.INVALID and request.lookup is None and request.walk.refuse_skip():
                return None
            raise

    sampling = Sampling(plan.max_read_units_per_second, plan.step_units)
    walks = Walks(plan, items, seed, sampling.due)
    for _ in sampling.read(walks, scan):
        pass
    if is_followed:
        sampling.pay_off()
    return walks.sample
