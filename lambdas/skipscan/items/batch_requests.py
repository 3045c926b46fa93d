"""A batch's requests: pages of a table, and the steps of its items."""

from collections.abc import Callable, Mapping
from typing import Any

from skipscan.aws import item
from skipscan.aws.clients import DynamoDBClient
from skipscan.aws.unread import page_of, unread
from skipscan.dynamodb.page import Page, after
from skipscan.dynamodb.step import Answer, Get, Write
from skipscan.items.job import UnitRequest
from skipscan.items.lane import ReadPage
from skipscan.loop.run_batch import Unread

Do = Callable[[UnitRequest], Answer | Page | Unread]


def batch_requests(
    client: DynamoDBClient,
    segments: int,
    scanned: Callable[[int], Mapping[str, Any]],
    do_other: Callable[[Any], Answer] | None = None,
) -> Do:
    """Return what makes a batch's requests; several threads may call it.

    `scanned`: by pass, the parameters of its pages. `do_other`: does a step that is no request to DynamoDB.
    """
    scan = unread(client).scan

    def do(request: UnitRequest) -> Answer | Page | Unread:
        """Return the answer; raises what AWS raises, except for a failed condition and a write that is refused."""
        step = request.step
        if isinstance(step, ReadPage):
            place = {"TotalSegments": segments, "Segment": step.segment, **after(step.start_key)}
            return page_of(scan(**scanned(step.number), **place, Limit=step.limit, ReturnConsumedCapacity="TOTAL"))
        if isinstance(step, Get | Write):
            return item.do(client, step)
        if do_other is None:
            raise TypeError(f"{type(step).__name__} is no step of this job")
        return do_other(step)

    return do
