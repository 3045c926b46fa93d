"""The processor time of a page, beside that of boto3's `client.scan` alone.

Is our own client worth its code? The answers come from a server that has them ready, in rounds in which the ways take
turns.
"""

from collections.abc import Callable, Sequence
from statistics import median
from threading import Thread
from time import process_time
from typing import TYPE_CHECKING, Any

from benchmarks.canned import LISTED, Clients, canned
from skipscan.aws.faults import fault
from skipscan.aws.table import Table
from skipscan.lines.formats import line_encoder
from skipscan.listing.execution_input import parse
from skipscan.listing.plan import plan_listing
from skipscan.loop.run_batch import ReadyBatch, run_batch
from skipscan.loop.storage import Part
from skipscan.pace.bounds import Bounds, Clock
from skipscan.scan.batch import Batch
from skipscan.scan.plan import WALKS, Plan
from skipscan.scan.progress import ScanCounts, first_progress
from skipscan.scan.width import MOST_WALKS

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

SHAPES = {"short": (8, 8, 3_000, 300), "long": (2_098, 3, 200, 64), "full": (7_000, 7_000, 16, 16)}
"""Items of a page and their keys, pages of our whole path, and pages of the other ways.

Full pages have 1 MB, and items of 500 bytes in long item collections, or of 150 bytes with a key each.

The first few hundred pages open connections and plan the Limit dozens of times, where a batch has tens of thousands.
"""

Figures = dict[str, Any]


def measure(*, full: bool) -> Figures:
    """Return milliseconds of processor time a page, as medians, and ratios to `client.scan`, by the page's length."""
    return {name: _page(*shape, rounds=9 if full else 3) for name, shape in SHAPES.items()}


def _page(items: int, keys: int, long: int, pages: int, *, rounds: int) -> Figures:
    plan = plan_of_canned()
    with canned(items, keys) as of:
        requests = recorded(of.over_boto3, plan, pages)
        ready(of, requests)
        ways: dict[str, tuple[int, Callable[[], object]]] = {
            "whole": (long, lambda: listed(of.lean, plan, pages=long)),
            "over_boto3": (pages, lambda: listed(of.over_boto3, plan, pages=pages)),
            "lean": (pages, lambda: scan(of.lean, requests)),
            "bare": (pages, lambda: scan(of.bare, requests)),
        }
        taken = [{name: _milliseconds(run) / number for name, (number, run) in ways.items()} for _ in range(rounds)]
    figures: Figures = {"items": items}
    for name in ways:
        figures[f"{name}_ms"] = round(median(each[name] for each in taken), 3)
        figures[f"{name}_of_bare"] = round(median(each[name] / each["bare"] for each in taken), 3)
    return figures


def plan_of_canned() -> Plan:
    return plan_listing(parse({"table": LISTED.name, "workers": 1}), LISTED)


def ready(of: Clients, requests: Sequence[dict[str, Any]]) -> None:
    """Have the clients open their connections, and the lean one pass its trial."""
    for client in (of.bare, of.lean):
        scan(client, requests[:WALKS])


def listed(client: "DynamoDBClient", plan: Plan, *, pages: int | None = None) -> ScanCounts:
    """Return what a worker with all segments consumed, in so many pages or until the table's end, on its whole path."""
    part = Part(line_encoder(plan.source, plan.format, plan.take))
    start, bounds = first_progress(plan, 0), Bounds(pages=pages)
    batch = Batch(plan, start, bounds=bounds, clock=Clock.started(), write=part.write)
    made = ReadyBatch(batch, Table(client, plan).ask, MOST_WALKS, lambda: batch.concurrency)
    if error := run_batch(made, fault=fault):
        raise error
    return batch.counts


def recorded(client: "DynamoDBClient", plan: Plan, pages: int) -> list[dict[str, Any]]:
    """Return the parameters of the requests that a worker makes."""
    requests: list[dict[str, Any]] = []

    class Recording:
        def scan(self, **parameters: Any) -> Any:
            requests.append(parameters)
            return client.scan(**parameters)

    recording: Any = Recording()
    listed(recording, plan, pages=pages)
    return requests


def scan(client: "DynamoDBClient", requests: Sequence[dict[str, Any]]) -> None:
    """Make the requests on as many threads as a worker has, and discard the answers."""

    def some(first: int) -> None:
        for parameters in requests[first::WALKS]:
            client.scan(**parameters)

    threads = [Thread(target=some, args=(first,)) for first in range(WALKS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _milliseconds(run: Callable[[], object]) -> float:
    """Return the processor time of all threads together."""
    start = process_time()
    run()
    return (process_time() - start) * 1000
