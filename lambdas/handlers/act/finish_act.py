"""Finish act: prove from S3 that every key was settled, then write the act's manifest."""

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.act.kind import ACT
from skipscan.aws import clients
from skipscan.aws.function import Function

function = Function.of(ACT)
dynamodb = clients.dynamodb(function.session, connections=1, attempts=clients.ATTEMPTS)


@function.logger.inject_lambda_context(clear_state=True)
def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the output of the execution, or the error and cause of an incomplete act."""
    return function.finish(event, dynamodb)
