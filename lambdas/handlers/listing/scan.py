"""Scan: one bounded batch of one worker. Takes the worker's progress from the state and returns it."""

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws import lean
from skipscan.aws.function import Function
from skipscan.aws.table import Table
from skipscan.listing.kind import LISTING
from skipscan.loop.event import turn_of
from skipscan.loop.part import Part
from skipscan.loop.turn import ReadyBatch
from skipscan.pace.amounts import Amounts
from skipscan.scan.batch import Batch
from skipscan.scan.progress import ScanProgress
from skipscan.scan.width import MOST_WALKS

function = Function.of(LISTING)
dynamodb = lean.lean_dynamodb(function.session, connections=MOST_WALKS, notify=lean.notice(function.shell))


@function.logger.inject_lambda_context(clear_state=True)
def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the worker's progress after this batch; raise `StateError` for a state that is not the worker's."""
    turn, shell = turn_of(LISTING, event), function.shell
    plan = turn.work.plan

    def open_batch(progress: ScanProgress, part: Part[Any], allotted: Amounts | None) -> ReadyBatch:
        bounds = function.bounds(context, progress, allotted, plan.batch_seconds)
        batch = Batch(
            plan,
            progress,
            bounds=bounds,
            clock=shell.batch_clock(),
            random=shell.random,
            write=part.write,
        )
        return ReadyBatch(batch, Table(dynamodb, plan).ask, MOST_WALKS, lambda: batch.wanted)

    return function.turn(turn, open_batch)
