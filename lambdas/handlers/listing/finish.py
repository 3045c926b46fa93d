"""Finish: prove from S3 that every segment was walked and every part exists, then write the manifest."""

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws import clients
from skipscan.aws.faults import scrubbed
from skipscan.aws.function import Function
from skipscan.listing.compare.finished_runs import FinishedRuns
from skipscan.listing.kind import LISTING
from skipscan.listing.scope import Scope

function = Function.of(LISTING)
dynamodb = clients.dynamodb(function.session, connections=1, attempts=clients.ATTEMPTS)


@function.logger.inject_lambda_context(clear_state=True)
def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the output of the execution, or the error and cause of an incomplete run."""
    output = function.finish(event, dynamodb)
    if "error" in output:
        return output
    results = function.results(output["table"], output["run"])
    with scrubbed():
        manifest, plan = results.manifest() or {}, results.plan() or {}
        FinishedRuns(results, Scope.of_manifest(manifest)).add(manifest["started"])
    return {**output, **({"compare": plan["compare"]} if "compare" in plan else {})}
