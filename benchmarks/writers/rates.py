"""Items a second of one worker of each job that writes, against a server that has its answers ready.

So the figure is the worker's own bound, its processor time. BatchWriteItem is beside them as the bound of anyone who
writes without a condition: 25 items a request, with boto3, on as many threads.
"""

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from statistics import median
from time import perf_counter, process_time
from typing import TYPE_CHECKING

from benchmarks.act.by_hand import BATCH_ITEMS, items
from benchmarks.act.job import put_by_job
from benchmarks.client.canned import canned
from benchmarks.client.items import PAGE_ITEMS, copied, retrofitted
from benchmarks.client.workers import Workers, workers
from local.server import HOST
from skipscan.act.plan import THREADS

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

Figures = Mapping[str, Mapping[str, float]]


def in_batches(client: "DynamoDBClient", count: int) -> int:
    """Write items by BatchWriteItem, its maximum in each request."""
    left = items([f"customer-{key:06d}" for key in range(count)])
    batches = list(iter(lambda: [{"PutRequest": {"Item": item}} for item in islice(left, BATCH_ITEMS)], []))
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(lambda batch: client.batch_write_item(RequestItems={"Audit": batch}), batches))
    return count


def put(client: "DynamoDBClient", count: int) -> int:
    return put_by_job(client, "Audit", [f"customer-{key:06d}" for key in range(count)]).put


def _ways(of: Workers, count: int) -> dict[str, Callable[[], int]]:
    return {
        "act put": lambda: put(of.lean, count),
        "retrofit": lambda: retrofitted(of.lean, count // PAGE_ITEMS),
        "copy": lambda: copied(of.lean, count // PAGE_ITEMS),
        "BatchWriteItem": lambda: in_batches(of.bare, count),
    }


def measure(count: int, *, rounds: int) -> Figures:
    """Return items a second and processor time an item of each way; medians of rounds in which they take turns."""
    os.environ["no_proxy"] = HOST
    rates: dict[str, list[float]] = {}
    times: dict[str, list[float]] = {}
    with canned(PAGE_ITEMS) as url, workers(url) as of:
        retrofitted(of.lean, 1)  # opens its connections, and passes its trial
        for _ in range(rounds):
            for name, way in _ways(of, count).items():
                begun, processor = perf_counter(), process_time()
                written = way()
                if written < count:
                    raise RuntimeError(f"{name} wrote {written} items of {count}")
                rates.setdefault(name, []).append(written / (perf_counter() - begun))
                times.setdefault(name, []).append((process_time() - processor) / written)
    return {
        name: {"rate": round(median(rates[name])), "cpu_milliseconds": round(1000 * median(times[name]), 3)}
        for name in rates
    }


def show(figures: Figures) -> None:
    print("One worker         items/s   CPU an item")
    for name, way in figures.items():
        print(f"{name:15}{way['rate']:11,}{way['cpu_milliseconds']:11.3f} ms")
