"""Finish copy: prove from S3 that every walk came to its end, then write the manifest."""

import os
from typing import Any

import boto3
from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws import clients
from skipscan.aws.item_finish import finish
from skipscan.aws.item_results import item_results
from skipscan.aws.metrics import Metrics
from skipscan.aws.settings import Settings
from skipscan.copy.job import CopyJob
from skipscan.copy.progress import CopyProgress

logger = Logger()
settings = Settings.read(os.environ)
s3 = clients.s3(boto3.Session())
metrics = Metrics(settings.environment)


@logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the output of the execution, or the error and cause of a copy that is not complete."""
    job = CopyJob.from_json(event["copy"])
    logger.append_keys(copy=job.name)
    results = item_results(s3, settings, job.plan.reading.source.table, job.noun, job.name)
    return finish(job, CopyProgress, results, event["reports"], logger, metrics=metrics)
