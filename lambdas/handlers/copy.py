"""The handlers of a copy's states."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from handlers import handlers, reporting
from skipscan.aws import clients
from skipscan.aws.function import Function, Handler
from skipscan.copy.item import CopyProgress
from skipscan.copy.kind import COPY

function = Function.of(COPY)


def _plan() -> Handler:
    """Plan copy: check the input, describe both tables, sample a few items, and store the plan."""
    import json
    import os

    from skipscan.copy.cut_over_requests import check_on
    from skipscan.copy.planning import CopyPlanning
    from skipscan.listing import price_requests
    from skipscan.loop.work import ExecutionId

    replicas = json.loads(os.environ["SKIPSCAN_REPLICAS"])
    mappings = {
        replica["source"]: found
        for replica, found in zip(replicas, json.loads(os.environ["SKIPSCAN_MAPPINGS"]), strict=True)
    }
    followers = json.loads(os.environ.get("SKIPSCAN_FOLLOWERS", "{}"))
    retrofitted = json.loads(os.environ.get("SKIPSCAN_RETROFIT", "[]"))
    dynamodb = clients.dynamodb(function.session, connections=1)
    pricing = price_requests.pricing_client(function.session)
    keys, lambda_ = (clients.single(function.session, service) for service in ("kms", "lambda"))

    def look(document: object, execution: ExecutionId) -> CopyPlanning:
        return CopyPlanning.open(
            document,
            dynamodb,
            pricing,
            function.session.region_name,
            replicas,
            keys=keys,
            followers=followers,
            retrofitted=retrofitted,
            check_on=lambda replica: check_on(lambda_, replica, mappings[replica.source]),
        )

    @function.handler
    def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
        """Return the copy and its workers, or the explanation of a dry run, or the error and cause of a refusal."""
        return function.plan(event, look)

    return handler


def _copy_page() -> Handler:
    """Copy page: one bounded batch of one worker. Takes the worker's progress from the state and returns it."""
    from dataclasses import replace

    from skipscan.aws import lean
    from skipscan.aws.table import same_tables
    from skipscan.copy.job import CopyJob
    from skipscan.copy.replica import PUT_SECONDS
    from skipscan.copy.requests import LateLooks, copy_requests
    from skipscan.items.engine import Engine
    from skipscan.items.plan import THREADS
    from skipscan.items.progress import ItemResult
    from skipscan.loop.event import turn_of
    from skipscan.loop.storage import Part
    from skipscan.loop.turn import ReadyBatch
    from skipscan.pace.bill import Amounts

    dynamodb = lean.lean_dynamodb(function.session, connections=THREADS, notify=lean.notice(function.dependencies))
    sqs = clients.sqs(function.session, connections=THREADS)

    @function.handler
    def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
        """Return the worker's progress after this batch; raise `StateError` for a state that is not the worker's."""
        turn, dependencies = turn_of(COPY, event), function.dependencies
        plan = turn.work.plan

        def open_batch(progress: CopyProgress, part: Part[ItemResult], allotted: Amounts | None) -> ReadyBatch:
            tables = same_tables(dynamodb, turn.work, dependencies.clock)
            tables.check()
            bounds, clock = function.bounds(context, progress, allotted), dependencies.batch_clock()
            # The replicator's late look comes after every put, because no put is sent later than this.
            bounds = replace(bounds, seconds=min(bounds.seconds or PUT_SECONDS, PUT_SECONDS))
            random, job = dependencies.random, CopyJob(plan, progress)
            batch = Engine(job, progress, bounds=bounds, clock=clock, random=random, write=part.write)
            requests = copy_requests(dynamodb, plan, LateLooks(sqs, plan.replica))
            return ReadyBatch(batch, tables.before(requests.do), THREADS)

        return function.turn(turn, open_batch)

    return handler


__getattr__ = handlers(
    plan_copy=_plan, copy_page=_copy_page, finish_copy=function.finishing, report_copy=partial(reporting, function)
)
