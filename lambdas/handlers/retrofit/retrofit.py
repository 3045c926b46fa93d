"""Retrofit: one bounded batch of one worker. Takes the worker's progress from the state and returns it."""

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws import lean
from skipscan.aws.function import Function
from skipscan.items.aws.same_tables import same_tables
from skipscan.items.plan import THREADS
from skipscan.items.progress import ItemProgress
from skipscan.items.walk import Settled
from skipscan.loop.event import turn_of
from skipscan.loop.part import Part
from skipscan.loop.turn import ReadyBatch
from skipscan.pace.amounts import Amounts
from skipscan.retrofit.aws.table import RetrofitTable
from skipscan.retrofit.batch import RetrofitBatch
from skipscan.retrofit.counts import RetrofitCounts
from skipscan.retrofit.kind import RETROFIT

function = Function.of(RETROFIT)
dynamodb = lean.lean_dynamodb(function.session, connections=THREADS, notify=lean.notice(function.shell))


@function.logger.inject_lambda_context(clear_state=True)
def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the worker's progress after this batch; raise `StateError` for a state that is not the worker's."""
    turn, shell = turn_of(RETROFIT, event), function.shell
    plan = turn.work.plan

    def open_batch(progress: ItemProgress[RetrofitCounts], part: Part[Settled], allotted: Amounts | None) -> ReadyBatch:
        tables = same_tables(dynamodb, turn.work, shell.clock)
        tables.check()
        bounds = function.bounds(context, progress, allotted)
        batch = RetrofitBatch(
            plan, progress, bounds=bounds, clock=shell.batch_clock(), random=shell.random, write=part.write
        )
        return ReadyBatch(batch, tables.before(RetrofitTable(dynamodb, plan).do), THREADS)

    return function.turn(turn, open_batch)
