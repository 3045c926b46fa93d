"""Finish: prove from S3 that every segment was walked and every part is there, then write the manifest."""

import os
from datetime import UTC, datetime
from typing import Any

import boto3
from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan import __version__
from skipscan.aws import clients
from skipscan.aws.earlier import Earlier
from skipscan.aws.metrics import Metrics
from skipscan.aws.results import Results
from skipscan.aws.settings import Settings
from skipscan.dynamodb.prices import read_unit_price
from skipscan.errors import IncompleteRunError
from skipscan.inputs.names import table_name
from skipscan.listing.scope import Listed
from skipscan.loop.event import Gathered
from skipscan.loop.layout import Layout
from skipscan.loop.manifest import budget_error, last_parts, manifest, prove
from skipscan.metrics.metric import Metric
from skipscan.metrics.metric_values import of_finished_run
from skipscan.scan.progress import Progress

logger = Logger()
settings = Settings.read(os.environ)
s3 = clients.s3(boto3.Session())
metrics = Metrics(settings.environment)


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the output of the execution, or the error and cause of a run that is not complete."""
    gathered = Gathered.from_json(event)
    run = gathered.run
    logger.append_keys(run=run.name)
    layout = Layout(settings.prefix, table_name(run.plan.source.table), run.name)
    results = Results(s3, settings.bucket, layout)
    parts = results.parts()
    try:
        reached = [
            Progress.from_json(results.checkpoint(part.worker, part.batch, part.attempt), run.plan)
            for part in last_parts(run.plan.workers, parts)
        ]
        counts = prove(run, parts, reached, gathered.reports)
    except IncompleteRunError as error:
        logger.error("run incomplete", cause=str(error))
        metrics.tell({Metric.RUNS_INCOMPLETE: 1}, table=layout.table, run=run.name)
        return {"error": type(error).__name__, "cause": str(error)}
    plan = results.plan() or {}
    explanation = plan.get("explanation")
    segments_left = sum(progress.segments_left(run.plan) for progress in reached)
    document = manifest(
        run,
        parts,
        counts,
        segments_left,
        now=datetime.now(UTC),
        version=__version__,
        estimated=explanation["choice"]["expected"] if explanation else None,
    )
    if segments_left:
        results.put_unfinished(document)
        stopped = budget_error(run, counts, segments_left)
        logger.warning("budget used up", cause=str(stopped), **counts.to_json())
        metrics.tell({Metric.RUNS_STOPPED: 1}, table=layout.table, run=run.name)
        return {"error": type(stopped).__name__, "cause": str(stopped)}
    written = results.put_manifest(document)
    logger.info("finish", **counts.to_json())
    if written is document:  # else an earlier attempt's manifest stands, and that one has told of it
        metrics.tell(of_finished_run(written, plan), table=layout.table, run=run.name)
    Earlier(s3, settings.bucket, layout, Listed.told(written)).add(written["started"])
    price = read_unit_price(plan)
    return {
        **{name: written[name] for name in ("table", "run", "keys", "read_units", "requests", "seconds")},
        "read_unit_dollars": price and {"dollars": round(price.of(written["read_units"]), 6), "as_of": price.as_of},
        "manifest": results.manifest_uri,
        **({"compare": plan["compare"]} if "compare" in plan else {}),
    }
