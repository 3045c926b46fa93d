"""Takes a sample of a real table, one page after the other."""

import random
import time
from dataclasses import replace

from skipscan.aws.faults import fault, scrub
from skipscan.aws.services import DynamoDBClient
from skipscan.aws.table import Table
from skipscan.dynamodb.page import Page
from skipscan.estimate.sample import Sample
from skipscan.estimate.sampling import Ask, sampling
from skipscan.pace.backoff import Fault
from skipscan.pace.pace import Pace
from skipscan.scan.plan import Plan

ATTEMPTS = 6
"""How often a page is requested; a table too busy to answer should not be sampled now."""


LONGEST_DEBT_SECONDS = 120.0
"""The longest wait for the debt of a sample's last page; Plan's function may take five minutes."""


def pay_off(pace: Pace) -> None:
    """Wait until the rate allows another page, so that the work that follows owes nothing."""
    time.sleep(min(pace.wait_seconds(time.monotonic()), LONGEST_DEBT_SECONDS))


def due(pace: Pace) -> float:
    """Return when the rate allows the next page. A sample ends when that is too late."""
    now = time.monotonic()
    return now + pace.wait_seconds(now)


def take_sample(
    client: DynamoDBClient, plan: Plan, *, items: int, size_bytes: int, seed: int, is_followed: bool = False
) -> Sample:
    """Return a sample of a plan's source. `items` and `size_bytes`: from DescribeTable, 0 if unknown.

    `is_followed`: the run begins after the sample, and its rate does not know what the sample has just consumed.
    """
    pace = Pace(plan.max_read_units_per_second, random.random)

    def page(ask: Ask) -> Page | None:
        request, scan = ask.request, Table(client, replace(plan, segments=ask.segments, take=None)).scan
        for attempt in range(ATTEMPTS):
            now = time.monotonic()
            time.sleep(max(pace.wait_seconds(now), pace.walk_wait_seconds(request.segment, now)))
            pace.begin(time.monotonic(), plan.step_units)
            try:
                answer = scan(request)
            except Exception as error:
                met = fault(error)
                goes_on = pace.refused(request.segment, plan.step_units, met, time.monotonic())
                if met is Fault.INVALID and request.walk.refuse_skip():
                    return None
                if not goes_on or attempt == ATTEMPTS - 1:
                    raise scrub(error) from None
            else:
                pace.accepted(request.segment, plan.step_units, answer.read_units)
                return answer
        raise AssertionError("unreachable")

    steps = sampling(plan, items, seed, size_is_known=size_bytes > 0, clock=lambda: due(pace))
    try:
        ask = next(steps)
        while True:
            ask = steps.send(page(ask))
    except StopIteration as end:
        sample: Sample = end.value
    if is_followed:
        pay_off(pace)
    return sample
