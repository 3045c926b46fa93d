"""The memory that a batch's pages of whole items take while all of its walks wait for a Query.

As a program, `python -m benchmarks.client.held`: it gives a batch pages of 1 MB, far from the table, until the batch
takes no more, and prints how many pages are held, and the megabytes.
"""

import json
import tracemalloc
from collections.abc import Iterator
from time import monotonic

from local.audit_table import items
from skipscan.dynamodb.page import Page
from skipscan.dynamodb.table_description import TableDescription
from skipscan.listing.execution_input import parse
from skipscan.listing.plan import plan_listing
from skipscan.pace.bounds import Bounds, Clock
from skipscan.scan.batch import Batch, Request
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
PAGE_ITEMS = 6_000
"""Items of 1 MB together."""


def held(page_items: int = PAGE_ITEMS, *, nested: int = 0) -> tuple[int, float, float]:
    """Return how many pages of so many items a batch holds, their megabytes, and those at the worst moment.

    `nested`: a list of so many nothings in each item. DynamoDB counts two bytes for each.
    """
    asked = parse({"table": "Held", "segments": 1024, "workers": 1, "take": {"last": "all"}})
    batch = Batch(plan_listing(asked, DESCRIPTION), ScanProgress(0), bounds=Bounds(), clock=Clock(monotonic), write=len)
    batch._width.walks = batch._width.ceiling  # as wide as it becomes far away
    more = {"list": {"L": [{"NULL": True}] * nested}} if nested else {}
    answer = json.dumps([{**item, "sk": {"S": "1"}, **more} for item in items(page_items, 1)][:page_items])
    tracemalloc.start()
    requests = list(_pages(batch))
    for request in requests:
        found = json.loads(answer)
        last = {name: found[-1][name] for name in ("id", "sk")}
        batch.give(request, Page(found, last, 128.5))
        del found
    kept, peak = (taken / (1 << 20) for taken in tracemalloc.get_traced_memory())
    tracemalloc.stop()
    return len(requests), kept, peak


def _pages(batch: Batch) -> Iterator[Request]:
    """Yield the pages that are asked for before the first comes."""
    while isinstance(request := batch.take(), Request):
        yield request


if __name__ == "__main__":
    for name, shape in {"flat": {}, "nested": {"page_items": 3, "nested": 170_000}}.items():
        pages, kept, peak = held(**shape)
        print(f"{name}: {pages} pages held, {kept:.0f} MB; at most {peak:.0f} MB with a page in hand")
