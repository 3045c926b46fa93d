"""Act: one bounded batch of one worker of a job. Takes its progress from state and returns it."""

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

from skipscan.act.batch import ActBatch, Call, Fetch, Step
from skipscan.act.event import ActTurn
from skipscan.act.failed_line import failed_line
from skipscan.act.job import Job
from skipscan.act.plan import THREADS
from skipscan.act.progress import ActProgress
from skipscan.act.slices import slices
from skipscan.act.task import Answer
from skipscan.aws import clients
from skipscan.aws.drive import drive
from skipscan.aws.jobs import without_values
from skipscan.aws.parts import Parts
from skipscan.aws.performing import Services
from skipscan.aws.results import Results
from skipscan.aws.settings import Settings
from skipscan.inputs.names import table_name
from skipscan.loop.layout import Layout
from skipscan.loop.part import Part
from skipscan.loop.seal import sealed

logger = Logger()
settings = Settings.read(os.environ)
session = boto3.Session()
dynamodb, s3 = clients.dynamodb(session, connections=THREADS), clients.s3(session)
lambda_, sqs = clients.lambda_(session, connections=THREADS), clients.sqs(session, connections=THREADS)


@logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> Mapping[str, Any]:
    """Return the worker's progress after this batch, whoever committed it; raise `StateError` for a strange one."""
    turn = ActTurn.from_json(event)
    job, progress = turn.job, turn.progress
    layout = Layout(settings.prefix, table_name(job.plan.table), job.plan.run)
    results = Results(s3, settings.bucket, replace(layout, job=job.name))
    if progress is None:
        # A first turn goes on from what lies on S3 as well: of an attempt before it, or of a job that is resumed.
        standing = results.reached(turn.worker)
        progress = ActProgress.from_json(standing) if standing else ActProgress(turn.worker)
    logger.append_keys(job=job.name, worker=progress.worker, batch=progress.batch)
    return sealed(_turned(job, progress, results, layout, context).to_json(job.plan), job)


def _turned(job: Job, progress: ActProgress, results: Results, layout: Layout, context: LambdaContext) -> ActProgress:
    """Return where the worker stands after one batch from there: this attempt's, or one that was committed before."""
    if progress.done(job.plan) and progress.batch:
        return progress
    adopted = results.committed(progress.worker, progress.batch)
    if adopted is not None:
        logger.info("batch adopted: an earlier attempt had committed it")
        return ActProgress.from_json(adopted)

    manifest = Results(s3, settings.bucket, layout).manifest()
    if manifest is None:
        raise LookupError("the run's manifest is gone")
    parts, call = Parts(s3, settings.bucket), Services(dynamodb, lambda_, sqs).performer(job)
    failed = Part(failed_line)
    batch = ActBatch(
        job.plan,
        slices(manifest["parts"]),
        progress,
        bounds=settings.bounds(context.get_remaining_time_in_millis() / 1000),
        clock=time.monotonic,
        random=random.random,
        write=failed.write,
    )

    def do(step: Step) -> bytes | Answer:
        if isinstance(step, Fetch):
            return parts.read(step.range)
        if isinstance(step, Call):
            return call(step.tasks)
        raise TypeError("a step is a fetch or a call")

    error = drive(batch, do, THREADS)
    if error is not None:
        logger.warning("batch ended early", error=type(error).__name__)
        if not batch.counts.keys:
            raise without_values(error)
    logger.info("batch", **batch.counts.to_json())
    reached = replace(batch.progress, batch=progress.batch + 1)
    committed = results.commit(progress.worker, progress.batch, failed, reached.to_json(job.plan), uuid.uuid4().hex)
    return ActProgress.from_json(committed)
