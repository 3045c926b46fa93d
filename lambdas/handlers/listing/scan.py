"""Scan: one bounded batch of one worker. Takes its progress from state, returns it, holds nothing in between."""

import os
import random
import time
import uuid
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import boto3
from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws import clients
from skipscan.aws.drive import drive
from skipscan.aws.metrics import Metrics
from skipscan.aws.results import Results
from skipscan.aws.settings import Settings
from skipscan.aws.table import Table, without_values
from skipscan.inputs.names import table_name
from skipscan.keys.formats import encoder
from skipscan.listing.run import Run
from skipscan.loop.event import Turn
from skipscan.loop.layout import Layout
from skipscan.loop.part import Part
from skipscan.loop.seal import sealed
from skipscan.metrics.metric_values import MetricValues, of_batch
from skipscan.scan.batch import Batch
from skipscan.scan.plan import WALKS
from skipscan.scan.progress import Progress

logger = Logger()
settings = Settings.read(os.environ)
session = boto3.Session()
dynamodb, s3 = clients.dynamodb(session, connections=WALKS), clients.s3(session)
metrics = Metrics(settings.environment)


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the worker's progress after this batch, whoever committed it; raise `StateError` for a strange one."""
    turn = Turn.from_json(event)
    run, plan, progress = turn.run, turn.run.plan, turn.progress
    logger.append_keys(run=run.name, worker=turn.worker)
    results = Results(s3, settings.bucket, Layout(settings.prefix, table_name(plan.source.table), run.name))
    if progress is None:
        # A first turn goes on from what lies on S3 as well: of an attempt before it, or of a run that is resumed.
        standing = results.reached(turn.worker)
        progress = Progress.from_json(standing, plan) if standing else Progress.start(plan, turn.worker)
    logger.append_keys(batch=progress.batch)
    return sealed(_turned(run, progress, results, context).to_json(plan), run)


def _turned(run: Run, progress: Progress, results: Results, context: LambdaContext) -> Progress:
    """Return where the worker stands after one batch from there: this attempt's, or one that was committed before."""
    plan = run.plan
    if progress.done(plan):
        return progress
    adopted = results.committed(progress.worker, progress.batch)
    if adopted is not None:
        logger.info("batch adopted: an earlier attempt had committed it")
        return Progress.from_json(adopted, plan)

    began = datetime.now(UTC).isoformat(timespec="milliseconds")
    part = Part(encoder(plan.source, plan.format))
    batch = Batch(
        plan,
        progress,
        bounds=settings.bounds(context.get_remaining_time_in_millis() / 1000, progress.batches),
        clock=time.monotonic,
        random=random.random,
        write=part.write,
    )
    error = drive(batch, Table(dynamodb, plan).scan, plan.walks)
    course = batch.course
    figures = of_batch(batch.counts, seconds=course["seconds"], is_cut_short=error is not None)
    if error is not None:
        logger.warning("batch ended early", error=type(error).__name__)
        if not batch.counts.requests:
            _tell(figures, run)
            raise without_values(error)
    reached = batch.progress
    logger.info("batch", **batch.counts.to_json())
    # The last batch is committed even without keys, so that no late attempt can add to a finished worker.
    if not part.keys and not reached.done(plan):
        _tell(figures, run)
        return reached
    reached, attempt = replace(reached, batch=progress.batch + 1), uuid.uuid4().hex
    # How the batch went is for reports: it lies in the checkpoint, and nobody who goes on from there reads it.
    checkpoint = {**reached.to_json(plan), "attempt": attempt, "course": {"began": began, **course}}
    committed = results.commit(progress.worker, progress.batch, part, checkpoint, attempt)
    if committed.get("attempt") == attempt:  # else another attempt's batch counts, and that one has told of it
        _tell(figures, run)
    return Progress.from_json(committed, plan)


def _tell(figures: MetricValues, run: Run) -> None:
    metrics.tell(figures, table=table_name(run.plan.source.table), run=run.name)
