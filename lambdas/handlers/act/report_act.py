"""Report act: draw the page about an finished act. Nothing that goes wrong here fails the execution."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.act.kind import ACT
from skipscan.aws.function import Function
from skipscan.loop.results import Results
from skipscan.report.job import job
from skipscan.report.page import page

function = Function.of(ACT)


@function.logger.inject_lambda_context(clear_state=True)
def handler(event: Mapping[str, Any], context: LambdaContext) -> str:
    """Return the page's address in the console of S3."""

    def draw(results: Results) -> str:
        return page(job(ACT, results), datetime.now(UTC))

    return function.report(event, draw)
