"""Finish copy: prove from S3 that every walk came to its end, then write the manifest."""

import os
from datetime import UTC, datetime
from typing import Any

import boto3
from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan import __version__
from skipscan.aws import clients
from skipscan.aws.copies import FOLDER
from skipscan.aws.results import Results
from skipscan.aws.settings import Settings
from skipscan.copy.job import CopyJob
from skipscan.copy.manifest import budget_error, manifest, prove
from skipscan.copy.progress import CopyProgress
from skipscan.errors import IncompleteRunError
from skipscan.execution_input import table_name
from skipscan.layout import Layout
from skipscan.manifest import last_parts

logger = Logger()
settings = Settings.read(os.environ)
s3 = clients.s3(boto3.Session())


@logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the output of the execution, or the error and cause of a copy that is not complete."""
    job = CopyJob.from_json(event["copy"])
    plan = job.plan
    logger.append_keys(copy=job.name)
    layout = Layout(settings.prefix, table_name(plan.reading.source.table), FOLDER, job.name)
    results = Results(s3, settings.bucket, layout)
    parts = results.parts()
    try:
        reached = [
            CopyProgress.from_json(results.checkpoint(part.worker, part.batch, part.attempt), plan)
            for part in last_parts(plan.workers, parts)
        ]
        tally = prove(job, parts, reached, event["reports"])
    except IncompleteRunError as error:
        logger.error("copy incomplete", cause=str(error))
        return {"error": type(error).__name__, "cause": str(error)}
    walks_left = sum(progress.walks_left(plan) for progress in reached)
    document = manifest(job, parts, tally, walks_left, now=datetime.now(UTC), version=__version__)
    if walks_left:
        results.put_unfinished(document)
        stopped = budget_error(job, tally, walks_left)
        logger.warning("budget used up", cause=str(stopped), **tally.to_json())
        return {"error": type(stopped).__name__, "cause": str(stopped)}
    written = results.put_manifest(document)
    logger.info("finish copy", **tally.to_json())
    return {
        **{name: written[name] for name in ("table", "to", "copy", "seconds")},
        **{name: written[name] for name in tally.to_json()},
        "manifest": results.uri(layout.manifest),
    }
