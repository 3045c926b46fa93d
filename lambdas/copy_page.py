"""Copy page: one bounded batch of one worker. Takes its progress from state, returns it, holds nothing in between."""

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
from skipscan.aws.copies import FOLDER
from skipscan.aws.copy_tables import CopyTables, LateLooks
from skipscan.aws.drive import Pump, drive
from skipscan.aws.results import Results
from skipscan.aws.settings import Settings
from skipscan.copy.batch import Answer, CopyBatch, Request
from skipscan.copy.job import CopyJob
from skipscan.copy.late_look import PUT_SECONDS
from skipscan.copy.progress import CopyProgress
from skipscan.execution_input import table_name
from skipscan.layout import Layout
from skipscan.part import Part
from skipscan.retrofit.listed_line import listed_line

THREADS = 16
"""Requests a worker has under way at once: a Lambda that waits for one 5 ms request at a time is paid for waiting."""

logger = Logger()
settings = Settings.read(os.environ)
session = boto3.Session()
dynamodb, s3 = clients.dynamodb(session, connections=THREADS), clients.s3(session)
sqs = clients.sqs(session, connections=THREADS)


@logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> Mapping[str, Any]:
    """Return the worker's progress after this batch, whoever committed it."""
    job = CopyJob.from_json(event["copy"])
    plan = job.plan
    layout = Layout(settings.prefix, table_name(plan.reading.source.table), FOLDER, job.name)
    results = Results(s3, settings.bucket, layout)
    # A first turn goes on from what lies on S3 as well: of an attempt before it, or of a copy that is resumed.
    standing = event.get("progress") or results.reached(event["worker"])
    progress = CopyProgress.from_json(standing, plan) if standing else CopyProgress(event["worker"])
    logger.append_keys(copy=job.name, worker=progress.worker, batch=progress.batch)
    if progress.done(plan) and progress.batch:
        return progress.to_json(plan)
    adopted = results.committed(progress.worker, progress.batch)
    if adopted is not None:
        logger.info("batch adopted: an earlier attempt had committed it")
        return CopyProgress.from_json(adopted, plan).to_json(plan)

    part = Part(listed_line)
    bounds = settings.bounds(context.get_remaining_time_in_millis() / 1000)
    batch = CopyBatch(
        plan,
        progress,
        # The replicator's late look comes after every put: it rests on no put being sent later than this.
        bounds=replace(bounds, seconds=min(bounds.seconds or PUT_SECONDS, PUT_SECONDS)),
        clock=time.monotonic,
        random=random.random,
        write=part.write,
    )
    pump: Pump[Request, Answer] = batch
    error = drive(pump, CopyTables(dynamodb, plan, LateLooks(sqs, plan.replica.queue)).do, THREADS)
    if error is not None:
        logger.warning("batch ended early", error=type(error).__name__)
        if not (
            batch.counts.items or batch.counts.source_items or batch.counts.target_items
        ):  # the next batch would fare no better
            raise error
    logger.info("batch", **batch.counts.to_json())
    # Every batch is committed, even where it lists nothing: what it wrote is counted once, and never written again.
    reached = replace(batch.progress, batch=progress.batch + 1)
    committed = results.commit(progress.worker, progress.batch, part, reached.to_json(plan), uuid.uuid4().hex)
    return CopyProgress.from_json(committed, plan).to_json(plan)
