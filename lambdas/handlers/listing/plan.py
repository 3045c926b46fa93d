"""Plan: check the input, describe the table, sample it if that helps, and store the plan; or profile the table."""

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws import clients
from skipscan.aws.function import Function
from skipscan.environment import executions
from skipscan.listing.aws import concurrency, overlap, price_list
from skipscan.listing.aws.concurrency import FreeFunctions
from skipscan.listing.aws.planning import RunPlanning
from skipscan.listing.kind import LISTING
from skipscan.loop.begin import Planning
from skipscan.loop.work import ExecutionId
from skipscan.profile.aws.planning import planning_of
from skipscan.scan.plan import Plan

function = Function.of(LISTING)
dynamodb, pricing = clients.dynamodb(function.session, connections=1), price_list.pricing_client(function.session)
lambda_, stepfunctions = concurrency.lambda_client(function.session), executions.sfn_client(function.session)


@function.logger.inject_lambda_context(clear_state=True)
def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the run and its workers, or the output of a dry or skipped run, or the error and cause of a refusal."""

    def look(document: object, execution: ExecutionId) -> Planning[Plan]:
        planning = RunPlanning.of(
            document,
            dynamodb,
            pricing,
            function.session.region_name,
            function.results,
            slots=lambda: FreeFunctions.of(lambda_, function.settings.reserved_concurrency),
            settings=function.settings,
        )
        return planning_of(planning, lambda: context.get_remaining_time_in_millis() / 1000)

    return overlap.skipped(event, stepfunctions, function.shell) or function.plan(event, look)
