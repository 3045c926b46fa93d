"""Act: one bounded batch of one worker of an act. Takes the worker's progress from the state and returns it."""

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.act.aws.steps import ActSteps
from skipscan.act.batch import ActBatch
from skipscan.act.kind import ACT
from skipscan.act.parts import Parts
from skipscan.act.plan import THREADS
from skipscan.act.progress import ActProgress
from skipscan.act.slices import cut
from skipscan.aws import clients, lean
from skipscan.aws.function import Function
from skipscan.items.aws.same_tables import same_tables
from skipscan.listing.kind import LISTING
from skipscan.loop.event import turn_of
from skipscan.loop.part import Part
from skipscan.loop.turn import ReadyBatch
from skipscan.pace.amounts import Amounts

function = Function.of(ACT)
dynamodb = lean.lean_dynamodb(function.session, connections=THREADS, notify=lean.notice(function.shell))
lambda_, sqs = clients.lambda_(function.session, connections=THREADS), clients.sqs(function.session, THREADS)


@function.logger.inject_lambda_context(clear_state=True)
def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the worker's progress after this batch; raise `StateError` for a state that is not the worker's."""
    turn, shell = turn_of(ACT, event), function.shell
    plan = turn.work.plan

    def open_batch(progress: ActProgress, part: Part[tuple[bytes, str]], allotted: Amounts | None) -> ReadyBatch:
        manifest = function.results_of(LISTING, plan.table, plan.run).manifest()
        if manifest is None:
            raise LookupError("the run's manifest does not exist")
        tables = same_tables(dynamodb, turn.work, shell.clock)
        tables.check()
        plan.check_run(manifest, f'act "{turn.work.name}"')
        batch = ActBatch(
            plan,
            cut(manifest),
            progress,
            bounds=function.bounds(context, progress, allotted),
            clock=shell.batch_clock(),
            random=shell.random,
            write=part.write,
        )
        steps = ActSteps(turn.work, Parts(function.storage), dynamodb=dynamodb, lambda_=lambda_, sqs=sqs)
        return ReadyBatch(batch, tables.before(steps.do), THREADS)

    return function.turn(turn, open_batch)
