"""How many items a worker retrofits and copies, with its own client and with boto3 for all calls."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from operator import truediv
from statistics import median
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

from benchmarks.client.canned import AUDIT, canned
from benchmarks.client.workers import workers
from benchmarks.copy.ours import Messages
from local.audit_table import ATTRIBUTE, TEMPLATE
from skipscan.aws.faults import fault
from skipscan.copy.batch import CopyBatch
from skipscan.copy.copying import CopyCounts
from skipscan.copy.input import CopyInput
from skipscan.copy.plan import copy_plan
from skipscan.copy.replica import Replica
from skipscan.copy.requests import CopyTables, LateLooks
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.items.batch import ItemBatch
from skipscan.items.plan import THREADS
from skipscan.items.walk import ItemProgress
from skipscan.loop.run_batch import Pump, run_batch
from skipscan.pace.bounds import Bounds, Clock
from skipscan.retrofit.batch import RetrofitBatch, RetrofitCounts
from skipscan.retrofit.input import RetrofitInput
from skipscan.retrofit.plan import retrofit_plan
from skipscan.retrofit.requests import RetrofitTable

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

PAGE_ITEMS = 100


@dataclass(frozen=True)
class Items:
    """Items a second of one worker, and milliseconds of its processor time an item; medians, as is the `ratio`.

    `ratio`: of the rates. `cpu_ratio`: of the processor times, ours to boto3's.
    """

    rate: float
    over_boto3: float
    ratio: float
    milliseconds: float
    cpu_ratio: float


def measure(job: Callable[["DynamoDBClient", int], int], *, pages: int, rounds: int) -> Items:
    """Compare both clients over rounds in which they take turns. `job`: `retrofitted` or `copied`."""
    with canned(PAGE_ITEMS) as url, workers(url) as of:
        taken = [[_timed(job, client, pages) for client in (of.lean, of.over_boto3)] for _ in range(rounds)]
    seconds, processor = ([[one[unit] for one in row] for row in taken] for unit in (0, 1))
    return Items(
        rate=median(1 / ours for ours, _ in seconds),
        over_boto3=median(1 / theirs for _, theirs in seconds),
        ratio=median(truediv(theirs, ours) for ours, theirs in seconds),
        milliseconds=median(ours * 1000 for ours, _ in processor),
        cpu_ratio=median(truediv(ours, theirs) for ours, theirs in processor),
    )


def _timed(job: Callable[["DynamoDBClient", int], int], client: "DynamoDBClient", pages: int) -> tuple[float, float]:
    """Return the seconds and the seconds of processor time that an item took."""
    begun, processor = perf_counter(), process_time()
    items = job(client, pages)
    return (perf_counter() - begun) / items, (process_time() - processor) / items


def retrofitted(client: "DynamoDBClient", pages: int) -> int:
    """Return the number of items that a worker updates in so many pages."""
    asked = RetrofitInput(table="Audit", templates={ATTRIBUTE: TEMPLATE}, workers=1, segments=16, verify=False)
    plan = retrofit_plan(asked, AUDIT, US_EAST_1)
    batch = RetrofitBatch(
        plan, ItemProgress(0, RetrofitCounts()), bounds=Bounds(pages=pages), clock=Clock.started(), write=len
    )
    return _run_batch(batch, RetrofitTable(client, plan).do)


def copied(client: "DynamoDBClient", pages: int) -> int:
    """Return the number of items that a worker copies in so many pages."""
    replica = Replica("Audit", "New", "stream", "queue", {ATTRIBUTE: TEMPLATE})
    asked = CopyInput(table="Audit", to="New", workers=1, segments=16, verify=False)
    plan = copy_plan(asked, replica, AUDIT, replace(AUDIT, name="New"), US_EAST_1)
    batch = CopyBatch(plan, ItemProgress(0, CopyCounts()), bounds=Bounds(pages=pages), clock=Clock.started(), write=len)
    return _run_batch(batch, CopyTables(client, plan, LateLooks(Messages(), replica)).do)


def _run_batch(batch: ItemBatch[Any, Any, Any, Any], do: Callable[[Any], object]) -> int:
    pump: Pump[Any, object] = batch
    if error := run_batch(pump, do, THREADS, fault=fault):
        raise error
    written: int = batch.counts.items
    return written
