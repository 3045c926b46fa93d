"""Finish retrofit: prove from S3 that every walk came to its end, then write the manifest."""

import os
import time
from typing import Any

import boto3
from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws import clients
from skipscan.aws.index_count import THREADS, count_indexes
from skipscan.aws.item_finish import finish
from skipscan.aws.item_results import item_results
from skipscan.aws.metrics import Metrics
from skipscan.aws.settings import Settings
from skipscan.retrofit.job import RetrofitJob
from skipscan.retrofit.progress import RetrofitProgress
from skipscan.retrofit.tally import Tally

logger = Logger()
settings = Settings.read(os.environ)
session = boto3.Session()
s3 = clients.s3(session)
dynamodb = clients.dynamodb(session, connections=THREADS, attempts=clients.ATTEMPTS)
metrics = Metrics(settings.environment)


@logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the output of the execution, or the error and cause of a retrofit that is not complete."""
    job = RetrofitJob.from_json(event["retrofit"])
    logger.append_keys(retrofit=job.name)
    results = item_results(s3, settings, job.plan.reading.source.table, job.noun, job.name)

    def indexes(tally: Tally) -> dict[str, Any]:
        """Return the entries of the indexes that the job was to count, as long as time and budget last."""
        seconds = context.get_remaining_time_in_millis() / 1000 - clients.LONGEST_CALL_SECONDS
        counted = count_indexes(dynamodb, job.plan, tally, until=time.monotonic() + seconds)
        return {"indexes": counted} if counted else {}

    return finish(job, RetrofitProgress, results, event["reports"], logger, metrics=metrics, looks=indexes)
