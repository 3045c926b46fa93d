"""Takes a sample of a real table, one page after the other."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
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


def sampling(units_per_second: float | None) -> Account:
    """Return the account of a sample. It keeps the rate; its reader says when the budget is used up."""
    return Account(units_per_second, random.random, Clock(time.monotonic))


def pay_off(account: Account) -> None:
    """Wait until the rate allows another page, so that the work that follows owes nothing."""
    time.sleep(min(account.wait_seconds(time.monotonic()), LONGEST_DEBT_SECONDS))


def due(account: Account) -> float:
    """Return when the rate allows the next page. A sample ends when that is too late."""
    now = time.monotonic()
    return now + account.wait_seconds(now)


def read_sample(reader: SampleReader[A_co], page: Callable[[A_co], Page | None]) -> Iterator[None]:
    """Read a sample, page by page; yield after each but the last. A refusal is raised without the values it quotes."""
    steps = random_segments(reader)
    with suppress(StopIteration):
        ask = next(steps)
        while True:
            try:
                answer = page(ask)
            except Exception as error:
                raise scrub(error) from None
            ask = steps.send(answer)
            yield


def whole_items(client: DynamoDBClient, table: str, ask: SegmentPage) -> Page:
    """Return a page of a segment with all attributes."""
    parameters: dict[str, Any] = {"TableName": table, "Segment": ask.segment, "TotalSegments": ask.segments}
    if ask.limit is not None:
        parameters["Limit"] = ask.limit
    return parse_page(client.scan(**parameters, ReturnConsumedCapacity="TOTAL", **after(ask.start_key)))


def paced(account: Account, booking: Booking, scan: Callable[[], Page]) -> Page:
    """Return the answer to a page's request, once the rate allows it; retry it after errors that pass."""

    def attempt() -> Page:
        now = time.monotonic()
        time.sleep(max(account.wait_seconds(now), account.walk_wait_seconds(booking.walk, now)))
        account.reserve(booking, time.monotonic())
        return scan()

    def passes(error: Exception) -> bool:
        return account.fail(booking, fault(error))

    # The account waits, so that no attempt begins before the rate and the backoff allow it.
    answer = retrying(attempt, [0.0] * (ATTEMPTS - 1), passes=passes, sleep=time.sleep)
    account.release(booking, NOTHING, answer.read_units)
    account.recovered(booking.walk)
    return answer


def take_sample(client: DynamoDBClient, plan: Plan, *, items: int, seed: int, is_followed: bool = False) -> Sample:
    """Return a sample of a plan's source. `items`: by DescribeTable, 0 if unknown.

    `is_followed`: the run begins after the sample, and its rate does not know what the sample has just consumed.
    """
    account = sampling(plan.max_read_units_per_second)

    def page(ask: PageRequest) -> Page | None:
        request = ask.request
        scan = Table(client, replace(plan, segments=ask.segments, take=KEYS)).scan
        try:
            return paced(account, Booking(request.segment, plan.step_units), lambda: scan(request))
        except Exception as error:
            if fault(error) is Fault.INVALID and request.lookup is None and request.walk.refuse_skip():
                return None
            raise

    walks = Walks(plan, items, seed, lambda: due(account))
    for _ in read_sample(walks, page):
        pass
    if is_followed:
        pay_off(account)
    return walks.sample
