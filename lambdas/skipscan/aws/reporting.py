"""The handler of the jobs' report states."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws.function import Function
from skipscan.loop.results import Results
from skipscan.report.job import job
from skipscan.report.page import page


def reporting(function: Function[Any, Any]) -> Callable[[Mapping[str, Any], LambdaContext], str]:
    """Return a handler that draws the page of a finished job and returns the page's address in the console of S3."""

    def draw(results: Results) -> str:
        return page(job(function.kind, results), datetime.now(UTC))

    @function.logger.inject_lambda_context(clear_state=True)
    def handler(event: Mapping[str, Any], context: LambdaContext) -> str:
        return function.report(event, draw)

    return handler
