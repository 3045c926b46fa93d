"""Retrofit: one bounded batch of one worker. Takes its progress from state, returns it, holds nothing in between."""

import os
import random
import time
import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import boto3
from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws import clients
from skipscan.aws.drive import Pump, drive
from skipscan.aws.results import Results
from skipscan.aws.retrofit_table import RetrofitTable
from skipscan.aws.retrofits import FOLDER
from skipscan.aws.settings import Settings
from skipscan.execution_input import table_name
from skipscan.layout import Layout
from skipscan.part import Part
from skipscan.retrofit.batch import Answer, Request, RetrofitBatch
from skipscan.retrofit.job import RetrofitJob
from skipscan.retrofit.listed_line import listed_line
from skipscan.retrofit.progress import RetrofitProgress

THREADS = 16
"""Requests a worker has under way at once: a Lambda that waits for one 5 ms request at a time is paid for waiting."""

logger = Logger()
settings = Settings.read(os.environ)
session = boto3.Session()
dynamodb, s3 = clients.dynamodb(session, connections=THREADS), clients.s3(session)


@logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> Mapping[str, Any]:
    """Return the worker's progress after this batch, whoever committed it."""
    job = RetrofitJob.from_json(event["retrofit"])
    plan = job.plan
    layout = Layout(settings.prefix, table_name(plan.reading.source.table), FOLDER, job.name)
    results = Results(s3, settings.bucket, layout)
    # A first turn goes on from what lies on S3 as well: of an attempt before it, or of a retrofit that is resumed.
    standing = event.get("progress") or results.reached(event["worker"])
    progress = RetrofitProgress.from_json(standing, plan) if standing else RetrofitProgress(event["worker"])
    logger.append_keys(retrofit=job.name, worker=progress.worker, batch=progress.batch)
    if progress.done(plan) and progress.batch:
        return progress.to_json(plan)
    adopted = results.committed(progress.worker, progress.batch)
    if adopted is not None:
        logger.info("batch adopted: an earlier attempt had committed it")
        return RetrofitProgress.from_json(adopted, plan).to_json(plan)

    part = Part(listed_line)
    batch = RetrofitBatch(
        plan,
        progress,
        bounds=settings.bounds(context.get_remaining_time_in_millis() / 1000),
        clock=time.monotonic,
        random=random.random,
        write=part.write,
    )
    pump: Pump[Request, Answer] = batch
    error = drive(pump, RetrofitTable(dynamodb, plan).do, THREADS)
    if error is not None:
        logger.warning("batch ended early", error=type(error).__name__)
        if not (batch.counts.items or batch.counts.verified):  # the next batch would fare no better
            raise error
    logger.info("batch", **batch.counts.to_json())
    # Every batch is committed, even where it lists nothing: what it wrote is counted once, and never written again.
    reached = replace(batch.progress, batch=progress.batch + 1)
    committed = results.commit(progress.worker, progress.batch, part, reached.to_json(plan), uuid.uuid4().hex)
    return RetrofitProgress.from_json(committed, plan).to_json(plan)
