"""Finish act: prove from S3 that every key was settled, then write the job's manifest."""

import os
from datetime import UTC, datetime
from typing import Any

import boto3
from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan import __version__
from skipscan.act.job import Job
from skipscan.act.manifest import budget_error, manifest, prove
from skipscan.act.progress import ActProgress
from skipscan.aws import clients
from skipscan.aws.metrics import Metrics
from skipscan.aws.results import Results
from skipscan.aws.settings import Settings
from skipscan.errors import IncompleteRunError
from skipscan.inputs.names import table_name
from skipscan.loop.layout import Layout
from skipscan.loop.manifest import last_parts
from skipscan.metrics.metric import Metric
from skipscan.metrics.metric_values import of_finished_job

logger = Logger()
settings = Settings.read(os.environ)
s3 = clients.s3(boto3.Session())
metrics = Metrics(settings.environment)


@logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the output of the execution, or the error and cause of a job that is not complete."""
    job = Job.from_json(event["job"])
    logger.append_keys(job=job.name)
    layout = Layout(settings.prefix, table_name(job.plan.table), job.plan.run, job.name)
    results = Results(s3, settings.bucket, layout)
    parts = results.parts()
    try:
        reached = [
            ActProgress.from_json(results.checkpoint(part.worker, part.batch, part.attempt))
            for part in last_parts(job.plan.workers, parts)
        ]
        counts = prove(job, parts, reached, event["reports"])
    except IncompleteRunError as error:
        logger.error("job incomplete", cause=str(error))
        metrics.tell({Metric.JOBS_INCOMPLETE: 1}, table=layout.table, job=job.name)
        return {"error": type(error).__name__, "cause": str(error)}
    slices_left = sum(progress.slices_left(job.plan) for progress in reached)
    document = manifest(job, parts, counts, slices_left, now=datetime.now(UTC), version=__version__)
    if slices_left:
        results.put_unfinished(document)
        stopped = budget_error(job, counts)
        logger.warning("budget used up", cause=str(stopped), **counts.to_json())
        metrics.tell({Metric.JOBS_STOPPED: 1}, table=layout.table, job=job.name)
        return {"error": type(stopped).__name__, "cause": str(stopped)}
    written = results.put_manifest(document)
    logger.info("finish act", **counts.to_json())
    if written is document:  # else an earlier attempt's manifest stands, and that one has told of it
        metrics.tell(of_finished_job(written, counts.failed), table=layout.table, job=job.name)
    said = ("table", "run", "job", *counts.to_json(), "seconds")
    return {**{name: written[name] for name in said}, "manifest": results.manifest_uri}
