"""A sample taken from a real table, one page after the other."""

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from skipscan.aws.table import Table, is_validation_error
from skipscan.page import Page
from skipscan.plan import Plan
from skipscan.sample import Ask, Sample, sampling

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def take_sample(client: "DynamoDBClient", plan: Plan, *, items: int, size_bytes: int, seed: int) -> Sample:
    """Return a sample of a plan's source. `items` and `size_bytes`: what DescribeTable says, 0 if it says nothing."""

    def page(ask: Ask) -> Page | None:
        try:
            return Table(client, replace(plan, segments=ask.segments)).scan(ask.request)
        except Exception as error:
            if is_validation_error(error) and ask.request.walk.refuse_skip():
                return None
            raise

    steps = sampling(plan, items, seed, size_is_known=size_bytes > 0, clock=time.monotonic)
    try:
        ask = next(steps)
        while True:
            ask = steps.send(page(ask))
    except StopIteration as end:
        sample: Sample = end.value
        return sample
