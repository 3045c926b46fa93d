"""The memory of a batch's pages of whole items, while all of its walks wait for a Query."""

import json
import tracemalloc
from time import monotonic

import pytest

from skipscan.dynamodb.page import Page
from skipscan.dynamodb.table_description import TableDescription
from skipscan.listing.execution_input import parse
from skipscan.listing.plan import plan_listing
from skipscan.pace.bounds import Bounds, Clock
from skipscan.scan.batch import Batch, Request
from skipscan.scan.plan import WALKS
from skipscan.scan.progress import ScanProgress

DESCRIPTION = TableDescription.from_json(
    {
        "TableName": "Held",
        "TableStatus": "ACTIVE",
        "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("id", "sk")],
        "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"},
    }
)


def held(page_items: int, *, nested: int = 0) -> tuple[int, float, float]:
    """Return how many pages a batch holds far from the table, their megabytes, and those at the worst moment.

    `nested`: a list of so many nothings in each item. DynamoDB counts two bytes for each.
    """
    asked = parse({"table": "Held", "segments": 1024, "workers": 1, "take": {"last": "all"}})
    batch = Batch(plan_listing(asked, DESCRIPTION), ScanProgress(0), bounds=Bounds(), clock=Clock(monotonic), write=len)
    batch._width.walks = batch._width.ceiling  # as wide as it becomes far away
    attributes = {name: {"S": f"{name} of an item"} for name in ("resource", "action", "person", "time")}
    more = {"list": {"L": [{"NULL": True}] * nested}} if nested else {}
    items = [{"id": {"S": f"{number:06d}"}, "sk": {"S": "1"}, **attributes, **more} for number in range(page_items)]
    answer = json.dumps(items)
    tracemalloc.start()
    requests = list(iter(batch.take, None))
    for request in requests:
        assert isinstance(request, Request)
        found = json.loads(answer)
        batch.give(request, Page(found, {name: found[-1][name] for name in ("id", "sk")}, 128.5))
        del found
    kept, peak = (taken / (1 << 20) for taken in tracemalloc.get_traced_memory())
    tracemalloc.stop()
    return len(requests), kept, peak


def test_a_batch_holds_the_items_of_so_many_pages_that_they_fit_into_its_memory() -> None:
    """128 pages of 1 MB, which a batch far from the table would have under way, took 1,592 MB; 16 took 201."""
    pages, kept, peak = held(600)
    assert pages == WALKS
    assert kept < peak < 512 / 10


@pytest.mark.long
def test_nested_pages_are_held_as_bytes() -> None:
    """As objects, 16 pages of 1 MB took 999 MB; as bytes 42."""
    pages, kept, peak = held(2, nested=25_000)
    assert pages == WALKS
    assert kept < 10
    assert peak < 40
