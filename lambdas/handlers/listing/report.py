"""Report: draw the page about a finished run. Nothing that goes wrong here fails the execution."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws.function import Function
from skipscan.listing.kind import LISTING
from skipscan.loop.results import Results
from skipscan.report.listing import listing
from skipscan.report.page import page
from skipscan.report.record import Record
from skipscan.report.stored import Stored

function = Function.of(LISTING)


@function.logger.inject_lambda_context(clear_state=True)
def handler(event: Mapping[str, Any], context: LambdaContext) -> str:
    """Return the page's address in the console of S3."""

    def draw(results: Results) -> str:
        return page(listing(Record.read(Stored(results))), datetime.now(UTC))

    return function.report(event, draw)
