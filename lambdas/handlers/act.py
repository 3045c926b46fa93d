"""The handlers of an act's states."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from handlers import handlers, reporting
from skipscan.act.kind import ACT
from skipscan.aws import clients
from skipscan.aws.function import Function, Handler

function = Function.of(ACT)


def _plan() -> Handler:
    """Plan act: check an act over a finished run, preview its writes, and store the plan."""
    from skipscan.act.parts import Parts
    from skipscan.act.planning import ActPlanning
    from skipscan.listing import price_requests
    from skipscan.listing.kind import LISTING
    from skipscan.loop.work import ExecutionId

    dynamodb = clients.dynamodb(function.session, connections=1)
    pricing = price_requests.pricing_client(function.session)

    @function.handler
    def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
        """Return the act and its workers, or the explanation of a dry run, or the error and cause of a refusal."""

        def look(document: object, execution: ExecutionId) -> ActPlanning:
            return ActPlanning.open(
                document,
                dynamodb,
                runs=partial(function.results_of, LISTING),
                pricing=pricing,
                region=function.session.region_name,
                results=function.results,
                parts=Parts(function.storage),
                writing=function.settings.writing,
                environment=function.settings.environment,
                arn=context.invoked_function_arn,
            )

        return function.plan(event, look)

    return handler


def _act() -> Handler:
    """Act: one bounded batch of one worker of an act. Takes the worker's progress from the state and returns it."""
    from skipscan.act.job import ActJob
    from skipscan.act.parts import Parts, cut, no_manifest
    from skipscan.act.plan import THREADS, check_run
    from skipscan.act.requests import ActRequests
    from skipscan.act.task_source import ActProgress
    from skipscan.aws import lean
    from skipscan.aws.table import same_tables
    from skipscan.items.engine import Engine
    from skipscan.listing.kind import LISTING
    from skipscan.loop.event import turn_of
    from skipscan.loop.storage import Part
    from skipscan.loop.turn import ReadyBatch
    from skipscan.pace.bill import Amounts

    dynamodb = lean.lean_dynamodb(function.session, connections=THREADS, notify=lean.notice(function.dependencies))
    lambda_, sqs = clients.lambda_(function.session, connections=THREADS), clients.sqs(function.session, THREADS)

    @function.handler
    def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
        """Return the worker's progress after this batch; raise `StateError` for a state that is not the worker's."""
        turn, dependencies = turn_of(ACT, event), function.dependencies
        plan = turn.work.plan

        def open_batch(progress: ActProgress, part: Part[tuple[bytes, str]], allotted: Amounts | None) -> ReadyBatch:
            manifest = function.results_of(LISTING, plan.table, plan.run).manifest()
            if manifest is None:
                raise no_manifest(plan.run)
            tables = same_tables(dynamodb, turn.work, dependencies.clock)
            tables.check()
            check_run(plan, manifest, f'act "{turn.work.name}"')
            bounds, clock = function.bounds(context, progress, allotted), dependencies.batch_clock()
            job, random = ActJob(plan, cut(manifest)), dependencies.random
            batch = Engine(job, progress, bounds=bounds, clock=clock, random=random, write=part.write)
            requests = ActRequests(turn.work, Parts(function.storage), dynamodb=dynamodb, lambda_=lambda_, sqs=sqs)
            return ReadyBatch(batch, tables.before(requests.do), THREADS)

        return function.turn(turn, open_batch)

    return handler


__getattr__ = handlers(plan_act=_plan, act=_act, finish_act=function.finishing, report_act=partial(reporting, function))
