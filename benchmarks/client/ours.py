"""Skipscan's whole path for one worker: describe, plan, run the batch, collect the part."""

from typing import TYPE_CHECKING

from skipscan.aws.faults import fault
from skipscan.aws.table import Table
from skipscan.lines.formats import line_encoder
from skipscan.loop.run_batch import run_batch
from skipscan.loop.storage import Part
from skipscan.pace.bounds import Bounds, Clock
from skipscan.scan.batch import Batch
from skipscan.scan.plan import Plan
from skipscan.scan.progress import ScanCounts, ScanProgress
from skipscan.scan.width import MOST_WALKS

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def listed(client: "DynamoDBClient", plan: Plan, *, pages: int | None = None) -> ScanCounts:
    """Return what a worker with all segments found and consumed, in so many pages or until the table's end."""
    part = Part(line_encoder(plan.source, plan.format, plan.take))
    batch = Batch(
        plan, ScanProgress.start(plan, 0), bounds=Bounds(pages=pages), clock=Clock.started(), write=part.write
    )
    error = run_batch(batch, Table(client, plan).ask, MOST_WALKS, fault=fault, wanted=lambda: batch.wanted)
    if error is not None:
        raise error
    return batch.counts
