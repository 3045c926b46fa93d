"""Plan act: check an act over a finished run, preview what it writes, and write down how it is split up."""

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.act.kind import ACT
from skipscan.act.parts import Parts
from skipscan.aws import clients, price_list
from skipscan.aws.function import Function
from skipscan.aws.plans.act import ActPlanning
from skipscan.loop.work import ExecutionId

function = Function.of(ACT)
dynamodb, pricing = clients.dynamodb(function.session, connections=1), price_list.client(function.session)


@function.logger.inject_lambda_context(clear_state=True)
def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the act and its workers, the explanation of a dry run, or the error and cause of what must not start."""

    def look(document: object, execution: ExecutionId) -> ActPlanning:
        return ActPlanning.of(
            document,
            dynamodb,
            runs=function.runs,
            pricing=pricing,
            region=function.session.region_name,
            results=function.results,
            parts=Parts(function.storage),
            writing=function.settings.writing,
        )

    return function.plan(event, look)
