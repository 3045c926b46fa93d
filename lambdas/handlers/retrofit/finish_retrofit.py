"""Finish retrofit: prove from S3 that every walk reached its end, then write the manifest."""

import time
from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws import clients
from skipscan.aws.function import Function
from skipscan.loop.finish import FinishAdditions
from skipscan.pace.amounts import Amounts
from skipscan.retrofit.aws.index_count import THREADS, count_indexes
from skipscan.retrofit.kind import RETROFIT
from skipscan.retrofit.plan import RetrofitPlan

function = Function.of(RETROFIT)
dynamodb = clients.dynamodb(function.session, connections=THREADS, attempts=clients.ATTEMPTS)


@function.logger.inject_lambda_context(clear_state=True)
def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the output of the execution, or the error and cause of an incomplete retrofit."""

    def indexes(plan: RetrofitPlan, consumed: Amounts) -> FinishAdditions:
        """Return the entries of the indexes that the retrofit was to count, as far as time and budget allow."""
        seconds = context.get_remaining_time_in_millis() / 1000 - clients.LONGEST_CALL_SECONDS
        results = function.results(plan.table, event["work"]["name"])
        until, sleep = time.monotonic() + seconds, function.shell.sleep
        counted = count_indexes(dynamodb, plan, consumed, results, until=until, sleep=sleep)
        return (
            FinishAdditions({"indexes": counted}, sum(index["read_units"] for index in counted.values()))
            if counted
            else FinishAdditions()
        )

    return function.finish(event, dynamodb, indexes)
