"""One worker's put job: the deployed batch, threads and writer, with a part in memory."""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from benchmarks.act.by_hand import BENCH_MARK
from skipscan.act.actions.put_item import PutItem
from skipscan.act.batch import ActBatch, ActStep, Call, Fetch
from skipscan.act.kind import ACT, failed_line
from skipscan.act.parts import slices
from skipscan.act.plan import THREADS, ActPlan
from skipscan.act.task_source import ActCounts, ActProgress, CallResult, Reads
from skipscan.act.write_requests import Writer
from skipscan.aws.faults import fault
from skipscan.dynamodb.table_description import KeyAttribute, TableIdentity
from skipscan.dynamodb.write_units import MOST_ITEM_UNITS
from skipscan.loop.run_batch import run_batch
from skipscan.loop.storage import Part
from skipscan.loop.work import ExecutionId
from skipscan.pace.bounds import Bounds, Clock

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

MARKER = {"sk": "#static", "GSI-pk": "{pk}"}


def put_by_job(client: "DynamoDBClient", table: str, keys: Sequence[str]) -> ActCounts:
    """Put a marker for each key; return the consumption."""
    part = b"".join(b'{"pk": "%s"}\n' % key.encode() for key in keys)
    cut = slices([{"name": "part", "bytes": len(part), "sha256": ""}])
    plan = ActPlan(
        table=table,
        identity=TableIdentity("", ""),
        run="run",
        manifest_sha256="",
        partition_key=(KeyAttribute("pk", "S"),),
        sort_key=(KeyAttribute("sk", "S"),),
        format="jsonl",
        action=PutItem.parse({"item": MARKER}),
        keys=len(keys),
        slices=len(cut),
        workers=1,
        repeated_keys=len(keys),
        key_units=1.0,
        worst_key_units=MOST_ITEM_UNITS,
        max_units_per_second=None,
        max_write_units=None,
        mark=BENCH_MARK,
    )
    write, failed = (
        Writer(client, ACT.begun(ExecutionId("job", "arn", "2026-01-01T00:00:00Z"), plan)).call,
        Part(failed_line),
    )
    batch = ActBatch(plan, cut, ActProgress(0), bounds=Bounds(), clock=Clock(time.monotonic), write=failed.write)

    def do(step: ActStep) -> bytes | CallResult:
        if isinstance(step, Fetch):
            return part[step.range.start : step.range.end]
        if isinstance(step, Call):
            return write(step.tasks, Reads())
        raise TypeError("a step is a fetch or a call")

    if error := run_batch(batch, do, THREADS, fault=fault):
        raise error
    return batch.counts
