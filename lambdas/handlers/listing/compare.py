"""Compare: list the new and vanished keys since an earlier run, if the input names one."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws.faults import scrubbed
from skipscan.aws.function import Function
from skipscan.listing.compare.comparison import summary
from skipscan.listing.compare.comparisons import Comparisons
from skipscan.listing.kind import LISTING
from skipscan.loop.event import Compared

function = Function.of(LISTING)


@function.logger.inject_lambda_context(clear_state=True)
def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return what the execution's output says of the difference; a comparison that is impossible raises no error."""
    asked = Compared.of(event)
    function.logger.append_keys(run=asked.run)
    results = function.results(asked.table, asked.run)
    comparisons = Comparisons(results)
    with scrubbed():  # it reads keys
        diff = comparisons.diff() or comparisons.compare(asked.earlier, Path(gettempdir()))
        output = summary(results.manifest() or {}, diff, results.storage.uri(results.layout.diff))
    function.logger.info("compare", **output)
    return output
