"""The handlers of a retrofit's states."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from handlers import handlers, planning, reporting, working
from skipscan.aws import clients
from skipscan.aws.function import Function, Handler
from skipscan.retrofit.kind import RETROFIT

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

    from handlers import Opened
    from skipscan.loop.finish import Additions
    from skipscan.loop.work import Work
    from skipscan.pace.bill import Amounts
    from skipscan.retrofit.plan import RetrofitPlan

function = Function.of(RETROFIT)


def _plan() -> Handler:
    """Plan retrofit: check the input, describe the table, sample a few items, and store the plan."""
    from skipscan.retrofit.planning import RetrofitPlanning

    return planning(
        function,
        lambda document, _, dynamodb, pricing: RetrofitPlanning.open(document, dynamodb, pricing, function.settings),
    )


def _retrofit() -> Handler:
    """Retrofit: one bounded batch of one worker. Takes the worker's progress from the state and returns it."""
    from skipscan.retrofit.item import RetrofitJob
    from skipscan.retrofit.requests import retrofit_requests

    def open_job(dynamodb: clients.DynamoDBClient, work: Work[RetrofitPlan]) -> Opened:
        return partial(RetrofitJob, work.plan), retrofit_requests(dynamodb, work.plan)

    return working(function, open_job)


def _finish() -> Handler:
    """Finish retrofit: prove from S3 that every walk reached its end, count the indexes, then write the manifest."""
    import time

    from skipscan.items.job import THREADS
    from skipscan.retrofit import count_requests

    dynamodb = clients.dynamodb(function.session, connections=THREADS, attempts=clients.ATTEMPTS)

    @function.handler
    def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
        """Return the output of the execution, or the error and cause of an incomplete retrofit."""

        def indexes(plan: RetrofitPlan, consumed: Amounts) -> Additions:
            """Return the entries of the indexes that the retrofit was to count, as far as time and budget allow."""
            seconds = context.get_remaining_time_in_millis() / 1000 - clients.LONGEST_CALL_SECONDS
            results = function.results(plan.table, event["work"]["name"])
            until = time.monotonic() + seconds
            counted = count_requests.count_indexes(dynamodb, plan, consumed, results, until=until)
            return {"indexes": counted} if counted else {}, sum(index["read_units"] for index in counted.values())

        return function.finish(event, dynamodb, indexes)

    return handler


__getattr__ = handlers(
    plan_retrofit=_plan, retrofit=_retrofit, finish_retrofit=_finish, report_retrofit=partial(reporting, function)
)
