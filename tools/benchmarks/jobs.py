"""One worker of each job that writes: the deployed batch, threads and requests, without Lambda."""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from benchmarks.canned import AUDIT
from local.audit_table import ATTRIBUTE, TEMPLATE
from skipscan.act.actions.put_item import PutItem
from skipscan.act.item import ActCounts
from skipscan.act.job import ActJob
from skipscan.act.kind import ACT, failed_line
from skipscan.act.parts import slices
from skipscan.act.plan import ActPlan
from skipscan.act.requests import ActRequests
from skipscan.act.task_source import ActPosition
from skipscan.aws.faults import fault
from skipscan.aws.follower import ItemEffect, follow_stream
from skipscan.copy.input import CopyInput
from skipscan.copy.item import CopyCounts
from skipscan.copy.job import CopyJob
from skipscan.copy.plan import copy_plan
from skipscan.copy.replica import PUT_SECONDS, Replica, keys_of
from skipscan.copy.requests import copy_requests, recheck, replication
from skipscan.dynamodb.delivery import Delivery, StreamRecord
from skipscan.dynamodb.prices import US_EAST_1
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import KeyAttribute, TableDescription, TableIdentity
from skipscan.dynamodb.write_units import MOST_ITEM_UNITS
from skipscan.items.engine import Engine
from skipscan.items.job import THREADS, Job
from skipscan.items.progress import ItemPosition, ItemProgress
from skipscan.loop.run_batch import ReadyBatch, run_batch
from skipscan.loop.storage import Part
from skipscan.loop.work import ExecutionId
from skipscan.pace.bounds import Bounds, Clock
from skipscan.pace.ledger import Ledger
from skipscan.pace.progress import Progress
from skipscan.retrofit.input import RetrofitInput
from skipscan.retrofit.item import RetrofitCounts, RetrofitJob
from skipscan.retrofit.plan import retrofit_plan
from skipscan.retrofit.requests import retrofit_requests

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def put(client: "DynamoDBClient", count: int) -> int:
    """Put a marker for each of so many keys, by one worker of act; return how many were put."""
    part = b"".join(b'{"pk": "customer-%06d"}\n' % key for key in range(count))
    cut = slices([{"name": "part", "bytes": len(part), "sha256": ""}])
    plan = ActPlan(
        table=AUDIT.name,
        identity=TableIdentity("", ""),
        run="run",
        manifest_sha256="",
        partition_key=(KeyAttribute("pk", "S"),),
        sort_key=(KeyAttribute("sk", "S"),),
        format="jsonl",
        action=PutItem.parse({"item": {"sk": "#static", "GSI-pk": "{pk}"}}),
        keys=count,
        slices=len(cut),
        workers=1,
        repeated_keys=count,
        key_units=1.0,
        most_key_units=1.0,
        worst_key_units=MOST_ITEM_UNITS,
        max_units_per_second=None,
        max_write_units=None,
        max_dollars=None,
        prices=US_EAST_1,
        mark="benchmark/job",
    )
    work, nothing = ACT.new_work(ExecutionId("job", "arn", "2026-01-01T00:00:00Z"), plan), None
    parts = SimpleNamespace(read=lambda needed: part[needed.start : needed.end])
    requests = ActRequests(work, parts, dynamodb=client, lambda_=nothing, sqs=nothing)  # type: ignore[arg-type]
    failed = Part(failed_line)
    batch = _batch(partial(ActJob, plan, cut), plan, Progress(0, ActPosition(), ActCounts()), Bounds(), failed.write)
    if error := run_batch(ReadyBatch(batch, requests.do, THREADS), fault=fault):
        raise error
    counts: ActCounts = batch.counts
    return counts.put


def retrofit(client: "DynamoDBClient", table: TableDescription, pages: int | None = None) -> RetrofitCounts:
    """Set the attribute by one worker, in so many pages or until the table's end, without the verification."""
    requested = RetrofitInput(table=table.name, templates={ATTRIBUTE: TEMPLATE}, workers=1, segments=16, verify=False)
    plan = retrofit_plan(requested, table, US_EAST_1)
    progress: ItemProgress = Progress(0, ItemPosition(), RetrofitCounts())
    counts: RetrofitCounts = _work(partial(RetrofitJob, plan), retrofit_requests(client, plan), plan, progress, pages)
    return counts


class Copy:
    """The deployed copy and its replicator, with a queue in memory."""

    def __init__(self, client: "DynamoDBClient", source: TableDescription, target: TableDescription) -> None:
        requested = CopyInput(table=source.name, to=target.name, workers=1, segments=16, verify=False)
        replica = Replica(source.name, target.name, "stream", "queue", {ATTRIBUTE: TEMPLATE})
        self._queue = _Queue()
        self._plan = copy_plan(requested, replica, source, target, US_EAST_1)
        self._requests = copy_requests(client, self._plan, self._queue)
        key = self._plan.source.key_names
        self._follow, self._look_again = (
            replication(client, replica, key, is_late=is_late, check=lambda: None) for is_late in (False, True)
        )

    def copy(self, pages: int | None = None) -> CopyCounts:
        progress: ItemProgress = Progress(0, ItemPosition(), CopyCounts())
        counts: CopyCounts = _work(partial(CopyJob, self._plan), self._requests, self._plan, progress, pages)
        return counts

    def follow(self, key: Item, image: Item | None) -> None:
        """Handle a record of the stream; the replicator reads the item itself instead of trusting the record."""
        recheck(self._queue, self._plan.replica, [key])
        self._settle([key], self._follow)

    def come_to_rest(self) -> None:
        """Handle the queue's late looks, which come 15 minutes later."""
        while self._queue.bodies:
            body = self._queue.bodies.pop(0)
            self._settle(keys_of(body, self._plan.source.key_names, self._plan.replica.stream), self._look_again)

    def _settle(self, keys: list[Item], effect: ItemEffect) -> None:
        records = tuple(StreamRecord(str(number), key) for number, key in enumerate(keys))
        follow_stream(Delivery(records, ()), effect, until=time.monotonic() + 60)


class _Queue:
    """SQS, as far as a queue accepts messages. `bodies`: of all sent messages."""

    def __init__(self) -> None:
        self.bodies: list[str] = []

    def send_message_batch(self, *, QueueUrl: str, Entries: list[dict[str, Any]]) -> dict[str, Any]:  # noqa: N803 (theirs)
        self.bodies += [entry["MessageBody"] for entry in Entries]
        return {"Successful": [{"Id": entry["Id"]} for entry in Entries]}


def _batch(
    job: Callable[[Ledger], Job], plan: Any, progress: Any, bounds: Bounds, write: Callable[[Sequence[Any]], int] = len
) -> Engine:
    ledger = Ledger(plan.limits, progress, bounds=bounds, clock=Clock.started(), random=random.random)
    return Engine(job(ledger), ledger, write=write)


def _work(job: Callable[[Ledger], Job], do: Callable[[Any], Any], plan: Any, progress: Any, pages: int | None) -> Any:
    """Return the counts of one worker after its batches, or after a single one of so many pages."""
    while not progress.done(plan):
        batch = _batch(job, plan, progress, Bounds(seconds=PUT_SECONDS, pages=pages))
        if error := run_batch(ReadyBatch(batch, do, THREADS), fault=fault):
            raise error
        if pages:
            return batch.counts
        progress = replace(batch.progress, batch=progress.batch + 1)
    return progress.counts
