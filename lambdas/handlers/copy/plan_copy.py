"""Plan copy: check the input, describe both tables, sample a few items, and store the plan."""

import json
import os
from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws import clients
from skipscan.aws.function import Function
from skipscan.copy.aws.mappings import check_on
from skipscan.copy.aws.planning import CopyPlanning
from skipscan.copy.kind import COPY
from skipscan.listing.aws import price_list
from skipscan.loop.work import ExecutionId

function = Function.of(COPY)
replicas = json.loads(os.environ["SKIPSCAN_REPLICAS"])
mappings = {
    replica["source"]: found
    for replica, found in zip(replicas, json.loads(os.environ["SKIPSCAN_MAPPINGS"]), strict=True)
}
followers = json.loads(os.environ.get("SKIPSCAN_FOLLOWERS", "{}"))
retrofitted = json.loads(os.environ.get("SKIPSCAN_RETROFIT", "[]"))
dynamodb, pricing = clients.dynamodb(function.session, connections=1), price_list.pricing_client(function.session)
keys, lambda_ = (clients.single(function.session, service) for service in ("kms", "lambda"))


@function.logger.inject_lambda_context(clear_state=True)
def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the copy and its workers, or the explanation of a dry run, or the error and cause of a refusal."""

    def look(document: object, execution: ExecutionId) -> CopyPlanning:
        return CopyPlanning.of(
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

    return function.plan(event, look)
