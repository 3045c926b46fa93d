"""The handler of the report states."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws.function import Function, Handler
from skipscan.loop.kind import Kind
from skipscan.loop.results import Results
from skipscan.report.page import html_page
from skipscan.report.report import Report
from skipscan.report.work import job


def reporting(function: Function[Any, Any], report: Callable[[Kind[Any, Any], Results], Report] = job) -> Handler:
    """Return a handler that draws the page of finished work and returns the page's address in the console of S3.

    An error there does not fail the execution.
    """

    def draw(results: Results) -> str:
        return html_page(report(function.kind, results), datetime.now(UTC))

    @function.handler
    def handler(event: Mapping[str, Any], context: LambdaContext) -> str:
        return function.report(event, draw)

    return handler
