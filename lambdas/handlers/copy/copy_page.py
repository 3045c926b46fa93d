"""Copy page: one bounded batch of one worker. Takes the worker's progress from the state and returns it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws import clients, lean
from skipscan.aws.function import Function
from skipscan.copy.aws.tables import CopyTables, LateLooks
from skipscan.copy.batch import CopyBatch
from skipscan.copy.counts import CopyCounts
from skipscan.copy.kind import COPY
from skipscan.copy.late_look import PUT_SECONDS
from skipscan.items.aws.same_tables import same_tables
from skipscan.items.plan import THREADS
from skipscan.items.progress import ItemProgress
from skipscan.items.walk import Settled
from skipscan.loop.event import turn_of
from skipscan.loop.part import Part
from skipscan.loop.turn import ReadyBatch
from skipscan.pace.amounts import Amounts

function = Function.of(COPY)
dynamodb = lean.lean_dynamodb(function.session, connections=THREADS, notify=lean.notice(function.shell))
sqs = clients.sqs(function.session, connections=THREADS)


@function.logger.inject_lambda_context(clear_state=True)
def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the worker's progress after this batch; raise `StateError` for a state that is not the worker's."""
    turn, shell = turn_of(COPY, event), function.shell
    plan = turn.work.plan

    def open_batch(progress: ItemProgress[CopyCounts], part: Part[Settled], allotted: Amounts | None) -> ReadyBatch:
        tables = same_tables(dynamodb, turn.work, shell.clock)
        tables.check()
        bounds = function.bounds(context, progress, allotted)
        # The replicator's late look comes after every put, because no put is sent later than this.
        bounds = replace(bounds, seconds=min(bounds.seconds or PUT_SECONDS, PUT_SECONDS))
        batch = CopyBatch(
            plan, progress, bounds=bounds, clock=shell.batch_clock(), random=shell.random, write=part.write
        )
        return ReadyBatch(batch, tables.before(CopyTables(dynamodb, plan, LateLooks(sqs, plan.replica)).do), THREADS)

    return function.turn(turn, open_batch)
