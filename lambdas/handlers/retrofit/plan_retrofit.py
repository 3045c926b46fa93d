"""Plan retrofit: check the input, describe the table, sample a few items, and store the plan."""

import json
import os
from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws import clients
from skipscan.aws.function import Function
from skipscan.listing.aws import price_list
from skipscan.loop.work import ExecutionId
from skipscan.retrofit.aws.planning import RetrofitPlanning
from skipscan.retrofit.kind import RETROFIT

function = Function.of(RETROFIT)
enabled = json.loads(os.environ["SKIPSCAN_RETROFIT"])
followers = json.loads(os.environ.get("SKIPSCAN_FOLLOWERS", "{}"))
dynamodb, pricing = clients.dynamodb(function.session, connections=1), price_list.pricing_client(function.session)


@function.logger.inject_lambda_context(clear_state=True)
def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the retrofit and its workers, or the explanation of a dry run, or the error and cause of a refusal."""

    def look(document: object, execution: ExecutionId) -> RetrofitPlanning:
        return RetrofitPlanning.of(
            document, dynamodb, pricing, function.session.region_name, enabled, followers=followers
        )

    return function.plan(event, look)
