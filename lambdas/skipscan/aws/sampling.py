"""A sample taken from a real table, one page after the other."""

import random
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from skipscan.aws.table import Table, fault
from skipscan.backoff import Backoff, Fault
from skipscan.page import Page
from skipscan.plan import Plan
from skipscan.sample import Ask, Sample, sampling

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

REFUSALS = 5
"""How often in a row a page is asked for again; a table that is so busy should not be sampled now."""


def take_sample(client: "DynamoDBClient", plan: Plan, *, items: int, size_bytes: int, seed: int) -> Sample:
    """Return a sample of a plan's source. `items` and `size_bytes`: what DescribeTable says, 0 if it says nothing."""
    backoff = Backoff(random.random)

    def page(ask: Ask) -> Page | None:
        while True:
            try:
                answer = Table(client, replace(plan, segments=ask.segments)).scan(ask.request)
            except Exception as error:
                met = fault(error)
                if met is Fault.INVALID and ask.request.walk.refuse_skip():
                    return None
                if met in {Fault.INVALID, Fault.FATAL} or backoff.refusals >= REFUSALS:
                    raise
                backoff.refused(time.monotonic())
                time.sleep(backoff.wait_seconds(time.monotonic()))
            else:
                backoff.accepted()
                return answer

    steps = sampling(plan, items, seed, size_is_known=size_bytes > 0, clock=time.monotonic)
    try:
        ask = next(steps)
        while True:
            ask = steps.send(page(ask))
    except StopIteration as end:
        sample: Sample = end.value
        return sample
