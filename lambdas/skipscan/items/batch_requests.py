"""A batch's requests: pages of a table, and the steps of its items."""

from collections.abc import Callable, Mapping
from typing import Any

from skipscan.aws import item
from skipscan.aws.clients import DynamoDBClient
from skipscan.aws.unread import page_of, unread
from skipscan.dynamodb.page import Page, after
from skipscan.dynamodb.step import Answer, Get, Write
from skipscan.items.engine import UnitRequest
from skipscan.items.sizes import ReadPage
from skipscan.loop.run_batch import Unread


class BatchRequests:
    """Makes a batch's requests. Safe to use from several threads.

    `scanned`: by pass, the parameters of its pages. `do_other`: does a step that is no request to DynamoDB.
    """

    def __init__(
        self,
        client: DynamoDBClient,
        segments: int,
        scanned: Callable[[int], Mapping[str, Any]],
        do_other: Callable[[Any], Answer] | None = None,
    ) -> None:
        self._client, self._scanned, self._do_other = client, scanned, do_other
        self._scan = unread(client).scan
        self._parameters = {"TotalSegments": segments, "ReturnConsumedCapacity": "TOTAL"}

    def do(self, request: UnitRequest) -> Answer | Page | Unread:
        """Return the answer; raises what AWS raises, except for a failed condition and a write that is refused."""
        step = request.step
        if isinstance(step, ReadPage):
            parameters = {**self._parameters, "Segment": step.segment, "Limit": step.limit, **after(step.start_key)}
            return page_of(self._scan(**parameters, **self._scanned(step.number)))
        if isinstance(step, Get | Write):
            return item.do(self._client, step)
        if self._do_other is None:
            raise TypeError(f"{type(step).__name__} is no step of this job")
        return self._do_other(step)
