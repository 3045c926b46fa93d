"""The handlers of a retrofit's states."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from handlers import handlers, reporting
from skipscan.aws import clients
from skipscan.aws.function import Function, Handler
from skipscan.pace.bill import Amounts
from skipscan.retrofit.kind import RETROFIT
from skipscan.retrofit.plan import RetrofitPlan

function = Function.of(RETROFIT)


def _plan() -> Handler:
    """Plan retrofit: check the input, describe the table, sample a few items, and store the plan."""
    import json
    import os

    from skipscan.listing import price_requests
    from skipscan.loop.work import ExecutionId
    from skipscan.retrofit.planning import RetrofitPlanning

    enabled = json.loads(os.environ["SKIPSCAN_RETROFIT"])
    followers = json.loads(os.environ.get("SKIPSCAN_FOLLOWERS", "{}"))
    dynamodb = clients.dynamodb(function.session, connections=1)
    pricing = price_requests.pricing_client(function.session)

    def look(document: object, execution: ExecutionId) -> RetrofitPlanning:
        region = function.session.region_name
        return RetrofitPlanning.open(document, dynamodb, pricing, region, enabled, followers=followers)

    @function.handler
    def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
        """Return the retrofit and its workers, or the explanation of a dry run, or the error and cause of a refusal."""
        return function.plan(event, look)

    return handler


def _retrofit() -> Handler:
    """Retrofit: one bounded batch of one worker. Takes the worker's progress from the state and returns it."""
    from skipscan.aws import lean
    from skipscan.aws.table import same_tables
    from skipscan.items.engine import Engine
    from skipscan.items.plan import THREADS
    from skipscan.items.progress import ItemProgress, ItemResult
    from skipscan.loop.event import turn_of
    from skipscan.loop.storage import Part
    from skipscan.loop.turn import ReadyBatch
    from skipscan.retrofit.item import RetrofitJob
    from skipscan.retrofit.requests import retrofit_requests

    dynamodb = lean.lean_dynamodb(function.session, connections=THREADS, notify=lean.notice(function.dependencies))

    @function.handler
    def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
        """Return the worker's progress after this batch; raise `StateError` for a state that is not the worker's."""
        turn, dependencies = turn_of(RETROFIT, event), function.dependencies
        plan = turn.work.plan

        def open_batch(progress: ItemProgress, part: Part[ItemResult], allotted: Amounts | None) -> ReadyBatch:
            tables = same_tables(dynamodb, turn.work, dependencies.clock)
            tables.check()
            bounds, clock = function.bounds(context, progress, allotted), dependencies.batch_clock()
            random, job = dependencies.random, RetrofitJob(plan)
            batch = Engine(job, progress, bounds=bounds, clock=clock, random=random, write=part.write)
            return ReadyBatch(batch, tables.before(retrofit_requests(dynamodb, plan).do), THREADS)

        return function.turn(turn, open_batch)

    return handler


def _finish() -> Handler:
    """Finish retrofit: prove from S3 that every walk reached its end, count the indexes, then write the manifest."""
    import time

    from skipscan.loop.finish import FinishAdditions
    from skipscan.retrofit.count_requests import THREADS, count_indexes

    dynamodb = clients.dynamodb(function.session, connections=THREADS, attempts=clients.ATTEMPTS)

    @function.handler
    def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
        """Return the output of the execution, or the error and cause of an incomplete retrofit."""

        def indexes(plan: RetrofitPlan, consumed: Amounts) -> FinishAdditions:
            """Return the entries of the indexes that the retrofit was to count, as far as time and budget allow."""
            seconds = context.get_remaining_time_in_millis() / 1000 - clients.LONGEST_CALL_SECONDS
            results = function.results(plan.table, event["work"]["name"])
            counted = count_indexes(dynamodb, plan, consumed, results, until=time.monotonic() + seconds)
            return (
                FinishAdditions({"indexes": counted}, sum(index["read_units"] for index in counted.values()))
                if counted
                else FinishAdditions()
            )

        return function.finish(event, dynamodb, indexes)

    return handler


__getattr__ = handlers(
    plan_retrofit=_plan, retrofit=_retrofit, finish_retrofit=_finish, report_retrofit=partial(reporting, function)
)
