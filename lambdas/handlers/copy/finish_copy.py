"""Finish copy: prove from S3 that every walk reached its end, then write the manifest."""

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws import clients
from skipscan.aws.function import Function
from skipscan.copy.kind import COPY

function = Function.of(COPY)
dynamodb = clients.dynamodb(function.session, connections=1, attempts=clients.ATTEMPTS)


@function.logger.inject_lambda_context(clear_state=True)
def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the output of the execution, or the error and cause of an incomplete copy."""
    return function.finish(event, dynamodb)
