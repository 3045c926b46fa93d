"""Copy page: one bounded batch of one worker. Takes its progress from state, returns it, holds nothing in between."""

import os
import random
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import boto3
from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from skipscan.aws import clients, lean
from skipscan.aws.copy_tables import CopyTables, LateLooks
from skipscan.aws.item_results import item_results
from skipscan.aws.item_turn import THREADS, take_turn
from skipscan.aws.settings import Settings
from skipscan.copy.batch import CopyBatch
from skipscan.copy.job import CopyJob
from skipscan.copy.late_look import PUT_SECONDS
from skipscan.copy.progress import CopyProgress
from skipscan.items.turn import ItemTurn
from skipscan.loop.part import Part

logger = Logger()
settings = Settings.read(os.environ)
session = boto3.Session()
dynamodb = lean.dynamodb(session, connections=THREADS, told=lean.notice(settings.environment, logger))
s3 = clients.s3(session)
sqs = clients.sqs(session, connections=THREADS)


@logger.inject_lambda_context
def handler(event: dict[str, Any], context: LambdaContext) -> Mapping[str, Any]:
    """Return the worker's progress after this batch, whoever committed it; raise `StateError` for a strange one."""
    turn = ItemTurn.of(event, "Copy page", CopyJob, CopyProgress)
    plan = turn.job.plan
    logger.append_keys(copy=turn.job.name)

    def begin(progress: CopyProgress, part: Part) -> CopyBatch:
        bounds = settings.bounds(context.get_remaining_time_in_millis() / 1000)
        # The replicator's late look comes after every put: it rests on no put being sent later than this.
        bounds = replace(bounds, seconds=min(bounds.seconds or PUT_SECONDS, PUT_SECONDS))
        return CopyBatch(plan, progress, bounds=bounds, clock=time.monotonic, random=random.random, write=part.write)

    results = item_results(s3, settings, plan.reading.source.table, CopyJob.noun, turn.job.name)
    tables = CopyTables(dynamodb, plan, LateLooks(sqs, plan.replica.queue))
    return take_turn(turn, CopyProgress, results, begin=begin, do=tables.do, logger=logger)
