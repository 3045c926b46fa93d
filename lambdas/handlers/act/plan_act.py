"""Plan act: check an act over a finished run, preview its writes, and store the plan."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.act.aws.planning import ActPlanning
from skipscan.act.kind import ACT
from skipscan.act.parts import Parts
from skipscan.aws import clients
from skipscan.aws.function import Function
from skipscan.listing.aws import price_list
from skipscan.listing.kind import LISTING
from skipscan.loop.work import ExecutionId

function = Function.of(ACT)
dynamodb, pricing = clients.dynamodb(function.session, connections=1), price_list.pricing_client(function.session)


@function.logger.inject_lambda_context(clear_state=True)
def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the act and its workers, or the explanation of a dry run, or the error and cause of a refusal."""

    def look(document: object, execution: ExecutionId) -> ActPlanning:
        return ActPlanning.of(
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
